package org.corpulyzer.crawl.companion;

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
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParser;
import javax.xml.parsers.SAXParserFactory;
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
import org.corpulyzer.engine.PageKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xml.sax.Attributes;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Reads sitemaps, sitemap indexes (sitemaps.org), RSS and Atom feeds with crawler-commons, plain or
 * in gzip, for their links. Links to other hosts are left out. The same page in the language of the
 * crawl ({@code xhtml:link hreflang}) comes first, then what changed last. There is no text, and no
 * parse filter runs.
 *
 * <p>At most 50,000 URLs and 50 MiB after decompression are read (the limits of sitemaps.org), 4
 * MiB from one URL to the next, and 400,000 tags, because every tag can become an object. A tag has
 * 200 attributes at most, tags are nested {@link #MAX_NESTING} deep, and a list takes {@link
 * #MAX_CPU_SECONDS} of processor time. A round takes {@link #URLS} of a host. The rest of a list is
 * ignored after a limit. Indexes are followed two levels deep.
 */
public final class SitemapParser extends Configured implements Parser {
  static final int MAX_URLS = 50_000;
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

  /** Most URLs that a round takes from all lists of a host. Default 5000. */
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
      mostUrls = conf.getInt(URLS, 5000);
      target = new Hreflang(EngineSource.started(conf::get).get().target());
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
    try {
      URL url = new URL(content.getUrl());
      AbstractSiteMap map = new Bounded().read(url, content.getContent());
      String host = url.getHost();
      if (map instanceof SiteMapIndex) {
        String depth = content.getMetadata().get(PageKeys.LIST_MARK);
        addMaps(links, host, (SiteMapIndex) map, depth == null ? 0 : Integer.parseInt(depth));
      } else if (map instanceof SiteMap) {
        addPages(links, host, (SiteMap) map);
      }
    } catch (IOException | UnknownFormatException | RuntimeException e) {
      return new ParseStatus(ParseStatus.FAILED, ParseStatus.FAILED_INVALID_FORMAT, e.toString())
          .getEmptyParseResult(content.getUrl(), getConf());
    }
    Outlink[] all = links.toArray();
    Outlink[] first = Arrays.copyOf(all, take(content, all.length));
    ParseData data =
        new ParseData(
            new ParseStatus(ParseStatus.SUCCESS), "", first, content.getMetadata(), new Metadata());
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

  private static void addMaps(Links links, String host, SiteMapIndex index, int depth) {
    if (depth >= MAX_DEPTH) {
      return;
    }
    List<AbstractSiteMap> maps = new ArrayList<>(index.getSitemaps());
    maps.sort(newestFirst(AbstractSiteMap::getLastModified));
    for (AbstractSiteMap map : maps) {
      if (map.getUrl().getHost().equalsIgnoreCase(host)) {
        links.addList(map.getUrl().toString(), depth + 1);
      }
    }
  }

  private void addPages(Links links, String host, SiteMap map) {
    List<SiteMapURL> pages = new ArrayList<>(map.getSiteMapUrls());
    pages.sort(newestFirst(SiteMapURL::getLastModified));
    for (SiteMapURL page : pages) {
      ExtensionMetadata[] alternates = page.getAttributesForExtension(Extension.LINKS);
      if (alternates != null) {
        for (ExtensionMetadata metadata : alternates) {
          LinkAttributes alternate = (LinkAttributes) metadata;
          if (alternate.getHref() != null
              && alternate.getParams() != null
              && alternate.getHref().getHost().equalsIgnoreCase(host)
              && target.matches(alternate.getParams().get("hreflang"))) {
            links.addAlternate(alternate.getHref().toString());
          }
        }
      }
    }
    for (SiteMapURL page : pages) {
      if (page.getUrl().getHost().equalsIgnoreCase(host)) {
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

    Bounded() {
      super(false, true);
      enableExtension(Extension.LINKS);
    }

    AbstractSiteMap read(URL url, byte[] bytes) throws IOException, UnknownFormatException {
      boolean gzip = bytes.length > 2 && (bytes[0] & 0xff) == 0x1f && (bytes[1] & 0xff) == 0x8b;
      InputStream raw = new ByteArrayInputStream(bytes);
      try (Limited limited =
          new Limited(new BufferedInputStream(gzip ? new GZIPInputStream(raw) : raw))) {
        limited.skipBlanks();
        Handler handler = new Handler(url, limited);
        handler.setExtensionNamespaces(extensionNamespaces);
        handler.setURLFilter(
            link -> {
              limited.countUrl();
              return link;
            });
        parse(limited, handler);
        AbstractSiteMap map = handler.getSiteMap();
        if (map == null) {
          throw new UnknownFormatException("neither a sitemap nor a feed");
        }
        return map;
      }
    }

    /** Parses a list. If it has a fault, the entries before the fault count. */
    private static void parse(InputStream in, DefaultHandler handler) throws IOException {
      try {
        SAXParserFactory factory = SAXParserFactory.newDefaultInstance();
        factory.setNamespaceAware(true);
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        factory.setFeature("http://xml.org/sax/features/external-general-entities", false);
        factory.setFeature("http://xml.org/sax/features/external-parameter-entities", false);
        SAXParser parser = factory.newSAXParser();
        parser.setProperty(LIMIT + "elementAttributeLimit", "200");
        parser.setProperty(LIMIT + "maxElementDepth", "" + MAX_NESTING);
        parser.parse(in, handler);
      } catch (SAXException e) {
        LOG.debug("a list is not read to its end: {}", e.toString());
      } catch (ParserConfigurationException e) {
        throw new IllegalStateException("the JDK has no XML parser with limits", e);
      }
    }
  }

  /** Ends the parse when its time is over. */
  private static final class Handler extends DelegatorHandler {
    private final Limited in;

    Handler(URL url, Limited in) {
      super(url, false);
      this.in = in;
    }

    @Override
    public void startElement(String uri, String localName, String name, Attributes attributes)
        throws SAXException {
      if (in.isOver()) {
        throw new SAXException("more than " + MAX_CPU_SECONDS + " s of processor time");
      }
      super.startElement(uri, localName, name, attributes);
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

    Limited(BufferedInputStream in) {
      super(in);
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

    /** XML must begin with its declaration; in practice blank lines come first. */
    void skipBlanks() throws IOException {
      int next;
      do {
        in.mark(1);
        next = in.read();
      } while (next == ' ' || next == '\n' || next == '\r' || next == '\t');
      in.reset();
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
