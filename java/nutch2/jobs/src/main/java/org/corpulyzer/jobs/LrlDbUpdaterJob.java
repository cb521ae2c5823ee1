package org.corpulyzer.jobs;

import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.nutch.crawl.DbUpdaterJob;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.corpus.JobFailedException;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.corpus.Tools;
import org.corpulyzer.engine.Settings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nutch's {@code updatedb}, with its arguments, followed by the score passes: every row of the
 * crawl gets the mean number of target-language bytes that its host's fetched pages have.
 */
public class LrlDbUpdaterJob extends DbUpdaterJob {

  private static final Logger LOG = LoggerFactory.getLogger(LrlDbUpdaterJob.class);

  private static final String FORCE = "-force";

  private ScoreSummary summary;
  private boolean isForced;

  @Override
  public Map<String, Object> run(Map<String, Object> args) throws Exception {
    if (isForced) {
      args.put(Nutch.ARG_FORCE, true);
    }
    Scoring scoring = new Scoring(getConf(), args, results, this::next);
    Settings settings = Settings.from(getConf()::get);
    boolean incremental = settings.isIncremental();
    long start = System.currentTimeMillis();
    updateDb(args);
    numJobs =
        (incremental ? 4 : 3)
            + (settings.zeroesDuplicates() ? 1 : 0)
            + (settings.scorePolicy() == Settings.ScorePolicy.PAGES ? 1 : 0);
    Object arg = args.get(Nutch.ARG_BATCH);
    String batch = arg == null ? Nutch.ALL_BATCH_ID_STR : arg.toString();
    summary = incremental ? scoring.runIncremental(batch, start) : scoring.run(batch);
    LOG.info("{}", summary);
    return results;
  }

  @Override
  public int run(String[] args) throws Exception {
    if (args.length > 0 && args[args.length - 1].equals("-crawlId")) {
      throw new IllegalArgumentException("-crawlId has no id behind it.");
    }
    isForced = Arrays.asList(args).contains(FORCE);
    int code =
        super.run(Arrays.stream(args).filter(arg -> !arg.equals(FORCE)).toArray(String[]::new));
    if (code == 0) {
      System.out.println("LrlDbUpdaterJob: " + summary);
    }
    return code;
  }

  /**
   * @return the counts of the last run, or null before it succeeded
   */
  public ScoreSummary summary() {
    return summary;
  }

  private void next(Job job) {
    currentJob = job;
    currentJobNum++;
  }

  /**
   * Stock updatedb, while the scoring filter leaves scores as they are stored: the passes replace
   * every one. Its store is a strict one, unless the operator has one of his own.
   */
  private void updateDb(Map<String, Object> args) throws Exception {
    Configuration conf = getConf();
    Configuration stored = new Configuration(conf);
    stored.set(Settings.SCORE_SOURCE, "stored");
    StrictHBaseStore.replaceLenientIn(stored);
    setConf(stored);
    try {
      super.run(args);
    } catch (RuntimeException e) {
      // Nutch's message has the job's name alone.
      if (currentJob != null
          && e.getMessage() != null
          && e.getMessage().startsWith("job failed: ")) {
        throw new JobFailedException(currentJob);
      }
      throw e;
    } finally {
      setConf(conf);
    }
    // With fail.on.job.failure=false Nutch goes on after a job that failed.
    if (!currentJob.isSuccessful()) {
      throw new JobFailedException(currentJob);
    }
  }

  /**
   * {@code (<batchId> | -all) [-crawlId <id>] [-force]}; with {@code -force} hosts are scored
   * though fewer than half of the fetched pages have figures.
   */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new LrlDbUpdaterJob(), args);
  }
}
