package org.corpulyzer.crawl;

import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.MD5Signature;
import org.apache.nutch.crawl.Signature;
import org.apache.nutch.crawl.SignatureFactory;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.net.URLExemptionFilters;
import org.apache.nutch.net.URLFilters;
import org.apache.nutch.net.URLNormalizers;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseException;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseOutputFormat;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseSegment;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.parse.ParseUtil;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.scoring.ScoringFilterException;
import org.apache.nutch.scoring.ScoringFilters;
import org.apache.nutch.util.StringUtil;
import org.corpulyzer.engine.PageKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parses a segment's pages as Nutch's ParseSegment (1.22) does, and writes {@code crawl_parse},
 * {@code parse_data} and {@code parse_text} by Nutch's own output format. Pages are read and
 * written in the order of their addresses, so that nothing has to be sorted, and parsed on all
 * processors in between, a bounded number of them at a time.
 */
final class PageParser {
  private static final Logger LOG = LoggerFactory.getLogger(PageParser.class);

  /**
   * Key of the parse metadata for the MD5 of a page as it was fetched, if Nutch's signature is of
   * another class.
   */
  static final String RAW_SIGNATURE = "corpulyzer.md5";

  /** The decision about a page whose text only scripts show. */
  private static final String NEEDS_SCRIPT = "reject needs_script";

  /** Pages between reader and writer, for each thread. */
  private static final int AHEAD = 8;

  /** Addresses whose treatment is remembered; some 300 bytes each. */
  private static final int MAX_KNOWN = 20_000;

  /** Bytes of pages between reader and writer. */
  private static final long AHEAD_BYTES = 32 << 20;

  /** A page on its way. */
  private static final class Pending {
    private final long bytes;
    private final Future<Parse> parse;
    private final Text url;

    Pending(Text url, long bytes, Future<Parse> parse) {
      this.url = url;
      this.bytes = bytes;
      this.parse = parse;
    }
  }

  private final Configuration conf;
  private final Segment segment;
  private final Signature rawSignature = new MD5Signature();
  private final ScoringFilters scoring;
  private final URLFilters filters;
  private final URLExemptionFilters exemptions;
  private final URLNormalizers normalizers;
  private final boolean skipsTruncated;
  private final int mostLinks;

  /** Links of a sitemap or feed; its parser sees to the limit of each host. */
  private final int mostListLinks;

  private final int mostCharacters;
  private final int threads = Runtime.getRuntime().availableProcessors();

  /** From URLs as links have them to URLs after the filters. */
  private final Map<String, Optional<String>> allowed = new ConcurrentHashMap<>();

  private final AtomicLong parsed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong unfinished = new AtomicLong();
  private final AtomicLong elsewhere = new AtomicLong();
  private final AtomicLong needScripts = new AtomicLong();
  private volatile boolean isStopped;

  PageParser(Configuration conf, Segment segment) {
    this.conf = conf;
    this.segment = segment;
    scoring = new ScoringFilters(conf);
    filters = new URLFilters(conf);
    exemptions = new URLExemptionFilters(conf);
    normalizers = new URLNormalizers(conf, URLNormalizers.SCOPE_OUTLINK);
    skipsTruncated = conf.getBoolean(ParseSegment.SKIP_TRUNCATED, true);
    int links = conf.getInt("db.max.outlinks.per.page", 100);
    mostLinks = links < 0 ? Integer.MAX_VALUE : links;
    mostListLinks = Math.max(mostLinks, conf.getInt("corpulyzer.crawl.sitemaps.urls", 20_000));
    int characters = conf.getInt("db.max.outlink.length", 4096);
    mostCharacters = characters < 0 ? Integer.MAX_VALUE : characters;
  }

  /**
   * @return pages parsed so far
   */
  long parsed() {
    return parsed.get();
  }

  /**
   * @return pages that no parser could read
   */
  long failed() {
    return failed.get();
  }

  /**
   * @return sitemaps and feeds with URLs that are left to later rounds
   */
  long unfinished() {
    return unfinished.get();
  }

  /**
   * @return links of sitemaps and feeds that are left out because they lead to other sites
   */
  long elsewhere() {
    return elsewhere.get();
  }

  /**
   * @return pages without text that need scripts
   */
  long needScripts() {
    return needScripts.get();
  }

  /** Ends the parsing before its end. */
  void stop() {
    isStopped = true;
  }

  /**
   * Parses every page of the segment that was fetched.
   *
   * @param into folder for the three folders of results
   * @return whether all were parsed; not when it was stopped
   */
  boolean parse(Path into) throws IOException, InterruptedException {
    LocalFiles.deleteTree(into);
    TaskAttemptContext output = Segment.output(conf, into);
    // The links are filtered here, on all processors.
    output.getConfiguration().setBoolean("fetcher.parse", true);
    output.getConfiguration().setInt("db.max.outlinks.per.page", mostListLinks);
    RecordWriter<Text, Parse> writer = new ParseOutputFormat().getRecordWriter(output);
    ExecutorService workers =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread thread = new Thread(task, "parse");
              thread.setDaemon(true);
              return thread;
            });
    Deque<Pending> pending = new ArrayDeque<>();
    long bytes = 0;
    Text last = null;
    ThreadLocal<ParseUtil> parsers = ThreadLocal.withInitial(() -> new ParseUtil(conf));
    try (Attempts attempts = new Attempts(segment.attempts());
        SortedRecords<Content> pages =
            SortedRecords.each(conf, segment.data(Content.DIR_NAME), Content::new)) {
      while (!isStopped && pages.next()) {
        Content content = pages.value();
        // A page that was fetched for itself and as the target of a redirect is there twice.
        if (!isToParse(content) || pages.key().equals(last)) {
          continue;
        }
        Text url = new Text(pages.key());
        last = url;
        if (attempts.isLeft(url.toString())) {
          LOG.warn("{} is skipped: the crawl died twice while it parsed this page", url);
          failed.incrementAndGet();
          continue;
        }
        pending.add(
            new Pending(
                url,
                content.getContent().length,
                workers.submit(() -> parse(parsers.get(), url, content, attempts))));
        bytes += content.getContent().length;
        while (pending.size() > AHEAD * threads
            || bytes > AHEAD_BYTES && pending.size() > threads) {
          bytes -= pending.peek().bytes;
          write(writer, pending.poll());
        }
      }
      while (!isStopped && !pending.isEmpty()) {
        write(writer, pending.poll());
      }
    } finally {
      workers.shutdownNow();
      writer.close(output);
    }
    if (!isStopped) {
      Files.deleteIfExists(segment.attempts());
    }
    return !isStopped;
  }

  private Parse parse(ParseUtil parser, Text url, Content content, Attempts attempts)
      throws IOException {
    attempts.begin(url.toString());
    try {
      return parse(parser, url, content);
    } finally {
      attempts.end(url.toString());
    }
  }

  private boolean isToParse(Content content) {
    String status = content.getMetadata().get(Nutch.FETCH_STATUS_KEY);
    return status != null
        && Integer.parseInt(status) == CrawlDatum.STATUS_FETCH_SUCCESS
        && !(skipsTruncated && ParseSegment.isTruncated(content));
  }

  private void write(RecordWriter<Text, Parse> writer, Pending page)
      throws IOException, InterruptedException {
    Parse parse;
    try {
      parse = page.parse.get();
    } catch (ExecutionException e) {
      OutOfThreads.throwIfReasonOf(e);
      // Another Error is the page's fault, and the memory of an OutOfMemoryError is free by now.
      LOG.warn("{} cannot be parsed", page.url, e.getCause());
      parse = null;
    }
    if (parse == null) {
      failed.incrementAndGet();
      return;
    }
    (parse.getData().getStatus().isSuccess() ? parsed : failed).incrementAndGet();
    if (NEEDS_SCRIPT.equals(parse.getData().getParseMeta().get(PageKeys.DECISION))) {
      needScripts.incrementAndGet();
    }
    String next = parse.getData().getParseMeta().get(PageKeys.LIST_NEXT);
    if (next != null && !next.equals(PageKeys.LIST_DONE)) {
      unfinished.incrementAndGet();
    }
    String others = parse.getData().getParseMeta().get(PageKeys.LIST_ELSEWHERE);
    // A list that goes on was counted in the round before.
    if (others != null && parse.getData().getContentMeta().get(PageKeys.LIST_NEXT) == null) {
      elsewhere.addAndGet(Long.parseLong(others.split(" ", 2)[0]));
    }
    writer.write(page.url, parse);
  }

  /**
   * @return null when there is no parser for the page's type
   */
  private Parse parse(ParseUtil parser, Text url, Content content) throws IOException {
    ParseResult result;
    try {
      result = parser.parse(content);
    } catch (ParseException e) {
      LOG.warn("{} cannot be parsed: {}", url, e.toString());
      return null;
    }
    Parse parse = null;
    for (Map.Entry<Text, Parse> entry : result) {
      if (entry.getKey().equals(url)) {
        parse = entry.getValue();
      } else {
        LOG.warn("{} contains another document, {}, which is skipped", url, entry.getKey());
      }
    }
    if (parse == null) {
      return null;
    }
    ParseData data = parse.getData();
    if (!data.getStatus().isSuccess()) {
      LOG.warn("{} cannot be parsed: {}", url, data.getStatus());
      parse = data.getStatus().getEmptyParse(conf);
      data = parse.getData();
    }
    data.getContentMeta().set(Nutch.SEGMENT_NAME_KEY, segment.folder().getFileName().toString());
    data.getContentMeta()
        .set(
            Nutch.SIGNATURE_KEY,
            StringUtil.toHexString(SignatureFactory.getSignature(conf).calculate(content, parse)));
    if (!rawSignature.getClass().equals(SignatureFactory.getSignature(conf).getClass())) {
      data.getParseMeta()
          .set(RAW_SIGNATURE, StringUtil.toHexString(rawSignature.calculate(content, parse)));
    }
    try {
      scoring.passScoreAfterParsing(url, content, parse);
    } catch (ScoringFilterException e) {
      LOG.warn("{} passes no score on", url, e);
    }
    setCanonical(url.toString(), data.getParseMeta());
    boolean isList =
        content.getMetadata().get(PageKeys.LIST_MARK) != null
            && !"text/html".equals(content.getContentType());
    setLinks(url.toString(), data, isList ? mostListLinks : mostLinks);
    return new ParseImpl(new ParseText(parse.getText()), data, parse.isCanonical());
  }

  /** Spells the canonical address as rows are, and removes it if it is that of the page. */
  private void setCanonical(String url, Metadata parseMeta) {
    String stated = parseMeta.get(PageKeys.CANONICAL);
    if (stated == null) {
      return;
    }
    String canonical = null;
    try {
      canonical =
          stated.length() > mostCharacters
              ? null
              : normalizers.normalize(stated, URLNormalizers.SCOPE_OUTLINK);
    } catch (MalformedURLException e) {
      LOG.debug("{} has a canonical address that is none: {}", url, stated);
    }
    if (canonical == null || canonical.equals(url)) {
      parseMeta.remove(PageKeys.CANONICAL);
    } else {
      parseMeta.set(PageKeys.CANONICAL, canonical);
    }
  }

  /**
   * Leaves a page the links that Nutch stores: the first that pass the filters, normalized. Their
   * signs stay beside them, see {@link PageKeys#LINK_SIGNS}.
   */
  private void setLinks(String from, ParseData data, int most) {
    Outlink[] found = data.getOutlinks();
    String signs = data.getParseMeta().get(PageKeys.LINK_SIGNS);
    boolean hasSigns = signs != null && signs.length() == found.length;
    StringBuilder left = new StringBuilder();
    List<Outlink> links = new ArrayList<>();
    for (int i = 0; i < found.length && links.size() < most; i++) {
      String to = found[i].getToUrl();
      if (to.length() <= mostCharacters) {
        to = allowed(from, to);
        if (to != null) {
          found[i].setUrl(to);
          links.add(found[i]);
          left.append(hasSigns ? signs.charAt(i) : ' ');
        }
      }
    }
    data.setOutlinks(links.toArray(new Outlink[0]));
    if (hasSigns) {
      data.getParseMeta().set(PageKeys.LINK_SIGNS, left.toString());
    }
  }

  /**
   * The pages of a site have most of their links in common, and filters and normalizers look at the
   * address alone.
   */
  private String allowed(String from, String to) {
    if (from.equals(to)) {
      return null;
    }
    Optional<String> known = allowed.get(to);
    if (known == null) {
      known =
          Optional.ofNullable(
              ParseOutputFormat.filterNormalize(
                  from, to, null, false, false, "byHost", filters, exemptions, normalizers));
      if (allowed.size() >= MAX_KNOWN) {
        allowed.clear();
      }
      allowed.put(to, known);
    }
    return known.orElse(null);
  }
}
