package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseUtil;
import org.apache.nutch.protocol.Content;
import org.corpulyzer.engine.PageKeys;
import org.junit.Before;
import org.junit.Test;

/**
 * Sitemaps and feeds through Nutch's ParseUtil, which chooses the parser by the type that Nutch
 * detects.
 */
public class SitemapParserTest {
  private static final String HEAD = "<?xml version='1.0' encoding='UTF-8'?>\n";
  private static final String URLSET =
      HEAD
          + "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'"
          + " xmlns:xhtml='http://www.w3.org/1999/xhtml'>";
  private static final String INDEX =
      HEAD + "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>";

  private Configuration conf;

  @Before
  public void configure() {
    conf = Plugins.configuration();
  }

  @Test
  public void pagesOfTheHostComeInOrderOfTheirLastChange() throws Exception {
    String map =
        URLSET
            + "<url><loc>http://example.org/old</loc><lastmod>2020-01-01</lastmod></url>"
            + "<url><loc>http://example.org/undated</loc></url><url><loc>http://elsewhere.test/x</loc></url>"
            + "<url><loc>https://example.org/new?a=1&amp;b=2</loc><lastmod>2024-05-06T07:08:09+05:00</lastmod></url></urlset>";
    String[] expected = {
      "https://example.org/new?a=1&b=2", "http://example.org/old", "http://example.org/undated"
    };
    Parse parse = parse("application/xml", bytes(map));
    assertArrayEquals(expected, links(parse));
    assertEquals("1 elsewhere.test", elsewhere(parse));
    assertArrayEquals(expected, links(parse("text/xml", bytes("\n \r\n" + map))));
    assertArrayEquals(expected, links(parse("application/gzip", gzip(map))));
    assertArrayEquals(expected, links(parse("application/x-gzip", gzip(map))));
  }

  @Test
  public void jsonFeedsAreLists() throws Exception {
    String feed =
        "\ufeff\n"
            + " {\"version\": \"https://jsonfeed.org/version/1.1\", \"title\": \"<rss\","
            + " \"home_page_url\": \"http://example.org/\", \"authors\": [{\"url\": \"/me\"}],"
            + " \"next_url\": \"/feed.json?page=2\", \"items\": [7, {\"id\": 1}, {\"url\": \"/old &"
            + " new\", \"date_published\": \"2020-01-01T00:00:00Z\", \"attachments\": [{\"url\":"
            + " \"http://example.org/x.mp3\"}]}, {\"url\": \"http://elsewhere.test/x\"}, {\"url\":"
            + " null, \"external_url\": \"/z\"}, {\"content_html\": \"<a href='/no'>\\u0627</a>\","
            + " \"url\": \"https://example.org/خبر\", \"date_published\": \"2019-01-01\","
            + " \"date_modified\": \"2024-05-06T07:08:09+05:00\"}";
    String[] expected = {
      "https://example.org/%D8%AE%D8%A8%D8%B1",
      "http://example.org/old%20&%20new",
      "http://example.org/feed.json?page=2"
    };
    Parse parse = parse("application/gzip", gzip(feed + "]}"));
    assertArrayEquals(expected, links(parse));
    assertEquals(
        "1", parse.getData().getOutlinks()[2].getMetadata().get(Links.LIST_MARK).toString());
    assertEquals("1 elsewhere.test", elsewhere(parse));
    assertArrayEquals(
        "a feed that breaks off", expected, links(parse("application/gzip", gzip(feed + ", {]"))));
    assertEquals(
        "pages are followed as far as indexes",
        2,
        links(parse("application/gzip", gzip(feed + "]}"), "2")).length);
    for (String other : new String[] {"{}", "{\"items\": 1}", "{\"items\": [{}]}", "{\"a"}) {
      assertFalse(other, parse("application/gzip", gzip(other)).getData().getStatus().isSuccess());
    }
  }

  @Test
  public void jsonFeedsHaveTheLimitsOfOtherLists() throws Exception {
    String many =
        "{\"items\": [" + numbered("{\"url\": \"/%d\"},", SitemapParser.MAX_URLS + 10) + "{}]}";
    assertEquals(SitemapParser.MAX_URLS, links(parse("application/gzip", gzip(many))).length);
    String deep = "{\"items\": [{\"url\": \"/1\"}, " + "[".repeat(100_000);
    assertEquals(1, links(parse("application/gzip", gzip(deep))).length);
    String long1 = "{\"items\": [{\"url\": \"/1\"}, {\"content_text\": \"";
    assertEquals(
        1, links(parse("application/gzip", gzip(long1 + "x".repeat(60 << 20) + "\"}]}"))).length);
  }

  @Test
  public void theNextPageOfAFeedIsAList() throws Exception {
    String feed =
        HEAD
            + "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel>"
            + "<atom:link rel='self' href='http://example.org/map'/>"
            + "<atom:link rel='next' href='/map?page=2'/>"
            + "<item><link>http://example.org/1</link></item></channel></rss>";
    assertArrayEquals(
        new String[] {"http://example.org/1", "http://example.org/map?page=2"},
        links(parse("application/xml", bytes(feed))));
  }

  @Test
  public void thePageInTheLanguageOfTheCrawlComesFirst() throws Exception {
    String map =
        URLSET
            + "<url><loc>http://example.org/en/1</loc><xhtml:link rel='alternate' hreflang='en'"
            + " href='http://example.org/en/1'/><xhtml:link rel='alternate' hreflang='ur-PK'"
            + " href='http://example.org/ur/1'/><xhtml:link rel='alternate' hreflang='ur'"
            + " href='http://elsewhere.test/ur/1'/></url><url><loc>http://example.org/en/2</loc><xhtml:link"
            + " rel='alternate' hreflang='urd' href='http://example.org/ur/2'/></url></urlset>";
    assertArrayEquals(
        new String[] {
          "http://example.org/ur/1",
          "http://example.org/ur/2",
          "http://example.org/en/1",
          "http://example.org/en/2"
        },
        links(parse("application/xml", bytes(map))));
  }

  @Test
  public void indexesAreFollowedTwoLevelsDeep() throws Exception {
    String index =
        INDEX
            + "<sitemap><loc>http://example.org/1.xml</loc><lastmod>2020-01-01</lastmod></sitemap>"
            + "<sitemap><loc>http://example.org/2.xml.gz</loc><lastmod>2021-01-01</lastmod></sitemap>"
            + "<sitemap><loc>http://elsewhere.test/3.xml</loc></sitemap></sitemapindex>";
    for (String depth : new String[] {null, "0", "1"}) {
      Parse parse = parse("application/xml", bytes(index), depth);
      assertArrayEquals(
          new String[] {"http://example.org/2.xml.gz", "http://example.org/1.xml"}, links(parse));
      assertEquals("1 elsewhere.test", elsewhere(parse));
      for (Outlink link : parse.getData().getOutlinks()) {
        assertEquals(
            "1".equals(depth) ? "2" : "1", link.getMetadata().get(Links.LIST_MARK).toString());
      }
    }
    assertEquals(0, links(parse("application/xml", bytes(index), "2")).length);
  }

  @Test
  public void aRoundTakesSoManyUrlsOfAHostFromAllItsLists() throws Exception {
    conf.setInt(SitemapParser.URLS, 3);
    String[] maps = {"", ""};
    for (int i = 0; i < 4; i++) {
      maps[i / 2] += "<url><loc>http://example.org/" + i + "</loc></url>";
    }
    ParseUtil parser = new ParseUtil(conf);
    int[][] expected = {{2, 1, 0}, {2, 1, 0}};
    for (int round = 0; round < 2; round++) {
      for (int list = 0; list < 3; list++) {
        Metadata metadata = new Metadata();
        metadata.set(Nutch.SEGMENT_NAME_KEY, "0000" + round);
        String url = "http://example.org/map" + list;
        Parse parse =
            parser
                .parse(
                    new Content(
                        url,
                        url,
                        bytes(URLSET + maps[list % 2] + "</urlset>"),
                        "application/xml",
                        metadata,
                        conf))
                .get(url);
        assertEquals(round + " " + list, expected[round][list], links(parse).length);
      }
    }
  }

  @Test
  public void laterRoundsTakeTheUrlsThatARoundLeft() throws Exception {
    conf.setInt(SitemapParser.URLS, 20_000);
    StringBuilder map = new StringBuilder(URLSET);
    for (int i = 0; i < 60_000; i++) {
      map.append("<url><loc>http://example.org/").append(i).append("</loc></url>");
    }
    byte[] packed = gzip(map + "</urlset>");
    ParseUtil parser = new ParseUtil(conf);
    java.util.Set<String> known = new java.util.HashSet<>();
    String next = null;
    for (int round = 1; round <= 3; round++) {
      Metadata metadata = new Metadata();
      metadata.set(PageKeys.LIST_MARK, "0");
      metadata.set(Nutch.SEGMENT_NAME_KEY, "later" + round);
      if (next != null) {
        metadata.set(PageKeys.LIST_NEXT, next);
      }
      String url = "http://example.org/large.xml";
      Parse parse =
          parser.parse(new Content(url, url, packed, "application/gzip", metadata, conf)).get(url);
      assertEquals(20_000, links(parse).length);
      known.addAll(Arrays.asList(links(parse)));
      next = parse.getData().getParseMeta().get(PageKeys.LIST_NEXT);
    }
    assertEquals(60_000, known.size());
    assertEquals(PageKeys.LIST_DONE, next);
  }

  @Test
  public void textFilesHaveAUrlALine() throws Exception {
    for (String begin : new String[] {"", "\ufeff", "\n\n\r\n", " \ufeff\n", "# pages\n"}) {
      String text = begin + "http://example.org/1\r\nnot a URL\n\n  http://example.org/2  \n";
      assertArrayEquals(
          new String[] {"http://example.org/1", "http://example.org/2"},
          links(parse("application/gzip", gzip(text))));
    }
  }

  @Test
  public void marksAndBlankLinesBeforeTheDeclarationDoNotMatter() throws Exception {
    String map = URLSET + "<url><loc>http://example.org/1</loc></url></urlset>";
    for (String begin : new String[] {"\ufeff", "\n\n", "\ufeff\r\n ", "\n\ufeff"}) {
      assertArrayEquals(
          new String[] {"http://example.org/1"}, links(parse("text/xml", bytes(begin + map))));
    }
  }

  @Test
  public void relativeLinksOfAtomAreResolved() throws Exception {
    String atom =
        "<feed xmlns='http://www.w3.org/2005/Atom'><title>x</title><entry><link rel='alternate'"
            + " href='/story/1'/><updated>2024-05-06T07:08:09Z</updated></entry><entry><link"
            + " href='2'/></entry></feed>";
    List<String> found = Arrays.asList(links(parse("application/atom+xml", bytes(HEAD + atom))));
    assertTrue(found.toString(), found.contains("http://example.org/story/1"));
    assertTrue(found.toString(), found.contains("http://example.org/2"));
  }

  @Test
  public void hostsOfTheSameSiteAreTaken() throws Exception {
    String map = URLSET;
    String[] hosts = {
      "www.example.pk", "ur.example.pk", "example.pk", "other.pk", "named.net", "x.named.net"
    };
    for (String host : hosts) {
      map += "<url><loc>http://" + host + "/1</loc></url>";
    }
    assertArrayEquals(
        new String[] {"http://www.example.pk/1", "http://ur.example.pk/1", "http://example.pk/1"},
        links(parseAt("http://www.example.pk/map.xml", bytes(map + "</urlset>"), "0")));
    assertArrayEquals(
        "robots.txt of named.net names a list that is elsewhere",
        new String[] {"http://other.pk/1", "http://named.net/1", "http://x.named.net/1"},
        links(parseAt("http://other.pk/map.xml", bytes(map + "</urlset>"), "0 named.net")));
    String blogs =
        URLSET
            + "<url><loc>http://a.blogspot.com/1</loc></url>"
            + "<url><loc>http://b.blogspot.com/1</loc></url>"
            + "<url><loc>http://c.blogspot.com/1</loc></url>";
    assertArrayEquals(
        "a blog is a site of its own",
        new String[] {"http://a.blogspot.com/1"},
        links(parseAt("http://a.blogspot.com/map.xml", bytes(blogs + "</urlset>"), "0")));
    assertEquals(
        "2 b.blogspot.com",
        elsewhere(parseAt("http://a.blogspot.com/map.xml", bytes(blogs + "</urlset>"), "0")));
    assertEquals(
        "0",
        elsewhere(
            parseAt(
                "http://www.example.pk/map.xml",
                bytes(URLSET + "<url><loc>http://www.example.pk/1</loc></url></urlset>"),
                "0")));
  }

  private static String elsewhere(Parse parse) {
    return parse.getData().getParseMeta().get(PageKeys.LIST_ELSEWHERE);
  }

  private Parse parseAt(String url, byte[] bytes, String mark) throws Exception {
    Metadata metadata = new Metadata();
    metadata.set(PageKeys.LIST_MARK, mark);
    return new ParseUtil(conf)
        .parse(new Content(url, url, bytes, "application/xml", metadata, conf))
        .get(url);
  }

  @Test
  public void feedsHaveLinks() throws Exception {
    String rss =
        "<rss version='2.0'><channel><link>http://example.org/</link><item><title>a</title><link>/1</link></item><item><link>http://example.org/2</link><pubDate>Tue,"
            + " 07 May 2024 01:02:03 GMT</pubDate></item></channel></rss>";
    assertArrayEquals(
        new String[] {"http://example.org/2", "http://example.org/1"},
        links(parse("application/rss+xml", bytes(HEAD + rss))));
    assertArrayEquals(
        new String[] {"http://example.org/2", "http://example.org/1"},
        links(parse("text/xml", bytes(rss))));
    String atom =
        "<feed xmlns='http://www.w3.org/2005/Atom'><link rel='self'"
            + " href='http://example.org/feed'/><entry><link rel='alternate'"
            + " href='http://example.org/3'/><updated>2024-05-06T07:08:09Z</updated></entry></feed>";
    assertTrue(
        Arrays.asList(links(parse("application/atom+xml", bytes(HEAD + atom))))
            .contains("http://example.org/3"));
  }

  @Test
  public void whatComesBeforeAFaultCounts() throws Exception {
    String whole =
        URLSET
            + "<url><loc>http://example.org/1</loc></url><url><loc>http://example.org/2</loc></url>";
    assertEquals(
        "http://example.org/1", links(parse("application/xml", bytes(whole + "<url><lo")))[0]);
    assertEquals(
        "http://example.org/1", links(parse("application/xml", bytes(whole + "</wrong>")))[0]);
    byte[] gzip = gzip(whole + "<!-- " + random(100_000) + " --></urlset>");
    assertEquals(
        "http://example.org/1",
        links(parse("application/gzip", Arrays.copyOf(gzip, gzip.length - 1000)))[0]);
  }

  @Test
  public void otherXmlIsAFailedParse() throws Exception {
    for (String other : new String[] {"<opml><body/></opml>", "<a>", "{}"}) {
      assertFalse(
          other, parse("application/xml", bytes(HEAD + other)).getData().getStatus().isSuccess());
    }
  }

  @Test
  public void faultsThatReadersOfListsPassOverDoNotEndAList() throws Exception {
    String second = "<url><loc>http://example.org/2</loc></url></urlset>";
    String first = URLSET + "<url><loc>http://example.org/1</loc><x>%s</x></url>" + second;
    String[] expected = {"http://example.org/1", "http://example.org/2"};
    for (String fault :
        new String[] {
          "a & b", "&nbsp;caf&eacute;", "a\u000bb\u0000", "&#0;&#xD800;&#x110000;", "&", "&amp"
        }) {
      String list = String.format(first, fault);
      assertArrayEquals(fault, expected, links(parse("application/xml", bytes(list))));
    }
    byte[] latin = String.format(first, "caf\u00e9").getBytes(StandardCharsets.ISO_8859_1);
    assertArrayEquals(expected, links(parse("application/xml", latin)));
    String list = String.format(first, "<![CDATA[a & b]]]><![CDATA[<&]]>&amp;");
    for (String begin :
        new String[] {
          "<br />\n<b>Warning</b>: Undefined index in /a.php on line 3<br />",
          "<!-- made by a plugin -->",
          "<!DOCTYPE urlset SYSTEM 'http://example.org/map.dtd'>",
        }) {
      assertArrayEquals(begin, expected, links(parse("text/xml", bytes(begin + list))));
    }
    for (String charset : new String[] {"UTF-16", "UTF-16LE", "UTF-16BE"}) {
      byte[] wide = list.replace("UTF-8", "UTF-16").getBytes(charset);
      assertArrayEquals(charset, expected, links(parse("application/gzip", gzip(wide))));
    }
    assertArrayEquals(
        new String[] {"http://example.org/p?a=1&b=2&copy=3"},
        links(
            parse(
                "application/xml",
                bytes(URLSET + "<url><loc>http://example.org/p?a=1&b=2&copy=3</loc></url>"))));
  }

  @Test
  public void relativeAddressesOfSitemapsAreResolved() throws Exception {
    String map =
        URLSET
            + "<url><loc>/1</loc><xhtml:link hreflang='ur_PK' href='/ur/1'/></url>"
            + "<url><loc>\n //example.org/2 </loc></url><url><loc>3<!-- -->x</loc></url></urlset>";
    assertArrayEquals(
        new String[] {
          "http://example.org/ur/1",
          "http://example.org/1",
          "http://example.org/2",
          "http://example.org/3x"
        },
        links(parse("application/xml", bytes(map))));
    String atom =
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='/blog/'><entry><link rel='edit'"
            + " href='e'/><link rel='alternate' href='1'/><link rel='replies' href='r'/><content"
            + " xml:base='http://elsewhere.test/'>x</content></entry></feed>";
    assertArrayEquals(
        new String[] {"http://example.org/blog/1"},
        links(parse("application/atom+xml", bytes(HEAD + atom))));
  }

  @Test
  public void documentTypesDeclareNoEntities() throws Exception {
    String laughs =
        HEAD
            + "<!DOCTYPE urlset [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b"
            + " '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY f SYSTEM 'file:///etc/passwd'>]>"
            + URLSET.substring(HEAD.length())
            + "<url><loc>http://example.org/&b;&f;</loc></url></urlset>";
    assertArrayEquals(
        new String[] {"http://example.org/&b;&f;"}, links(parse("application/xml", bytes(laughs))));
  }

  @Test(timeout = 120_000)
  public void limitsHoldForWhatIsSmallAsItComes() throws Exception {
    StringBuilder many = new StringBuilder(URLSET);
    for (int i = 0; i < 120_000; i++) {
      many.append("<url><loc>http://example.org/").append(i).append("</loc></url>");
    }
    int urls = links(parse("application/gzip", gzip(many + "</urlset>"))).length;
    assertTrue(
        urls + " URLs", urls >= SitemapParser.MAX_URLS && urls < SitemapParser.MAX_URLS + 500);
    String alternates =
        URLSET
            + "<url><loc>http://example.org/1</loc>"
            + "<xhtml:link hreflang='en' href='http://a/'/>".repeat(200_000);
    assertEquals(1, links(parse("application/gzip", gzip(alternates + "</url></urlset>"))).length);
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bomb)) {
      out.write(bytes(URLSET + "<url><loc>http://example.org/1</loc></url><!--"));
      byte[] comment = bytes("x".repeat(1 << 20));
      for (int i = 0; i < 100; i++) {
        out.write(comment);
      }
      out.write(bytes("--><url><loc>http://example.org/2</loc></url></urlset>"));
    }
    assertEquals(1, links(parse("application/gzip", bomb.toByteArray())).length);
  }

  /** The time of the parse is limited by {@code parser.timeout}, so a slow one has failed. */
  @Test(timeout = 600_000)
  public void noListTakesLongerThanItsTime() throws Exception {
    String url = "<url><loc>http://example.org/1</loc></url>";
    String end = "<url><loc>http://example.org/2</loc></url></urlset>";
    Map<String, String> lists = new LinkedHashMap<>();
    lists.put("namespaces of a tag", URLSET + url + "<url" + numbered(" xmlns:a%d='x'", 160_000));
    lists.put("attributes of a tag", URLSET + url + "<url" + numbered(" a%d='x'", 300_000));
    String nested = numbered("<b%d" + numbered(" xmlns:c%d='y'", 150) + ">", 90);
    String tags = "<c0:x/>".repeat(390_000);
    lists.put("namespaces of all open tags", URLSET + url + nested + tags);
    lists.put("nested tags", URLSET + url + "<a>".repeat(390_000));
    lists.put("a name", URLSET + url + "<" + "a".repeat(8 << 20));
    lists.put("a value", URLSET + url + "<a b='" + "&amp;".repeat(1 << 20));
    lists.put("text", URLSET + url + "<loc>" + "a ".repeat(10 << 20) + "</loc>" + end);
    lists.put("comments", URLSET + url + "<!---->".repeat(6 << 20) + end);
    lists.put("instructions", URLSET + url + "<?a b?>".repeat(6 << 20) + end);
    lists.put("sections", URLSET + url + "<loc>" + "<![CDATA[x]]>".repeat(2 << 20) + end);
    lists.put("dates", URLSET + url + dates());
    lists.put("entries", URLSET + "<url><loc>http://example.org/1</loc></url>".repeat(1 << 20));
    for (Map.Entry<String, String> list : lists.entrySet()) {
      byte[] packed = gzip(list.getValue());
      long before = cpuMillis();
      String[] links = links(parse("application/gzip", packed));
      System.out.println(list.getKey() + ": " + (cpuMillis() - before) + " ms of processor time");
      assertTrue(list.getKey(), links.length > 0);
      assertEquals(list.getKey(), "http://example.org/1", links[links.length - 1].trim());
    }
  }

  private static String dates() {
    String url = "<url><loc>http://example.org/1</loc><lastmod>%s</lastmod></url>";
    return String.format(url, "1".repeat(4000)).repeat(10_000);
  }

  private static String numbered(String format, int times) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < times; i++) {
      all.append(format.replace("%d", "" + i));
    }
    return all.toString();
  }

  private static long cpuMillis() {
    com.sun.management.OperatingSystemMXBean system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime() / 1_000_000L;
  }

  private Parse parse(String type, byte[] bytes) throws Exception {
    return parse(type, bytes, null);
  }

  private Parse parse(String type, byte[] bytes, String depth) throws Exception {
    Metadata metadata = new Metadata();
    if (depth != null) {
      metadata.set(PageKeys.LIST_MARK, depth);
    }
    String url = "http://example.org/map";
    return new ParseUtil(conf).parse(new Content(url, url, bytes, type, metadata, conf)).get(url);
  }

  private static String[] links(Parse parse) {
    assertTrue(parse.getData().getStatus().toString(), parse.getData().getStatus().isSuccess());
    return Arrays.stream(parse.getData().getOutlinks())
        .map(Outlink::getToUrl)
        .toArray(String[]::new);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gzip(String text) throws IOException {
    return gzip(bytes(text));
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  private static String random(int length) {
    return new java.util.Random(1)
        .ints(length, 'a', 'z')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
