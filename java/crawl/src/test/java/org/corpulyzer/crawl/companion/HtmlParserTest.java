package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.ParseUtil;
import org.apache.nutch.protocol.Content;
import org.junit.Before;
import org.junit.Test;

/** The HTML parser alone, through Nutch's ParseUtil: no parse filter is active. */
public class HtmlParserTest {
  private static final String URDU =
      "<p>شہری انتظامیہ کے ایک افسر نے بتایا کہ کام اگلے مہینے تک مکمل کر لیا جائے گا اور اس دوران"
          + " گاڑیوں کے لیے متبادل راستہ کھلا رہے گا۔ انہوں نے لوگوں سے درخواست کی کہ وہ کام کے"
          + " دوران تعاون کریں اور احتیاط سے گزریں۔</p>";

  private final Metadata headers = new Metadata();
  private Configuration conf;

  @Before
  public void configure() {
    conf = Plugins.configuration();
    conf.set("plugin.includes", "corpulyzer-companion");
    headers.set("Content-Type", "text/html; charset=utf-8");
  }

  @Test
  public void aPageHasTextTitleAndLinksThatCanBeFollowed() throws Exception {
    Parse parse =
        parse(
            "<title> خبر </title><base href=/dir/><a href='a?b#c'>A</a><a href=a?b>again</a><a"
                + " href='?q'>Q</a><a rel=nofollow href=/no>no</a><a"
                + " href='mailto:x@example.org'>mail</a><a href='javascript:void(0)'>js</a>"
                + URDU.repeat(3));
    assertEquals("خبر", parse.getData().getTitle().trim());
    assertEquals(
        Arrays.asList("http://example.org/dir/a?b A", "http://example.org/dir/?q Q"), links(parse));
    assertTrue(parse.getText(), parse.getText().contains("انتظامیہ"));
    assertTrue(parse.getData().getStatus().isSuccess());
    assertEquals("utf-8", parse.getData().getParseMeta().get(Nutch.ORIGINAL_CHAR_ENCODING));
  }

  @Test
  public void robotsDirectivesAreReadByTheirGrammar() throws Exception {
    Path vectors =
        Paths.get(
            System.getProperty("corpulyzer.root"), "tests", "vectors", "robots", "directives.tsv");
    int count = 0;
    for (String line : Files.readAllLines(vectors)) {
      String[] fields = line.split("\t", -1);
      if (fields.length != 3) {
        assertTrue(line, line.startsWith("#"));
        continue;
      }
      boolean isMeta = fields[0].equals("meta");
      headers.remove("X-Robots-Tag");
      for (String value : isMeta ? new String[0] : fields[1].split(" \\| ")) {
        headers.add("X-Robots-Tag", value);
      }
      Parse parse =
          parse(
              (isMeta ? "<meta name=robots content='" + fields[1] + "'>" : "")
                  + "<a href=/x>x</a>"
                  + URDU.repeat(3));
      List<String> found = new ArrayList<>();
      if (parse.getText().isEmpty()) {
        found.add("noindex");
      }
      if (links(parse).isEmpty()) {
        found.add("nofollow");
      }
      if (parse.getData().getParseMeta().get(Nutch.CACHING_FORBIDDEN_KEY) != null) {
        found.add("noarchive");
      }
      assertEquals(line, fields[2], found.isEmpty() ? "-" : String.join(" ", found));
      count++;
    }
    assertEquals(36, count);
  }

  @Test
  public void noindexBlanksTheTextAndNofollowTheLinks() throws Exception {
    Parse noindex =
        parse(
            "<meta name=ROBOTS content='NOINDEX'><title>t</title><a href=/x>x</a>"
                + URDU.repeat(3));
    assertEquals("", noindex.getText());
    assertEquals("", noindex.getData().getTitle());
    assertEquals(1, links(noindex).size());
    Parse nofollow =
        parse("<meta name=robots content='index, nofollow'><a href=/x>x</a>" + URDU.repeat(3));
    assertFalse(nofollow.getText().isEmpty());
    assertEquals(0, links(nofollow).size());
    Parse none = parse("<meta name=robots content=none><a href=/x>x</a>" + URDU.repeat(3));
    assertEquals("", none.getText());
    assertEquals(0, links(none).size());
  }

  @Test
  public void theRobotsHeaderCountsLikeThePage() throws Exception {
    headers.add("X-Robots-Tag", "googlebot: nofollow");
    assertEquals(1, links(parse("<a href=/x>x</a>")).size());
    headers.add("X-Robots-Tag", "noindex");
    headers.add("X-Robots-Tag", "nofollow");
    Parse parse = parse("<a href=/x>x</a>" + URDU.repeat(3));
    assertEquals("", parse.getText());
    assertEquals(0, links(parse).size());
  }

  @Test
  public void aRefreshIsARedirectWithItsTargetAndTime() throws Exception {
    assertRefresh(
        "<meta http-equiv=Refresh content=\"3; URL='next?a=1'\">",
        "http://example.org/next?a=1",
        "3");
  }

  @Test
  public void aPageThatLoadsAnotherOneLateIsAPageAndSoIsOneThatReloadsItself() throws Exception {
    for (String refresh :
        new String[] {
          "<meta http-equiv=refresh content='30;url=/next'>",
          "<meta http-equiv=refresh content=1200>",
          "<meta http-equiv=refresh content='0;url=/#top'>",
          "<meta http-equiv=refresh content='0;url=http://Example.org:80/?utm_source=x'>",
          "<noscript><meta http-equiv=refresh content='0;url=/plain'></noscript>"
        }) {
      Parse page = parse(refresh + URDU + "<p><a href=/next>x</a>");
      assertEquals(refresh, 0, page.getData().getStatus().getMinorCode());
      assertEquals(refresh, Arrays.asList("http://example.org/next x"), links(page));
      assertTrue(refresh, page.getText().length() > 50);
    }
    assertEquals(
        "the target of a late refresh is a link",
        Arrays.asList("http://example.org/story "),
        links(parse("<meta http-equiv=refresh content='60;url=/story'>" + URDU)));
  }

  private void assertRefresh(String html, String target, String seconds) throws Exception {
    ParseStatus status = parse(html).getData().getStatus();
    assertEquals(ParseStatus.SUCCESS_REDIRECT, status.getMinorCode());
    assertEquals(Arrays.asList(target, seconds), Arrays.asList(status.getArgs()));
  }

  @Test
  public void theCharsetComesFromTheHeaderThenFromThePage() throws Exception {
    headers.set("Content-Type", "text/html; charset=windows-1256");
    byte[] bytes =
        ("<title>\u062e\u0628\u0631</title>" + URDU).getBytes(Charset.forName("windows-1256"));
    assertEquals("\u062e\u0628\u0631", parse(bytes).getData().getTitle());
    headers.set("Content-Type", "text/html");
    byte[] declared =
        ("<meta charset=windows-1256><title>\u062e\u0628\u0631</title>" + URDU)
            .getBytes(Charset.forName("windows-1256"));
    assertEquals("\u062e\u0628\u0631", parse(declared).getData().getTitle());
  }

  @Test
  public void theLanguageOfTheCrawlAndFeedsOfAHomePageComeFirst() throws Exception {
    headers.add(HttpProtocol.SITEMAPS, "http://example.org/map.xml");
    String html =
        "<link rel=alternate hreflang=en href=/en><link rel=alternate hreflang=ur-PK href=/ur>"
            + "<link rel=alternate type='application/rss+xml' href=/feed><a href=/x>x</a>";
    assertEquals(
        Arrays.asList(
            "http://example.org/map.xml ",
            "http://example.org/ur ",
            "http://example.org/feed ",
            "http://example.org/x x"),
        links(parse(html)));
    String url = "http://example.org/inner";
    Parse inner =
        new ParseUtil(conf)
            .parse(
                new Content(
                    url, url, html.getBytes(StandardCharsets.UTF_8), "text/html", headers, conf))
            .get(url);
    assertFalse(links(inner).toString(), links(inner).contains("http://example.org/feed "));
    Parse nofollow = parse("<meta name=robots content=nofollow>" + html);
    assertEquals(Arrays.asList("http://example.org/map.xml "), links(nofollow));
    assertEquals(
        "0", nofollow.getData().getOutlinks()[0].getMetadata().get(Links.LIST_MARK).toString());
  }

  @Test(timeout = 60_000)
  public void hundredsOfThousandsOfNestedTagsEndInTime() throws Exception {
    StringBuilder html = new StringBuilder();
    for (int i = 0; i < 300_000; i++) {
      html.append("<div><a href=").append(i).append(">x</a>");
    }
    assertTrue(links(parse(html.toString())).size() > 0);
  }

  private Parse parse(String html) throws Exception {
    return parse(html.getBytes(StandardCharsets.UTF_8));
  }

  private Parse parse(byte[] html) throws Exception {
    String url = "http://example.org/";
    return new ParseUtil(conf)
        .parse(new Content(url, url, html, "text/html", headers, conf))
        .get(url);
  }

  private static List<String> links(Parse parse) {
    return Arrays.stream(parse.getData().getOutlinks())
        .map(link -> link.getToUrl() + " " + link.getAnchor())
        .collect(Collectors.toList());
  }
}
