package org.corpulyzer.jobs;

import static org.corpulyzer.jobs.ArchivesForTests.gzip;
import static org.corpulyzer.jobs.ArchivesForTests.utf8;
import static org.corpulyzer.jobs.ArchivesForTests.zstd;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.fixtures.Printed;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class CorpusClusterJobTest {

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private Configuration conf;

  @Before
  public void configure() {
    conf = SegmentForTests.configuration(folder.getRoot());
    conf.setInt("mapreduce.job.reduces", 3);
  }

  private int run(String... args) throws Exception {
    CorpusClusterJob job = new CorpusClusterJob();
    job.setConf(conf);
    return job.run(args);
  }

  private String path(String name) {
    return new File(folder.getRoot(), name).getPath();
  }

  /** The lines of the job, in the order of its files. */
  private List<String> written(String out) throws IOException {
    List<String> lines = new ArrayList<>();
    File[] files = new File(out).listFiles((dir, name) -> name.endsWith(".jsonl.gz"));
    Arrays.sort(files);
    for (File one : files) {
      lines.addAll(ArchivesForTests.lines(new GZIPInputStream(Files.newInputStream(one.toPath()))));
    }
    return lines;
  }

  private List<String> clustered(List<Path> files, String... more) throws Exception {
    return ArchivesForTests.clustered(
        folder.getRoot().toPath().resolve("command.jsonl"), files, more);
  }

  private static void assertSameLines(List<String> expected, List<String> found) {
    assertEquals(String.join("\n", expected), String.join("\n", found));
  }

  @Test
  public void linesAreThoseOfTheCommandOverTheSameFiles() throws Exception {
    List<Path> files = ArchivesForTests.writeLines(folder.newFolder("in").toPath());
    String in = path("in");
    String summary = Printed.out(() -> assertEquals(0, run(path("all"), in)));
    List<String> expected = clustered(files);
    assertSameLines(expected, written(path("all")));
    assertTrue(summary, summary.contains("CorpusClusterJob: 423 pages in 3 files, of which "));
    assertTrue(summary, summary.contains("\n  1 lines that are not pages in JSON"));
    assertTrue("chains of pages: " + summary, summary.matches("(?s).*rounds: [2-9]\\).*"));

    assertEquals(0, run("-keep", "first", path("first"), in));
    List<String> first = written(path("first"));
    assertSameLines(clustered(files, "--keep", "first"), first);
    assertTrue(first.size() < expected.size());

    String[] shape = {"-words", "3", "-bands", "20", "-rows", "4", "-letters", path("shape"), in};
    assertEquals(0, run(shape));
    assertSameLines(
        clustered(files, "--words", "3", "--bands", "20", "--rows", "4", "--letters"),
        written(path("shape")));
  }

  @Test
  public void aCorpusWithoutNearDuplicatesHasClustersOfOnePage() throws Exception {
    Path file = folder.getRoot().toPath().resolve("a.jsonl");
    Files.write(file, utf8("{\"text\":\"eins zwei\"}\n{\"text\":\"drei vier\"}\n"));
    assertEquals(0, run(path("out"), file.toString()));
    assertSameLines(clustered(Arrays.asList(file)), written(path("out")));
  }

  @Test
  public void damagedFilesAreNamedAndTheRestIsWritten() throws Exception {
    Path in = folder.newFolder("in").toPath();
    byte[] frame = zstd(utf8("{\"text\":\"drei vier\"}\n"));
    Files.write(in.resolve("a.jsonl.gz"), gzip(utf8("{\"text\":\"eins zwei\"}\n")));
    Files.write(in.resolve("b.jsonl.zst"), Arrays.copyOf(frame, frame.length - 2));
    Files.write(in.resolve("c.jsonl"), utf8("{\"text\":\"eins zwei\"}\n{\"text\":\"dr"));
    Files.write(in.resolve("d.jsonl"), utf8("WARC/1.0\r\nWARC-Type: warcinfo\r\n"));
    String errors = Printed.err(() -> assertEquals(1, run(path("out"), in.toString())));
    for (String name : new String[] {"b.jsonl.zst", "c.jsonl, line 2", "d.jsonl"}) {
      assertTrue(errors, errors.contains(name));
    }
    assertTrue(errors, !errors.contains("a.jsonl"));
    assertTrue(errors, errors.contains("Replace the files and run again."));
    String line = "{\"text\":\"eins zwei\",\"minhash_cluster_id\":0,\"minhash_cluster_size\":2}";
    List<String> found = written(path("out"));
    assertEquals(found.toString(), 2, Collections.frequency(found, line));
  }

  @Test
  public void impossibleArgumentsAreRefused() throws Exception {
    Path file = folder.getRoot().toPath().resolve("a.jsonl");
    Files.write(file, utf8("{\"text\":\"eins zwei\"}\n"));
    String out = path("out");
    assertEquals(
        "The folder "
            + folder.newFolder("empty")
            + " has no file of JSON lines: names end with .jsonl, and perhaps .gz, .zst, .xz or"
            + " .bz2.",
        assertThrows(CorpulyzerException.class, () -> run(out, path("empty"))).getMessage());
    String[][] bad = {
      {},
      {out},
      {"-keep", "best", out, file.toString()},
      {"-bands", "20", out, file.toString()},
      {"-words", "0", out, file.toString()},
    };
    for (String[] args : bad) {
      String error = Printed.err(() -> assertEquals(2, run(args)));
      assertTrue(error, error.contains("Usage: CorpusClusterJob "));
    }
    String error = Printed.err(() -> run("-bands", "20", out, file.toString()));
    assertTrue(error, error.contains("-bands 20 -rows 8 are 160 values; allowed are 128."));
  }
}
