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
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.protocol.Content;
import org.corpulyzer.engine.EngineSource;
import org.corpulyzer.engine.PageKeys;
import org.xml.sax.InputSource;

/**
 * Reads sitemaps, sitemap indexes (sitemaps.org), RSS and Atom feeds with crawler-commons, plain or in gzip, for their links. Links to
 * other hosts are left out. The same page in the language of the crawl ({@code xhtml:link hreflang}) comes first, then what changed last.
 * There is no text, and no parse filter runs.
 *
 * <p>At most 50,000 URLs and 50 MiB after decompression are read (the limits of sitemaps.org), 4 MiB from one URL to the next, and 400,000
 * tags, because every tag can become an object. What comes behind a limit is ignored. Indexes are followed two levels deep.
 */
public final class SitemapParser extends Configured implements Parser {
  static final int MAX_URLS = 50_000;
  static final int MAX_BYTES = 50 << 20;
  static final int MAX_TAGS = 400_000;
  /** From one URL to the next: a comment or an attribute is held in memory whole. */
  static final int MAX_BYTES_OF_ENTRY = 4 << 20;
  /** Levels of indexes. */
  static final int MAX_DEPTH = 2;

  private Hreflang target;

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf != null) {
      target = new Hreflang(EngineSource.started(conf::get).get().target());
    }
  }

  @Override
  public ParseResult getParse(Content content) {
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
    ParseData data = new ParseData(new ParseStatus(ParseStatus.SUCCESS), "", links.toArray(), content.getMetadata(), new Metadata());
    return ParseResult.createParseResult(content.getUrl(), new ParseImpl("", data));
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
          if (alternate.getHref() != null && alternate.getParams() != null && alternate.getHref().getHost().equalsIgnoreCase(host)
              && target.matches(alternate.getParams().get("hreflang"))) {
            links.add(alternate.getHref().toString(), "");
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

  /** crawler-commons sets limits neither to what a gzip file unpacks to nor to the number of URLs. */
  private static final class Bounded extends SiteMapParser {
    private Limited in;

    Bounded() {
      super(false, true);
      enableExtension(Extension.LINKS);
      setURLFilter((String url) -> {
        in.countUrl();
        return url;
      });
    }

    AbstractSiteMap read(URL url, byte[] bytes) throws IOException, UnknownFormatException {
      boolean gzip = bytes.length > 2 && (bytes[0] & 0xff) == 0x1f && (bytes[1] & 0xff) == 0x8b;
      InputStream raw = new ByteArrayInputStream(bytes);
      try (Limited limited = new Limited(new BufferedInputStream(gzip ? new GZIPInputStream(raw) : raw))) {
        in = limited;
        limited.skipBlanks();
        return processXml(url, new InputSource(limited));
      }
    }
  }

  /** Ends at the first limit, or where the gzip file breaks off: the parser keeps what it has by then. */
  private static final class Limited extends FilterInputStream {
    private int bytes;
    private int tags;
    private int urls;
    private int bytesAtUrl;

    Limited(BufferedInputStream in) {
      super(in);
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
      return bytes >= MAX_BYTES || bytes - bytesAtUrl >= MAX_BYTES_OF_ENTRY || tags >= MAX_TAGS || urls >= MAX_URLS;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      if (isFull()) {
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
