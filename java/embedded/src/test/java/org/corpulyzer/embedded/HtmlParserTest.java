package org.corpulyzer.embedded;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseStatusCodes;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.embedded.companion.HtmlParser;
import org.junit.Before;
import org.junit.Test;

/** The parser alone: no parse filter is active. */
public class HtmlParserTest {
  private final HtmlParser parser = new HtmlParser();

  @Before
  public void configure() throws Exception {
    Configuration conf = NutchConfiguration.create();
    conf.set("plugin.folders", Home.plugins().toString());
    conf.set("plugin.includes", "corpulyzer-embedded");
    parser.setConf(conf);
  }

  @Test
  public void aPageHasTextTitleAndLinksThatCanBeFollowed() {
    Parse parse = parse("<title> خبر </title><base href=/dir/><a href='a?b#c'>A</a><a href=a?b>again</a><a href='?q'>Q</a>"
        + "<a rel=nofollow href=/no>no</a><a href='mailto:x@example.org'>mail</a><a href='javascript:void(0)'>js</a>");
    assertEquals("خبر", parse.getTitle());
    assertEquals(Arrays.asList("http://example.org/dir/a?b A", "http://example.org/dir/?q Q"), links(parse));
    assertTrue(parse.getText(), parse.getText().contains("AagainQ"));
    assertEquals(ParseStatusCodes.SUCCESS, (int) parse.getParseStatus().getMajorCode());
  }

  @Test
  public void noindexBlanksTheTextAndNofollowTheLinks() {
    Parse noindex = parse("<meta name=ROBOTS content='NOINDEX'><title>t</title><a href=/x>x</a>");
    assertEquals("", noindex.getText());
    assertEquals("", noindex.getTitle());
    assertEquals(1, noindex.getOutlinks().length);
    Parse nofollow = parse("<meta name=robots content='index, nofollow'><a href=/x>x</a>");
    assertEquals("x", nofollow.getText());
    assertEquals(0, nofollow.getOutlinks().length);
    Parse none = parse("<meta name=robots content=none><a href=/x>x</a>");
    assertEquals("", none.getText());
    assertEquals(0, none.getOutlinks().length);
  }

  @Test
  public void theRobotsHeaderCountsLikeThePage() {
    WebPage page = page("<a href=/x>x</a>");
    page.getHeaders().put(new Utf8("x-robots-tag"), new Utf8("noindex, nofollow"));
    Parse parse = parser.getParse("http://example.org/", page);
    assertEquals("", parse.getText());
    assertEquals(0, parse.getOutlinks().length);
  }

  @Test
  public void aRefreshIsARedirectWithItsTargetAndTime() {
    Parse parse = parse("<meta http-equiv=Refresh content=\"3; URL='next?a=1'\">");
    assertEquals(ParseStatusCodes.SUCCESS_REDIRECT, (int) parse.getParseStatus().getMinorCode());
    assertEquals("[http://example.org/next?a=1, 3]", new ArrayList<>(parse.getParseStatus().getArgs()).toString());
    Parse itself = parse("<meta http-equiv=refresh content=1200>");
    assertEquals("[http://example.org/, 1200]", new ArrayList<>(itself.getParseStatus().getArgs()).toString());
  }

  @Test
  public void theCharsetComesFromTheHeaderThenFromThePage() {
    WebPage page = page("");
    page.setContent(ByteBuffer.wrap("<p>\u06a9\u0627</p>".getBytes(java.nio.charset.Charset.forName("windows-1256"))));
    page.getHeaders().put(new Utf8("Content-Type"), new Utf8("text/html; charset=windows-1256"));
    assertEquals("\u06a9\u0627", parser.getParse("http://example.org/", page).getText());
  }

  @Test(timeout = 60_000)
  public void hundredsOfThousandsOfNestedTagsEndInTime() {
    StringBuilder html = new StringBuilder();
    for (int i = 0; i < 300_000; i++) {
      html.append("<div><a href=").append(i).append(">x</a>");
    }
    assertTrue(parse(html.toString()).getOutlinks().length > 0);
  }

  private Parse parse(String html) {
    return parser.getParse("http://example.org/", page(html));
  }

  private static WebPage page(String html) {
    WebPage page = WebPage.newBuilder().build();
    page.setBaseUrl(new Utf8("http://example.org/"));
    page.setContentType(new Utf8("text/html"));
    page.setContent(ByteBuffer.wrap(html.getBytes(StandardCharsets.UTF_8)));
    return page;
  }

  private static List<String> links(Parse parse) {
    return Arrays.stream(parse.getOutlinks()).map((Outlink link) -> link.getToUrl() + " " + link.getAnchor())
        .collect(Collectors.toList());
  }
}
