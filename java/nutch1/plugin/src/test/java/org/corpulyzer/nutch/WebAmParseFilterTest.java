package org.corpulyzer.nutch;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.HtmlParseFilter;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.protocol.Content;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.Test;

public class WebAmParseFilterTest {

  private static final String URL = "http://news.example/a?b=c";
  private static final Configuration CONF = Nutch.conf();

  /** The test sees constants of the engine alone: its classes are the plugin's. */
  private static final List<String> STATEMENTS =
      Arrays.asList(
          PageKeys.PUBLISHED,
          PageKeys.MODIFIED,
          PageKeys.DATE_SOURCE,
          PageKeys.LICENSE,
          PageKeys.LICENSE_URL,
          PageKeys.LICENSE_SOURCE,
          PageKeys.RESERVATION,
          PageKeys.MT_SIGNALS,
          PageKeys.ALTERNATES,
          PageKeys.AUTHOR,
          PageKeys.SITE_NAME);

  @Test
  public void everyCaseComesOutOfNutchAsItsVectorSays() throws Exception {
    List<Path> cases;
    try (Stream<Path> files = Files.list(Nutch.VECTORS)) {
      cases =
          files
              .filter(file -> file.toString().endsWith(".properties"))
              .sorted()
              .collect(Collectors.toList());
    }
    assertTrue("only " + cases.size() + " vectors", cases.size() >= 12);
    for (Path file : cases) {
      Properties expected = new Properties();
      try (Reader in = new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8)) {
        expected.load(in);
      }
      for (String key : expected.stringPropertyNames()) {
        if (key.startsWith("nutch1.")) {
          expected.setProperty(key.substring("nutch1.".length()), expected.getProperty(key));
        }
      }
      String name = file.getFileName().toString().replace(".properties", "");
      Content content = content(name, expected);
      byte[] before = content.getContent().clone();
      check(name, expected, content, Nutch.parsed(CONF, content));
      assertArrayEquals(name, before, content.getContent());
    }
  }

  private static Content content(String name, Properties expected) throws Exception {
    Path file;
    try (Stream<Path> files = Files.list(Nutch.VECTORS)) {
      file =
          files
              .filter(
                  path ->
                      path.getFileName().toString().startsWith(name + ".")
                          && !path.toString().endsWith(".properties"))
              .findFirst()
              .get();
    }
    Content content =
        Nutch.content(
            CONF, URL, expected.getProperty("contentType", "text/html"), Files.readAllBytes(file));
    String header = expected.getProperty("contentTypeHeader");
    if (header != null) {
      content.getMetadata().set("Content-Type", header);
    }
    for (String key : expected.stringPropertyNames()) {
      if (key.startsWith("header.")) {
        content.getMetadata().add(key.substring("header.".length()), expected.getProperty(key));
      }
    }
    return content;
  }

  private static void check(String name, Properties expected, Content content, Parse parse)
      throws Exception {
    assertEquals(name, expected.getProperty("status"), Nutch.figure(parse, PageKeys.STATUS));
    matches(name, expected.getProperty("decision"), Nutch.figure(parse, PageKeys.DECISION));
    String languages = String.valueOf(Nutch.figure(parse, PageKeys.LANGUAGES)).replace("null", "");
    matches(name, expected.getProperty("languages"), languages);
    String urdu = languages.contains("urd:") ? languages.replaceAll(".*urd:(\\d+).*", "$1") : "0";
    assertEquals(name, urdu, Nutch.figure(parse, PageKeys.TARGET_BYTES));
    assertEquals(
        name,
        Integer.toString(content.getContent().length),
        Nutch.figure(parse, PageKeys.RAW_BYTES));
    assertTrue(name, Nutch.figure(parse, PageKeys.VERSION).contains(" best/"));
    for (String key : STATEMENTS) {
      assertEquals(
          name + " " + key, expected.getProperty("figure." + key), Nutch.figure(parse, key));
    }
    boolean bySize = Nutch.figure(parse, PageKeys.DECISION).contains(" wanted");
    assertEquals(name, bySize ? "bytes" : null, Nutch.figure(parse, PageKeys.STAGE));
    assertTrue(name, parse.isCanonical());

    String[] wanted = expected.getProperty("parse").split(" ");
    ParseStatus status = parse.getData().getStatus();
    assertTrue(name, status.isSuccess());
    if (wanted[0].equals("redirect")) {
      assertEquals(name, ParseStatus.SUCCESS_REDIRECT, status.getMinorCode());
      assertArrayEquals(name, new String[] {wanted[1], wanted[2]}, status.getArgs());
    } else {
      assertEquals(name, 0, status.getMinorCode());
    }
    checkText(name, expected.getProperty("text"), parse.getText());
    String title = expected.getProperty("title");
    if (!title.equals("any")) {
      assertEquals(
          name,
          title.equals("own") ? "نئی سڑک" : title.equals("empty") ? "" : title,
          parse.getData().getTitle());
    }
    if (!expected.getProperty("outlinks").equals("any")) {
      assertEquals(
          name,
          expected.getProperty("outlinks"),
          Integer.toString(parse.getData().getOutlinks().length));
    }
  }

  private static void checkText(String name, String expected, String text) throws Exception {
    switch (expected) {
      case "empty":
        assertEquals(name, "", text);
        break;
      case "main":
        assertTrue(name + ": " + text, text.contains("مقامی لوگوں") && text.contains("گزشتہ سال"));
        assertFalse(
            name + ": menu in " + text, text.contains("صفحہ اول") || text.contains("شرائط"));
        break;
      case "start":
        assertTrue(name + ": " + text, text.contains("مقامی لوگوں") && !text.contains("گزشتہ سال"));
        break;
      case "english":
        assertTrue(name + ": " + text, text.contains("northern pillar"));
        break;
      case "whole":
        assertEquals(name, new String(Nutch.vector(name + ".pdf"), StandardCharsets.UTF_8), text);
        break;
      default:
        throw new AssertionError(name + ": text=" + expected);
    }
  }

  private static void matches(String name, String pattern, String found) {
    assertTrue(
        name + ": " + found + " where " + pattern + " was expected",
        found != null && found.matches(pattern));
  }

  @Test
  public void pageCannotSetItsOwnFigures() throws Exception {
    String metas =
        "<meta name=crp.l content='urd:99999999'><meta name=crp.t content=99999999><meta name=CRP.D"
            + " content='keep it'><meta name=crp.j content=x><meta name=crp.ds content=x><meta"
            + " name=author content=somebody>";
    Parse parse = Nutch.parsed(CONF, Nutch.html(CONF, URL, metas + "<p>nothing"));
    assertArrayEquals(
        new String[] {"0"}, parse.getData().getParseMeta().getValues(PageKeys.TARGET_BYTES));
    assertFalse(String.valueOf(Nutch.figure(parse, PageKeys.LANGUAGES)).contains("urd"));
    assertEquals(1, parse.getData().getParseMeta().getValues(PageKeys.DECISION).length);
    assertTrue(
        Nutch.figure(parse, PageKeys.DECISION),
        Nutch.figure(parse, PageKeys.DECISION).startsWith("reject "));
    assertNull(Nutch.figure(parse, PageKeys.JUNK));
    assertEquals("somebody", Nutch.figure(parse, "author"));
  }

  @Test
  public void otherParsesOfAContentStayAsTheyAre() throws Exception {
    Content feed =
        Nutch.content(CONF, URL, "application/x-two-parses", Nutch.vector("document.pdf"));
    ParseResult result = Nutch.parse(CONF, feed);
    assertEquals(2, result.size());
    Parse entry = result.get("http://entry.example/");
    assertEquals("An entry", entry.getText());
    assertEquals("Entry", entry.getData().getTitle());
    assertEquals(0, entry.getData().getParseMeta().size());
    assertFalse(entry.isCanonical());
    assertTrue(result.get(URL).isCanonical());
    assertTrue(Nutch.figure(result.get(URL), PageKeys.LANGUAGES).startsWith("urd:"));
  }

  @Test
  public void resultWithoutAParseOfThePageIsLeftAlone() throws Exception {
    HtmlParseFilter filter = Nutch.filter(CONF, HtmlParseFilter.class);
    ParseResult empty = new ParseResult(URL);
    assertSame(
        empty, filter.filter(Nutch.html(CONF, URL, "<p>text"), empty, new HTMLMetaTags(), null));
    assertTrue(empty.isEmpty());
  }

  @Test
  public void nothingThatIsMissingMakesItThrow() throws Exception {
    HtmlParseFilter filter = Nutch.filter(CONF, HtmlParseFilter.class);
    Content odd =
        new Content(
            "not a url",
            "not a url",
            new byte[] {0, -1, -2, 60, 112, 62},
            null,
            new Metadata(),
            CONF);
    odd.setContentType("TEXT/HTML; charset=nonsense");
    HTMLMetaTags tags = new HTMLMetaTags();
    tags.setRefresh(true);
    ParseStatus redirect = new ParseStatus(ParseStatus.SUCCESS, ParseStatus.SUCCESS_REDIRECT);
    ParseData data = new ParseData(redirect, null, new Outlink[0], new Metadata(), new Metadata());
    Parse parse =
        filter
            .filter(
                odd,
                ParseResult.createParseResult("not a url", new ParseImpl("", data)),
                null,
                null)
            .get("not a url");
    assertNotNull(Nutch.figure(parse, PageKeys.STATUS));
    assertEquals("reject refresh to another page", Nutch.figure(parse, PageKeys.DECISION));
    assertEquals("", parse.getData().getTitle());
    parse =
        filter
            .filter(
                odd,
                ParseResult.createParseResult("not a url", new ParseImpl("", data)),
                tags,
                null)
            .get("not a url");
    assertFalse("it reloads itself", Nutch.figure(parse, PageKeys.DECISION).contains("refresh"));
  }

  @Test
  public void pageOfFiftyMegabytesIsReadOrRefusedByItsLimit() throws Exception {
    StringBuilder page = new StringBuilder(50 << 20);
    String paragraph =
        "<p>آج صبح شہر کے پرانے بازار میں دکانداروں نے نئی سڑک کی تعمیر پر خوشی کا اظہار کیا۔"
            + " number ";
    for (int i = 0; page.length() < 28 << 20; i++) {
      page.append(paragraph).append(i);
    }
    byte[] bytes = page.toString().getBytes(StandardCharsets.UTF_8);
    assertTrue("only " + bytes.length, bytes.length > 45_000_000);
    HtmlParseFilter filter = Nutch.filter(CONF, HtmlParseFilter.class);
    Parse parse = filtered(filter, bytes);
    assertEquals("too_large", Nutch.figure(parse, PageKeys.STATUS));
    assertEquals("reject too_large", Nutch.figure(parse, PageKeys.DECISION));
    assertEquals(Integer.toString(bytes.length), Nutch.figure(parse, PageKeys.RAW_BYTES));
    assertNull(Nutch.figure(parse, PageKeys.TARGET_BYTES));
    assertEquals("theirs", parse.getText());

    Configuration larger = Nutch.conf();
    larger.set(Settings.PAGE_MAX_BYTES, "100000000");
    long start = System.nanoTime();
    parse = filtered(Nutch.filter(larger, HtmlParseFilter.class), bytes);
    assertTrue(
        Nutch.figure(parse, PageKeys.STATUS),
        Arrays.asList("ok", "limit_hit").contains(Nutch.figure(parse, PageKeys.STATUS)));
    assertTrue(Long.parseLong(Nutch.figure(parse, PageKeys.TARGET_BYTES)) > 1_000_000);
    assertTrue("took too long", System.nanoTime() - start < 60_000_000_000L);
  }

  private static Parse filtered(HtmlParseFilter filter, byte[] bytes) {
    ParseData data =
        new ParseData(
            new ParseStatus(ParseStatus.SUCCESS),
            "",
            new Outlink[0],
            new Metadata(),
            new Metadata());
    return filter
        .filter(
            Nutch.content(CONF, URL, "text/html", bytes),
            ParseResult.createParseResult(URL, new ParseImpl("theirs", data)),
            new HTMLMetaTags(),
            null)
        .get(URL);
  }

  @Test
  public void whatAPageSaysOfItsLanguagesIsWritten() throws Exception {
    Configuration conf = Nutch.conf();
    conf.set(Settings.PAGE_POLICY, "recall");
    conf.set(Settings.PAGE_EXTRACTOR, "text");
    String english =
        String.join(
            "",
            Collections.nCopies(
                8,
                "<p>The river rose during the night and the ferry could not leave before noon, so"
                    + " the market opened late."));
    String urdu =
        "<p>شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے اور نوجوان"
            + " شاعروں نے تازہ کلام سنایا۔";
    Parse parse =
        Nutch.parsed(conf, Nutch.html(conf, URL, "<html lang=en-GB>" + english + urdu + urdu));
    assertEquals("keep 1 of 3 excerpts in urd", Nutch.figure(parse, PageKeys.DECISION));
    assertEquals("excerpts", Nutch.figure(parse, PageKeys.STAGE));
    assertEquals("1/3", Nutch.figure(parse, PageKeys.EXCERPTS));
    assertEquals("en-GB", Nutch.figure(parse, PageKeys.DECLARED_LANGUAGE));
    assertTrue(
        Nutch.figure(parse, PageKeys.LANGUAGE_SET),
        Nutch.figure(parse, PageKeys.LANGUAGE_SET).matches("eng:\\d\\d,urd:\\d\\d"));
    assertNull(Nutch.figure(parse, PageKeys.JUNK));
  }

  @Test
  public void wrongSettingStopsTheStartWithItsName() {
    Configuration conf = Nutch.conf();
    conf.set(Settings.PAGE_MIN_BYTES, "many");
    Error failure =
        assertThrows(Error.class, () -> Nutch.parse(conf, Nutch.html(conf, URL, "<p>text")));
    assertEquals(
        "Property corpulyzer.page.minBytes is 'many'; allowed is a whole number from 0 to"
            + " 2147483647.",
        failure.getMessage());
  }

  @Test
  public void languageThatNobodyCountsStopsTheStartWithItsName() {
    Configuration conf = Nutch.conf();
    conf.set(Settings.LANGUAGE_TARGET, "qqq");
    Error failure =
        assertThrows(Error.class, () -> Nutch.parse(conf, Nutch.html(conf, URL, "<p>text")));
    assertTrue(
        failure.getMessage(),
        failure.getMessage().startsWith("Property corpulyzer.language.target is 'qqq': "));
  }
}
