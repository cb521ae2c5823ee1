package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.net.MalformedURLException;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map.Entry;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.protocol.Content;
import org.junit.Test;

public class UrlRulesTest {
  private final UrlNormalizer normalizer = new UrlNormalizer();

  @Test
  public void oneAddressHasOneSpellingAndNormalisingTwiceChangesNothing() throws Exception {
    assertNormal(
        "http://www.example.org/a?b=1&a=2", "HTTP://WWW.Example.ORG.:80/x/../a?b=1&a=2#part");
    assertNormal("https://example.org/", "https://user:secret@example.org:443");
    assertNormal("http://example.org:8080/", "http://example.org:8080");
    assertNormal(
        "http://xn--mgba3gch31f.example/%D8%AE%D8%A8%D8%B1",
        "http://\u0646\u0627\u0645\u0647\u0627\u06cc.example/\u062e\u0628\u0631");
  }

  @Test
  public void noAddressMakesARuleThrowAnythingButMalformed() throws Exception {
    for (String url : new String[] {"http://_\u1cf8/", "http://~\u59fd0x7f/", "http://<\u200d/"}) {
      assertMalformed(url);
    }
    String[] parts = {
      "http://",
      "https://",
      "//",
      "/",
      "\\",
      "?",
      "#",
      "@",
      ":",
      "%",
      "%zz",
      "[",
      "]",
      "::1",
      "xn--",
      "xn--a",
      "\u00df",
      "\u0130",
      "\u200d",
      "\ud800",
      "\ud83d\ude00",
      "\u0000",
      "\n",
      " ",
      "a",
      "b.test",
      ".",
      "..",
      "99999999999",
      "0x7f",
      "-",
      "_",
      "\u3002",
      "\u00ad",
      "65536",
      "127.1",
      "'",
      "<",
      "\uffff",
      "\u0645",
      "%C3"
    };
    Random random = new Random(1);
    UrlFilter filter = filter("", "");
    int malformed = 0;
    for (int i = 0; i < 50_000; i++) {
      StringBuilder url = new StringBuilder("http://");
      for (int k = random.nextInt(8); k >= 0; k--) {
        url.append(parts[random.nextInt(parts.length)]);
      }
      filter.filter(url.toString());
      try {
        String normal = normalizer.normalize(url.toString(), null);
        assertEquals(normal, normalizer.normalize(normal, null));
      } catch (MalformedURLException e) {
        malformed++;
      }
    }
    assertTrue(malformed + " malformed", malformed > 1000 && malformed < 49_000);
  }

  private void assertMalformed(String url) {
    try {
      fail(url + " became " + normalizer.normalize(url, null));
    } catch (MalformedURLException e) {
      assertTrue(e.getMessage(), e.getMessage().startsWith("not a"));
    }
  }

  @Test
  public void onlyWhatCanBeAPageIsKept() {
    UrlFilter filter = filter("", "");
    assertNotNull(filter.filter("http://example.org/story/17.html"));
    for (String url :
        new String[] {
          "ftp://example.org/",
          "http://example.org/a.JPG",
          "http://example.org/a/b/a/b/a/b/",
          "http://example.org/a/story.zip",
          "http://example.org/" + new String(new char[2000]).replace('\0', 'x')
        }) {
      assertNull(url, filter.filter(url));
    }
  }

  @Test
  public void theListsSpeakForAHostAndAllBelowIt() {
    UrlFilter filter = filter("example.org, other.test", "bad.example.org");
    assertNotNull(filter.filter("http://example.org/"));
    assertNotNull(filter.filter("http://www.example.org/"));
    assertNull(filter.filter("http://notexample.org/"));
    assertNull(filter.filter("http://www.bad.example.org/"));
    assertNull(filter.filter("http://elsewhere.test/"));
  }

  @Test
  public void listsAndDocumentsAreKeptAsTheCrawlSays() {
    Configuration conf = new Configuration(false);
    for (String[] url :
        new String[][] {
          {"http://example.org/sitemap.xml", Types.SITEMAPS},
          {"http://example.org/map.XML.gz", Types.SITEMAPS},
          {"http://example.org/news.rss", Types.SITEMAPS},
          {"http://example.org/a.pdf", Types.DOCUMENTS},
          {"http://example.org/a.DocX", Types.DOCUMENTS},
          {"http://example.org/a.ods", Types.DOCUMENTS},
          {"http://example.org/a.xlsx", Types.DOCUMENTS}
        }) {
      conf.setBoolean(url[1], true);
      assertNotNull(url[0], filter(conf).filter(url[0]));
      conf.setBoolean(url[1], false);
      assertNull(url[0], filter(conf).filter(url[0]));
    }
    assertNull(filter(new Configuration(false)).filter("http://example.org/dump.gz"));
  }

  @Test
  public void linkScoreIsHandedOutInEqualPartsAndAddedUp() throws Exception {
    LinkScoringFilter filter = new LinkScoringFilter();
    Text url = new Text("http://example.org/");
    CrawlDatum fetched = new CrawlDatum(CrawlDatum.STATUS_FETCH_SUCCESS, 1, 3f);
    Content content =
        new Content(
            url.toString(),
            url.toString(),
            new byte[0],
            "text/html",
            new Metadata(),
            new Configuration(false));
    filter.passScoreBeforeParsing(url, fetched, content);
    Parse parse =
        new ParseImpl(
            new ParseText(""),
            new ParseData(ParseStatus.STATUS_SUCCESS, "", new Outlink[0], new Metadata()));
    filter.passScoreAfterParsing(url, content, parse);
    List<Entry<Text, CrawlDatum>> targets = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      CrawlDatum link = new CrawlDatum(CrawlDatum.STATUS_LINKED, 1);
      filter.initialScore(url, link);
      targets.add(new SimpleEntry<>(url, link));
    }
    assertNull(filter.distributeScoreToOutlinks(url, parse.getData(), targets, null, 5));
    assertEquals(1.5f, targets.get(0).getValue().getScore(), 0);
    CrawlDatum row = new CrawlDatum(CrawlDatum.STATUS_DB_UNFETCHED, 1, 0f);
    filter.updateDbScore(
        url,
        new CrawlDatum(CrawlDatum.STATUS_DB_UNFETCHED, 1, 10f),
        row,
        Arrays.asList(targets.get(0).getValue(), targets.get(1).getValue()));
    assertEquals(13f, row.getScore(), 0);
    assertEquals(26f, filter.generatorSortValue(url, row, 2f), 0);
  }

  private void assertNormal(String expected, String url) throws Exception {
    assertEquals(expected, normalizer.normalize(url, null));
    assertEquals(expected, normalizer.normalize(expected, null));
  }

  private static UrlFilter filter(String allow, String deny) {
    Configuration conf = new Configuration(false);
    conf.set(UrlFilter.ALLOW, allow);
    conf.set(UrlFilter.DENY, deny);
    return filter(conf);
  }

  private static UrlFilter filter(Configuration conf) {
    UrlFilter filter = new UrlFilter();
    filter.setConf(conf);
    return filter;
  }
}
