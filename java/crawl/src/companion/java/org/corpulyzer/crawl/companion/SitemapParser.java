package org.corpulyzer.crawl.companion;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import crawlercommons.domains.EffectiveTldFinder;
import crawlercommons.sitemaps.AbstractSiteMap;
import crawlercommons.sitemaps.SiteMap;
import crawlercommons.sitemaps.SiteMapIndex;
import crawlercommons.sitemaps.SiteMapParser;
import crawlercommons.sitemaps.SiteMapURL;
import crawlercommons.sitemaps.UnknownFormatException;
import crawlercommons.sitemaps.extension.Extension;
import crawlercommons.sitemaps.extension.ExtensionMetadata;
import crawlercommons.sitemaps.extension.LinkAttributes;
import crawlercommons.sitemaps.sax.DelegatorHandler;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParser;
import javax.xml.parsers.SAXParserFactory;
import okhttp3.HttpUrl;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.util.URLUtil;
import org.corpulyzer.engine.EngineSource;
import org.corpulyzer.engine.Hreflang;
import org.corpulyzer.engine.PageKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xml.sax.Attributes;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.AttributesImpl;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Reads sitemaps, sitemap indexes (sitemaps.org), RSS and Atom feeds with crawler-commons, JSON
 * feeds (jsonfeed.org), plain or in gzip, and text files with a URL a line, for their links. The
 * next page of a feed (RFC 5005, {@code next_url}) is a list too. A list may have URLs of its own
 * host, of the host that names it in robots.txt, and of hosts with the registered domain of that
 * host; others are left out and counted ({@link PageKeys#LIST_ELSEWHERE}). The same page in the
 * language of the crawl ({@code xhtml:link hreflang}) comes first, then what changed last. There is
 * no text, and no parse filter runs.
 *
 * <p>At most 100,000 URLs (twice the limit of sitemaps.org) and 50 MiB after decompression are
 * read, 4 MiB from one URL to the next, and 400,000 tags, because every tag can become an object. A
 * tag has 200 attributes at most, tags are nested {@link #MAX_NESTING} deep, and a list takes
 * {@link #MAX_CPU_SECONDS} of processor time. A round takes {@link #URLS} of a host, and the next
 * rounds take the others ({@link PageKeys#LIST_NEXT}). What is behind another limit is ignored.
 * Indexes are followed two levels deep.
 */
public final class SitemapParser extends Configured implements Parser {
  static final int MAX_URLS = 100_000;
  static final int MAX_BYTES = 50 << 20;
  static final int MAX_TAGS = 400_000;

  /** Most processor time for one list. A list of 50,000 URLs takes a second. */
  static final int MAX_CPU_SECONDS = 10;

  /** Sitemaps and feeds need ten. The XML parser looks namespaces up in all open tags. */
  static final int MAX_NESTING = 100;

  /** From one URL to the next: a comment or an attribute is held in memory whole. */
  static final int MAX_BYTES_OF_ENTRY = 4 << 20;

  /** Levels of indexes. */
  static final int MAX_DEPTH = 2;

  /**
   * Most URLs that a round takes from all lists of a host. Later rounds take the others. Default
   * 20,000.
   */
  public static final String URLS = "corpulyzer.crawl.sitemaps.urls";

  /** A list of more bytes is parsed while no other of that kind is: it may have 400,000 objects. */
  private static final int LARGE_BYTES = 1 << 18;

  private static final Object LARGE = new Object();

  private static final Logger LOG = LoggerFactory.getLogger(SitemapParser.class);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private Hreflang target;
  private int mostUrls;

  /** The segment of {@link #taken}. */
  private String segment = "";

  /** URLs of the segment by host. */
  private final Map<String, Integer> taken = new HashMap<>();

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf != null) {
      mostUrls = conf.getInt(URLS, 20_000);
      target = new Hreflang(EngineSource.started(conf::get).get());
    }
  }

  @Override
  public ParseResult getParse(Content content) {
    if (content.getContent().length < LARGE_BYTES) {
      return parse(content);
    }
    synchronized (LARGE) {
      return parse(content);
    }
  }

  private ParseResult parse(Content content) {
    Links links = new Links();
    Site site;
    try {
      URL url = new URL(content.getUrl());
      Bounded reader = new Bounded();
      AbstractSiteMap map = reader.read(url, content.getContent());
      String[] mark =
          content.getMetadata().get(PageKeys.LIST_MARK) == null
              ? new String[] {"0"}
              : content.getMetadata().get(PageKeys.LIST_MARK).split(" ", 2);
      site = new Site(url.getHost(), mark.length > 1 ? mark[1] : url.getHost());
      if (map instanceof SiteMapIndex) {
        addMaps(links, site, (SiteMapIndex) map, Integer.parseInt(mark[0]));
      } else if (map instanceof SiteMap) {
        addPages(links, site, (SiteMap) map);
        addNext(links, site, reader.next, Integer.parseInt(mark[0]));
      }
    } catch (IOException | UnknownFormatException | RuntimeException e) {
      return new ParseStatus(ParseStatus.FAILED, ParseStatus.FAILED_INVALID_FORMAT, e.toString())
          .getEmptyParseResult(content.getUrl(), getConf());
    }
    Outlink[] all = links.toArray();
    String before = content.getMetadata().get(PageKeys.LIST_NEXT);
    int from = before == null ? 0 : Math.min(Integer.parseInt(before), all.length);
    int to = from + take(content, all.length - from);
    Metadata figures = new Metadata();
    figures.set(PageKeys.LIST_NEXT, to < all.length ? Integer.toString(to) : PageKeys.LIST_DONE);
    figures.set(PageKeys.LIST_ELSEWHERE, site.elsewhere());
    if (site.leftOut > 0) {
      LOG.info(
          "{}: {} links to other sites are left out, the first of them to {}",
          content.getUrl(),
          site.leftOut,
          site.firstLeftOut);
    }
    if (to < all.length) {
      LOG.info(
          "{}: URLs {} to {} of {}; the next rounds take the others",
          content.getUrl(),
          from + 1,
          to,
          all.length);
    }
    ParseData data =
        new ParseData(
            new ParseStatus(ParseStatus.SUCCESS),
            "",
            Arrays.copyOfRange(all, from, to),
            content.getMetadata(),
            figures);
    return ParseResult.createParseResult(content.getUrl(), new ParseImpl("", data));
  }

  /** Returns how many of these URLs the round may take from the host of the list. */
  private synchronized int take(Content content, int urls) {
    String round = content.getMetadata().get(Nutch.SEGMENT_NAME_KEY);
    if (round == null) {
      return urls;
    }
    if (!round.equals(segment)) {
      segment = round;
      taken.clear();
    }
    String host = URLUtil.getHost(content.getUrl());
    int before = taken.getOrDefault(host, 0);
    int now = Math.min(urls, mostUrls - before);
    taken.put(host, before + now);
    return now;
  }

  /** The hosts whose URLs a list may have. */
  private static final class Site {
    /** Longest name of a host in DNS. */
    private static final int MAX_NAME = 253;

    private final Set<String> hosts;
    private final String owner;
    private final String domain;

    /** Links to other sites. */
    private int leftOut;

    /** Host of the first of them. */
    private String firstLeftOut;

    /**
     * @param host of the list
     * @param owner the host that names the list in its robots.txt
     */
    Site(String host, String owner) {
      this.owner = owner;
      hosts = Set.copyOf(Arrays.asList(lower(host), lower(owner)));
      domain = EffectiveTldFinder.getAssignedDomain(lower(owner), true, false);
    }

    private static String lower(String host) {
      return host.toLowerCase(Locale.ROOT);
    }

    /**
     * Returns whether a host is one of them, or has the registered domain of the owner. A link to
     * another host is counted.
     */
    boolean has(String host) {
      String name = lower(host);
      boolean isOfSite =
          hosts.contains(name)
              || domain != null
                  && (name.equals(domain) || name.endsWith("." + domain))
                  && domain.equals(EffectiveTldFinder.getAssignedDomain(name, true, false));
      if (!isOfSite && leftOut++ == 0) {
        String begin = name.substring(0, Math.min(MAX_NAME, name.length()));
        firstLeftOut = begin.replaceAll("[\\s\\p{Cntrl}]", "?");
      }
      return isOfSite;
    }

    /** The value of {@link PageKeys#LIST_ELSEWHERE}. */
    String elsewhere() {
      return leftOut == 0 ? "0" : leftOut + " " + firstLeftOut;
    }
  }

  private static void addMaps(Links links, Site site, SiteMapIndex index, int depth) {
    if (depth >= MAX_DEPTH) {
      LOG.warn(
          "{}: {} lists are left out, deeper than {} indexes",
          index.getUrl(),
          index.getSitemaps().size(),
          MAX_DEPTH);
      return;
    }
    List<AbstractSiteMap> maps = new ArrayList<>(index.getSitemaps());
    maps.sort(newestFirst(AbstractSiteMap::getLastModified));
    for (AbstractSiteMap map : maps) {
      if (site.has(map.getUrl().getHost())) {
        links.addList(map.getUrl().toString(), depth + 1, site.owner);
      }
    }
  }

  /** Adds the next page of a feed as an index would name it. */
  private static void addNext(Links links, Site site, HttpUrl next, int depth) {
    if (next != null && depth < MAX_DEPTH && site.has(next.host())) {
      links.addList(next.toString(), depth + 1, site.owner);
    }
  }

  private void addPages(Links links, Site site, SiteMap map) {
    List<SiteMapURL> pages = new ArrayList<>(map.getSiteMapUrls());
    pages.sort(newestFirst(SiteMapURL::getLastModified));
    for (SiteMapURL page : pages) {
      ExtensionMetadata[] alternates = page.getAttributesForExtension(Extension.LINKS);
      if (alternates != null) {
        for (ExtensionMetadata metadata : alternates) {
          LinkAttributes alternate = (LinkAttributes) metadata;
          if (alternate.getHref() != null
              && alternate.getParams() != null
              && target.matches(alternate.getParams().get("hreflang"))
              && site.has(alternate.getHref().getHost())) {
            links.addAlternate(alternate.getHref().toString());
          }
        }
      }
    }
    for (SiteMapURL page : pages) {
      if (site.has(page.getUrl().getHost())) {
        links.add(page.getUrl().toString(), "");
      }
    }
  }

  private static <T> Comparator<T> newestFirst(java.util.function.Function<T, Date> date) {
    return Comparator.comparing(date, Comparator.nullsLast(Comparator.reverseOrder()));
  }

  /**
   * crawler-commons has no limit on the unpacked size of a gzip file or on the number of URLs. The
   * time of its XML parser grows with the square of the number of attributes in a tag and of
   * namespaces in the open tags. The JDK's parser has limits, see {@code java.xml/module-info}.
   */
  private static final class Bounded extends SiteMapParser {
    private static final String LIMIT = "http://www.oracle.com/xml/jaxp/properties/";

    /** The next page of the feed, or null. */
    private HttpUrl next;

    Bounded() {
      super(false, true);
      enableExtension(Extension.LINKS);
    }

    AbstractSiteMap read(URL url, byte[] bytes) throws IOException, UnknownFormatException {
      boolean gzip = bytes.length > 2 && (bytes[0] & 0xff) == 0x1f && (bytes[1] & 0xff) == 0x8b;
      InputStream raw = new ByteArrayInputStream(bytes);
      try (Limited limited =
          new Limited(url, new BufferedInputStream(gzip ? new GZIPInputStream(raw) : raw))) {
        ListText text = new ListText(limited);
        if (text.isJson()) {
          return json(url, text, limited);
        }
        if (!text.isXml()) {
          return lines(url, text, limited);
        }
        Handler handler = new Handler(url, limited);
        handler.setExtensionNamespaces(extensionNamespaces);
        handler.setURLFilter(
            link -> {
              limited.countUrl();
              return link;
            });
        parse(text, handler);
        next = handler.next;
        AbstractSiteMap map = handler.getSiteMap();
        if (map == null) {
          throw new UnknownFormatException("neither a sitemap nor a feed");
        }
        return map;
      }
    }

    /** Reads a JSON feed. If it has a fault, the items before the fault count. */
    private AbstractSiteMap json(URL url, Reader text, Limited in) throws UnknownFormatException {
      SiteMap map = new SiteMap(url);
      HttpUrl base = HttpUrl.get(url);
      try {
        JsonReader feed = new JsonReader(text);
        feed.beginObject();
        while (feed.hasNext() && !in.isOver()) {
          String name = feed.nextName();
          if (name.equals("items") && feed.peek() == JsonToken.BEGIN_ARRAY) {
            feed.beginArray();
            while (!in.isFull() && !in.isOver() && feed.hasNext()) {
              addItem(feed, base, map, in);
            }
            feed.endArray();
          } else if (name.equals("next_url") && feed.peek() == JsonToken.STRING) {
            next = base.resolve(feed.nextString().trim());
          } else {
            feed.skipValue();
          }
        }
      } catch (IOException | IllegalStateException e) {
        LOG.debug("a feed is not read to its end: {}", e.toString());
      }
      if (map.getSiteMapUrls().isEmpty()) {
        throw new UnknownFormatException("neither a sitemap nor a feed");
      }
      return map;
    }

    private static void addItem(JsonReader feed, HttpUrl base, SiteMap map, Limited in)
        throws IOException {
      if (feed.peek() != JsonToken.BEGIN_OBJECT) {
        feed.skipValue();
        return;
      }
      HttpUrl page = null;
      Date published = null;
      Date modified = null;
      feed.beginObject();
      while (feed.hasNext()) {
        String name = feed.nextName();
        if (feed.peek() != JsonToken.STRING) {
          feed.skipValue();
        } else if (name.equals("url")) {
          page = base.resolve(feed.nextString().trim());
        } else if (name.equals("date_published")) {
          published = AbstractSiteMap.convertToDate(feed.nextString());
        } else if (name.equals("date_modified")) {
          modified = AbstractSiteMap.convertToDate(feed.nextString());
        } else {
          feed.skipValue();
        }
      }
      feed.endObject();
      if (page != null) {
        SiteMapURL item = new SiteMapURL(page.url(), true);
        item.setLastModified(modified == null ? published : modified);
        map.addSiteMapUrl(item);
        in.countUrl();
      }
    }

    /** Reads a text file with a URL a line (sitemaps.org). Other lines are ignored. */
    private static AbstractSiteMap lines(URL url, Reader text, Limited in)
        throws IOException, UnknownFormatException {
      SiteMap map = new SiteMap(url);
      BufferedReader lines = new BufferedReader(text);
      for (String line; (line = lines.readLine()) != null && !in.isOver(); ) {
        HttpUrl page = HttpUrl.parse(line.trim());
        if (page != null) {
          map.addSiteMapUrl(new SiteMapURL(page.url(), true));
          in.countUrl();
        }
      }
      if (map.getSiteMapUrls().isEmpty()) {
        throw new UnknownFormatException("neither a sitemap nor a feed");
      }
      return map;
    }

    /** Parses a list. If it has a fault, the entries before the fault count. */
    private static void parse(Reader text, DefaultHandler handler) throws IOException {
      try {
        SAXParserFactory factory = SAXParserFactory.newDefaultInstance();
        factory.setNamespaceAware(true);
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        factory.setFeature("http://xml.org/sax/features/external-general-entities", false);
        factory.setFeature("http://xml.org/sax/features/external-parameter-entities", false);
        SAXParser parser = factory.newSAXParser();
        parser.setProperty(LIMIT + "elementAttributeLimit", "200");
        parser.setProperty(LIMIT + "maxElementDepth", "" + MAX_NESTING);
        parser.parse(new InputSource(text), handler);
      } catch (SAXException e) {
        LOG.debug("a list is not read to its end: {}", e.toString());
      } catch (ParserConfigurationException e) {
        throw new IllegalStateException("the JDK has no XML parser with limits", e);
      }
    }
  }

  /** Ends the parse when its time is over. */
  private static final class Handler extends DelegatorHandler {
    private static final String ATOM = "http://www.w3.org/2005/Atom";
    private static final String XML = "http://www.w3.org/XML/1998/namespace";
    private static final String HREF = "href";
    private static final String LOC = "loc";
    private static final Attributes NONE = new AttributesImpl();
    private static final Set<String> OWN_BASE = Set.of("feed", "entry");

    private final Limited in;
    private HttpUrl base;

    /** The next page of the feed, or null. */
    private HttpUrl next;

    /** The text of the open {@code loc}, which may come in pieces; null outside. */
    private StringBuilder loc;

    Handler(URL url, Limited in) {
      super(url, false);
      this.in = in;
      base = HttpUrl.get(url);
    }

    @Override
    public void startElement(String uri, String localName, String name, Attributes attributes)
        throws SAXException {
      if (in.isOver()) {
        throw new SAXException("more than " + MAX_CPU_SECONDS + " s of processor time");
      }
      if (ATOM.equals(uri)
          && "link".equals(localName)
          && "next".equals(attributes.getValue("rel"))) {
        next = resolve(attributes.getValue(HREF));
      }
      loc = LOC.equals(localName) ? new StringBuilder() : null;
      if (ATOM.equals(uri) && OWN_BASE.contains(localName)) {
        HttpUrl stated = resolve(attributes.getValue(XML, "base"));
        base = stated == null ? base : stated;
      }
      super.startElement(
          uri, localName, name, isOther(uri, attributes) ? NONE : absolute(localName, attributes));
    }

    @Override
    public void characters(char[] text, int from, int length) throws SAXException {
      if (loc == null) {
        super.characters(text, from, length);
      } else {
        loc.append(text, from, length);
      }
    }

    @Override
    public void endElement(String uri, String localName, String name) throws SAXException {
      if (loc != null) {
        HttpUrl link = resolve(loc.toString());
        char[] text = (link == null ? loc.toString() : link.toString()).toCharArray();
        loc = null;
        super.characters(text, 0, text.length);
      }
      super.endElement(uri, localName, name);
    }

    /** Whether a link of an Atom entry leads to something else than its page (RFC 4287, 4.2.7). */
    private static boolean isOther(String uri, Attributes attributes) {
      String rel = attributes.getValue("rel");
      return ATOM.equals(uri) && rel != null && !rel.equals("alternate");
    }

    /** Resolves the href of a link, which crawler-commons expects to be absolute. */
    private Attributes absolute(String localName, Attributes attributes) {
      int href = "link".equals(localName) ? attributes.getIndex(HREF) : -1;
      HttpUrl link = href < 0 ? null : resolve(attributes.getValue(href));
      if (link == null) {
        return attributes;
      }
      AttributesImpl resolved = new AttributesImpl(attributes);
      resolved.setValue(href, link.toString());
      return resolved;
    }

    private HttpUrl resolve(String link) {
      return base == null || link == null || link.isBlank() ? null : base.resolve(link.trim());
    }
  }

  /**
   * Ends at the first limit, or where the gzip file breaks off: the parser keeps what it has by
   * then.
   */
  private static final class Limited extends FilterInputStream {
    private int bytes;
    private int tags;
    private int urls;
    private int bytesAtUrl;
    private final long cpuNanos = THREADS.getCurrentThreadCpuTime();

    private final URL url;

    Limited(URL url, BufferedInputStream in) {
      super(in);
      this.url = url;
    }

    @Override
    public void close() throws IOException {
      if (isFull() || isOver()) {
        LOG.warn("{} is read up to a limit: {} bytes with {} URLs", url, bytes, urls);
      }
      super.close();
    }

    /** Returns whether the time for the list is over, or the reader of the list has ended. */
    boolean isOver() {
      return Thread.currentThread().isInterrupted()
          || THREADS.getCurrentThreadCpuTime() - cpuNanos
              > TimeUnit.SECONDS.toNanos(MAX_CPU_SECONDS);
    }

    void countUrl() {
      urls++;
      bytesAtUrl = bytes;
    }

    private boolean isFull() {
      return bytes >= MAX_BYTES
          || bytes - bytesAtUrl >= MAX_BYTES_OF_ENTRY
          || tags >= MAX_TAGS
          || urls >= MAX_URLS;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      if (isFull() || isOver()) {
        return -1;
      }
      int n;
      try {
        // In small steps, so that the parser has seen the URLs of one before the next.
        n = in.read(to, from, Math.min(Math.min(length, 8192), MAX_BYTES - bytes));
      } catch (IOException e) {
        return -1;
      }
      for (int i = from; i < from + n; i++) {
        if (to[i] == '<') {
          tags++;
        }
      }
      bytes += Math.max(0, n);
      return n;
    }

    @Override
    public boolean markSupported() {
      return false;
    }
  }
}
