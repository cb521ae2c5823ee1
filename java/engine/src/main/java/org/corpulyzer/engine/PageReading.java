package org.corpulyzer.engine;

import java.net.MalformedURLException;
import java.net.URL;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One page read by a parse filter: its text, title and figures, for either line of Nutch. A failure
 * is a status in the figures, never an exception.
 */
public final class PageReading {

  /**
   * Name of the user data ({@code org.w3c.dom.Node.setUserData}) by which a parser that reads pages
   * with the engine hands the {@link PageRecord} on to the parse filters, so that a page is read
   * once.
   */
  public static final String RECORD = "org.corpulyzer.record";

  private static final Logger LOG = LoggerFactory.getLogger(PageReading.class);
  private static final Set<String> HTML_TYPES =
      Collections.unmodifiableSet(
          new HashSet<>(Arrays.asList("", "text/html", "application/xhtml+xml")));
  private static final Set<PageRecord.Status> WITH_TEXT =
      Collections.unmodifiableSet(
          EnumSet.of(
              PageRecord.Status.OK, PageRecord.Status.NO_CONTENT, PageRecord.Status.LIMIT_HIT));

  /** The directives and the refresh of a page, without its links. */
  private static final PageLinks.Options DIRECTIVES = PageLinks.Options.defaults().maxLinks(0);

  /** The same with links and the languages of their anchors, for policy pages. */
  private static final PageLinks.Options ANCHORS = PageLinks.Options.defaults().withAnchors();

  private final PageRecord record;
  private final String version;
  private final boolean html;
  private final long rawBytes;

  private PageReading(PageRecord record, String version, boolean html, long rawBytes) {
    this.record = record;
    this.version = version;
    this.html = html;
    this.rawBytes = rawBytes;
  }

  /**
   * @param contentType type by which Nutch chose the parser, with or without parameters, or null
   * @return whether the engine extracts main content from such a page; of other types it counts the
   *     text that their parser made
   */
  public static boolean isHtml(CharSequence contentType) {
    return contentType == null
        || HTML_TYPES.contains(
            contentType.toString().split(";", 2)[0].trim().toLowerCase(Locale.ROOT));
  }

  /**
   * Reads a page.
   *
   * @param address the page's URL, or null
   * @param html see {@link #isHtml}
   * @param bytes the page as fetched, or the UTF-8 of its parser's text if it is not HTML
   * @param rawBytes bytes of the page as fetched
   * @param contentTypeHeader the HTTP header as sent, or null
   * @param response the page's response, or null if nothing is known of it
   * @return the reading; null if the library does not load and {@code corpulyzer.native.required}
   *     is false
   */
  public static PageReading read(
      EngineSource source,
      String address,
      boolean html,
      Supplier<byte[]> bytes,
      long rawBytes,
      String contentTypeHeader,
      PageResponse response) {
    PageRecord record;
    String version = null;
    try {
      Engine engine = source.get();
      if (engine == null) {
        return null;
      }
      version = engine.recordVersion();
      record =
          html
              ? engine.page(bytes.get(), address, contentTypeHeader, options(source), response)
              : engine.text(bytes.get(), address, response);
    } catch (RuntimeException | Error e) {
      LOG.error("{} cannot be read", address, e);
      record = PageRecord.failed(e.toString());
    }
    return of(address, record, version, html, rawBytes);
  }

  private static PageLinks.Options options(EngineSource source) {
    return source.settings().scorePolicy() == Settings.ScorePolicy.PAGES ? ANCHORS : DIRECTIVES;
  }

  /**
   * @return the links of an HTML page under policy pages; of others directives alone, or null
   */
  public PageLinks links() {
    return record.links();
  }

  /**
   * Takes the record of an HTML page that its parser has read already, see {@link #RECORD}.
   *
   * @param source settings that are those of the parser
   * @param address the page's URL, or null
   * @param record the page's record
   * @param rawBytes bytes of the page as fetched
   * @return the reading; null if the library does not load and {@code corpulyzer.native.required}
   *     is false
   */
  public static PageReading of(
      EngineSource source, String address, PageRecord record, long rawBytes) {
    Engine engine = source.get();
    return engine == null ? null : of(address, record, engine.recordVersion(), true, rawBytes);
  }

  private static PageReading of(
      String address, PageRecord record, String version, boolean html, long rawBytes) {
    // The engine logs the other pages that it does not read to their end.
    if (record.status() == PageRecord.Status.FAILED) {
      LOG.warn("{}: {}: {}", address, record.status().code(), record.message());
    }
    return new PageReading(record, version, html, rawBytes);
  }

  /**
   * @return whether the page's robots meta forbids indexing
   */
  public boolean isNoindex() {
    return record.isNoindex();
  }

  /**
   * @param parsed text that Nutch's parser made, or null
   * @param noindex whether the page must not be indexed
   * @return main content of an HTML page, the parser's text of any other and of a page that could
   *     not be read; never null
   */
  public String text(String parsed, boolean noindex) {
    return orEmpty(isOurs() ? record.mainText() : parsed, noindex);
  }

  /**
   * @param parsed title that Nutch's parser made, or null
   * @param noindex whether the page must not be indexed
   * @return the page's title, never null
   */
  public String title(String parsed, boolean noindex) {
    return orEmpty(isOurs() && !record.title().isEmpty() ? record.title() : parsed, noindex);
  }

  private boolean isOurs() {
    return html && WITH_TEXT.contains(record.status());
  }

  private static String orEmpty(String text, boolean noindex) {
    // Nutch dereferences both.
    return noindex || text == null ? "" : text;
  }

  /**
   * @return bytes in the language of the crawl; -1 if the page was not measured
   */
  public long targetBytes() {
    return isMeasured() ? record.targetBytes() : -1;
  }

  /**
   * @param noindex whether the page must not be indexed
   * @param refresh whether it sends the reader to another page
   * @return the figures by the keys of {@link PageKeys}; null where the page has no such figure, so
   *     that an older one must go
   */
  public Map<String, String> figures(boolean noindex, boolean refresh) {
    String decision = decision(noindex, refresh);
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put(PageKeys.VERSION, version);
    figures.put(PageKeys.STATUS, record.status().code());
    figures.put(PageKeys.RAW_BYTES, Long.toString(rawBytes));
    figures.put(PageKeys.VISIBLE_BYTES, isMeasured() ? Long.toString(record.visibleBytes()) : null);
    figures.put(PageKeys.MAIN_BYTES, isMeasured() ? Long.toString(record.mainBytes()) : null);
    figures.put(PageKeys.LANGUAGES, record.languages());
    figures.put(PageKeys.CHARSET, html ? record.charset() : null);
    figures.put(PageKeys.DECLARED_LANGUAGE, record.declaredLanguage());
    figures.put(PageKeys.LANGUAGE_SET, record.languageSet());
    figures.put(PageKeys.JUNK, record.junk());
    figures.put(PageKeys.EXCERPTS, record.excerpts());
    figures.put(PageKeys.STAGE, decision.equals(record.decision()) ? record.stage() : null);
    figures.put(PageKeys.DECISION, decision);
    for (Statement statement : Statement.values()) {
      figures.put(statement.key(), record.statements().get(statement));
    }
    figures.replaceAll((key, value) -> value == null || value.isEmpty() ? null : value);
    return figures;
  }

  private boolean isMeasured() {
    return WITH_TEXT.contains(record.status());
  }

  private String decision(boolean noindex, boolean refresh) {
    if (noindex) {
      return "reject noindex";
    }
    if (refresh) {
      return "reject refresh to another page";
    }
    return record.decision().isEmpty() ? "reject " + record.status().code() : record.decision();
  }

  /**
   * @param found whether Nutch's parser made the page a redirect
   * @param target where its refresh leads, or null if it names no address
   * @param seconds the delay of its refresh
   * @param address the page's URL
   * @return whether the page only forwards its readers to another page: within {@value
   *     PageLinks#MAX_REDIRECT_SECONDS} seconds, and not only if scripts are off
   */
  public boolean isRedirect(boolean found, URL target, int seconds, String address) {
    if (!found || seconds > PageLinks.MAX_REDIRECT_SECONDS || isSamePage(target, address)) {
      return false;
    }
    PageLinks links = record.links();
    // Nutch's own parsers read a noscript as browsers without scripts do.
    return !html || links == null || !links.isWhole() || links.isRedirect(address);
  }

  /**
   * @param target where a meta refresh leads, or null if it names no address: the page reloads
   *     itself
   * @param address the page's URL
   * @return whether both are the same page
   */
  public static boolean isSamePage(URL target, String address) {
    if (target == null) {
      return true;
    }
    try {
      URL page = new URL(address);
      return target.getProtocol().equals(page.getProtocol())
          && target.getHost().equalsIgnoreCase(page.getHost())
          && port(target) == port(page)
          && file(target).equals(file(page));
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
}
