package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

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

/** The job over archives on the class path of Nutch 2.4; the tests of Nutch 1.x have its cases. */
public class WarcCorpusJobTest {
  private static final String URDU =
      "شہر کے مرکزی بازار میں آج صبح سے خریداروں کا رش رہا اور دکانداروں نے بتایا کہ سبزیوں کی"
          + " قیمتیں گزشتہ ہفتے کے مقابلے میں کم ہیں۔ ";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void anArchiveGivesTheDocumentsInTheLanguage() throws Exception {
    File archive = folder.newFile("pages.warc");
    Files.write(
        archive.toPath(),
        (record("http://a.example/", URDU + URDU + URDU)
                + record("http://b.example/", "The market was closed on Monday. The market opens."))
            .getBytes(StandardCharsets.UTF_8));
    File out = new File(folder.getRoot(), "out");
    Configuration conf = NutchConfiguration.create();
    conf.set("hadoop.tmp.dir", folder.newFolder().getPath());
    conf.set(Settings.LANGUAGE_TARGET, "ur");
    assertEquals(
        0,
        ToolRunner.run(conf, new WarcCorpusJob(), new String[] {out.getPath(), archive.getPath()}));
    File[] files = out.listFiles((dir, name) -> name.endsWith(".jsonl.gz"));
    assertEquals(1, files.length);
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(new FileInputStream(files[0])), StandardCharsets.UTF_8))) {
      String text = lines.lines().collect(Collectors.joining("\n"));
      assertTrue(text, text.contains("\"http://a.example/\""));
      assertTrue(text, !text.contains("b.example"));
    }
  }

  private static String record(String url, String text) {
    String page = "<html><body><p>" + text + "</p></body></html>";
    String response = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page;
    return "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: "
        + url
        + "\r\n"
        + "WARC-Date: 2026-01-02T03:04:05Z\r\n"
        + "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-"
        + String.format("%012d", url.hashCode() & 0xffffff)
        + ">\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: "
        + response.getBytes(StandardCharsets.UTF_8).length
        + "\r\n\r\n"
        + response
        + "\r\n\r\n";
  }
}
