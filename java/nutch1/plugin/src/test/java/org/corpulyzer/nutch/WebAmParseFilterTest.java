package org.corpulyzer.nutch;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Text;
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
import org.corpulyzer.fixtures.ParseFilterContract;
import org.corpulyzer.fixtures.Printed;
import org.junit.Test;

/** Parse data of Nutch 1.x. */
public class WebAmParseFilterTest extends ParseFilterContract {

  private static final Configuration CONF = Nutch.conf();

  private static Configuration conf(String... settings) {
    Configuration conf = Nutch.conf();
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return conf;
  }

  private static Content content(Fetched page) {
    Content content = Nutch.content(CONF, URL, page.contentType, page.content.clone());
    for (int i = 0; i < page.headers.size(); i += 2) {
      content.getMetadata().add(page.headers.get(i), page.headers.get(i + 1));
    }
    return content;
  }

  @Override
  protected String prefix() {
    return "nutch1.";
  }

  @Override
  protected Parsed parse(Fetched page, String... settings) throws Exception {
    Content content = content(page);
    return new Reading(
        content, Nutch.parsed(settings.length == 0 ? CONF : conf(settings), content));
  }

  @Override
  protected Parsed filter(Fetched page, String... settings) throws Exception {
    Content content = content(page);
    HtmlParseFilter filter = Nutch.filter(conf(settings), HtmlParseFilter.class);
    ParseResult theirs = ParseResult.createParseResult(URL, new ParseImpl("theirs", data()));
    return new Reading(content, filter.filter(content, theirs, new HTMLMetaTags(), null).get(URL));
  }

  private static ParseData data() {
    return new ParseData(
        new ParseStatus(ParseStatus.SUCCESS), "", new Outlink[0], new Metadata(), new Metadata());
  }

  @Override
  protected void start(String name, String value) throws Exception {
    Nutch.parse(conf(name, value), Nutch.html(CONF, URL, "<p>text"));
  }

  @Override
  protected List<String> logged(Action action) throws Exception {
    return Arrays.stream(Printed.err(action::run).split("\n"))
        .filter(line -> line.contains("org.corpulyzer.native - "))
        .map(line -> line.replaceFirst("^\\[.*?\\] ", ""))
        .collect(Collectors.toList());
  }

  private static final class Reading implements Parsed {
    private final Content content;
    private final Parse parse;

    private Reading(Content content, Parse parse) {
      this.content = content;
      this.parse = parse;
    }

    @Override
    public String figure(String key) {
      return Nutch.figure(parse, key);
    }

    @Override
    public byte[] content() {
      return content.getContent();
    }

    @Override
    public String text() {
      return parse.getText();
    }

    @Override
    public String title() {
      return parse.getData().getTitle();
    }

    @Override
    public int outlinks() {
      return parse.getData().getOutlinks().length;
    }

    @Override
    public String status() {
      ParseStatus status = parse.getData().getStatus();
      if (!status.isSuccess()) {
        return null;
      }
      return status.getMinorCode() == ParseStatus.SUCCESS_REDIRECT
          ? "redirect " + String.join(" ", status.getArgs())
          : status.getMinorCode() == 0 ? "ok" : "minor code " + status.getMinorCode();
    }
  }

  @Override
  protected void checkMore(String name, Parsed page) {
    String languages = String.valueOf(page.figure(PageKeys.LANGUAGES)).replace("null", "");
    String urdu = languages.contains("urd:") ? languages.replaceAll(".*urd:(\\d+).*", "$1") : "0";
    assertEquals(name, urdu, page.figure(PageKeys.TARGET_BYTES));
    assertTrue(name, ((Reading) page).parse.isCanonical());
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
  public void policyPagesWritesIntoLinksWhatThePageTellsAboutThem() throws Exception {
    String html =
        "<html><head><link rel=alternate hreflang=ur href='/9#top'></head><body>"
            + "<a href='/خبر?س=1#x'>شہر کی تازہ ترین خبر پڑھیے</a>"
            + "<a href='http://EN.example'>Read the latest news of the city today</a>"
            + "<a href='/9'>9</a><a href='/10'>10</a></body></html>";
    assertEquals(Arrays.asList("null", "null", "null", "null"), signs(conf(), html));
    assertEquals(
        Arrays.asList("1 null", "2 null", "0 y", "0 null"),
        signs(conf(Settings.SCORE_POLICY, "pages"), html));
  }

  /** The language of the anchor, and the mark of alternates, of each link. */
  private static List<String> signs(Configuration conf, String html) throws Exception {
    ParseData data = Nutch.parsed(conf, Nutch.html(CONF, URL, html)).getData();
    String codes = data.getParseMeta().get(PageKeys.LINK_SIGNS);
    List<String> signs = new ArrayList<>();
    for (Outlink link : data.getOutlinks()) {
      String sign = codes == null ? "" : codes.charAt(signs.size()) + " ";
      MapWritable marks = link.getMetadata() == null ? new MapWritable() : link.getMetadata();
      signs.add(sign + marks.get(new Text(PageKeys.ALTERNATE_MARK)));
    }
    return signs;
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
    ParseResult theirs = ParseResult.createParseResult("not a url", new ParseImpl("", data));
    Parse parse = filter.filter(odd, theirs, null, null).get("not a url");
    assertNotNull(Nutch.figure(parse, PageKeys.STATUS));
    assertEquals("reject refresh to another page", Nutch.figure(parse, PageKeys.DECISION));
    assertEquals("", parse.getData().getTitle());
    theirs = ParseResult.createParseResult("not a url", new ParseImpl("", data));
    parse = filter.filter(odd, theirs, tags, null).get("not a url");
    assertFalse("it reloads itself", Nutch.figure(parse, PageKeys.DECISION).contains("refresh"));
  }
}
