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
  public void percentCodesAreWrittenInOneWay() throws Exception {
    for (String same :
        new String[] {
          "http://a.test/%d8%ae%d8%a8%d8%b1?q=%d8%ae",
          "http://a.test/%D8%AE%D8%A8%D8%B1?q=%D8%AE",
          "http://a.test/\u062e\u0628\u0631?q=\u062e"
        }) {
      assertNormal("http://a.test/%D8%AE%D8%A8%D8%B1?q=%D8%AE", same);
    }
    assertNormal("http://a.test/~user/a-b_c.d", "http://a.test/%7Euser/%61%2db%5fc%2Ed");
    assertNormal("http://a.test/a%2Fb?c=d%26e%3D1", "http://a.test/a%2fb?c=d%26e%3d1");
  }

  @Test
  public void parametersOfAVisitorAreLeftOut() throws Exception {
    String[][] pairs = {
      {"/a?id=7", "/a?PHPSESSID=4f2k9&id=7"},
      {"/a?id=7", "/a?id=7&utm_source=x&UTM_Medium=y&fbclid=z&gclid=1"},
      {"/a?id=7", "/a?id=7&amp;utm_source=x"},
      {"/a", "/a?utm_campaign=only"},
      {"/a.jsp?b=1", "/a.jsp;jsessionid=0A1B2C3D4E5F?b=1"},
      {"/a.jsp;v=2/b", "/a.jsp;v=2;JSESSIONID=0A1B.node1/b"},
      {"/a?id=7", "/a?sid=9f8e7d6c5b4a39281706&id=7"},
      {"/a?id=7", "/a?id=7&sid=01234567890123456789012345678901"},
      {"/a?id=7", "/a?id=7&SID={12345678-1234-1234-1234-123456789abc}"},
      {"/a?id=7;b=8", "/a?id=7;PHPSESSID=4f2k9;b=8"},
      {"/a?id=7", "/a?id=7&hsa_acc=1&hsa_cam=2&gad_source=1&fb_action_ids=3&session-id=1-2"},
      {"/a?id=7", "/a?__cf_chl_tk=x&id=7&BV_SessionID=1&at_custom1=2&ref_src=x&mibextid=y"},
      {"/a/default.aspx", "/a/(S(abcdefghij0123456789abcd))/default.aspx"},
    };
    for (String[] pair : pairs) {
      assertNormal("http://a.test" + pair[0], "http://a.test" + pair[1]);
    }
    for (String kept :
        new String[] {
          "/a?sid=123",
          "/a?s=budget",
          "/a?session=2024",
          "/a?q=utm_source",
          "/a?page=2&",
          "/a?b=1;c=2;",
          "/a?b=1&amp;c=2",
          "/a?s=donaudampfschifffahrtsgesellschaft",
          "/a?ref=7",
          "/a?",
          "/a?sid=",
          "/a;b=c",
          "/a(b)/c"
        }) {
      assertNormal("http://a.test" + kept, "http://a.test" + kept);
    }
    Configuration all = new Configuration(false);
    all.setBoolean(UrlNormalizer.CLEAN, false);
    normalizer.setConf(all);
    assertNormal("http://a.test/a?PHPSESSID=1&utm_a=b", "http://a.test/a?PHPSESSID=1&utm_a=b");
  }

  @Test
  public void charactersOfAUrlAreCountedAndNotPercentCodes() throws Exception {
    UrlFilter filter = filter("", "");
    String letters = "\u062e".repeat(900);
    assertNotNull(filter.filter(normalizer.normalize("http://a.test/" + letters, null)));
    String more = "\u062e".repeat(1100);
    assertNull(filter.filter(normalizer.normalize("http://a.test/" + more, null)));
    assertNull(filter.filter("http://a.test/" + "%".repeat(9000)));
  }

  @Test
  public void packedListsAreFetched() {
    UrlFilter filter = filter("", "");
    for (String list : new String[] {"map.xml.gz", "urls.txt.gz", "Sitemap-1.gz", "a.rss.gz"}) {
      assertNotNull(list, filter.filter("http://a.test/" + list));
    }
    assertNull(filter.filter("http://a.test/archive.tar.gz"));
  }

  @Test
  public void titlesOfWikisThatEndAsFilesArePages() {
    UrlFilter filter = filter("", "");
    for (String page :
        new String[] {
          "http://ur.a.test/wiki/Node.js",
          "http://a.test/w/index.php/Style.css",
          "http://a.test/tag/7z",
          "http://a.test/topics/Main.zip"
        }) {
      assertNotNull(page, filter.filter(page));
    }
    for (String file :
        new String[] {
          "http://a.test/wiki/File:Map.png",
          "http://a.test/wiki/skins/site.js",
          "http://a.test/static/Node.js",
          "http://a.test/main.css"
        }) {
      assertNull(file, filter.filter(file));
    }
  }

  @Test
  public void hostsOfTheListsAreInAnyScript() {
    for (String name :
        new String[] {"\u0646\u0627\u0645\u0647\u0627\u06cc.Example", "xn--mgba3gch31f.example"}) {
      UrlFilter filter = filter(name + ", 127.0.0.1, [::1]", "");
      assertNotNull(name, filter.filter("http://www.xn--mgba3gch31f.example/"));
      assertNotNull(filter.filter("http://127.0.0.1:8080/"));
      assertNotNull(filter.filter("http://[::1]/"));
      assertNull(filter.filter("http://example/"));
    }
    for (String wrong :
        new String[] {"http://a.test", "a.test/b", "a.test:81", "*.a.test/", "a b"}) {
      try {
        filter(wrong, "");
        fail(wrong);
      } catch (IllegalArgumentException e) {
        assertTrue(e.getMessage(), e.getMessage().contains(wrong));
      }
    }
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
    assertNotNull("a program", filter.filter("http://example.org/cgi-bin/story.exe/17.exe"));
    assertNotNull("a program", filter.filter("http://example.org/scripts/story.EXE?id=17"));
    for (String url :
        new String[] {
          "ftp://example.org/",
          "http://example.org/a.JPG",
          "http://example.org/a/b/a/b/a/b/",
          "http://example.org/a/story.zip",
          "http://example.org/a/setup.exe",
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
