package org.corpulyzer.jobs;

import static org.corpulyzer.jobs.ArchivesForTests.URDU;
import static org.corpulyzer.jobs.ArchivesForTests.gzip;
import static org.corpulyzer.jobs.ArchivesForTests.html;
import static org.corpulyzer.jobs.ArchivesForTests.joined;
import static org.corpulyzer.jobs.ArchivesForTests.lines;
import static org.corpulyzer.jobs.ArchivesForTests.page;
import static org.corpulyzer.jobs.ArchivesForTests.utf8;
import static org.corpulyzer.jobs.ArchivesForTests.zstd;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.fixtures.Printed;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class WarcCorpusJobTest {

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private Configuration conf;

  @Before
  public void configure() {
    conf = SegmentForTests.configuration(folder.getRoot());
  }

  private File file(String name) {
    return new File(folder.getRoot(), name);
  }

  private int run(String... args) throws Exception {
    WarcCorpusJob job = new WarcCorpusJob();
    job.setConf(conf);
    return job.run(args);
  }

  private String write(String name, byte[]... records) throws IOException {
    Path path = file(name).toPath();
    Files.createDirectories(path.getParent());
    Files.write(path, joined(records));
    return path.toString();
  }

  private List<Path> archives() throws IOException {
    return ArchivesForTests.write(folder.getRoot().toPath());
  }

  /** The lines of the files of a job, sorted. */
  private List<String> written(String out, String ending) throws IOException {
    List<String> lines = new ArrayList<>();
    File[] files = file(out).listFiles((dir, name) -> name.endsWith(ending));
    for (File one : files) {
      lines.addAll(lines(new GZIPInputStream(Files.newInputStream(one.toPath()))));
    }
    Collections.sort(lines);
    return lines;
  }

  private List<String> collected(String out, List<Path> files, String... more) throws Exception {
    return ArchivesForTests.collected(file(out).toPath(), files, "ur", more).get("urd");
  }

  private static void assertSameLines(List<String> expected, List<String> found) {
    assertEquals(String.join("\n", expected), String.join("\n", found));
  }

  @Test
  public void corpusIsThatOfCollectOverTheSameFiles() throws Exception {
    List<Path> files = archives();
    String[] inputs = {file("in").getPath(), files.get(3).toString()};
    String summary =
        Printed.out(() -> assertEquals(0, run(file("out").getPath(), inputs[0], inputs[1])));
    List<String> found = written("out", ".jsonl.gz");
    assertSameLines(collected("collected", files), found);
    assertEquals(17, found.size());
    String all = String.join("\n", found);
    assertTrue(
        all,
        all.contains(
            "\"published\":\"2025-12-24\",\"date_source\":\"meta\",\"license\":\"cc-by\""));
    assertTrue(summary, summary.contains("WarcCorpusJob: 17 pages of 4 archives in 1 files"));
    assertTrue(summary, summary.contains("3 pages with the URL of an earlier one"));
    assertTrue(summary, summary.contains("2 damaged records, which were skipped"));
    assertTrue(summary, summary.contains("1 responses without a proper HTTP head"));
    assertTrue(summary, summary.contains("3 pages that the first look ruled out"));

    assertEquals(
        0,
        run(
            "-all",
            "-noFirstLook",
            "-minBytes",
            "1400",
            file("all").getPath(),
            inputs[0],
            inputs[1]));
    assertSameLines(
        collected("collected all", files, "--rejected", "--min-bytes", "1400", "--no-first-look"),
        written("all", ".jsonl.gz"));
  }

  @Test
  public void otherFormatsAndListsHaveTheSamePages() throws Exception {
    List<Path> files = archives();
    String[] inputs = {file("in").getPath(), files.get(3).toString()};
    String list = files.stream().map(Path::toString).collect(Collectors.joining("\n")) + "\n";
    Files.write(file("list").toPath(), utf8(list));
    assertEquals(
        0,
        run(
            "-format",
            "text",
            "-language",
            "urd",
            "-list",
            file("list").getPath(),
            file("text").getPath()));
    assertSameLines(collected("collected", files, "--format", "text"), written("text", ".txt.gz"));
    assertEquals(0, run("-format", "wet", file("wet").getPath(), inputs[0], inputs[1]));
    File wet = file("wet").listFiles((dir, name) -> name.endsWith(".warc.wet.gz"))[0];
    assertEquals(
        17,
        lines(new GZIPInputStream(Files.newInputStream(wet.toPath()))).stream()
            .filter("WARC-Type: conversion"::equals)
            .count());
  }

  @Test
  public void eachOfSeveralLanguagesHasTheCorpusThatCollectMakes() throws Exception {
    List<Path> files = archives();
    String[] inputs = {file("in").getPath(), files.get(3).toString()};
    for (boolean withRejected : new boolean[] {false, true}) {
      String name = withRejected ? "all" : "out";
      List<String> args = new ArrayList<>(Arrays.asList("-language", "ur,en"));
      if (withRejected) {
        args.add("-all");
      }
      args.addAll(Arrays.asList(file(name).getPath(), inputs[0], inputs[1]));
      assertEquals(0, run(args.toArray(new String[0])));
      String[] more = withRejected ? new String[] {"--rejected"} : new String[0];
      Map<String, List<String>> expected =
          ArchivesForTests.collected(file("collected " + name).toPath(), files, "ur,en", more);
      assertEquals(Arrays.asList("eng", "urd"), new ArrayList<>(expected.keySet()));
      for (String language : expected.keySet()) {
        assertFalse(expected.get(language).isEmpty());
        assertSameLines(expected.get(language), written(name + "/" + language, ".jsonl.gz"));
      }
    }
  }

  @Test
  public void damagedFilesAreNamedAndTheRestIsWritten() throws Exception {
    byte[] whole = gzip(page("http://a.example/", "", html("", URDU[0])));
    byte[] lost = gzip(page("http://b.example/", "", html("", URDU[1])));
    String cut = write("in/cut.warc.gz", whole, Arrays.copyOf(lost, lost.length / 2));
    byte[] wrong = lost.clone();
    wrong[lost.length / 2] ^= 0x55;
    String damaged = write("in/damaged.warc.gz", whole, wrong, whole);
    String longer =
        new String(page("http://c.example/", "", html("", URDU[2])), StandardCharsets.UTF_8)
            .replaceFirst("Content-Length: [0-9]+", "Content-Length: 999999");
    String length =
        write("in/length.warc", utf8(longer), page("http://f.example/", "", html("", URDU[1])));
    // Files may begin with a skippable frame.
    byte[] skippable = {0x5d, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 7};
    byte[] frame = joined(skippable, zstd(page("http://e.example/", "", html("", URDU[2]))));
    byte[] wrongFrame = frame.clone();
    wrongFrame[frame.length / 2] ^= 0x55;
    String cutFrame = write("in/cut.warc.zst", frame, Arrays.copyOf(frame, frame.length / 2));
    String damagedFrame = write("in/damaged.warc.zst", wrongFrame);
    String good = write("in/x.warc.gz", gzip(page("http://d.example/", "", html("", URDU[0]))));
    String errors =
        Printed.err(
            () ->
                assertEquals(
                    1,
                    run(
                        file("out").getPath(),
                        cut,
                        damaged,
                        length,
                        cutFrame,
                        damagedFrame,
                        good)));
    List<String> found = written("out", ".jsonl.gz");
    assertTrue(
        found.toString(),
        found.size() >= 2
            && found.stream().anyMatch(line -> line.contains("http://a.example/"))
            && found.stream().anyMatch(line -> line.contains("http://d.example/"))
            && found.stream().anyMatch(line -> line.contains("http://e.example/")));
    for (String name :
        new String[] {
          "cut.warc.gz", "damaged.warc.gz", "length.warc", "cut.warc.zst", "damaged.warc.zst"
        }) {
      assertTrue(errors, errors.contains(name + ", "));
    }
    assertFalse(errors, errors.contains("x.warc.gz"));
    assertTrue(errors, errors.contains("Replace the files and run again."));
  }

  @Test
  public void impossibleInputsAreRefused() throws Exception {
    String good = write("in/x.warc", page("http://d.example/", "", html("", URDU[0])));
    String out = file("out").getPath();
    assertEquals(
        "The input "
            + good
            + "x does not exist: name a WARC, WET or ARC file, or a folder of them.",
        assertThrows(CorpulyzerException.class, () -> run(out, good + "x")).getMessage());
    folder.newFolder("empty");
    String empty = file("empty").getPath();
    assertEquals(
        "The folder "
            + empty
            + " has no archive: names end with .warc, .wet or .arc, and perhaps .gz, .zst, .xz or"
            + " .bz2.",
        assertThrows(CorpulyzerException.class, () -> run(out, empty)).getMessage());
    for (String[] args :
        new String[][] {{}, {out}, {"-format", "warc", out, good}, {"-x", out, good}}) {
      String error = Printed.err(() -> assertEquals(2, run(args)));
      assertTrue(error, error.contains("Usage: WarcCorpusJob "));
    }
    assertTrue(
        assertThrows(CorpulyzerException.class, () -> run("-language", "xx", out, good))
            .getMessage()
            .contains("xx"));
  }
}
