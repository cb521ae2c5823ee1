package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.Rule;
import org.junit.Test;

/** Rules of hosts on the use of their pages: robots.txt and tdmrep.json. */
public class ReservationsTest {
  private static final Pattern RESERVED =
      Pattern.compile("\"url\":\"([^\"]*)\".*?\"reservation\":(\\{.*)\\}$");

  @Rule public final TestCrawl folder = new TestCrawl();

  @Test(timeout = 400_000)
  public void rulesOfHostsAreInRecordsAndWarcFiles() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      web.robots(
          "signal.test",
          "User-agent: *\nDisallow: /private\nContent-Signal: search=yes, ai-train=no\n");
      web.robots(
          "usage.test",
          "User-agent: other\nContent-Usage: train-ai=n\n\n"
              + "User-agent: *\nAllow: /\nContent-Usage: /news/ train-ai=n\n");
      web.tdm(
          "tdm.test",
          "[{\"location\":\"/open\",\"tdm-reservation\":0},"
              + "{\"location\":\"*\",\"tdm-reservation\":1}]");
      web.tdm("html.test", "<html>not found</html>");
      web.robots("plain.test", "User-agent: *\nDisallow: /x\n");
      web.tdm("closed.test", "[{\"location\":\"*\",\"tdm-reservation\":1}]");
      web.robots("closed.test", "User-agent: *\nDisallow: /.well-known/\n");
      int number = 0;
      StringBuilder seeds = new StringBuilder();
      for (String url :
          Arrays.asList(
              "http://signal.test/",
              "http://usage.test/",
              "http://usage.test/news/1",
              "http://tdm.test/",
              "http://tdm.test/open",
              "http://html.test/",
              "http://plain.test/",
              "http://closed.test/")) {
        web.urduNumber(number++, url);
        seeds.append(url).append('\n');
      }
      List<String> options =
          Arrays.asList("--proxy", web.proxy(), "--rounds", "2", "--no-report", "--format");
      assertEquals(folder.output(), 0, crawl(seeds.toString(), options, "jsonl"));
      Map<String, String> reserved = new TreeMap<>();
      List<String> documents = Corpus.lines(folder.corpus());
      for (String line : documents) {
        Matcher found = RESERVED.matcher(line);
        if (found.find()) {
          reserved.put(found.group(1), found.group(2));
        }
      }
      assertEquals(documents.toString(), 8, documents.size());
      assertEquals(
          "{http://signal.test/={\"content_signal\":"
              + "{\"ai-train\":{\"source\":\"robots.txt\",\"value\":\"n\"},"
              + "\"search\":{\"source\":\"robots.txt\",\"value\":\"y\"}}}, "
              + "http://tdm.test/={\"tdm\":{\"reservation\":1,\"source\":\"file\"}}, "
              + "http://tdm.test/open={\"tdm\":{\"reservation\":0,\"source\":\"file\"}}, "
              + "http://usage.test/news/1={\"content_usage\":"
              + "{\"train-ai\":{\"source\":\"robots.txt\",\"value\":\"n\"}}}}",
          reserved.toString());
      web.tdmRequests.sort(null);
      assertEquals(
          "each host is asked once, and none that forbids it",
          Arrays.asList("html.test", "plain.test", "signal.test", "tdm.test", "usage.test"),
          web.tdmRequests);

      assertEquals(0, crawl(seeds.toString(), options, "warc"));
      String warc = text("corpus.warc.gz");
      for (String file :
          Arrays.asList(
              "http://signal.test/robots.txt",
              "http://usage.test/robots.txt",
              "http://tdm.test/.well-known/tdmrep.json")) {
        assertTrue(file, warc.contains("WARC-Target-URI: " + file + "\r\n"));
      }
      assertTrue("as it was sent", warc.contains("\nDisallow: /private\nContent-Signal: search"));
      assertFalse(warc.contains("WARC-Target-URI: http://plain.test/robots.txt"));
      assertFalse(warc.contains("not found"));
      assertTrue(
          "a rule is no page",
          CrawlFiles.rows(folder.data()).keySet().stream()
              .noneMatch(url -> url.contains("robots.txt") || url.contains("tdmrep")));
    }
  }

  private int crawl(String seeds, List<String> options, String format) throws Exception {
    String[] all = options.toArray(new String[options.size() + 1]);
    all[options.size()] = format;
    return folder.run(seeds, all);
  }

  private String text(String name) throws Exception {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(folder.out().resolve(name)))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
