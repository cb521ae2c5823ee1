package org.corpulyzer.crawl.companion;

import java.net.MalformedURLException;
import java.net.URL;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.net.protocols.Response;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.HtmlParseFilters;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.protocol.Content;
import org.apache.xerces.dom.CoreDocumentImpl;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.EngineSource;
import org.corpulyzer.engine.Hreflang;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.PageLinks;
import org.corpulyzer.engine.PageReading;
import org.corpulyzer.engine.PageRecord;
import org.corpulyzer.engine.PageResponse;
import org.corpulyzer.engine.Settings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.w3c.dom.DocumentFragment;

/**
 * HTML parser on the engine, which reads the markup once for text and links and builds no DOM.
 * Behaves as Nutch's own parser: robots directives blank the text (noindex) and the links
 * (nofollow), a refresh to another page within some seconds makes the parse a redirect, and the
 * parse filters run in every case. They get an empty DOM that carries the page's record, see {@link
 * PageReading#RECORD}. Directives in the {@code X-Robots-Tag} header count like those in the page,
 * see {@link RobotsHeader}.
 *
 * <p>Links come in this order: sitemaps of robots.txt (if it names none, {@code /sitemap.xml}, on
 * kept pages), the same page in the language of the crawl ({@code hreflang}), feeds of a home page,
 * then the links of the page without those with {@code rel=nofollow}.
 */
public final class HtmlParser extends Configured implements Parser {
  /** Feeds of inner pages are comments on one story. */
  private static final int MAX_FEEDS = 2;

  private static final Logger LOG = LoggerFactory.getLogger(HtmlParser.class);

  /** Pages that take longer are noted in the log. */
  private static final double SLOW_SECONDS = 1;

  /** The usual place of a sitemap that robots.txt does not name. */
  static final String GUESS = "/sitemap.xml";

  private HtmlParseFilters filters;

  /** Main content of a page that may need scripts, at most. */
  private static final int MAX_EMPTY_CHARACTERS = 500;

  private final UrlNormalizer normalizer = new UrlNormalizer();
  private Engine engine;
  private Hreflang target;
  private boolean sitemaps;
  private Set<String> agents;

  /** Whether links have what policy pages counts. */
  private boolean readsAnchors;

  /**
   * @throws EngineSource.StartFailure if a property is wrong or the engine does not start
   */
  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf != null) {
      engine = EngineSource.started(conf::get).get();
      target = new Hreflang(engine);
      normalizer.setConf(conf);
      filters = new HtmlParseFilters(conf);
      sitemaps = conf.getBoolean(Types.SITEMAPS, true);
      agents = Agent.names(conf);
      readsAnchors = Settings.from(conf::get).scorePolicy() == Settings.ScorePolicy.PAGES;
    }
  }

  @Override
  public ParseResult getParse(Content content) {
    URL page;
    try {
      page = new URL(content.getUrl());
    } catch (MalformedURLException e) {
      return new ParseStatus(e).getEmptyParseResult(content.getUrl(), getConf());
    }
    Metadata headers = content.getMetadata();
    PageRecord record = read(content);
    PageLinks found = record.links();
    String refresh = refresh(found, content.getUrl());
    HTMLMetaTags metaTags = metaTags(found, refresh, page);
    boolean noindex = found.isNoindex();
    ParseStatus status = new ParseStatus(ParseStatus.SUCCESS);
    if (found.isRedirect(content.getUrl()) && !content.getUrl().equals(refresh)) {
      status =
          new ParseStatus(
              ParseStatus.SUCCESS,
              ParseStatus.SUCCESS_REDIRECT,
              new String[] {refresh, Integer.toString(metaTags.getRefreshTime())});
    }
    boolean needsScript = record.decision().startsWith("reject") && isEmpty(record, content);
    ParseData data =
        new ParseData(
            status,
            noindex ? "" : found.title(),
            outlinks(record, headers, refresh, needsScript ? content : null, page),
            headers,
            parseMeta(record));
    ParseResult result =
        filters.filter(
            content,
            ParseResult.createParseResult(
                content.getUrl(), new ParseImpl(noindex ? "" : record.mainText(), data)),
            metaTags,
            dom(record));
    Parse parse = result.get(content.getUrl());
    if (parse != null && needsScript) {
      parse.getData().getParseMeta().set(PageKeys.DECISION, NeedsScript.DECISION);
    }
    if (metaTags.getNoCache() && parse != null) {
      parse
          .getData()
          .getParseMeta()
          .set(Nutch.CACHING_FORBIDDEN_KEY, Nutch.CACHING_FORBIDDEN_CONTENT);
    }
    return result;
  }

  /** Returns the record of a page. The log names pages that take long. */
  private PageRecord read(Content content) {
    Metadata headers = content.getMetadata();
    long began = System.nanoTime();
    PageRecord record =
        engine.page(
            content.getContent(),
            content.getUrl(),
            headers.get("Content-Type"),
            linkOptions(headers),
            response(headers));
    double seconds = (System.nanoTime() - began) / 1e9;
    if (seconds >= SLOW_SECONDS) {
      LOG.info(
          String.format(
              Locale.ROOT,
              "%s took %.1f s, status %s",
              content.getUrl(),
              seconds,
              record.status()));
    }
    return record;
  }

  private static Metadata parseMeta(PageRecord record) {
    Metadata parseMeta = new Metadata();
    if (record.links().canonical() != null) {
      parseMeta.set(PageKeys.CANONICAL, record.links().canonical());
    }
    if (record.charset() != null) {
      parseMeta.set(Nutch.ORIGINAL_CHAR_ENCODING, record.charset());
      parseMeta.set(Nutch.CHAR_ENCODING_FOR_CONVERSION, record.charset());
    }
    return parseMeta;
  }

  private static boolean isEmpty(PageRecord record, Content content) {
    return record.mainText().length() <= MAX_EMPTY_CHARACTERS
        && NeedsScript.is(content.getContent());
  }

  private PageLinks.Options linkOptions(Metadata headers) {
    PageLinks.Options options =
        PageLinks.Options.defaults()
            .maxUrlBytes(UrlFilter.MAX_BYTES)
            .robotsHeader(
                String.join("\n", RobotsHeader.of(headers.getValues("X-Robots-Tag"), agents)));
    return readsAnchors ? options.withAnchors() : options;
  }

  private static PageResponse response(Metadata headers) {
    PageResponse response = PageResponse.fetchedAt(headers.get(Response.FETCH_TIME));
    for (String name : headers.names()) {
      response.header(name, headers.getValues(name));
    }
    return response;
  }

  /**
   * Returns where the refresh of a page leads; the page itself if it is another spelling of its
   * address, such as one with a session id; null without a refresh.
   */
  private String refresh(PageLinks found, String page) {
    String to = found.refreshUrl();
    try {
      return to != null && page.equals(normalizer.normalize(to, null)) ? page : to;
    } catch (MalformedURLException e) {
      return to;
    }
  }

  /**
   * @param empty the page if it needs scripts; otherwise null
   */
  private Outlink[] outlinks(
      PageRecord record, Metadata headers, String refresh, Content empty, URL page) {
    PageLinks found = record.links();
    Links links = new Links();
    // Sitemaps come from robots.txt, so the page's own directives about links do not apply to them.
    for (String sitemap : headers.getValues(HttpProtocol.SITEMAPS)) {
      links.addList(sitemap, 0, page.getHost());
    }
    if (sitemaps
        && headers.get(HttpProtocol.NO_SITEMAP) != null
        && record.decision().startsWith("keep")) {
      links.addList(page.getProtocol() + "://" + page.getAuthority() + GUESS, 0, page.getHost());
    }
    if (!found.isNofollow()) {
      for (PageLinks.Alternate alternate : found.alternates()) {
        if (target.matches(alternate.language())) {
          links.addAlternate(alternate.url());
        }
      }
      if (sitemaps && page.getFile().length() <= 1) {
        found.feeds().stream()
            .limit(MAX_FEEDS)
            .forEach(feed -> links.addList(feed, 0, page.getHost()));
      }
      for (PageLinks.Link link : found.links()) {
        if (!link.isNofollow()) {
          links.add(link.url(), link.anchor());
        }
      }
      String next = empty == null ? null : NeedsScript.next(empty.getContent(), page.toString());
      if (next != null) {
        links.add(next, "");
      }
      // The target of a late refresh is a page of its own, often the next story.
      if (!PageReading.isSamePage(url(refresh, page), page.toString())) {
        links.add(refresh, "");
      }
    }
    return links.toArray();
  }

  private static HTMLMetaTags metaTags(PageLinks found, String refresh, URL page) {
    HTMLMetaTags tags = new HTMLMetaTags();
    tags.reset();
    if (found.isNoindex()) {
      tags.setNoIndex();
    }
    if (found.isNofollow()) {
      tags.setNoFollow();
    }
    if (found.isNoarchive()) {
      tags.setNoCache();
    }
    tags.setBaseHref(url(found.baseUrl(), page));
    if (refresh != null) {
      tags.setRefresh(true);
      tags.setRefreshTime((int) Math.min(Integer.MAX_VALUE, found.refreshSeconds()));
      tags.setRefreshHref(url(refresh, page));
    }
    return tags;
  }

  private static URL url(String url, URL otherwise) {
    try {
      return url == null ? otherwise : new URL(url);
    } catch (MalformedURLException e) {
      return otherwise;
    }
  }

  private static DocumentFragment dom(PageRecord record) {
    DocumentFragment empty = new CoreDocumentImpl().createDocumentFragment();
    empty.setUserData(PageReading.RECORD, record, null);
    return empty;
  }
}
