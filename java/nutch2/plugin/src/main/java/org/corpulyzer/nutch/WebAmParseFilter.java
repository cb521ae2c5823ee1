package org.corpulyzer.nutch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseFilter;
import org.apache.nutch.parse.ParseStatusCodes;
import org.apache.nutch.parse.ParseStatusUtils;
import org.apache.nutch.storage.ParseStatus;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.EngineSource;
import org.corpulyzer.engine.Hreflang;
import org.corpulyzer.engine.LinkSigns;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.PageReading;
import org.corpulyzer.engine.PageResponse;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.SignedLinks;
import org.corpulyzer.engine.UnknownProperties;
import org.w3c.dom.DocumentFragment;

/**
 * Reads a page's bytes once more: main content becomes the page's text, and its figures go into the
 * metadata. Text of other parsers (PDF, Office) is counted and left alone. Never drops a page:
 * trouble is a status in its figures.
 *
 * <p>A task whose engine does not start must fail rather than parse its pages without figures.
 * Nutch swallows every Throwable of {@link #filter} and every Exception of {@link #setConf}, so
 * {@link #setConf} throws an Error. It does so only where pages will be parsed: in a task, or when
 * jobs run in this JVM. A driver that only submits needs no library for its own platform.
 */
public class WebAmParseFilter implements ParseFilter {

  private Configuration conf;
  private EngineSource source;

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    UnknownProperties.warn(conf);
    source = EngineSource.started(conf::get).requireOneTarget("Nutch 2.4");
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public Collection<WebPage.Field> getFields() {
    return EnumSet.of(
        WebPage.Field.BASE_URL,
        WebPage.Field.CONTENT,
        WebPage.Field.CONTENT_TYPE,
        WebPage.Field.FETCH_TIME,
        WebPage.Field.HEADERS,
        WebPage.Field.METADATA);
  }

  @Override
  public Parse filter(
      String url, WebPage page, Parse parse, HTMLMetaTags metaTags, DocumentFragment doc) {
    // With fetcher.parse the argument is the reversed key.
    String address = page.getBaseUrl() == null ? url : page.getBaseUrl().toString();
    boolean html = PageReading.isHtml(page.getContentType());
    long rawBytes = page.getContent() == null ? 0 : page.getContent().remaining();
    PageReading reading =
        PageReading.read(
            source,
            address,
            html,
            () -> html ? content(page) : utf8(parse.getText()),
            rawBytes,
            header(page, "Content-Type"),
            response(page));
    if (reading == null) {
      return parse;
    }
    // After a timeout, Nutch interrupts this thread and continues to write the page.
    if (Thread.currentThread().isInterrupted()) {
      return parse;
    }
    parse.setParseStatus(statusOf(reading, parse.getParseStatus(), metaTags, address));
    boolean noindex = reading.isNoindex() || metaTags != null && metaTags.getNoIndex();
    parse.setText(reading.text(parse.getText(), noindex));
    parse.setTitle(reading.title(parse.getTitle(), noindex));
    // Last of all, so that a page of which something failed before has no half of its figures.
    // Older figures are replaced.
    reading
        .figures(noindex, isRefresh(parse.getParseStatus()))
        .forEach((key, value) -> PageFigures.put(page, key, value));
    if (source.settings().scorePolicy() == Settings.ScorePolicy.PAGES) {
      PageFigures.put(page, PageKeys.LINK_SIGNS, signs(reading, page, parse.getOutlinks()));
    }
    return parse;
  }

  /**
   * @return what policy pages counts of the links; null if nothing is known of them
   */
  private String signs(PageReading reading, WebPage page, Outlink[] links) {
    if (reading.links() == null || links == null) {
      return null;
    }
    List<String> urls = new ArrayList<>(links.length);
    for (Outlink link : links) {
      urls.add(link.getToUrl());
    }
    String decision = PageFigures.get(page, PageKeys.DECISION);
    return SignedLinks.text(
        new LinkSigns(reading.links(), new Hreflang(source.get())),
        urls,
        decision != null && decision.startsWith("keep"));
  }

  /** Until updatedb the fetch time is that of the response, later it is that of the next fetch. */
  private static PageResponse response(WebPage page) {
    Long fetchTime = page.getFetchTime();
    PageResponse response = PageResponse.fetchedAt(fetchTime == null ? 0 : fetchTime);
    if (page.getHeaders() != null) {
      page.getHeaders().forEach(response::header);
    }
    return response;
  }

  private static boolean isRefresh(ParseStatus status) {
    return status != null && status.getMinorCode() == ParseStatusCodes.SUCCESS_REDIRECT;
  }

  /**
   * A redirect makes Nutch throw text and links away. A page that refreshes itself, or late, is a
   * page, not a redirect; and parse-tika marks one status that all its pages share, so that after
   * one redirect every page is one.
   */
  private static ParseStatus statusOf(
      PageReading reading, ParseStatus status, HTMLMetaTags metaTags, String address) {
    if (status == null
        || status.getMinorCode() != ParseStatusCodes.SUCCESS_REDIRECT
        || metaTags == null) {
      return status;
    }
    if (reading.isRedirect(
        metaTags.getRefresh(), metaTags.getRefreshHref(), metaTags.getRefreshTime(), address)) {
      return success(
          ParseStatusCodes.SUCCESS_REDIRECT,
          metaTags.getRefreshHref().toString(),
          Integer.toString(metaTags.getRefreshTime()));
    }
    boolean sharedStatus = status == ParseStatusUtils.STATUS_SUCCESS;
    return metaTags.getRefresh() || sharedStatus ? success(ParseStatusCodes.SUCCESS_OK) : status;
  }

  private static ParseStatus success(short minorCode, String... args) {
    ParseStatus status = ParseStatus.newBuilder().build();
    status.setMajorCode((int) ParseStatusCodes.SUCCESS);
    status.setMinorCode((int) minorCode);
    for (String arg : args) {
      status.getArgs().add(new Utf8(arg));
    }
    return status;
  }

  /**
   * The page's bytes, not copied where the buffer has an array of its own: the engine only reads
   * them.
   */
  private static byte[] content(WebPage page) {
    if (page.getContent() == null) {
      return new byte[0];
    }
    ByteBuffer content = page.getContent().duplicate();
    if (content.hasArray() && content.remaining() == content.array().length) {
      return content.array();
    }
    byte[] bytes = new byte[content.remaining()];
    content.get(bytes);
    return bytes;
  }

  private static byte[] utf8(String text) {
    return text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
  }

  private static String header(WebPage page, String name) {
    if (page.getHeaders() != null) {
      for (Map.Entry<CharSequence, CharSequence> header : page.getHeaders().entrySet()) {
        if (name.equalsIgnoreCase(header.getKey().toString()) && header.getValue() != null) {
          return header.getValue().toString();
        }
      }
    }
    return null;
  }
}
