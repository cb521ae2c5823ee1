package org.corpulyzer.jobs;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.util.ToolUtil;
import org.corpulyzer.corpus.JobFailedException;
import org.corpulyzer.corpus.PageCopy;
import org.corpulyzer.corpus.PageFiguresCheck;
import org.corpulyzer.corpus.PagesState;
import org.corpulyzer.corpus.PluginCheck;
import org.corpulyzer.corpus.RunCounts;
import org.corpulyzer.corpus.RunFolder;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.Languages;
import org.corpulyzer.engine.Settings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs both passes over a crawl's web table. They can be run again at any time, also after a run
 * that was killed.
 */
final class Scoring {

  private static final Logger LOG = LoggerFactory.getLogger(Scoring.class);

  private final Configuration conf;
  private final WebTable table;
  private final Map<String, Object> results;
  private final Consumer<Job> current;
  private final String target;
  private final boolean force;
  private final boolean choosesPages;

  /** Whether no run has scored the crawl yet. */
  private final boolean isFirst;

  private boolean isRefused;

  private final Map<ScoreCounter, Long> counts = new EnumMap<>(ScoreCounter.class);

  /**
   * Checks all settings and arguments, and that HBase responds, before any job starts: without
   * HBase, Nutch's own updatedb runs for minutes.
   *
   * @param conf Nutch's configuration; it is copied
   * @param args Nutch's arguments: the command line leaves the crawl's id in the configuration, the
   *     REST server sends it as one
   * @param results Nutch's job results, which get the counters
   * @param current receives the job that runs, so that Nutch can show its progress and stop it
   * @throws CorpulyzerException in one sentence
   */
  Scoring(
      Configuration conf,
      Map<String, Object> args,
      Map<String, Object> results,
      Consumer<Job> current)
      throws IOException {
    // Tasks see HBase's own settings (hbase-site.xml) as the driver does; no jar is added to the
    // job: Nutch's .job file carries
    // HBase's client and this jar in lib/, and a local run has the driver's class path.
    this.conf = HBase.configuration(conf);
    Object crawlId = args.get(Nutch.ARG_CRAWL);
    if (crawlId != null) {
      this.conf.set(Nutch.CRAWL_ID_KEY, crawlId.toString());
    }
    this.results = results;
    this.current = current;
    Settings settings = Settings.from(conf::get);
    settings.requireOneTarget("Nutch 2.4");
    settings.requireAllLinks("Nutch 2.4");
    settings.requirePagesPossible(settings.scoreSourceOfWebTable());
    choosesPages = settings.scorePolicy() == Settings.ScorePolicy.PAGES;
    if (settings.zeroesDuplicates()) {
      PageCopy.requireTextSignature(conf, TextMD5Signature.class.getName());
    }
    this.target = Languages.threeLetters(settings.target());
    PluginCheck.requirePlugin(conf);
    this.table = WebTable.existing(this.conf);
    String last = RunLog.lastTarget(this.conf);
    if (!isSet(args, LrlScoreJob.ARG_NEW_TARGET) && !isSet(args, LrlScoreJob.ARG_DRY_RUN)) {
      requireSameTarget(last);
    }
    this.force = isSet(args, Nutch.ARG_FORCE);
    this.isFirst = last == null;
  }

  /**
   * Writes the host table and the scores.
   *
   * @param batch see {@link ScoreRun}
   */
  ScoreSummary run(String batch) throws IOException, InterruptedException, ClassNotFoundException {
    return run(batch, null);
  }

  /**
   * Does the same for the hosts alone that have a row which was written since the last run, or for
   * all where that does not do.
   *
   * @param since when the job began whose writes must be found, milliseconds since 1970; the last
   *     run may have begun later
   */
  ScoreSummary runIncremental(String batch, long since)
      throws IOException, InterruptedException, ClassNotFoundException {
    return run(batch, since);
  }

  /**
   * @param since null to score every host
   */
  private ScoreSummary run(String batch, Long since)
      throws IOException, InterruptedException, ClassNotFoundException {
    HBaseHostTable.create(conf);
    isRefused = false;
    try {
      return logged(batch, since);
    } finally {
      if (isFirst && isRefused) {
        HBaseHostTable.drop(conf);
      }
    }
  }

  private ScoreSummary logged(String batch, Long since)
      throws IOException, InterruptedException, ClassNotFoundException {
    String name = table.name().getNameAsString();
    String more = "";
    try (RunFolder folder = new RunFolder(conf);
        RunLog log = new RunLog(conf)) {
      ScoreRun run = new ScoreRun(batch, System.currentTimeMillis());
      Settings settings = Settings.from(conf::get);
      // Without incremental runs there is no need for the native library on the machine that
      // submits jobs.
      String logged = since == null && !settings.isIncremental() ? null : scoreSettings(settings);
      String full =
          since == null
              ? ""
              : choosesPages ? "policy pages needs the sums of all hosts" : log.whyFull(logged);
      if (settings.zeroesDuplicates()) {
        complete(DuplicatePass.job(conf, table, log.lastCompared(), folder.path("none"), false));
        log.setCompared(run);
      }
      Path hosts = null;
      if (full == null) {
        hosts = folder.path("hosts");
        long from = Math.max(0, Math.min(since, log.lastTime()) - settings.marginMillis());
        complete(ChangePass.job(conf, table, from, hosts));
        name +=
            " (incremental, "
                + count(ScoreCounter.HOSTS_TOUCHED)
                + " hosts with rows written since "
                + Instant.ofEpochMilli(from)
                + ")";
      } else {
        log.forget();
        if (!full.isEmpty()) {
          LOG.warn("Scoring every host, because {}.", full);
          name += " (not incremental, because " + full + ")";
        }
      }
      log.setTarget(target);
      PagesState chosen = null;
      if (hosts == null || count(ScoreCounter.HOSTS_TOUCHED) > 0) {
        chosen = score(run, hosts, folder);
      }
      if (hosts == null) {
        RunCounts present = new RunCounts(Instant.ofEpochMilli(run.time()), target, counts);
        more = present.since(log.lastCounts());
        log.setCounts(present);
      }
      if (chosen != null) {
        log.setPages(chosen);
        more += (more.isEmpty() ? "" : "; ") + chosen.summary();
      }
      if (logged != null) {
        log.end(run, logged);
      }
    }
    return new ScoreSummary(name, target, false, counts, more);
  }

  private static boolean isSet(Map<String, Object> args, String key) {
    return Boolean.parseBoolean(String.valueOf(args.get(key)));
  }

  /** Scores of two languages in one table would send the crawl from one to the other and back. */
  private void requireSameTarget(String last) {
    if (last != null && !last.equals(target) && Languages.isKnown(target)) {
      throw new CorpulyzerException(
          "The hosts of "
              + table.name().getNameAsString()
              + " are scored for the language "
              + last
              + ", but "
              + Settings.LANGUAGE_TARGET
              + " is "
              + target
              + ": set it to "
              + last
              + ", or run \"bin/nutch "
              + LrlScoreJob.class.getName()
              + crawlOption()
              + " -newTarget\" once to score every host for "
              + target
              + ".");
    }
  }

  /**
   * Scores hosts and rows.
   *
   * @return what the next choice of pages needs; null under other policies than pages
   */
  private PagesState score(ScoreRun run, Path hosts, RunFolder folder)
      throws IOException, InterruptedException, ClassNotFoundException {
    Path changed = folder.path("changed");
    complete(HostPass.job(conf, table, run, hosts, changed, false));
    if (hosts == null && !force) {
      requireFigures();
    }
    Path choice = choice(changed, folder);
    if (count(ScoreCounter.HOSTS_CHANGED) > 0) {
      complete(RowPass.job(conf, table, changed, count(ScoreCounter.ROWS_UNSCORED) > 0, choice));
    }
    return choice == null ? null : PagesState.read(choice, conf);
  }

  /**
   * Chooses the rows of the next generate.
   *
   * @param hosts the records of all hosts
   * @return null under other policies than pages
   */
  private Path choice(Path hosts, RunFolder folder)
      throws IOException, InterruptedException, ClassNotFoundException {
    if (!choosesPages) {
      return null;
    }
    Path last = folder.path("last");
    RunLog.pages(conf).write(last, conf);
    Path choice = folder.path("choice");
    complete(PagesPass.job(conf, table, hosts, last, choice));
    return choice;
  }

  /**
   * The first run of a crawl made the host table, so that it goes again if the crawl is one that
   * began without the plugin.
   */
  private void requireFigures() {
    isRefused = true;
    PageFiguresCheck.require(
        "crawl " + table.name().getNameAsString(),
        count(ScoreCounter.FETCHED),
        count(ScoreCounter.UNREAD),
        ReparseJob.class.getName() + crawlOption());
    isRefused = false;
  }

  private String crawlOption() {
    String crawlId = conf.get(Nutch.CRAWL_ID_KEY, "");
    return crawlId.isEmpty() ? "" : " -crawlId " + crawlId;
  }

  /**
   * Returns everything on which a score depends in addition to the rows: all settings of the
   * engine.
   */
  private static String scoreSettings(Settings settings) {
    Engine engine = Engine.of(settings);
    return engine.target() + ' ' + engine.recordVersion() + ' ' + settings.toJson();
  }

  private long count(ScoreCounter counter) {
    return counts.getOrDefault(counter, 0L);
  }

  /**
   * Computes the changes that {@link #run} would write. It writes only files that are deleted when
   * it returns. If duplicates count as 0 bytes, their changes are counted, but the scores are those
   * of the marks that the last run wrote.
   *
   * @param out gets a line for each host and region with rows that would change
   */
  ScoreSummary dryRun(PrintStream out)
      throws IOException, InterruptedException, ClassNotFoundException {
    try (RunFolder folder = new RunFolder(conf)) {
      Path changed = folder.path("changed");
      if (Settings.from(conf::get).zeroesDuplicates()) {
        complete(DuplicatePass.job(conf, table, 0, folder.path("none"), true));
      }
      complete(
          HostPass.job(
              conf, table, new ScoreRun("-", System.currentTimeMillis()), null, changed, true));
      Path choice = choice(changed, folder);
      if (count(ScoreCounter.HOSTS_CHANGED) > 0) {
        Path changes = folder.path("changes");
        boolean unscored = count(ScoreCounter.ROWS_UNSCORED) > 0;
        complete(RowPass.dryJob(conf, table, changed, unscored, choice, changes));
        folder.print(changes, out);
      }
    }
    return new ScoreSummary(table.name().getNameAsString(), target, true, counts, "");
  }

  private void complete(Job job) throws IOException, InterruptedException, ClassNotFoundException {
    current.accept(job);
    LOG.info("{}: starting", job.getJobName());
    try {
      JobFailedException.runOrThrow(job, true);
    } finally {
      ToolUtil.recordJobStatus(null, job, results);
    }
    for (ScoreCounter counter : ScoreCounter.values()) {
      counts.merge(counter, job.getCounters().findCounter(counter).getValue(), Long::sum);
    }
  }
}
