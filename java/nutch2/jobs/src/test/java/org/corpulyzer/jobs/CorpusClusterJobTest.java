package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.engine.Settings;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The jobs on the class path of Nutch 2.4; the tests of Nutch 1.x have their cases. */
public class CorpusClusterJobTest {

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void pagesHaveTheirClustersAcrossFiles() throws Exception {
    File in = folder.newFolder("in");
    write(in, "1.jsonl", "{\"text\":\"drei vier\"}\n{\"text\":\"eins zwei\"}\n");
    write(in, "2.jsonl", "{\"text\":\"eins zwei.\"}\n");
    File out = new File(folder.getRoot(), "out");
    Configuration conf = NutchConfiguration.create();
    conf.set("hadoop.tmp.dir", folder.newFolder().getPath());
    conf.set(Settings.LANGUAGE_TARGET, "ur");
    assertEquals(
        0,
        ToolRunner.run(conf, new CorpusClusterJob(), new String[] {out.getPath(), in.getPath()}));
    assertEquals(
        "{\"text\":\"drei vier\",\"minhash_cluster_id\":0,\"minhash_cluster_size\":1}\n"
            + "{\"text\":\"eins zwei\",\"minhash_cluster_id\":1,\"minhash_cluster_size\":2}",
        lines(new File(out, "clusters-00000.jsonl.gz")));
    assertEquals(
        "{\"text\":\"eins zwei.\",\"minhash_cluster_id\":1,\"minhash_cluster_size\":2}",
        lines(new File(out, "clusters-00001.jsonl.gz")));
  }

  private static void write(File in, String name, String text) throws Exception {
    Files.write(in.toPath().resolve(name), text.getBytes(StandardCharsets.UTF_8));
  }

  private static String lines(File file) throws Exception {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(new FileInputStream(file)), StandardCharsets.UTF_8))) {
      return lines.lines().collect(Collectors.joining("\n"));
    }
  }
}
