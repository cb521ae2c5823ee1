package org.corpulyzer.embedded;

import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.nutch.crawl.DbUpdaterJob;
import org.apache.nutch.crawl.GeneratorJob;
import org.apache.nutch.crawl.InjectorJob;
import org.apache.nutch.fetcher.FetcherJob;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.net.URLFilterException;
import org.apache.nutch.net.URLFilters;
import org.apache.nutch.net.URLNormalizers;
import org.apache.nutch.parse.ParserJob;
import org.apache.nutch.util.NutchTool;
import org.apache.nutch.util.TableUtil;
import org.apache.nutch.util.ToolUtil;
import org.corpulyzer.corpus.ReportCounter;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.jobs.CorpusReportJob;
import org.corpulyzer.jobs.LrlDbUpdaterJob;
import org.corpulyzer.jobs.LrlScoreJob;

/**
 * One crawl from its seeds to its corpus: round after round of Nutch's jobs, each phase flushed to disk and noted before the next
 * begins, so that a crawl that was killed goes on where it was.
 */
final class CrawlRun implements AutoCloseable {
  /** Told after each phase; the sample reads the server's log then. */
  interface Listener {
    void completed(int round, Phase phase) throws CrawlException;
  }

  private static final long STOP_SECONDS = 60;
  private static final Function<Counters, String> READ =
      counters -> counters.findCounter("org.apache.hadoop.mapreduce.TaskCounter", "MAP_INPUT_RECORDS").getValue() + " rows";

  private final CrawlOptions options;
  private final DataFolder data;
  private final Console console;
  private final Listener listener;
  private final LocalHBase hbase;
  private final Configuration conf;
  private final JobRunner jobs;
  private final WebTable table;
  private final CrawlState state;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop, "stop");

  private CrawlRun(CrawlOptions options, DataFolder data, Console console, Listener listener, LocalHBase hbase, Configuration conf,
      CrawlState state) {
    this.options = options;
    this.data = data;
    this.console = console;
    this.listener = listener;
    this.hbase = hbase;
    this.conf = conf;
    this.state = state;
    jobs = new JobRunner(conf, hbase, console);
    table = new WebTable(hbase.connection());
  }

  /**
   * Crawls until the rounds are done, the pages are enough or nothing is left to fetch.
   *
   * @return what each round brought, over all runs on this data
   */
  static List<RoundYield> run(CrawlOptions options, Console console, DataFolder data, Listener listener) throws CrawlException {
    Path plugins = Home.plugins();
    List<String> seeds = SeedList.read(options.seeds);
    try {
      LocalFiles.deleteTree(data.temporary());
      Files.createDirectories(data.temporary());
      Configuration conf = CrawlConfiguration.create(options, plugins, data.temporary());
      CrawlState state = CrawlState.load(data.state());
      RecordFacts records = new RecordFacts(options);
      boolean same = records.isSame(state);
      if (!options.reparse) {
        records.requireSame(state);
      }
      if (!state.isOfACrawl()) {
        state.setFacts(records.asMap());
      }
      keepFact(state, "language", options.language);
      keepFact(state, "scoring", options.scoring.name());
      if (options.reparse && (state.reparse() == null || !same)) {
        state.beginReparse("reparse-" + System.currentTimeMillis(), records.asMap());
      }
      long began = System.nanoTime();
      LocalHBase hbase = LocalHBase.start(data.tables(), data.coordination(), 0);
      hbase.configure(conf);
      console.say(String.format(Locale.ROOT, "HBase is ready (%.1f s)", seconds(began)));
      try (CrawlRun run = new CrawlRun(options, data, console, listener, hbase, conf, state)) {
        run.keep(records);
        return run.crawl(seeds);
      }
    } catch (IOException e) {
      throw CrawlException.failed("the crawl on " + options.data + " cannot go on (" + e + "); see the log folder, then run the same "
          + "command again", e);
    }
  }

  /** A crawl's table is about one language and one order; another one needs another table. */
  private static void keepFact(CrawlState state, String name, String value) throws CrawlException, IOException {
    String kept = state.fact(name);
    if (kept == null) {
      state.setFact(name, value);
    } else if (!kept.equals(value)) {
      throw CrawlException.usage("--" + name + " is " + value + ", but the crawl in this --data folder was begun with " + kept
          + "; name another folder, or " + kept);
    }
  }

  /** Notes what records are made with. Of a folder that does not say it the records themselves are asked. */
  private void keep(RecordFacts records) throws CrawlException, IOException {
    String version = state.fact(RecordFacts.VERSION) == null ? table.recordVersion() : null;
    if (version != null) {
      state.setFact(RecordFacts.VERSION, version);
      records.requireSame(state);
    }
    state.setFacts(records.asMap());
  }

  private List<RoundYield> crawl(List<String> seeds) throws CrawlException, IOException {
    Runtime.getRuntime().addShutdownHook(hook);
    if (state.reparse() != null) {
      reparse();
    }
    if (!options.reparse) {
      rounds(seeds);
    }
    if (!options.noReport) {
      report();
    }
    return state.yields();
  }

  /**
   * Makes every record anew from what is stored, then all that follows from records: scores, corpus, yields. A page that was fetched again
   * since counts in the last round that fetched it.
   */
  private void reparse() throws CrawlException, IOException {
    long began = System.nanoTime();
    data.requireSpace();
    long stored = state.yields().stream().mapToLong(yield -> yield.fetched).sum();
    console.say("parsing about " + stored + " stored pages again");
    console.at("reparse");
    Counters counters = jobs.run(new ReparseJob(), ToolUtil.toArgMap(ReparseJob.ARG_ID, state.reparse()),
        running -> running.findCounter(ReparseJob.Count.PARSED).getValue() + " of about " + stored + " pages");
    hbase.flush();
    long parsed = counters.findCounter(ReparseJob.Count.PARSED).getValue();
    console.say(String.format(Locale.ROOT, "  %-8s  %-58s %6.1f s", "reparse", String.format(Locale.ROOT, "%d pages, %d failed, %.1f pages/s",
        parsed, counters.findCounter(ReparseJob.Count.FAILED).getValue(), parsed / seconds(began)), seconds(began)));
    if (isScoredByJob()) {
      began = System.nanoTime();
      LrlScoreJob job = new LrlScoreJob();
      jobs.run(job, ToolUtil.toArgMap(), READ);
      hbase.flush();
      console.say(String.format(Locale.ROOT, "  %-8s  %-58s %6.1f s", "score", told(job.summary()), seconds(began)));
    }
    began = System.nanoTime();
    CorpusWriter.Summary summary = writeCorpus();
    state.yields().forEach(yield -> state.addYield(summary.yield(yield.round)));
    state.endReparse();
    console.table(RoundYield.table(state.yields()));
    console.say(String.format(Locale.ROOT, "  %-8s  %-58s %6.1f s", "corpus", told(summary), seconds(began)));
  }

  private void rounds(List<String> seeds) throws CrawlException, IOException {
    inject(seeds);
    boolean done = state.round() > options.rounds;
    if (done || isEnough()) {
      // The corpus's own options may differ from the last run's.
      CorpusWriter.Summary summary = writeCorpus();
      state.save();
      if (done) {
        console.say("the " + options.rounds + " rounds are done, the corpus has " + summary.documents() + " documents; ask for more with --rounds");
      }
    }
    while (state.round() <= options.rounds && !isEnough()) {
      if (!round()) {
        return;
      }
    }
    if (isEnough()) {
      console.say("the corpus has " + state.corpusBytes() + " bytes of " + options.language + ", and --target-bytes asks for " + options.targetBytes);
    }
  }

  /** Asked between rounds: one that was begun is brought to its end. */
  private boolean isEnough() {
    return state.next() == Phase.GENERATE && state.corpusBytes() >= options.targetBytes;
  }

  private CorpusWriter.Summary writeCorpus() throws CrawlException {
    CorpusWriter.Summary summary = new CorpusWriter(options, conf, hbase.connection(), console).write();
    state.setCorpusBytes(summary.languageBytes());
    return summary;
  }

  /** Writes what is in the table, pages that were rejected included, to a folder beside the corpus. An old report stays until then. */
  private void report() throws CrawlException, IOException {
    long began = System.nanoTime();
    console.at("report");
    Path next = options.out.resolve(".report.next");
    Path old = options.out.resolve(".report.old");
    LocalFiles.deleteTree(next);
    Counters counters = jobs.run(new CorpusReportJob(),
        ToolUtil.toArgMap(CorpusReportJob.ARG_OUT, next.toUri().toString(), CorpusReportJob.ARG_NAME, "crawl of " + (state.yields().size() == 1 ? "1 round" : state.yields().size() + " rounds")),
        READ);
    Path report = options.out.resolve("report");
    // A run that was killed between the two moves left the old report here; it goes when there is a new one.
    LocalFiles.deleteTree(old);
    if (Files.exists(report)) {
      Files.move(report, old);
    }
    Files.move(next, report);
    LocalFiles.deleteTree(old);
    console.say(String.format(Locale.ROOT, "  %-8s  %-58s %6.1f s", "report",
        counters.findCounter(ReportCounter.PAGES).getValue() + " pages; report/report.html beside the corpus", seconds(began)));
  }

  /** @return whether there may be another round */
  private boolean round() throws CrawlException, IOException {
    int round = state.round();
    if (state.next() == Phase.GENERATE) {
      console.say("round " + round + " of " + options.rounds);
    } else {
      console.say("round " + round + " of " + options.rounds + ", going on with " + state.next().label());
    }
    while (state.round() == round) {
      Phase phase = state.next();
      data.requireSpace();
      long began = System.nanoTime();
      boolean again = state.isBegun();
      state.begin(phase);
      console.at("round " + round + " of " + options.rounds + ", " + phase.label());
      String told = run(phase, again);
      if (told == null) {
        return false;
      }
      hbase.flush();
      state.complete(phase);
      console.table(RoundYield.table(state.yields()));
      console.say(String.format(Locale.ROOT, "  %-8s  %-58s %6.1f s", phase.label(), told, seconds(began)));
      listener.completed(round, phase);
    }
    String poverty = RoundYield.poverty(state.yields());
    if (poverty != null) {
      console.say("  " + poverty);
    }
    return true;
  }

  /** @return what to tell about the phase; null when nothing is left to fetch */
  private String run(Phase phase, boolean again) throws CrawlException, IOException {
    switch (phase) {
      case GENERATE:
        return generate(again);
      case FETCH:
        return fetch();
      case PARSE:
        return parse();
      case UPDATE:
        return update(again);
      default:
        return corpus();
    }
  }

  /** Only addresses that have no row: Nutch's injector resets score, fetch time and marks of a row that is there. */
  private void inject(List<String> seeds) throws CrawlException, IOException {
    Map<String, String> byKey = new LinkedHashMap<>();
    Configuration copy = new Configuration(conf);
    URLNormalizers normalizers = new URLNormalizers(copy, URLNormalizers.SCOPE_INJECT);
    URLFilters filters = new URLFilters(copy);
    for (String seed : seeds) {
      try {
        String url = filters.filter(normalizers.normalize(seed, URLNormalizers.SCOPE_INJECT));
        if (url != null) {
          byKey.put(TableUtil.reverseUrl(url), url);
        }
      } catch (MalformedURLException | URLFilterException e) {
        console.say("  seed left out: " + e.getMessage());
      }
    }
    if (byKey.isEmpty()) {
      throw CrawlException.usage("none of the addresses in " + options.seeds + " may be crawled; look at --allow and --deny");
    }
    List<String> missing = table.missing(new ArrayList<>(byKey.keySet()));
    if (missing.isEmpty()) {
      return;
    }
    Path folder = Files.createDirectories(data.temporary().resolve("seeds"));
    List<String> urls = new ArrayList<>();
    for (String key : missing) {
      urls.add(byKey.get(key));
    }
    Files.write(folder.resolve("seeds.txt"), urls, StandardCharsets.UTF_8);
    long began = System.nanoTime();
    Counters counters = jobs.run(new InjectorJob(), ToolUtil.toArgMap(Nutch.ARG_SEEDDIR, folder.toUri().toString()),
        soFar("injector", "urls_injected", "seeds"));
    hbase.flush();
    console.say(String.format(Locale.ROOT, "  %-8s  %-58s %6.1f s", "inject",
        count(counters, "injector", "urls_injected") + " of " + seeds.size() + " seeds are new", seconds(began)));
  }

  private String generate(boolean again) throws CrawlException, IOException {
    if (again && state.batch() != null) {
      table.abandon(state.batch());
    }
    long fetched = state.yields().stream().mapToLong(yield -> yield.fetched).sum();
    long top = Math.min(options.top, options.maxPages - fetched);
    if (top <= 0) {
      console.say("the " + options.maxPages + " pages of --max-pages are fetched");
      return null;
    }
    // The round is read from the batch again when the corpus is written.
    state.setBatch(Batch.id(state.round(), System.currentTimeMillis()));
    state.begin(Phase.GENERATE);
    Counters counters = jobs.run(new GeneratorJob(), ToolUtil.toArgMap(Nutch.ARG_BATCH, state.batch(), Nutch.ARG_TOPN, top,
        Nutch.ARG_CURTIME, System.currentTimeMillis(), Nutch.ARG_FILTER, true, Nutch.ARG_NORMALIZE, true, Nutch.ARG_SITEMAP, false),
        soFar("Generator", "GENERATE_MARK", "addresses"));
    long marked = count(counters, "Generator", "GENERATE_MARK");
    if (marked == 0) {
      console.say("nothing is left to fetch");
      return null;
    }
    return marked + " addresses";
  }

  private String fetch() throws CrawlException {
    long began = System.nanoTime();
    Counters counters = jobs.run(new FetcherJob(), ToolUtil.toArgMap(Nutch.ARG_BATCH, state.batch(), Nutch.ARG_THREADS, options.threads,
        Nutch.ARG_RESUME, true, Nutch.ARG_NUMTASKS, 1, Nutch.ARG_SITEMAP_DETECT, false, Nutch.ARG_SITEMAP, false),
        soFar("FetcherStatus", "SUCCESS", "pages"));
    long fetched = count(counters, "FetcherStatus", "SUCCESS");
    return String.format(Locale.ROOT, "%d pages, %.1f pages/s%s", fetched, fetched / seconds(began), otherAnswers(counters));
  }

  /** What servers answered instead of pages, most frequent first, such as {@code ; 4 notfound, 3 moved}. */
  private static String otherAnswers(Counters counters) {
    List<Counter> others = new ArrayList<>();
    for (Counter counter : counters.getGroup("FetcherStatus")) {
      if (!counter.getName().equals("SUCCESS") && !counter.getName().startsWith("HitByTimeLimit")) {
        others.add(counter);
      }
    }
    others.sort(Comparator.comparingLong(Counter::getValue).reversed());
    return others.stream().map(counter -> counter.getValue() + " " + counter.getName().toLowerCase(Locale.ROOT).replace('_', ' '))
        .collect(Collectors.collectingAndThen(Collectors.joining(", "), list -> list.isEmpty() ? "" : "; " + list));
  }

  private String parse() throws CrawlException {
    long began = System.nanoTime();
    Counters counters = jobs.run(new ParserJob(), ToolUtil.toArgMap(Nutch.ARG_BATCH, state.batch(), Nutch.ARG_RESUME, true,
        Nutch.ARG_FORCE, false, Nutch.ARG_SITEMAP, false), soFar("ParserStatus", "success", "pages"));
    long parsed = count(counters, "ParserStatus", "success");
    return String.format(Locale.ROOT, "%d pages, %d failed, %.1f pages/s", parsed, count(counters, "ParserStatus", "failed"),
        parsed / seconds(began));
  }

  private String update(boolean again) throws CrawlException, IOException {
    if (again) {
      table.restore(state.batch());
    }
    if (!isScoredByJob()) {
      jobs.run(new DbUpdaterJob(), ToolUtil.toArgMap(Nutch.ARG_BATCH, state.batch()), READ);
      return "links added";
    }
    LrlDbUpdaterJob job = new LrlDbUpdaterJob();
    jobs.run(job, ToolUtil.toArgMap(Nutch.ARG_BATCH, state.batch()), READ);
    return told(job.summary());
  }

  private boolean isScoredByJob() {
    return options.mode == CrawlOptions.Mode.J && options.scoring == CrawlOptions.Scoring.lrl;
  }

  private static String told(ScoreSummary summary) {
    return summary.get(ScoreCounter.PAGES) + " rows, " + summary.get(ScoreCounter.HOSTS_SCORED) + " hosts, "
        + summary.get(ScoreCounter.ROWS_WRITTEN) + " scores changed";
  }

  private String corpus() throws CrawlException, IOException {
    CorpusWriter.Summary summary = writeCorpus();
    state.addYield(summary.yield(state.round()));
    return told(summary);
  }

  private static String told(CorpusWriter.Summary summary) {
    return String.format(Locale.ROOT, "%d documents, %.1f MB of the language, file of %.1f MB", summary.documents(),
        summary.languageBytes() / 1e6, summary.bytes() / 1e6);
  }

  private static Function<Counters, String> soFar(String group, String counter, String what) {
    return counters -> count(counters, group, counter) + " " + what;
  }

  private static long count(Counters counters, String group, String name) {
    return counters.findCounter(group, name).getValue();
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  /** On Ctrl-C: ends the running job, then waits until the main thread has closed HBase. */
  private void stop() {
    console.say("stopping; the same command goes on from here");
    jobs.stop();
    try {
      if (!ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
        console.say("HBase did not stop within " + STOP_SECONDS + " s; nothing is lost but the running phase");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      jobs.close();
      hbase.close();
    } finally {
      ended.countDown();
      removeHook();
    }
  }

  private void removeHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // The hook is what closes.
    }
  }
}
