package org.corpulyzer.nutch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseFilter;
import org.apache.nutch.parse.ParseStatusCodes;
import org.apache.nutch.parse.ParseStatusUtils;
import org.apache.nutch.parse.ParseUtil;
import org.apache.nutch.storage.ParseStatus;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.Test;

public class WebAmParseFilterTest {

  private static final Path VECTORS =
      Paths.get(System.getProperty("corpulyzer.root"), "tests", "vectors", "parsefilter");
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
    try (Stream<Path> files = Files.list(VECTORS)) {
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
      String name = file.getFileName().toString().replace(".properties", "");
      check(name, expected, parsed(page(name, expected)));
    }
  }

  @Test
  public void whatAPageSaysOfItsLanguagesIsWritten() throws Exception {
    Configuration conf = Nutch.conf();
    conf.set(Settings.PAGE_POLICY, "recall");
    conf.set(Settings.PAGE_EXTRACTOR, "text");
    ParseFilter filter = Nutch.filter(conf, ParseFilter.class);
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
    WebPage page = judged(filter, "<html lang=en-GB>" + english + urdu + urdu);
    assertEquals("keep 1 of 3 excerpts in urd", Nutch.figure(page, PageKeys.DECISION));
    assertEquals("excerpts", Nutch.figure(page, PageKeys.STAGE));
    assertEquals("1/3", Nutch.figure(page, PageKeys.EXCERPTS));
    assertEquals("en-GB", Nutch.figure(page, PageKeys.DECLARED_LANGUAGE));
    assertTrue(
        Nutch.figure(page, PageKeys.LANGUAGE_SET),
        Nutch.figure(page, PageKeys.LANGUAGE_SET).matches("eng:\\d\\d,urd:\\d\\d"));
    assertNull(Nutch.figure(page, PageKeys.JUNK));

    page = judged(filter, "<html lang=ur>" + String.join("", Collections.nCopies(30, urdu)));
    assertEquals(
        "reject junk: " + Nutch.figure(page, PageKeys.JUNK), Nutch.figure(page, PageKeys.DECISION));
    assertEquals("junk", Nutch.figure(page, PageKeys.STAGE));
    assertTrue("its bytes count", Nutch.figure(page, PageKeys.LANGUAGES).startsWith("urd:"));
  }

  private static WebPage judged(ParseFilter filter, String html) {
    WebPage page = Nutch.fetched(URL, "text/html", html.getBytes(StandardCharsets.UTF_8));
    filter.filter(
        URL,
        page,
        new Parse("", "", new Outlink[0], ParseStatus.newBuilder().build()),
        new HTMLMetaTags(),
        null);
    return page;
  }

  private static WebPage page(String name, Properties expected) throws Exception {
    Path content;
    try (Stream<Path> files = Files.list(VECTORS)) {
      content =
          files
              .filter(
                  file ->
                      file.getFileName().toString().startsWith(name + ".")
                          && !file.toString().endsWith(".properties"))
              .findFirst()
              .get();
    }
    WebPage page =
        Nutch.fetched(
            URL, expected.getProperty("contentType", "text/html"), Files.readAllBytes(content));
    String header = expected.getProperty("contentTypeHeader");
    if (header != null) {
      page.getHeaders().put(new Utf8("Content-Type"), new Utf8(header));
    }
    for (String key : expected.stringPropertyNames()) {
      if (key.startsWith("header.")) {
        page.getHeaders()
            .put(new Utf8(key.substring("header.".length())), new Utf8(expected.getProperty(key)));
      }
    }
    // Figures of an older fetch, which must not survive.
    Nutch.setFigure(page, PageKeys.LANGUAGES, "xxx:1");
    for (String key :
        Arrays.asList(
            PageKeys.LANGUAGE_SET,
            PageKeys.JUNK,
            PageKeys.EXCERPTS,
            PageKeys.STAGE,
            PageKeys.DECLARED_LANGUAGE,
            PageKeys.PUBLISHED,
            PageKeys.ALTERNATES)) {
      Nutch.setFigure(page, key, "old");
    }
    Nutch.setFigure(page, "other.plugin", "stays");
    return page;
  }

  private static WebPage parsed(WebPage page) {
    // As the fetcher and the parse job do: the argument is not the URL but the reversed key in some
    // flows.
    new ParseUtil(CONF).process("example.news:http/a?b=c", page);
    return page;
  }

  private static void check(String name, Properties expected, WebPage page) throws Exception {
    assertEquals(name, expected.getProperty("status"), Nutch.figure(page, PageKeys.STATUS));
    matches(name, expected.getProperty("decision"), Nutch.figure(page, PageKeys.DECISION));
    matches(
        name,
        expected.getProperty("languages"),
        String.valueOf(Nutch.figure(page, PageKeys.LANGUAGES)).replace("null", ""));
    assertEquals(
        name,
        Integer.toString(page.getContent().remaining()),
        Nutch.figure(page, PageKeys.RAW_BYTES));
    assertTrue(name, Nutch.figure(page, PageKeys.VERSION).contains(" best/"));
    assertEquals(name, "stays", Nutch.figure(page, "other.plugin"));
    for (String key : STATEMENTS) {
      assertEquals(
          name + " " + key, expected.getProperty("figure." + key), Nutch.figure(page, key));
    }
    for (String key :
        Arrays.asList(
            PageKeys.LANGUAGE_SET,
            PageKeys.JUNK,
            PageKeys.EXCERPTS,
            PageKeys.STAGE,
            PageKeys.DECLARED_LANGUAGE)) {
      assertNotEquals(name + " " + key, "old", Nutch.figure(page, key));
    }
    boolean bySize = Nutch.figure(page, PageKeys.DECISION).contains(" wanted");
    assertEquals(name, bySize ? "bytes" : null, Nutch.figure(page, PageKeys.STAGE));

    String[] parse = expected.getProperty("parse").split(" ");
    ParseStatus status = page.getParseStatus();
    assertEquals(name, ParseStatusCodes.SUCCESS, status.getMajorCode().intValue());
    if (parse[0].equals("redirect")) {
      assertEquals(name, ParseStatusCodes.SUCCESS_REDIRECT, status.getMinorCode().intValue());
      assertEquals(name, parse[1], ParseStatusUtils.getArg(status, 0));
      assertEquals(name, parse[2], ParseStatusUtils.getArg(status, 1));
    } else {
      assertEquals(name, ParseStatusCodes.SUCCESS_OK, status.getMinorCode().intValue());
    }
    checkText(name, expected.getProperty("text"), page.getText());
    checkTitle(name, expected.getProperty("title"), page.getTitle());
    if (!expected.getProperty("outlinks").equals("any")) {
      assertEquals(
          name, expected.getProperty("outlinks"), Integer.toString(page.getOutlinks().size()));
    }
  }

  private static void checkText(String name, String expected, CharSequence text) throws Exception {
    switch (expected) {
      case "none":
        assertNull(name, text);
        break;
      case "empty":
        assertEquals(name, "", text.toString());
        break;
      case "main":
        assertTrue(
            name + ": " + text,
            text.toString().contains("مقامی لوگوں") && text.toString().contains("گزشتہ سال"));
        assertFalse(
            name + ": menu in " + text,
            text.toString().contains("صفحہ اول") || text.toString().contains("شرائط"));
        break;
      case "start":
        assertTrue(
            name + ": " + text,
            text.toString().contains("مقامی لوگوں") && !text.toString().contains("گزشتہ سال"));
        break;
      case "english":
        assertTrue(name + ": " + text, text.toString().contains("northern pillar"));
        break;
      case "whole":
        assertEquals(
            name,
            new String(Files.readAllBytes(VECTORS.resolve(name + ".pdf")), StandardCharsets.UTF_8),
            text.toString());
        break;
      default:
        throw new AssertionError(name + ": text=" + expected);
    }
  }

  private static void checkTitle(String name, String expected, CharSequence title) {
    if (expected.equals("none")) {
      assertNull(name, title);
    } else if (!expected.equals("any")) {
      assertEquals(
          name,
          expected.equals("own") ? "نئی سڑک" : expected.equals("empty") ? "" : expected,
          title.toString());
    }
  }

  private static void matches(String name, String pattern, String found) {
    assertTrue(
        name + ": " + found + " where " + pattern + " was expected",
        found != null && found.matches(pattern));
  }

  @Test
  public void sharedStatusOfTheParserIsHealedAndNotChanged() {
    ParseStatusUtils.STATUS_SUCCESS.setMinorCode((int) ParseStatusCodes.SUCCESS_REDIRECT);
    ParseStatusUtils.STATUS_SUCCESS.getArgs().add(new Utf8("http://elsewhere.example/"));
    ParseStatusUtils.STATUS_SUCCESS.getArgs().add(new Utf8("0"));
    try {
      WebPage page =
          parsed(
              Nutch.fetched(
                  URL,
                  "application/x-shared-status",
                  "some words".getBytes(StandardCharsets.UTF_8)));
      assertNotSame(ParseStatusUtils.STATUS_SUCCESS, page.getParseStatus());
      assertEquals(ParseStatusCodes.SUCCESS_OK, page.getParseStatus().getMinorCode().intValue());
      assertEquals("some words", page.getText().toString());
      assertEquals(
          ParseStatusCodes.SUCCESS_REDIRECT,
          ParseStatusUtils.STATUS_SUCCESS.getMinorCode().intValue());
    } finally {
      ParseStatusUtils.STATUS_SUCCESS.setMinorCode(0);
      ParseStatusUtils.STATUS_SUCCESS.getArgs().clear();
    }
  }

  @Test
  public void nothingThatIsMissingMakesItThrow() throws Exception {
    ParseFilter filter = Nutch.filter(CONF, ParseFilter.class);
    WebPage bare = WebPage.newBuilder().build();
    Parse parse = new Parse(null, null, null, null);
    assertSame(parse, filter.filter(null, bare, parse, null, null));
    assertEquals("", parse.getText());
    assertEquals("", parse.getTitle());
    assertEquals("no_content", Nutch.figure(bare, PageKeys.STATUS));
    assertEquals("0", Nutch.figure(bare, PageKeys.RAW_BYTES));

    WebPage odd =
        Nutch.fetched(
            "not a url", "TEXT/HTML; charset=nonsense", new byte[] {0, -1, -2, 60, 112, 62});
    HTMLMetaTags tags = new HTMLMetaTags();
    tags.setRefresh(true);
    ParseStatus redirect = ParseStatus.newBuilder().build();
    redirect.setMajorCode((int) ParseStatusCodes.SUCCESS);
    redirect.setMinorCode((int) ParseStatusCodes.SUCCESS_REDIRECT);
    filter.filter(null, odd, new Parse("a", "b", new Outlink[0], redirect), tags, null);
    assertNotNull(Nutch.figure(odd, PageKeys.STATUS));
  }

  @Test
  public void interruptedThreadLeavesThePageAlone() throws Exception {
    ParseFilter filter = Nutch.filter(CONF, ParseFilter.class);
    WebPage page = Nutch.fetched(URL, "text/html", "<p>text".getBytes(StandardCharsets.UTF_8));
    Parse parse = new Parse("theirs", "", new Outlink[0], ParseStatus.newBuilder().build());
    Thread.currentThread().interrupt();
    try {
      filter.filter(URL, page, parse, new HTMLMetaTags(), null);
    } finally {
      assertTrue(Thread.interrupted());
    }
    assertEquals("theirs", parse.getText());
    assertTrue(page.getMetadata().isEmpty());
  }

  @Test
  public void contentStaysReadableForOthers() {
    WebPage page = Nutch.fetched(URL, "text/html", "<p>text".getBytes(StandardCharsets.UTF_8));
    int position = page.getContent().position();
    parsed(page);
    assertEquals(position, page.getContent().position());
    assertEquals(7, page.getContent().remaining());
  }

  @Test
  public void wrongSettingStopsTheStartWithItsName() {
    Configuration conf = Nutch.conf();
    conf.set(Settings.PAGE_MIN_BYTES, "many");
    Error failure = assertThrows(Error.class, () -> Nutch.filter(conf, ParseFilter.class));
    assertEquals(
        "Property corpulyzer.page.minBytes is 'many'; allowed is a whole number from 0 to"
            + " 2147483647.",
        failure.getMessage());
  }

  @Test
  public void languageThatNobodyCountsStopsTheStartWithItsName() {
    Configuration conf = Nutch.conf();
    conf.set(Settings.LANGUAGE_TARGET, "qqq");
    Error failure = assertThrows(Error.class, () -> Nutch.filter(conf, ParseFilter.class));
    assertTrue(
        failure.getMessage(),
        failure.getMessage().startsWith("Property corpulyzer.language.target is 'qqq': "));
  }
}
