package org.corpulyzer.crawl;

import com.sun.management.UnixOperatingSystemMXBean;
import crawlercommons.robots.BaseRobotRules;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.NutchWritable;
import org.apache.nutch.fetcher.FetchItem;
import org.apache.nutch.fetcher.FetcherOutputFormat;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.net.URLFilterException;
import org.apache.nutch.net.URLFilters;
import org.apache.nutch.net.URLNormalizers;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.Protocol;
import org.apache.nutch.protocol.ProtocolFactory;
import org.apache.nutch.protocol.ProtocolNotFound;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;
import org.apache.nutch.scoring.ScoringFilterException;
import org.apache.nutch.scoring.ScoringFilters;
import org.apache.nutch.util.URLUtil;
import org.corpulyzer.engine.PageKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches a segment by the rules of Nutch's FetcherThread (1.22). robots.txt, delays, redirects,
 * the status of each response, and the contents of {@code crawl_fetch} and {@code content} are the
 * same. Four things differ: no thread sleeps for a fixed time, responses are in a {@link Journal}
 * until the segment is complete, a host whose robots.txt fails is left to a later round instead of
 * delaying this one, and so is a host that refuses to respond, see {@link HostWaits}.
 */
final class PageFetcher {
  private static final Logger LOG = LoggerFactory.getLogger(PageFetcher.class);

  /** Requests at a time unless the command line names a number. */
  static final int MAX_THREADS = 5000;

  /** Room for TLS and for the decoders of bodies, and half of Java's default. */
  private static final long STACK_BYTES = 512 << 10;

  private static final int MIN_THREADS = 20;

  /** Jars, plugins and CrawlDb. */
  private static final int OTHER_FILES = 512;

  /** Pages in a row that a host denies (401, 403) before it is set aside for the round. */
  private static final int MAX_DENIALS = 5;

  private static final int FIRST_THREADS = 100;
  private static final long START_MILLIS = 1;

  private final Configuration conf;
  private final Segment segment;
  private final Journal journal;
  private final HostQueues queues;
  private final ProtocolFactory protocols;
  private final Map<String, Protocol> byScheme = new ConcurrentHashMap<>();
  private final ScoringFilters scoring;
  private final URLFilters filters;
  private final URLNormalizers normalizers;
  private final long mostCrawlDelay;
  private final int mostRedirects;
  private final boolean skipsExceeded;
  private final int mostCharacters;
  private final String queueMode;
  private final HostWaits waits;
  private final FetchTally tally = new FetchTally();
  private final AtomicReference<IOException> failure = new AtomicReference<>();

  /** Opens the segment's journal. */
  PageFetcher(Configuration conf, Segment segment) throws IOException {
    this.conf = conf;
    this.segment = segment;
    int minutes = conf.getInt("fetcher.timelimit.mins", -1);
    queues = new HostQueues(conf, TimeUnit.MINUTES.toMillis(minutes));
    protocols = new ProtocolFactory(conf);
    scoring = new ScoringFilters(conf);
    filters = new URLFilters(conf);
    normalizers = new URLNormalizers(conf, URLNormalizers.SCOPE_FETCHER);
    mostCrawlDelay = conf.getInt("fetcher.max.crawl.delay", 30) * 1000L;
    mostRedirects = conf.getInt("http.redirect.max", 3);
    skipsExceeded = conf.getBoolean("http.redirect.max.exceeded.skip", false);
    int characters = conf.getInt("db.max.outlink.length", 4096);
    mostCharacters = characters < 0 ? Integer.MAX_VALUE : characters;
    queueMode = conf.get("fetcher.queue.mode", "byHost");
    waits = HostWaits.of(conf);
    journal = new Journal(segment.journal());
  }

  /**
   * Fetches every URL of the segment that has no response yet.
   *
   * @param threads requests at a time; 0 for one for each host, at most {@value #MAX_THREADS}
   * @return whether all were asked for; not when it was stopped
   */
  boolean fetch(int threads) throws IOException, InterruptedException {
    Set<String> done = new HashSet<>();
    for (Journal.Answer answer : journal.found()) {
      if (answer.datum.getStatus() != CrawlDatum.STATUS_LINKED) {
        done.add(answer.url.toString());
        count(
            answer.url.toString(),
            (ProtocolStatus) answer.datum.getMetaData().get(Nutch.WRITABLE_PROTO_STATUS_KEY));
      }
    }
    try (SortedRecords<CrawlDatum> rows =
        new SortedRecords<>(conf, segment.file(CrawlDatum.GENERATE_DIR_NAME), new CrawlDatum())) {
      while (rows.next()) {
        if (!done.contains(rows.key().toString())) {
          CrawlDatum datum = new CrawlDatum();
          datum.set(rows.value());
          FetchItem item = FetchItem.create(new Text(rows.key()), datum, queueMode);
          if (item != null) {
            queues.add(item);
          }
        }
      }
    }
    List<Thread> workers = new ArrayList<>();
    int count =
        Math.max(
            1,
            Math.min(
                threads > 0 ? threads : Math.min(queues.hosts(), mostThreads()), queues.left()));
    for (int i = 0; i < count; i++) {
      Thread worker = new Thread(null, this::work, "fetch " + (i + 1), STACK_BYTES);
      worker.setDaemon(true);
      worker.start();
      workers.add(worker);
      if (i >= FIRST_THREADS) {
        // Thousands of connections at the same moment overflow the queues of routers and resolvers.
        Thread.sleep(START_MILLIS);
      }
    }
    for (Thread worker : workers) {
      worker.join();
    }
    if (failure.get() != null) {
      throw failure.get();
    }
    return queues.left() == 0 || queues.isLate();
  }

  /** Each request holds a file, and the same number of connections may be idle. */
  private static int mostThreads() {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    long files =
        system instanceof UnixOperatingSystemMXBean
            ? ((UnixOperatingSystemMXBean) system).getMaxFileDescriptorCount()
            : Long.MAX_VALUE;
    return (int) Math.max(MIN_THREADS, Math.min(MAX_THREADS, (files - OTHER_FILES) / 2));
  }

  /** Starts no further request. Running requests are completed. */
  void stop() {
    queues.stop();
  }

  /** Counts the hosts, see {@link HostQueues#census}. */
  HostQueues.Census census(int most) {
    return queues.census(most);
  }

  /** Returns the results of the fetches so far. */
  FetchTally tally() {
    return tally;
  }

  /** Removes the journal, so that the next run fetches every address of the segment again. */
  void forget() throws IOException {
    journal.close();
    Files.deleteIfExists(segment.journal());
  }

  /** Writes {@code crawl_fetch} and {@code content}, sorted, and ends the journal. */
  void write(Path temporary) throws IOException, InterruptedException {
    LocalFiles.deleteTree(temporary);
    TaskAttemptContext output = Segment.output(conf, temporary);
    output.getConfiguration().setBoolean("fetcher.parse", false);
    RecordWriter<Text, NutchWritable> writer = new FetcherOutputFormat().getRecordWriter(output);
    journal.inOrder(
        answer -> {
          if (!HostFiles.is(answer.content)) {
            writer.write(answer.url, new NutchWritable(answer.datum));
          }
          if (answer.content != null) {
            writer.write(answer.url, new NutchWritable(answer.content));
          }
        });
    writer.close(output);
    segment.installFetched(temporary);
    // Not before: if our own network fails, no host is to blame.
    waits.save();
    journal.close();
    Files.deleteIfExists(segment.journal());
  }

  private void work() {
    try {
      for (FetchItem item; (item = queues.take()) != null; ) {
        fetch(item);
      }
    } catch (IOException e) {
      failure.compareAndSet(null, e);
      queues.stop();
    } catch (InterruptedException e) {
      queues.stop();
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, new IOException("an answer cannot be stored", e));
      queues.stop();
    }
  }

  /** A URL, and its redirects, as far as they are followed at once. */
  private void fetch(FetchItem first) throws IOException {
    FetchItem item = first;
    Text kept = (Text) item.getDatum().getMetaData().get(Nutch.WRITABLE_REPR_URL_KEY);
    Redirects redirects = new Redirects(kept == null ? item.getUrl().toString() : kept.toString());
    while (item != null) {
      boolean[] running = {true};
      try {
        item = fetch(item, redirects, running);
      } catch (IOException e) {
        throw e;
      } catch (Exception | Error e) {
        OutOfThreads.throwIfReasonOf(e);
        // Another Error must not end the thread either, because its host would stay busy forever.
        // After an OutOfMemoryError the memory of this page is free again.
        LOG.info("fetch of {} failed", item.getUrl(), e);
        if (running[0]) {
          queues.finish(item, false);
        }
        ProtocolStatus status =
            new ProtocolStatus(
                ProtocolStatus.FAILED, e.getClass().getSimpleName() + ": " + e.getMessage());
        count(item.getUrl().toString(), status);
        output(item.getUrl(), item.getDatum(), null, status, CrawlDatum.STATUS_FETCH_RETRY);
        return;
      }
    }
  }

  /** How an address was redirected so far. */
  private static final class Redirects {
    private int count;

    /** The representative address of the page, from {@link URLUtil#chooseRepr}. */
    private String representative;

    Redirects(String representative) {
      this.representative = representative;
    }
  }

  /**
   * @return the target of a redirect to fetch at once; null at the end
   */
  private FetchItem fetch(FetchItem item, Redirects redirects, boolean[] running) throws Exception {
    Text url = item.getUrl();
    CrawlDatum datum = item.getDatum();
    Protocol protocol = protocol(item.getURL2());
    List<Content> files = new ArrayList<>();
    BaseRobotRules rules = protocol.getRobotRules(item.getURL2(), datum, files);
    for (Content file : files) {
      // As Nutch stores robots.txt: the content alone, without a row.
      file.getMetadata().set(HostFiles.MARK, PageKeys.MARK_SET);
      journal.add(new Text(file.getUrl()), HostFiles.datum(), file);
    }
    boolean tooSlow = rules.getCrawlDelay() > mostCrawlDelay && mostCrawlDelay >= 0;
    if (rules.isDeferVisits()
        || !rules.isAllowed(item.getURL2())
        || rules.getCrawlDelay() > 0 && tooSlow) {
      running[0] = false;
      queues.finish(item, true);
      ProtocolStatus status =
          rules.isDeferVisits()
              ? new ProtocolStatus(ProtocolStatus.RETRY, "no robots.txt now")
              : tooSlow
                  ? new ProtocolStatus(ProtocolStatus.ROBOTS_DENIED, tooSlow(rules))
                  : ProtocolStatus.STATUS_ROBOTS_DENIED;
      count(url.toString(), status);
      output(
          url,
          datum,
          null,
          status,
          rules.isDeferVisits() ? CrawlDatum.STATUS_FETCH_RETRY : CrawlDatum.STATUS_FETCH_GONE);
      return null;
    }
    if (rules.getCrawlDelay() > 0) {
      queues.setDelay(item, rules.getCrawlDelay());
    }
    ProtocolOutput answer = protocol.getProtocolOutput(url, datum);
    try {
      running[0] = false;
      finish(item, answer.getStatus());
      return record(item, answer, redirects);
    } finally {
      if (answer instanceof AutoCloseable) {
        // Frees the share of memory that the body has, as the journal has it now.
        ((AutoCloseable) answer).close();
      }
    }
  }

  /** Ends a request, and notes whether the host gave a page or refused to. */
  private void finish(FetchItem item, ProtocolStatus status) {
    String host = URLUtil.getHost(item.getUrl().toString());
    String[] details = status.getArgs();
    String advice = details != null && details.length > 1 ? details[1] : "";
    long now = System.currentTimeMillis();
    if (advice.equals(PageKeys.REFUSED)) {
      boolean isDenied = status.getCode() == ProtocolStatus.ACCESS_DENIED;
      long asked = details.length > 2 ? Long.parseLong(details[2]) * 1000 : 0;
      if (queues.refuse(item, asked, isDenied ? MAX_DENIALS : HostQueues.MAX_REFUSALS)) {
        tally.addSetAside();
        waits.refused(host, asked, now);
        LOG.info("{} is set aside for this round: {}", host, status.getMessage());
      }
      return;
    }
    if (advice.equals(PageKeys.HOST_UNAVAILABLE) && !waits.isWaiting(host, now)) {
      // Its other rows fail without a request, and count as failures of our network if all do.
      waits.refused(host, 0, now);
    }
    queues.finish(item, false);
    switch (status.getCode()) {
      case ProtocolStatus.SUCCESS:
      case ProtocolStatus.NOTMODIFIED:
      case ProtocolStatus.NOTFOUND:
      case ProtocolStatus.MOVED:
      case ProtocolStatus.TEMP_MOVED:
        queues.answered(item);
        waits.answered(host);
        break;
      default:
    }
  }

  private String tooSlow(BaseRobotRules rules) {
    return "robots.txt has a Crawl-delay of "
        + rules.getCrawlDelay() / 1000
        + " s; fetcher.max.crawl.delay allows "
        + mostCrawlDelay / 1000
        + " s";
  }

  private FetchItem record(FetchItem item, ProtocolOutput answer, Redirects redirects)
      throws Exception {
    Text url = item.getUrl();
    CrawlDatum datum = item.getDatum();
    ProtocolStatus status = answer.getStatus();
    Content content = answer.getContent();
    count(url.toString(), status);
    switch (status.getCode()) {
      case ProtocolStatus.SUCCESS:
        output(url, datum, content, status, CrawlDatum.STATUS_FETCH_SUCCESS);
        return null;
      case ProtocolStatus.MOVED:
      case ProtocolStatus.TEMP_MOVED:
        boolean temporary = status.getCode() == ProtocolStatus.TEMP_MOVED;
        output(
            url,
            datum,
            content,
            status,
            temporary ? CrawlDatum.STATUS_FETCH_REDIR_TEMP : CrawlDatum.STATUS_FETCH_REDIR_PERM);
        return redirect(item, status.getMessage(), temporary, redirects);
      case ProtocolStatus.GONE:
      case ProtocolStatus.NOTFOUND:
      case ProtocolStatus.ACCESS_DENIED:
      case ProtocolStatus.ROBOTS_DENIED:
        output(url, datum, null, status, CrawlDatum.STATUS_FETCH_GONE);
        return null;
      case ProtocolStatus.NOTMODIFIED:
        output(url, datum, null, status, CrawlDatum.STATUS_FETCH_NOTMODIFIED);
        return null;
      case ProtocolStatus.EXCEPTION:
        LOG.info("fetch of {} failed: {}", url, status.getMessage());
        queues.addException(item);
        output(url, datum, null, status, CrawlDatum.STATUS_FETCH_RETRY);
        return null;
      default:
        output(url, datum, null, status, CrawlDatum.STATUS_FETCH_RETRY);
        return null;
    }
  }

  /**
   * One plugin serves a scheme, whatever the host; Nutch's factory would look for the host's domain
   * at each call, and in each thread read the list of public suffixes at the first.
   */
  private Protocol protocol(URL url) throws ProtocolNotFound {
    Protocol known = byScheme.get(url.getProtocol());
    if (known == null) {
      synchronized (protocols) {
        known = protocols.getProtocol(url);
      }
      byScheme.put(url.getProtocol(), known);
    }
    return known;
  }

  private FetchItem redirect(FetchItem from, String target, boolean temporary, Redirects redirects)
      throws IOException {
    String to = allowed(target);
    if (to == null || to.equals(from.getUrl().toString())) {
      return null;
    }
    redirects.representative = URLUtil.chooseRepr(redirects.representative, to, temporary);
    Text url = new Text(to);
    if (mostRedirects > 0 && ++redirects.count <= mostRedirects) {
      if (queues.isLate()) {
        return null;
      }
      FetchItem next =
          FetchItem.create(
              url, target(url, from, redirects, CrawlDatum.STATUS_DB_UNFETCHED), queueMode);
      if (next != null) {
        queues.enter(next);
      }
      return next;
    }
    if (mostRedirects <= 0 || !skipsExceeded) {
      CrawlDatum datum = target(url, from, redirects, CrawlDatum.STATUS_LINKED);
      output(url, datum, null, null, CrawlDatum.STATUS_LINKED);
    }
    return null;
  }

  private String allowed(String target) {
    if (target == null || target.length() > mostCharacters) {
      return null;
    }
    try {
      return filters.filter(normalizers.normalize(target, URLNormalizers.SCOPE_FETCHER));
    } catch (MalformedURLException | URLFilterException e) {
      return null;
    }
  }

  private CrawlDatum target(Text url, FetchItem from, Redirects redirects, int status) {
    CrawlDatum datum =
        new CrawlDatum(status, from.getDatum().getFetchInterval(), from.getDatum().getScore());
    datum.getMetaData().putAll(from.getDatum().getMetaData());
    try {
      scoring.initialScore(url, datum);
    } catch (ScoringFilterException e) {
      LOG.warn("{} gets no first score", url, e);
    }
    if (redirects.representative != null) {
      datum.getMetaData().put(Nutch.WRITABLE_REPR_URL_KEY, new Text(redirects.representative));
    }
    return datum;
  }

  private void output(
      Text url, CrawlDatum datum, Content content, ProtocolStatus protocol, int status)
      throws IOException {
    datum.setStatus(status);
    datum.setFetchTime(System.currentTimeMillis());
    if (protocol != null) {
      datum.getMetaData().put(Nutch.WRITABLE_PROTO_STATUS_KEY, protocol);
    }
    if (content != null) {
      if (content.getContentType() != null) {
        datum
            .getMetaData()
            .put(new Text(Metadata.CONTENT_TYPE), new Text(content.getContentType()));
      }
      content.getMetadata().set(Nutch.SEGMENT_NAME_KEY, segment.folder().getFileName().toString());
      try {
        scoring.passScoreBeforeParsing(url, datum, content);
      } catch (ScoringFilterException e) {
        LOG.warn("{} passes no score on", url, e);
      }
      content.getMetadata().add(Nutch.FETCH_STATUS_KEY, Integer.toString(status));
    }
    journal.add(url, datum, content);
  }

  private void count(String url, ProtocolStatus status) {
    if (status != null) {
      tally.add(URLUtil.getHost(url), status);
    }
  }
}
