package org.corpulyzer.nutch;

import java.net.MalformedURLException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseFilter;
import org.apache.nutch.parse.ParseStatusCodes;
import org.apache.nutch.parse.ParseStatusUtils;
import org.apache.nutch.storage.ParseStatus;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.PageRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.w3c.dom.DocumentFragment;

/**
 * Reads a page's bytes once more: main content becomes the page's text, and its figures go into the metadata. Text of other parsers
 * (PDF, Office) is counted and left alone. Never drops a page: trouble is a status in its figures.
 *
 * <p>A task whose engine does not start must fail rather than parse its pages without figures. Nutch swallows every Throwable of
 * {@link #filter} and every Exception of {@link #setConf}, so {@link #setConf} throws an Error. It does so only where pages will be
 * parsed: in a task, or when jobs run in this JVM. A driver that only submits needs no library for its own platform.
 */
public class WebAmParseFilter implements ParseFilter {

  private static final Logger LOG = LoggerFactory.getLogger(WebAmParseFilter.class);
  private static final Set<String> HTML_TYPES = Collections.unmodifiableSet(
      new HashSet<>(Arrays.asList("", "text/html", "application/xhtml+xml")));
  private static final Set<PageRecord.Status> WITH_TEXT =
      Collections.unmodifiableSet(EnumSet.of(PageRecord.Status.OK, PageRecord.Status.NO_CONTENT, PageRecord.Status.LIMIT_HIT));

  private Configuration conf;
  private EngineSource source;

  /** A start that failed, as the kind of Throwable that Nutch lets through. */
  static final class StartFailure extends Error {
    StartFailure(CorpulyzerException cause) {
      super(cause.getMessage(), cause);
    }
  }

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    boolean parsesHere = conf.get("mapreduce.task.attempt.id") != null || "local".equals(conf.get("mapreduce.framework.name", "local"));
    try {
      source = new EngineSource(conf);
      if (parsesHere) {
        source.get();
      }
    } catch (CorpulyzerException e) {
      LOG.error(e.getMessage());
      throw new StartFailure(e);
    }
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public Collection<WebPage.Field> getFields() {
    return EnumSet.of(WebPage.Field.BASE_URL, WebPage.Field.CONTENT, WebPage.Field.CONTENT_TYPE, WebPage.Field.HEADERS,
        WebPage.Field.METADATA);
  }

  @Override
  public Parse filter(String url, WebPage page, Parse parse, HTMLMetaTags metaTags, DocumentFragment doc) {
    // With fetcher.parse the argument is the reversed key.
    String address = page.getBaseUrl() == null ? url : page.getBaseUrl().toString();
    PageRecord record;
    String version = null;
    boolean html = HTML_TYPES.contains(mimeType(page));
    try {
      Engine engine = source.get();
      if (engine == null) {
        return parse;
      }
      version = engine.recordVersion();
      record = html ? engine.page(content(page), address, header(page, "Content-Type"), Engine.Kind.HTML)
          : engine.page(utf8(parse.getText()), address, null, Engine.Kind.TEXT);
    } catch (RuntimeException | Error e) {
      LOG.error("{} cannot be read", address, e);
      record = PageRecord.failed(e.toString());
    }
    if (record.status() != PageRecord.Status.OK && record.status() != PageRecord.Status.NO_CONTENT) {
      LOG.warn("{}: {}: {}", address, record.status().code(), record.message());
    }
    // After a timeout Nutch interrupts this thread and goes on to write the page.
    if (Thread.currentThread().isInterrupted()) {
      return parse;
    }
    parse.setParseStatus(statusOf(parse.getParseStatus(), metaTags, address));
    boolean noindex = record.isNoindex() || metaTags != null && metaTags.getNoIndex();
    setText(parse, html && WITH_TEXT.contains(record.status()) ? record : null, noindex);
    writeFigures(page, record, version, html, decision(record, noindex, parse.getParseStatus()));
    return parse;
  }

  private static void setText(Parse parse, PageRecord ours, boolean noindex) {
    String text = ours == null ? parse.getText() : ours.mainText();
    String title = ours == null || ours.title().isEmpty() ? parse.getTitle() : ours.title();
    // Nutch dereferences both.
    parse.setText(noindex || text == null ? "" : text);
    parse.setTitle(noindex || title == null ? "" : title);
  }

  /**
   * A redirect makes Nutch throw text and links away. A page that refreshes itself is a page, not a redirect; and parse-tika marks
   * one status that all its pages share, so that after one redirect every page is one.
   */
  private static ParseStatus statusOf(ParseStatus status, HTMLMetaTags metaTags, String address) {
    if (status == null || status.getMinorCode() != ParseStatusCodes.SUCCESS_REDIRECT || metaTags == null) {
      return status;
    }
    if (metaTags.getRefresh() && !isSamePage(metaTags.getRefreshHref(), address)) {
      return success(ParseStatusCodes.SUCCESS_REDIRECT, metaTags.getRefreshHref().toString(),
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

  /** No target means that the page names none: it reloads itself. */
  private static boolean isSamePage(URL target, String address) {
    if (target == null) {
      return true;
    }
    try {
      URL page = new URL(address);
      return target.getProtocol().equals(page.getProtocol()) && target.getHost().equalsIgnoreCase(page.getHost())
          && port(target) == port(page) && file(target).equals(file(page));
    } catch (MalformedURLException e) {
      return false;
    }
  }

  private static int port(URL url) {
    return url.getPort() == -1 ? url.getDefaultPort() : url.getPort();
  }

  private static String file(URL url) {
    return url.getFile().isEmpty() ? "/" : url.getFile();
  }

  private static String decision(PageRecord record, boolean noindex, ParseStatus status) {
    if (noindex) {
      return "reject noindex";
    }
    if (status != null && status.getMinorCode() == ParseStatusCodes.SUCCESS_REDIRECT) {
      return "reject refresh to another page";
    }
    return record.decision().isEmpty() ? "reject " + record.status().code() : record.decision();
  }

  /** Last of all, so that a page of which something failed before has no half of its figures. Older figures are replaced. */
  private static void writeFigures(WebPage page, PageRecord record, String version, boolean html, String decision) {
    boolean measured = WITH_TEXT.contains(record.status());
    PageFigures.put(page, PageKeys.VERSION, version);
    PageFigures.put(page, PageKeys.STATUS, record.status().code());
    PageFigures.put(page, PageKeys.RAW_BYTES, Integer.toString(page.getContent() == null ? 0 : page.getContent().remaining()));
    PageFigures.put(page, PageKeys.VISIBLE_BYTES, measured ? Long.toString(record.visibleBytes()) : null);
    PageFigures.put(page, PageKeys.MAIN_BYTES, measured ? Long.toString(record.mainBytes()) : null);
    PageFigures.put(page, PageKeys.LANGUAGES, record.languages());
    PageFigures.put(page, PageKeys.CHARSET, html ? record.charset() : null);
    PageFigures.put(page, PageKeys.DECLARED_LANGUAGE, record.declaredLanguage());
    PageFigures.put(page, PageKeys.LANGUAGE_SET, record.languageSet());
    PageFigures.put(page, PageKeys.JUNK, record.junk());
    PageFigures.put(page, PageKeys.EXCERPTS, record.excerpts());
    PageFigures.put(page, PageKeys.STAGE, decision.equals(record.decision()) ? record.stage() : null);
    PageFigures.put(page, PageKeys.DECISION, decision);
  }

  /** The page's bytes, not copied where the buffer has an array of its own: the engine only reads them. */
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

  /** The type by which Nutch chose the parser, lower case and without parameters; empty when there is none. */
  private static String mimeType(WebPage page) {
    CharSequence type = page.getContentType();
    return type == null ? "" : type.toString().split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
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
