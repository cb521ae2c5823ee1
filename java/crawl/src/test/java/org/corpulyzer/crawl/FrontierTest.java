package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;

public class FrontierTest {
  @Rule public final TestCrawl folder = new TestCrawl();

  @Test(timeout = 300_000)
  public void theTableAndTheAnswerSayWhyAUrlWasFetchedOrNot() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      web.urdu(
          "http://a.test/",
          "http://a.test/story/1",
          "http://a.test/none",
          "http://busy.test/x",
          "http://a.test/private/2",
          "http://later.test/");
      web.urdu("http://a.test/story/1", "http://a.test/story/2");
      web.english("http://later.test/");
      web.other("http://busy.test/x", 429, null);
      web.robots("a.test", "User-agent: *\nDisallow: /private/\nSitemap: http://a.test/map.txt\n");
      web.html(
          "http://a.test/map.txt",
          "http://a.test/story/3\nhttp://foreign.test/1\nhttp://other.test/2\n");
      String[] options = {
        "--proxy", web.proxy(), "--rounds", "2", "--frontier", "--no-report", "--deny", "bad.test"
      };
      assertEquals(folder.output(), 0, folder.run("http://a.test/\n", options));
      assertTrue(
          folder.output(),
          folder.output().contains(", links of sitemaps to other sites left out: 2"));
      Map<String, String[]> lines = new HashMap<>();
      List<String> table =
          Files.readAllLines(folder.out().resolve(Frontier.FILE), StandardCharsets.UTF_8);
      assertEquals("url\thost\tsection\tscore\tstate\treason", table.get(0));
      for (String line : table.subList(1, table.size())) {
        String[] cells = line.split("\t", -1);
        assertEquals(line, 6, cells.length);
        lines.put(cells[0], cells);
      }
      assertLine(lines.get("http://a.test/story/1"), "/story", "fetched", "keep ");
      assertLine(lines.get("http://a.test/none"), "/", "gone", "notfound");
      assertLine(
          lines.get("http://a.test/map.txt"),
          "/",
          "fetched",
          "a sitemap or feed; links to other sites that are left out: 2, the first of them to"
              + " foreign.test");
      assertLine(lines.get("http://a.test/private/2"), "/private", "gone", "robots denied");
      assertLine(lines.get("http://busy.test/x"), "/", "failed", "retry: HTTP 429; tried again");
      assertLine(lines.get("http://a.test/story/2"), "/story", "not fetched", "waits for a round");
      assertLine(lines.get("http://later.test/"), "/", "fetched", "reject ");

      String[] question = {"--proxy", web.proxy(), "--deny", "bad.test", "--explain", ""};
      for (String[] pair :
          new String[][] {
            {"http://A.test/story/1#top", "state: fetched\n  reason: keep "},
            {"http://a.test/map.txt", "left out: 2, the first of them to foreign.test"},
            {"http://foreign.test/1", "or the sitemap is of another site"},
            {"http://bad.test/", "state: unknown\n  reason: left out by --allow, --deny"},
            {"http://a.test/other", "state: unknown\n  reason: no fetched page"}
          }) {
        question[5] = pair[0];
        assertEquals(0, folder.run("http://a.test/\n", question));
        assertTrue(folder.output(), folder.output().contains(pair[1]));
      }
      for (String none : new String[] {"ftp://a.test/", "a.test", ""}) {
        question[5] = none;
        assertEquals(none, 2, folder.run("http://a.test/\n", question));
        assertTrue(
            folder.output(),
            folder
                .output()
                .contains("--explain is '" + none + "'; allowed is an http or https URL"));
      }
    }
  }

  private static void assertLine(String[] line, String section, String state, String reason) {
    assertEquals(section, line[2]);
    assertEquals(state, line[4]);
    assertTrue(line[5], line[5].startsWith(reason));
  }
}
