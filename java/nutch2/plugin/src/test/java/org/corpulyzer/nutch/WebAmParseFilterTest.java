package org.corpulyzer.nutch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.WriterAppender;
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
import org.corpulyzer.fixtures.ParseFilterContract;
import org.junit.Test;

/** Rows of Nutch 2.4. */
public class WebAmParseFilterTest extends ParseFilterContract {

  private static final Configuration CONF = Nutch.conf();

  /** Figures that a row may have of an older fetch, and a later fetch need not have. */
  private static final List<String> OLD =
      Arrays.asList(
          PageKeys.LANGUAGE_SET,
          PageKeys.JUNK,
          PageKeys.EXCERPTS,
          PageKeys.STAGE,
          PageKeys.DECLARED_LANGUAGE,
          PageKeys.PUBLISHED,
          PageKeys.ALTERNATES);

  private static Configuration conf(String... settings) {
    Configuration conf = Nutch.conf();
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return conf;
  }

  /** The row of a page that was fetched before and is fetched again. */
  private static WebPage row(Fetched fetched) {
    WebPage page = Nutch.fetched(URL, fetched.contentType, fetched.content);
    for (int i = 0; i < fetched.headers.size(); i += 2) {
      page.getHeaders().put(new Utf8(fetched.headers.get(i)), new Utf8(fetched.headers.get(i + 1)));
    }
    Nutch.setFigure(page, PageKeys.LANGUAGES, "xxx:1");
    OLD.forEach(key -> Nutch.setFigure(page, key, "old"));
    Nutch.setFigure(page, "other.plugin", "stays");
    return page;
  }

  private static WebPage parsed(Configuration conf, WebPage page) {
    // As the fetcher and the parse job do: the argument is not the URL but the reversed key in some
    // flows.
    new ParseUtil(conf).process("example.news:http/a?b=c", page);
    return page;
  }

  @Override
  protected Parsed parse(Fetched page, String... settings) {
    return new Reading(parsed(settings.length == 0 ? CONF : conf(settings), row(page)), null);
  }

  @Override
  protected Parsed filter(Fetched fetched, String... settings) throws Exception {
    WebPage page = row(fetched);
    ParseStatus success = ParseStatus.newBuilder().build();
    success.setMajorCode((int) ParseStatusCodes.SUCCESS);
    Parse parse = new Parse("theirs", "", new Outlink[0], success);
    Nutch.filter(conf(settings), ParseFilter.class)
        .filter(URL, page, parse, new HTMLMetaTags(), null);
    return new Reading(page, parse);
  }

  @Override
  protected void start(String name, String value) throws Exception {
    Nutch.filter(conf(name, value), ParseFilter.class);
  }

  @Override
  protected List<String> logged(Action action) throws Exception {
    Logger engine = Logger.getLogger("org.corpulyzer.native");
    StringWriter said = new StringWriter();
    WriterAppender lines = new WriterAppender(new PatternLayout("%p %m%n"), said);
    engine.addAppender(lines);
    engine.setLevel(Level.INFO);
    try {
      action.run();
    } finally {
      engine.setLevel(null);
      engine.removeAppender(lines);
    }
    return Arrays.stream(said.toString().split("\n"))
        .filter(line -> !line.isEmpty())
        .collect(Collectors.toList());
  }

  private static final class Reading implements Parsed {
    private final WebPage page;

    /** The parse that is not in the row yet; null if it is. */
    private final Parse parse;

    private Reading(WebPage page, Parse parse) {
      this.page = page;
      this.parse = parse;
    }

    @Override
    public String figure(String key) {
      return Nutch.figure(page, key);
    }

    @Override
    public byte[] content() {
      byte[] bytes = new byte[page.getContent().remaining()];
      page.getContent().duplicate().get(bytes);
      return bytes;
    }

    @Override
    public String text() {
      return parse != null ? parse.getText() : page.getText() == null ? null : "" + page.getText();
    }

    @Override
    public String title() {
      return page.getTitle() == null ? null : page.getTitle().toString();
    }

    @Override
    public int outlinks() {
      return page.getOutlinks().size();
    }

    @Override
    public String status() {
      ParseStatus status = page.getParseStatus();
      if (status.getMajorCode() != ParseStatusCodes.SUCCESS) {
        return null;
      }
      return status.getMinorCode() == ParseStatusCodes.SUCCESS_REDIRECT
          ? "redirect "
              + ParseStatusUtils.getArg(status, 0)
              + " "
              + ParseStatusUtils.getArg(status, 1)
          : status.getMinorCode() == ParseStatusCodes.SUCCESS_OK
              ? "ok"
              : "minor code " + status.getMinorCode();
    }
  }

  /** Figures of an older fetch must not survive. */
  @Override
  protected void checkMore(String name, Parsed page) {
    assertEquals(name, "stays", page.figure("other.plugin"));
    for (String key : OLD) {
      assertNotEquals(name + " " + key, "old", page.figure(key));
    }
  }

  @Test
  public void sharedStatusOfTheParserIsHealedAndNotChanged() {
    ParseStatusUtils.STATUS_SUCCESS.setMinorCode((int) ParseStatusCodes.SUCCESS_REDIRECT);
    ParseStatusUtils.STATUS_SUCCESS.getArgs().add(new Utf8("http://elsewhere.example/"));
    ParseStatusUtils.STATUS_SUCCESS.getArgs().add(new Utf8("0"));
    try {
      WebPage page =
          parsed(
              CONF,
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
    ByteBuffer content = page.getContent();
    int position = content.position();
    parsed(CONF, page);
    assertEquals(position, page.getContent().position());
    assertEquals(7, page.getContent().remaining());
  }
}
