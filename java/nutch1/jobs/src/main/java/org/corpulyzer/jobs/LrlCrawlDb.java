package org.corpulyzer.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.corpus.Tools;

/**
 * Nutch's {@code updatedb}, with its arguments, followed by the score passes: every row of CrawlDb
 * gets the mean number of target-language bytes of its host's fetched pages. Nutch's REST service
 * can run it as well.
 */
public class LrlCrawlDb extends CrawlDb {

  private ScoreSummary summary;
  private Exception failure;
  private boolean isCommand;

  /** For Nutch's tool runner, which then sets the configuration. */
  public LrlCrawlDb() {}

  /**
   * @param conf Nutch's configuration
   */
  public LrlCrawlDb(Configuration conf) {
    super(conf);
  }

  /**
   * Both ways to run the tool end here. A setting that is wrong fails before Nutch updates
   * anything.
   */
  @Override
  public void update(
      Path crawlDb,
      Path[] segments,
      boolean normalize,
      boolean filter,
      boolean additionsAllowed,
      boolean force)
      throws IOException, InterruptedException, ClassNotFoundException {
    summary = null;
    failure = null;
    numJobs = 3;
    try {
      CrawlDbFolder folder = new CrawlDbFolder(crawlDb, getConf());
      Scoring scoring = new Scoring(getConf(), folder, this::next);
      folder.requireUnlocked(force);
      folder.restore();
      super.update(crawlDb, segments, normalize, filter, additionsAllowed, force);
      summary = scoring.run(force);
    } catch (IOException | InterruptedException | ClassNotFoundException | RuntimeException e) {
      failure = e;
      // As a command CrawlDb would log the stack trace and hide the exception behind an exit code.
      if (!isCommand) {
        throw e;
      }
    }
  }

  @Override
  public int run(String[] args) throws Exception {
    isCommand = true;
    int code;
    try {
      code = super.run(args);
    } finally {
      isCommand = false;
    }
    if (failure != null) {
      throw failure;
    }
    if (summary != null) {
      System.out.println("LrlCrawlDb: " + summary);
    }
    return code;
  }

  /**
   * @return the counts of the last run's score passes, or null if it failed
   */
  public ScoreSummary summary() {
    return summary;
  }

  private void next(Job job) {
    currentJob = job;
    currentJobNum++;
  }

  /**
   * {@code <crawldb> (-dir <segments> | <seg1> <seg2> ...) [-force] [-normalize] [-filter]
   * [-noAdditions]}
   */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new LrlCrawlDb(), args);
  }
}
