package org.corpulyzer.jobs;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.nutch.crawl.CrawlDb;
import org.corpulyzer.corpus.JobFailedException;
import org.corpulyzer.corpus.PageFiguresCheck;
import org.corpulyzer.corpus.PagesState;
import org.corpulyzer.corpus.RunCounts;
import org.corpulyzer.corpus.RunFolder;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.LanguageBytes;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.Steering;
import org.corpulyzer.engine.Targets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs both passes over a CrawlDb, after {@link DuplicatePass} if duplicates count as 0 bytes.
 * CrawlDb is replaced last, by Nutch's own install, so a run that is killed leaves it as it was;
 * the next run deletes what the killed one left, when its lock is gone.
 */
final class Scoring {

  private static final Logger LOG = LoggerFactory.getLogger(Scoring.class);

  private final Configuration conf;
  private final CrawlDbFolder crawlDb;
  private final Engine engine;
  private final Targets targets;
  private final Consumer<Job> current;
  private final boolean zeroesDuplicates;

  /** Whether policy pages chooses the rows of the next generate. */
  private final boolean choosesPages;

  /** Null if there was none. */
  private final HostTable.Run lastRun;

  private final Map<ScoreCounter, Long> counts = new EnumMap<>(ScoreCounter.class);
  private String since = "";

  /**
   * Checks everything that an operator can get wrong, before any job starts.
   *
   * @param conf Nutch's configuration
   * @param crawlDb the folder of the CrawlDb
   * @param current is passed each job before it runs
   * @throws CorpulyzerException in one sentence
   */
  Scoring(Configuration conf, CrawlDbFolder crawlDb, Consumer<Job> current) throws IOException {
    this.conf = conf;
    this.crawlDb = crawlDb;
    this.current = current;
    Settings settings = Settings.from(conf::get);
    engine = Engine.of(settings);
    NutchSetup.check(conf, settings);
    zeroesDuplicates = settings.zeroesDuplicates();
    choosesPages =
        settings.scorePolicy() == Settings.ScorePolicy.PAGES
            && !conf.getBoolean(Steering.CHOOSES, false);
    lastRun = HostTable.Run.read(crawlDb.hosts(), conf);
    if (lastRun != null
        && !lastRun.language().equals(engine.target())
        && !settings.isLanguageChangeAllowed()) {
      throw new CorpulyzerException(
          "The CrawlDb "
              + crawlDb.path()
              + " was scored for "
              + lastRun.language()
              + " and "
              + Settings.LANGUAGE_TARGET
              + " is now "
              + engine.target()
              + ": set it back, or pass -D"
              + Settings.SCORE_CHANGE_LANGUAGE
              + "=true to score every host for "
              + engine.target()
              + ".");
    }
    targets = weighted(settings);
  }

  /** The target languages, weighted by what the crawl has of each after its last round. */
  private Targets weighted(Settings settings) throws IOException {
    Targets equal = engine.targets();
    if (!equal.areSeveral() || settings.targetBytes() == 0) {
      return equal;
    }
    String configured = conf.get(RowScores.CORPUS_BYTES);
    Map<String, Long> bytes =
        configured == null
            ? HostTable.bytesByLanguage(crawlDb.hosts(), conf)
            : LanguageBytes.parse(configured);
    return equal.byQuota(code -> bytes.getOrDefault(code, 0L), settings.targetBytes());
  }

  /**
   * Writes the host table, and also CrawlDb if the score of a row changes.
   *
   * @param force whether a lock that exists is taken over, and hosts are scored though most pages
   *     have no figures
   * @throws CorpulyzerException if fewer than half of the fetched pages have figures
   */
  ScoreSummary run(boolean force) throws IOException, InterruptedException, ClassNotFoundException {
    crawlDb.requireUnlocked(force);
    crawlDb.restore();
    crawlDb.requireExisting();
    Instant start = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    crawlDb.lock(force);
    boolean locked = true;
    Path run = crawlDb.newRun();
    try {
      crawlDb.deleteStale();
      Path hosts = new Path(run, "hosts");
      Path marks = marks(run);
      complete(HostPass.job(conf, engine, targets, crawlDb.current(), marks, hosts));
      if (!force) {
        PageFiguresCheck.require(
            "CrawlDb " + crawlDb.path(),
            count(ScoreCounter.FETCHED),
            count(ScoreCounter.UNREAD),
            ReparseJob.class.getName() + " " + crawlDb.path() + " -dir <segments>");
      }
      RunCounts present = new RunCounts(start, engine.target(), counts);
      since = present.since(lastRun == null ? null : lastRun.counts());
      HostTable.Run.write(hosts, conf, engine, targets, start, present);
      Path choice = choice(run, marks, hosts);
      if (choice != null) {
        PagesState.read(choice, conf).write(hosts, conf);
      }
      if (choice == null && marks == null && count(ScoreCounter.HOSTS_CHANGED) == 0) {
        counts.put(ScoreCounter.ROWS_UNCHANGED, count(ScoreCounter.PAGES));
        crawlDb.installHosts(hosts);
      } else {
        Path rows = new Path(run, CrawlDb.CURRENT_NAME);
        Job job = RowPass.job(conf, crawlDb.current(), marks, hosts, choice, rows);
        complete(job);
        crawlDb.requireSameParts(rows);
        crawlDb.installHosts(hosts);
        // Nutch's install gives the lock back. If it fails, the lock stays: then CrawlDb needs to
        // be looked at.
        locked = false;
        CrawlDb.install(job, crawlDb.path());
      }
    } finally {
      crawlDb.delete(run);
      if (locked) {
        crawlDb.unlock();
      }
    }
    return summary(false);
  }

  /**
   * Computes the changes that {@link #run} would write. It writes only files that are deleted when
   * it returns.
   *
   * @param out gets a line for each part and host with rows that would change
   */
  ScoreSummary dryRun(PrintStream out)
      throws IOException, InterruptedException, ClassNotFoundException {
    crawlDb.requireExisting();
    try (RunFolder folder = new RunFolder(conf)) {
      Path hosts = folder.path("hosts");
      Path marks = marks(hosts.getParent());
      complete(HostPass.job(conf, engine, targets, crawlDb.current(), marks, hosts));
      Path choice = choice(hosts.getParent(), marks, hosts);
      if (choice == null && count(ScoreCounter.HOSTS_CHANGED) == 0) {
        counts.put(ScoreCounter.ROWS_UNCHANGED, count(ScoreCounter.PAGES));
      } else {
        Path changes = folder.path("changes");
        complete(RowPass.dryJob(conf, crawlDb.current(), marks, hosts, choice, changes));
        folder.print(changes, out);
      }
    }
    return summary(true);
  }

  /**
   * Chooses the rows of the next generate.
   *
   * @param run a folder for the files of this run
   * @return null under other policies than pages
   */
  private Path choice(Path run, Path marks, Path hosts)
      throws IOException, InterruptedException, ClassNotFoundException {
    if (!choosesPages) {
      return null;
    }
    Path choice = new Path(run, "choice");
    Path last = crawlDb.hosts();
    complete(PagesPass.job(conf, targets, crawlDb.current(), marks, hosts, last, choice));
    since += (since.isEmpty() ? "" : "; ") + PagesState.read(choice, conf).summary();
    return choice;
  }

  /**
   * Compares the fetched pages, if duplicates count as 0 bytes.
   *
   * @param run a folder for the files of this run
   * @return the statuses that change; null if none does
   */
  private Path marks(Path run) throws IOException, InterruptedException, ClassNotFoundException {
    Path changes = new Path(run, "changes-of-duplicates");
    return zeroesDuplicates
        ? marks(
            DuplicatePass.job(conf, crawlDb.current(), lastRun, changes),
            changes,
            new Path(run, "duplicates"))
        : null;
  }

  private Path marks(Job job, Path changes, Path marks)
      throws IOException, InterruptedException, ClassNotFoundException {
    complete(job);
    if (count(ScoreCounter.DUPLICATES_CHANGED) == 0) {
      return null;
    }
    complete(DuplicatePass.sortJob(conf, changes, marks));
    return marks;
  }

  /**
   * Compares pages of a caller that reads the rows itself.
   *
   * @param copies a sequence file of {@link DuplicatePass.Copies}
   * @param run a folder for the files of this run
   * @return the statuses that change; null if none does
   */
  Path marksOfCopies(Path copies, Path run)
      throws IOException, InterruptedException, ClassNotFoundException {
    Path changes = new Path(run, "changes-of-duplicates");
    return marks(
        DuplicatePass.jobOfCopies(conf, copies, changes), changes, new Path(run, "duplicates"));
  }

  /**
   * @return whether duplicates count as 0 bytes
   */
  boolean zeroesDuplicates() {
    return zeroesDuplicates;
  }

  /**
   * @return start of the last run of the passes, in milliseconds since 1970; 0 if there was none
   */
  long lastRun() {
    return DuplicatePass.lastRun(lastRun);
  }

  /**
   * @return the target languages with their weights
   */
  Targets targets() {
    return targets;
  }

  /**
   * @return record version of the engine
   */
  String version() {
    return engine.recordVersion();
  }

  /** Makes the host table of {@link HostPass.Runs}. */
  void scoreHosts(Path runs, Path hosts, Instant start)
      throws IOException, InterruptedException, ClassNotFoundException {
    count(
        LocalReduce.run(
            HostPass.jobOfRuns(conf, engine, targets, hosts),
            new Path[] {runs},
            new Path(runs.getParent(), "sorting")));
    // Pages are counted by the caller.
    HostTable.Run.write(hosts, conf, engine, targets, start, null);
  }

  /**
   * @return the counts of the jobs and of passes that were no jobs
   */
  ScoreSummary summary(ScoreCounter.Tally passes) {
    passes.forEach((counter, count) -> counts.merge(counter, count, Long::sum));
    return summary(false);
  }

  private ScoreSummary summary(boolean dryRun) {
    long fetched = count(ScoreCounter.FETCHED);
    long unread = count(ScoreCounter.UNREAD);
    if (unread > 0 && unread >= fetched / 2) {
      String warning =
          unread
              + " of "
              + fetched
              + " fetched pages have no figures ("
              + PageKeys.LANGUAGES
              + ") and are in no mean: they were parsed without the plugin, or while "
              + NutchSetup.PARSE_META_TO_CRAWLDB
              + " lacked "
              + PageKeys.LANGUAGES
              + ".";
      LOG.warn("{}", warning);
      System.err.println("Warning: " + warning);
    }
    ScoreSummary summary =
        new ScoreSummary(crawlDb.path().toString(), targets.toString(), dryRun, counts, since);
    LOG.info("{}", summary);
    return summary;
  }

  private long count(ScoreCounter counter) {
    return counts.getOrDefault(counter, 0L);
  }

  private void complete(Job job) throws IOException, InterruptedException, ClassNotFoundException {
    current.accept(job);
    LOG.info("{}: starting", job.getJobName());
    JobFailedException.runOrThrow(job, true);
    count(job.getCounters());
  }

  private void count(Counters counters) {
    for (ScoreCounter counter : ScoreCounter.values()) {
      counts.merge(counter, counters.findCounter(counter).getValue(), Long::sum);
    }
  }
}
