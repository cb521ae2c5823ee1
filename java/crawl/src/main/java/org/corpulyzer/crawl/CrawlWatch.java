package org.corpulyzer.crawl;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.corpulyzer.engine.Steering;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a crawl for {@code --dashboard} and {@code --json-log}. Without both options it does
 * nothing. A file that cannot be written is logged and does not end the crawl.
 */
final class CrawlWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CrawlWatch.class);

  /** Seconds between two versions of the dashboard, and two events of progress. */
  static final int TICK_SECONDS = 5;

  /** Points of the plot of speed. When there are more, each two become one. */
  private static final int MAX_SAMPLES = 240;

  /** Hosts that the dashboard names. */
  private static final int MAX_HOSTS = 25;

  /** Rounds from which the next one's duration is estimated. */
  private static final int ESTIMATED_FROM = 3;

  /** A round of this run: seconds by phase, and the review of its choice. */
  static final class Round {
    final Map<Phase, Double> seconds = new EnumMap<>(Phase.class);
    long fetched;
    long parsed;
    long needScripts;
    Steering.Review review;

    double all() {
      return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }
  }

  /** Pages a second over a time. */
  static final class Sample {
    /** Seconds since the command began. */
    final double at;

    final double seconds;
    final double pages;

    Sample(double at, double seconds, double pages) {
      this.at = at;
      this.seconds = seconds;
      this.pages = pages;
    }

    private Sample and(Sample next) {
      return new Sample(at, seconds + next.seconds, pages + next.pages);
    }

    double speed() {
      return seconds <= 0 ? 0 : pages / seconds;
    }
  }

  /** All that the dashboard shows. Only used under the lock of the watch. */
  static final class View {
    CrawlOptions options;
    List<RoundYield> yields = new ArrayList<>();
    final Map<Integer, Round> rounds = new TreeMap<>();
    final Map<String, Long> errors = new TreeMap<>();
    Map<String, Long> errorsOfPhase = new TreeMap<>();
    final List<Sample> samples = new ArrayList<>();
    List<HostQueues.Running> hosts = new ArrayList<>();
    int hostsNow;
    int hostsWaiting;
    int left = -1;
    int round;
    Phase phase;
    String outcome;
    long pages = -1;
    long languageBytes;
    long dataBytes;
    long freeBytes = -1;
    final long beganMillis = System.currentTimeMillis();
    double seconds;
    double phaseSeconds;

    /** Estimated seconds to the end of the crawl; -1 if unknown. */
    double leftSeconds = -1;

    /** Failures of this run, with those of a fetch phase that has not ended. */
    Map<String, Long> errorsNow() {
      Map<String, Long> all = new TreeMap<>(errors);
      errorsOfPhase.forEach((kind, count) -> all.merge(kind, count, Long::sum));
      return all;
    }

    boolean isRunning() {
      return outcome == null;
    }
  }

  /** A file that is there is known by its beginning. */
  private static final int HEAD_BYTES = 2048;

  private final View view = new View();
  private final DataFolder data;
  private final Path dashboard;
  private final JsonLog log;
  private final ScheduledExecutorService ticks;
  private final long began = System.nanoTime();
  private long phaseBegan = began;
  private PageFetcher fetcher;
  private PageParser parser;
  private long lastPages;
  private long lastTick = began;
  private boolean hasFailed;

  private CrawlWatch(CrawlOptions options, DataFolder data) throws CrawlException {
    this.data = data;
    view.options = options;
    dashboard = options.dashboard;
    requireOurs("--dashboard", dashboard, DashboardPage::isOne);
    requireOurs("--json-log", options.jsonLog, JsonLog::isOne);
    if (isSame(dashboard, options.jsonLog)) {
      throw CrawlException.usage(
          "--dashboard and --json-log are both " + dashboard + "; name two files");
    }
    try {
      log = options.jsonLog == null ? null : new JsonLog(options.jsonLog);
    } catch (IOException e) {
      throw CrawlException.usage(
          "--json-log: "
              + options.jsonLog
              + " cannot be written ("
              + CrawlException.reason(e)
              + "); name another file");
    }
    ticks =
        dashboard == null && log == null
            ? null
            : Executors.newSingleThreadScheduledExecutor(
                task -> {
                  Thread thread = new Thread(task, "watch crawl");
                  thread.setDaemon(true);
                  return thread;
                });
  }

  /** Refuses a file that another program or a person wrote, such as a list of seeds. */
  private static void requireOurs(String option, Path file, Predicate<String> isOurs)
      throws CrawlException {
    if (file == null || !Files.isRegularFile(file)) {
      return;
    }
    byte[] head = new byte[HEAD_BYTES];
    int length;
    try (InputStream in = Files.newInputStream(file)) {
      length = in.readNBytes(head, 0, HEAD_BYTES);
    } catch (IOException e) {
      throw CrawlException.usage(
          option
              + ": "
              + file
              + " cannot be read ("
              + CrawlException.reason(e)
              + "); name another file");
    }
    if (length > 0 && !isOurs.test(new String(head, 0, length, StandardCharsets.UTF_8))) {
      throw CrawlException.usage(
          option
              + ": "
              + file
              + " is not a file of this option, and would be overwritten; name another file");
    }
  }

  private static boolean isSame(Path one, Path other) {
    return one != null
        && other != null
        && one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
  }

  /** Begins to follow a crawl, and writes the first dashboard. */
  static CrawlWatch of(CrawlOptions options, DataFolder data, CrawlState state)
      throws CrawlException {
    CrawlWatch watch = new CrawlWatch(options, data);
    if (watch.ticks == null) {
      return watch;
    }
    watch.yields(state);
    watch.log(
        event("start")
            .text("language", options.language)
            .number("rounds", options.rounds)
            .number("top", options.top));
    watch.measure();
    try {
      watch.write();
    } catch (IOException e) {
      watch.close();
      throw CrawlException.usage(
          "--dashboard: "
              + watch.dashboard
              + " cannot be written ("
              + CrawlException.reason(e)
              + "); name another file");
    }
    watch.ticks.scheduleAtFixedRate(watch::tick, TICK_SECONDS, TICK_SECONDS, TimeUnit.SECONDS);
    return watch;
  }

  private static JsonLog.Event event(String name) {
    return new JsonLog.Event(name);
  }

  private void log(JsonLog.Event event) {
    if (log != null) {
      log.add(event);
    }
  }

  /** Takes the yields of all rounds, also those of earlier runs. */
  private void yields(CrawlState state) {
    view.yields = state.yields();
    view.languageBytes = state.corpusBytes();
    view.round = state.round();
  }

  /** Notes that a phase begins. */
  synchronized void begin(int round, Phase phase) {
    if (ticks == null) {
      return;
    }
    view.round = round;
    view.phase = phase;
    view.pages = -1;
    phaseBegan = System.nanoTime();
    log(event("phase_begin").number("round", round).text("phase", phase.label()));
    rewrite();
  }

  /** Follows the fetch phase that begins now. */
  synchronized void follow(PageFetcher running) {
    fetcher = running;
    lastPages = running.tally().pages();
    lastTick = System.nanoTime();
  }

  /** Follows the parse phase that begins now. */
  synchronized void follow(PageParser running) {
    parser = running;
  }

  /** Notes the review of the choice of pages; null if there is none. */
  synchronized void review(int round, Steering.Review review) {
    round(round).review = review;
  }

  private Round round(int round) {
    return view.rounds.computeIfAbsent(round, number -> new Round());
  }

  /**
   * Notes that a phase has ended.
   *
   * @param result its result on the console
   */
  synchronized void end(int round, Phase phase, String result, CrawlState state) {
    if (ticks == null) {
      return;
    }
    look();
    double seconds = since(phaseBegan);
    Round now = round(round);
    now.seconds.merge(phase, seconds, Double::sum);
    if (fetcher != null) {
      now.fetched = fetcher.tally().pages();
      addErrors();
      fetcher = null;
      view.hosts = new ArrayList<>();
      view.hostsNow = 0;
      view.hostsWaiting = 0;
      view.left = -1;
    }
    if (parser != null) {
      now.parsed = parser.parsed();
      now.needScripts = parser.needScripts();
      parser = null;
    }
    yields(state);
    view.round = round;
    log(
        event("phase_end")
            .number("round", round)
            .text("phase", phase.label())
            .decimal("seconds", seconds)
            .text("result", result));
    if (phase == Phase.CORPUS) {
      measure();
      logRound(round, now);
    }
    rewrite();
  }

  private void addErrors() {
    fetcher.tally().kinds().forEach((kind, count) -> view.errors.merge(kind, count, Long::sum));
    view.errorsOfPhase = new TreeMap<>();
  }

  private void logRound(int number, Round round) {
    for (RoundYield yield : view.yields) {
      if (yield.round == number) {
        log(
            event("round_end")
                .number("round", number)
                .number("fetched", yield.fetched)
                .number("kept", yield.kept)
                .number("any_text", yield.anyText)
                .number("new_hosts", yield.newHosts)
                .number("new_texts", yield.newTexts)
                .number("hosts", yield.hosts)
                .decimal("effective_hosts", yield.effectiveHosts)
                .number("language_bytes", view.languageBytes)
                .number("needs_script", round.needScripts)
                .number("data_bytes", view.dataBytes)
                .number("free_bytes", view.freeBytes)
                .decimal("brier", round.review == null ? -1 : round.review.brier())
                .decimal("seconds", round.all()));
      }
    }
  }

  /**
   * Ends with the last version of the dashboard, which is the summary of the crawl.
   *
   * @param outcome how the crawl ended
   */
  synchronized void finish(String outcome, CrawlState state) {
    if (ticks == null || view.outcome != null) {
      return;
    }
    ticks.shutdown();
    look();
    if (fetcher != null) {
      addErrors();
    }
    yields(state);
    view.outcome = outcome;
    view.phase = null;
    measure();
    log(
        event("end")
            .text("outcome", outcome)
            .number("fetched", view.yields.stream().mapToLong(yield -> yield.fetched).sum())
            .number("kept", view.yields.stream().mapToLong(yield -> yield.kept).sum())
            .number("language_bytes", view.languageBytes)
            .decimal("seconds", since(began)));
    rewrite();
  }

  private synchronized void tick() {
    if (view.outcome != null) {
      return;
    }
    look();
    if (view.phase != null) {
      log(
          event("progress")
              .number("round", view.round)
              .text("phase", view.phase.label())
              .number("pages", view.pages)
              .number("urls_left", view.left)
              .number("hosts_now", fetcher == null ? -1 : view.hostsNow)
              .number("free_bytes", view.freeBytes)
              .decimal("seconds", view.phaseSeconds)
              .decimal("seconds_left", view.leftSeconds));
    }
    rewrite();
  }

  /** Reads the state of the running phase. */
  private void look() {
    long now = System.nanoTime();
    view.seconds = since(began);
    view.phaseSeconds = since(phaseBegan);
    view.freeBytes = data.freeBytes();
    view.pages = -1;
    if (fetcher != null) {
      view.pages = fetcher.tally().pages();
      view.errorsOfPhase = fetcher.tally().kinds();
      HostQueues.Census census = fetcher.census(MAX_HOSTS);
      view.hosts = census.running;
      view.hostsNow = census.hostsNow;
      view.hostsWaiting = census.hostsWaiting;
      view.left = census.left;
      double seconds = (now - lastTick) / 1e9;
      if (seconds > 0.1) {
        view.samples.add(new Sample(view.seconds, seconds, view.pages - lastPages));
        lastPages = view.pages;
        lastTick = now;
        thin();
      }
    } else if (parser != null) {
      view.pages = parser.parsed();
    }
    view.leftSeconds = secondsLeft();
  }

  private void thin() {
    if (view.samples.size() > MAX_SAMPLES) {
      List<Sample> half = new ArrayList<>();
      for (int i = 0; i + 1 < view.samples.size(); i += 2) {
        half.add(view.samples.get(i).and(view.samples.get(i + 1)));
      }
      view.samples.clear();
      view.samples.addAll(half);
    }
  }

  /** Estimates the rest of the crawl from the last rounds of this run; -1 before the first. */
  private double secondsLeft() {
    List<Integer> whole = new ArrayList<>();
    view.rounds.forEach(
        (number, round) -> {
          if (round.seconds.size() == Phase.values().length) {
            whole.add(number);
          }
        });
    if (whole.isEmpty()) {
      return -1;
    }
    List<Integer> last = whole.subList(Math.max(0, whole.size() - ESTIMATED_FROM), whole.size());
    double seconds =
        last.stream().mapToDouble(number -> view.rounds.get(number).all()).average().orElse(0);
    double pages =
        view.yields.stream()
            .filter(yield -> last.contains(yield.round))
            .mapToLong(yield -> yield.fetched)
            .average()
            .orElse(0);
    boolean isBegun = !whole.contains(view.round);
    Round now = view.rounds.get(view.round);
    double spent =
        isBegun ? (now == null ? 0 : now.all()) + (view.phase == null ? 0 : view.phaseSeconds) : 0;
    double rounds = view.options.rounds - view.round + (isBegun ? 1 : 0);
    long fetched = view.yields.stream().mapToLong(yield -> yield.fetched).sum();
    if (view.options.maxPages < Long.MAX_VALUE && pages > 0) {
      rounds = Math.min(rounds, Math.ceil((view.options.maxPages - fetched) / pages));
    }
    int done = view.yields.size();
    if (view.options.targetBytes < Long.MAX_VALUE && view.languageBytes > 0 && done > 0) {
      double gain = view.languageBytes / (double) done;
      rounds = Math.min(rounds, Math.ceil((view.options.targetBytes - view.languageBytes) / gain));
    }
    return Math.max(0, Math.max(0, rounds) * seconds - spent);
  }

  /** Sums the size of the data folder: after each round, because it reads all names. */
  private void measure() {
    view.freeBytes = data.freeBytes();
    try (Stream<Path> files = Files.walk(view.options.data)) {
      view.dataBytes = files.mapToLong(CrawlWatch::size).sum();
    } catch (IOException | UncheckedIOException e) {
      LOG.info("the size of the data folder is unknown: {}", e.toString());
    }
  }

  private static long size(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      return 0; // Deleted in the meantime.
    }
  }

  private void write() throws IOException {
    if (dashboard != null) {
      byte[] page = new DashboardPage(view).html().getBytes(StandardCharsets.UTF_8);
      LocalFiles.replace(dashboard, page);
    }
  }

  /** Writes the dashboard anew. The first of several failures is logged. */
  private void rewrite() {
    try {
      write();
      hasFailed = false;
    } catch (IOException | RuntimeException e) {
      if (!hasFailed) {
        LOG.warn("the dashboard cannot be written", e);
      }
      hasFailed = true;
    }
  }

  private static double since(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }

  @Override
  public synchronized void close() {
    if (ticks != null) {
      ticks.shutdown();
    }
    if (log != null) {
      try {
        log.close();
      } catch (IOException e) {
        LOG.warn("the JSON log cannot be closed: {}", e.toString());
      }
    }
  }
}
