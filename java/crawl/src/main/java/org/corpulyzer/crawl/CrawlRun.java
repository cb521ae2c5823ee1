package org.corpulyzer.crawl;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.engine.Languages;
import org.corpulyzer.engine.Steering;
import org.corpulyzer.jobs.RowScores;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One crawl from its seeds to its corpus, round after round: GENERATE, FETCH, PARSE, UPDATE,
 * CORPUS. A phase puts its results in place by a rename, and its end is noted before the next phase
 * begins. So a crawl that was killed continues at the same phase.
 */
final class CrawlRun implements AutoCloseable {
  /** Called after each phase; the sample reads the server's log then. */
  interface Listener {
    void completed(int round, Phase phase) throws CrawlException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(CrawlRun.class);

  /** Time for the requests that run when the crawl is stopped. */
  private static final long STOP_SECONDS = 2;

  /**
   * A later round ends the crawl if it has at least this number of hosts and none responds. A
   * smaller number of hosts may all be dead.
   */
  private static final int OFFLINE_HOSTS = 10;

  private final CrawlOptions options;
  private final DataFolder data;
  private final Corpora corpora;
  private final Console console;
  private final Listener listener;
  private final Configuration conf;
  private final CrawlDbFolder crawlDb;
  private final HostScoring scoring;
  private final CrawlState state;
  private final CrawlWatch watch;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop, "stop");
  private volatile Runnable stopPhase = () -> {};
  private volatile boolean isStopped;

  private CrawlRun(
      CrawlOptions options,
      DataFolder data,
      Corpora corpora,
      Console console,
      Listener listener,
      Configuration conf,
      CrawlState state)
      throws CrawlException {
    this.options = options;
    this.data = data;
    this.corpora = corpora;
    this.console = console;
    this.listener = listener;
    this.conf = conf;
    this.state = state;
    crawlDb = new CrawlDbFolder(data);
    scoring = new HostScoring(options, data, crawlDb, conf, this::failed);
    watch = CrawlWatch.of(options, data, state);
  }

  /**
   * Crawls until the rounds are done, the pages are enough or nothing is left to fetch.
   *
   * @return the yield of each round, over all runs on this data
   */
  static List<RoundYield> run(
      CrawlOptions options, Console console, DataFolder data, Listener listener)
      throws CrawlException {
    Path plugins = Home.plugins();
    List<SeedList.Seed> seeds = SeedList.read(options.seeds);
    Corpora corpora = Corpora.look(options);
    try {
      LocalFiles.deleteTree(data.temporary());
      LocalFiles.createPrivate(data.temporary());
      CrawlState state = CrawlState.load(data.state());
      options.keepPolicy(state);
      Configuration conf = CrawlConfiguration.create(options, plugins, data);
      corpora.requireOf(state.id());
      RecordFacts records = new RecordFacts(options);
      boolean same = records.isSame(state);
      if (!options.reparse) {
        records.requireSame(state);
      }
      if (!state.isOfACrawl()) {
        state.setFacts(records.asMap());
      }
      String begun = state.fact("language");
      // Older releases kept a single code as it was given: ur.
      if (begun == null || !Languages.threeLetters(begun).equals(options.language)) {
        keepFact(state, "language", options.language);
      }
      keepFact(state, "scoring", options.scoring.name());
      state.setFact(CrawlOptions.POLICY_FACT, options.policy());
      corpora.take(state.makeId());
      if (options.reparse && (state.reparsed() == null || !same)) {
        state.beginReparse(records.asMap());
      }
      try (CrawlRun run = new CrawlRun(options, data, corpora, console, listener, conf, state)) {
        run.crawlDb.repair();
        run.keep(records);
        return run.watched(seeds);
      }
    } catch (IOException e) {
      throw CrawlException.failed(
          "the crawl on "
              + options.data
              + " cannot go on ("
              + CrawlException.reason(e)
              + "); see the folder logs in the data folder, then run the same "
              + "command again",
          e);
    }
  }

  /** Returns why the crawl fetched a URL or did not. */
  static String explain(CrawlOptions options, DataFolder data) throws CrawlException {
    try {
      CrawlDbFolder crawlDb = new CrawlDbFolder(data);
      crawlDb.repair();
      CrawlState state = CrawlState.load(data.state());
      options.keepPolicy(state);
      Configuration conf = CrawlConfiguration.create(options, Home.plugins(), data);
      return new Frontier(conf, crawlDb, pages(options, data, state)).explain(options.explain);
    } catch (IOException e) {
      throw CrawlException.failed(
          "the crawl in " + options.data + " cannot be read (" + CrawlException.reason(e) + ")", e);
    }
  }

  /** Returns the state of policy pages; null under the other policies. */
  private static String pages(CrawlOptions options, DataFolder data, CrawlState state)
      throws IOException {
    if (!options.ordersPages()) {
      return null;
    }
    String now = PageSelector.stateOf(data.segment(state.round()));
    return now.isEmpty() ? PageSelector.stateOf(data.segment(state.round() - 1)) : now;
  }

  /** A CrawlDb is about one language and one order; another one needs another data folder. */
  private static void keepFact(CrawlState state, String name, String value)
      throws CrawlException, IOException {
    String kept = state.fact(name);
    if (kept == null) {
      state.setFact(name, value);
    } else if (!kept.equals(value)) {
      throw CrawlException.usage(
          "--"
              + name
              + " is "
              + value
              + ", but the crawl in this --data folder was begun with "
              + kept
              + "; name another folder, or "
              + kept);
    }
  }

  /**
   * Stores the record version and its settings. If the folder does not have them, they are read
   * from the records.
   */
  private void keep(RecordFacts records) throws CrawlException, IOException {
    String version = state.fact(RecordFacts.VERSION) == null ? crawlDb.recordVersion(conf) : null;
    if (version != null) {
      state.setFact(RecordFacts.VERSION, version);
      records.requireSame(state);
    }
    state.setFacts(records.asMap());
  }

  private List<RoundYield> watched(List<SeedList.Seed> seeds) throws CrawlException, IOException {
    try {
      List<RoundYield> yields = crawl(seeds);
      watch.finish("The crawl has ended", state);
      return yields;
    } catch (CrawlException e) {
      boolean isStop = e.exitCode() == CrawlException.STOPPED;
      watch.finish(
          isStop ? "Stopped; the same command continues" : "Failed: " + e.getMessage(), state);
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      watch.finish("Failed: " + e, state);
      throw e;
    }
  }

  private List<RoundYield> crawl(List<SeedList.Seed> seeds) throws CrawlException, IOException {
    long began = System.nanoTime();
    Runtime.getRuntime().addShutdownHook(hook);
    if (state.reparsed() != null) {
      reparse();
    }
    if (!options.reparse) {
      rounds(seeds);
    }
    requireRunning();
    corpora.join(conf, data, console, state);
    requireRunning();
    if (!options.noReport) {
      report();
    }
    if (options.frontier) {
      long listed = System.nanoTime();
      long urls = new Frontier(conf, crawlDb, pages(options, data, state)).write(options.out);
      console.say(line("frontier", urls + " URLs; frontier.tsv beside the corpus", listed));
    }
    console.say(line("run", processorTime(), began));
    String linkRot = corpora.linkRot(conf, parsedSegments());
    if (!linkRot.isEmpty()) {
      console.print(linkRot);
    }
    if (state.hasSources()) {
      console.print(corpora.sources(conf, options, parsedSegments()));
    }
    String languages = corpora.table(state);
    if (!languages.isEmpty()) {
      console.print(languages);
    }
    return state.yields();
  }

  /**
   * Makes all records again from the stored pages, and then scores, corpus and yields from the
   * records. A page that was fetched again counts in the last round that fetched it.
   */
  private void reparse() throws CrawlException, IOException {
    long began = System.nanoTime();
    data.requireSpace();
    long stored = state.yields().stream().mapToLong(yield -> yield.fetched).sum();
    console.say("parsing about " + stored + " stored pages again");
    console.at("reparse");
    long[] counts = new long[2];
    List<Segment> segments = parsedSegments();
    for (Segment segment : segments) {
      requireRunning();
      segment.installReparsed();
      if (segment.round() > state.reparsed()) {
        reparse(segment, counts, stored);
      }
    }
    console.say(
        line(
            "reparse",
            String.format(
                Locale.ROOT,
                "%d pages, %d failed, %.1f pages/s",
                counts[0],
                counts[1],
                counts[0] / seconds(began)),
            began));
    requireRunning();
    if (crawlDb.exists()) {
      began = System.nanoTime();
      // A segment that CrawlDb has not yet seen gives its figures in the update phase.
      crawlDb.join(conf, segments.subList(0, Math.min(segments.size(), updatedRounds())));
      scoring.updateHostDb();
      String result = scoring.isByJob() ? scoring.run(scored()) : "figures joined";
      console.say(line("score", result, began));
    }
    requireRunning();
    began = System.nanoTime();
    Corpora.Written written = writeCorpora(state.round() - 1, true);
    Corpora.addYields(written, state);
    state.endReparse();
    console.table(table());
    console.say(line("corpus", written.describe(), began));
  }

  private void reparse(Segment segment, long[] counts, long stored)
      throws CrawlException, IOException {
    PageParser parser = new PageParser(conf, segment);
    long before = counts[0];
    stopBy(parser::stop);
    try {
      Progress.during(
          console,
          () -> (before + parser.parsed()) + " of about " + stored + " pages",
          () -> {
            Path made = data.temporary().resolve("reparsed");
            requireEnd(parser.parse(made));
            segment.keepReparsed(made);
            segment.installReparsed();
          });
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    state.setReparsed(segment.round());
    counts[0] += parser.parsed();
    counts[1] += parser.failed();
  }

  /**
   * @return rounds from the first one on whose segments CrawlDb has taken in
   */
  private int updatedRounds() {
    return state.next() == Phase.CORPUS ? state.round() : state.round() - 1;
  }

  private List<Segment> parsedSegments() {
    List<Segment> segments = new ArrayList<>();
    for (int round = 1; round <= state.round() && data.segment(round).isParsed(); round++) {
      segments.add(data.segment(round));
    }
    return segments;
  }

  private void rounds(List<SeedList.Seed> seeds) throws CrawlException, IOException {
    new SeedInjector(options, data, crawlDb, state, conf, console, this::failed).inject(seeds);
    boolean done = state.round() > options.rounds;
    if (done || isEnough()) {
      // The corpus's own options may differ from the last run's.
      Corpora.Written written = writeCorpora(state.round() - 1, false);
      state.save();
      if (done) {
        console.say(
            "the "
                + options.rounds
                + " rounds are done, the corpus has "
                + written.documents()
                + " documents; ask for more with --rounds");
      }
    }
    boolean isLeft = true;
    while (isLeft && state.round() <= options.rounds && !isEnough()) {
      isLeft = round();
    }
    state.endRefresh();
    if (isLeft && isEnough()) {
      console.say(
          (options.targets().size() == 1
                  ? "the corpus has " + state.corpusBytes() + " bytes of " + options.language
                  : "each corpus has enough text (bytes: " + corpora.bytesByLanguage(state) + ")")
              + ", and --target-bytes asks for "
              + options.targetBytes);
    }
  }

  /** Asked between rounds: one that was begun is brought to its end. */
  private boolean isEnough() {
    return state.next() == Phase.GENERATE && corpora.have(options.targetBytes, state);
  }

  private Corpora.Written writeCorpora(int rounds, boolean anew) throws CrawlException {
    return corpora.write(conf, data, console, state, rounds, anew);
  }

  private String table() {
    return RoundYield.table(state.yields()) + corpora.table(state);
  }

  /** The configuration of the score passes: the weights of several languages depend on the text. */
  private Configuration scored() {
    Configuration scored = new Configuration(conf);
    if (options.targets().size() > 1) {
      scored.set(RowScores.CORPUS_BYTES, corpora.bytesByLanguage(state));
    }
    return scored;
  }

  /**
   * Writes a report on the pages of all segments, also rejected pages, to a folder beside the
   * corpus. An old report stays until the new one is complete.
   */
  private void report() throws CrawlException, IOException {
    long began = System.nanoTime();
    console.at("report");
    String result =
        corpora.report(
            conf,
            options,
            parsedSegments(),
            "crawl of "
                + (state.yields().size() == 1 ? "1 round" : state.yields().size() + " rounds"));
    console.say(line("report", result, began));
  }

  /**
   * @return whether there may be another round
   */
  private boolean round() throws CrawlException, IOException {
    int round = state.round();
    if (state.next() == Phase.GENERATE) {
      console.say("round " + round + " of " + options.rounds);
    } else {
      console.say(
          "round " + round + " of " + options.rounds + ", going on with " + state.next().label());
    }
    while (state.round() == round) {
      requireRunning();
      Phase phase = state.next();
      data.requireSpace();
      long began = System.nanoTime();
      boolean again = state.isBegun();
      state.begin(phase);
      console.at("round " + round + " of " + options.rounds + ", " + phase.label());
      watch.begin(round, phase);
      String result = run(phase, again);
      if (result == null) {
        return false;
      }
      state.complete(phase);
      watch.end(round, phase, result, state);
      console.table(table());
      console.say(line(phase.label(), result, began));
      listener.completed(round, phase);
    }
    console.at("");
    String poverty = RoundYield.poverty(state.yields());
    // Pages that are fetched again have the text that they had.
    if (poverty != null && options.refresh == 0) {
      console.say("  " + poverty);
    }
    return true;
  }

  /**
   * @return the result of the phase for the console; null if nothing is left to fetch
   */
  private String run(Phase phase, boolean again) throws CrawlException, IOException {
    try {
      switch (phase) {
        case GENERATE:
          return new Generation(options, data, crawlDb, state, scoring, conf, this::scored, console)
              .run();
        case FETCH:
          return fetch();
        case PARSE:
          return parse();
        case UPDATE:
          return update(again);
        default:
          return corpus();
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ClassNotFoundException e) {
      throw CrawlException.failed(
          "a class of Nutch is missing ("
              + e.getMessage()
              + "); build again with bin/corpulyzer build",
          e);
    }
  }

  private static CrawlException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return CrawlException.stopped();
  }

  private void requireEnd(boolean isAtEnd) throws CrawlException {
    if (!isAtEnd) {
      throw CrawlException.stopped();
    }
  }

  /** Asked before each phase: none begins once the operator has stopped the crawl. */
  private void requireRunning() throws CrawlException {
    if (isStopped) {
      throw CrawlException.stopped();
    }
  }

  /** Sets the condition that ends the phase that begins now. */
  private void stopBy(Runnable stop) throws CrawlException {
    stopPhase = stop;
    requireRunning();
  }

  /** The error of a job that failed, or was interrupted. */
  private CrawlException failed(String job, Exception e) {
    if (e instanceof InterruptedException) {
      return interrupted((InterruptedException) e);
    }
    LOG.error("{} failed", job, e);
    return isStopped
        ? CrawlException.stopped()
        : CrawlException.failed(
            job
                + " failed ("
                + e.getMessage()
                + "); see the folder logs in the data folder, then run the same command again",
            e);
  }

  private String fetch() throws CrawlException, IOException, InterruptedException {
    long began = System.nanoTime();
    Segment segment = data.segment(state.round());
    if (segment.isFetched()) {
      return "fetched before";
    }
    PageFetcher fetcher = new PageFetcher(conf, segment);
    stopBy(fetcher::stop);
    watch.follow(fetcher);
    FetchTally tally = fetcher.tally();
    Progress.during(
        console,
        () -> tally.pages() + " pages",
        () -> {
          requireEnd(fetcher.fetch(options.threads == null ? 0 : options.threads));
          if (isOffline(tally)) {
            fetcher.forget();
            throw CrawlException.failed(
                tally.noPage()
                    + "; check the network and the folder logs in the data folder, then run the"
                    + " same command again");
          }
          fetcher.write(data.temporary().resolve("fetched"));
        });
    return String.format(
        Locale.ROOT,
        "%d pages, %.1f pages/s%s",
        tally.pages(),
        tally.pages() / seconds(began),
        tally.others());
  }

  /**
   * Returns whether the failures of the round are probably those of our own network: no host
   * answered, and there are enough hosts or no page was ever fetched. Nutch would count a failure
   * on each row.
   */
  private boolean isOffline(FetchTally tally) {
    int hosts = tally.hostsIfNoneAnswered();
    return hosts >= OFFLINE_HOSTS
        || hosts > 0 && state.yields().stream().noneMatch(yield -> yield.fetched > 0);
  }

  private String parse() throws CrawlException, IOException, InterruptedException {
    long began = System.nanoTime();
    Segment segment = data.segment(state.round());
    if (segment.isParsed()) {
      return "parsed before";
    }
    PageParser parser = new PageParser(conf, segment);
    stopBy(parser::stop);
    watch.follow(parser);
    Progress.during(
        console,
        () -> parser.parsed() + " pages",
        () -> {
          Path into = data.temporary().resolve("parsed");
          requireEnd(parser.parse(into));
          segment.installParsed(into);
        });
    return String.format(
        Locale.ROOT,
        "%d pages, %d failed, %.1f pages/s%s%s%s",
        parser.parsed(),
        parser.failed(),
        parser.parsed() / seconds(began),
        parser.needScripts() == 0 ? "" : ", " + parser.needScripts() + " need scripts",
        parser.unfinished() == 0
            ? ""
            : ", " + parser.unfinished() + " sitemaps go on in the next round",
        parser.elsewhere() == 0
            ? ""
            : ", links of sitemaps to other sites left out: " + parser.elsewhere());
  }

  private String update(boolean again)
      throws CrawlException, IOException, InterruptedException, ClassNotFoundException {
    // A segment that is taken in twice would give its links' scores twice.
    if (again) {
      crawlDb.restore();
    }
    crawlDb.save();
    String result;
    try {
      ScoreSummary summary =
          crawlDb.update(
              scored(),
              data.segment(state.round()),
              data.temporary().resolve("update"),
              scoring.isByJob());
      if (summary == null) {
        scoring.updateHostDb();
      }
      result = summary == null ? "links added" : HostScoring.describe(summary);
    } catch (RuntimeException e) {
      throw failed("CrawlDb", e);
    }
    crawlDb.forget();
    Steering.Review review = crawlDb.review();
    watch.review(state.round(), review);
    return result + describe(review);
  }

  private static String describe(Steering.Review review) {
    if (review == null) {
      return "";
    }
    String brier =
        review.brier() < 0 ? "" : String.format(Locale.ROOT, ", Brier %.3f", review.brier());
    return review.tried() == 0
        ? brier
        : String.format(
            Locale.ROOT,
            ", new hosts: %d of %d pages kept, %s %.0f kB%s",
            review.kept(),
            review.tried(),
            review.cost() < 0 ? "gained" : "cost",
            Math.abs(review.cost()) / 1000,
            brier);
  }

  private String corpus() throws CrawlException {
    Corpora.Written written = writeCorpora(state.round(), false);
    if (!written.hasYield(state.round())) {
      // Killed behind the corpus, and before the yield was noted.
      written = writeCorpora(state.round(), true);
    }
    Corpora.addYields(written, state, state.round());
    return written.describe();
  }

  static String line(String what, String result, long began) {
    return String.format(Locale.ROOT, "  %-8s  %-58s %6.1f s", what, result, seconds(began));
  }

  /** The processor time of this process, for the console. */
  private static String processorTime() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return String.format(Locale.ROOT, "%.1f s of processor time", system.getProcessCpuTime() / 1e9);
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  /**
   * On Ctrl-C: ends the running phase, if it can be ended. The next run continues from the state
   * that it leaves.
   */
  private void stop() {
    isStopped = true;
    console.say("stopping; run the same command to continue");
    stopPhase.run();
    try {
      if (!ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
        LOG.info("the running phase did not end within {} s", STOP_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    watch.close();
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // The shutdown hook waits for this.
    }
  }
}
