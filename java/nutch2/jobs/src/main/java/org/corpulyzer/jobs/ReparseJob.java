package org.corpulyzer.jobs;

import java.util.Map;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.Tool;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.ParserJob;
import org.apache.nutch.util.NutchConfiguration;
import org.apache.nutch.util.ToolUtil;
import org.corpulyzer.corpus.Arguments;
import org.corpulyzer.corpus.JobFailedException;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.corpus.Tools;
import org.corpulyzer.corpus.UsageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nutch's {@code parse -reparse}, which parses every stored page again and fetches nothing,
 * followed by the score passes: for a crawl that began without the plugin, and after a change of
 * the engine.
 */
public class ReparseJob extends ParserJob implements Tool {

  private static final Logger LOG = LoggerFactory.getLogger(ReparseJob.class);
  private static final String REPARSE = "-reparse";
  private static final String USAGE =
      "Usage: ReparseJob [-crawlId <id>] [-newTarget] [-force]\n"
          + "    -crawlId <id> - the id to prefix the schemas to operate on (default:"
          + " storage.crawl.id)\n"
          + "    -newTarget    - score for corpulyzer.language.target though the last run had"
          + " another target language\n"
          + "    -force        - score hosts though fewer than half of the fetched pages have"
          + " figures";

  private ScoreSummary summary;

  @Override
  public Map<String, Object> run(Map<String, Object> args) throws Exception {
    Object crawlId = args.get(Nutch.ARG_CRAWL);
    if (crawlId != null) {
      getConf().set(Nutch.CRAWL_ID_KEY, crawlId.toString());
    }
    numJobs = 3;
    currentJobNum = 0;
    // A mistake of the operator fails before any page is parsed.
    Scoring scoring = new Scoring(getConf(), args, results, this::next);
    super.run(
        ToolUtil.toArgMap(
            Nutch.ARG_BATCH, REPARSE, Nutch.ARG_RESUME, false, Nutch.ARG_FORCE, true));
    // With fail.on.job.failure=false Nutch goes on after a job that failed.
    if (!currentJob.isSuccessful()) {
      throw new JobFailedException(currentJob);
    }
    summary = scoring.run("-");
    LOG.info("{}", summary);
    return results;
  }

  private void next(Job job) {
    currentJob = job;
    currentJobNum++;
  }

  /**
   * @return the counts of the last run's score passes, or null before it succeeded
   */
  public ScoreSummary summary() {
    return summary;
  }

  @Override
  public int run(String[] args) throws Exception {
    Arguments arguments;
    try {
      arguments =
          new Arguments().option("-crawlId").flag("-newTarget").flag("-force").read(args, 0);
    } catch (UsageException e) {
      System.err.println("ReparseJob: " + e.getMessage() + "\n" + USAGE);
      return -1;
    }
    run(
        ToolUtil.toArgMap(
            Nutch.ARG_CRAWL,
            arguments.get("-crawlId"),
            LrlScoreJob.ARG_NEW_TARGET,
            arguments.has("-newTarget"),
            Nutch.ARG_FORCE,
            arguments.has("-force")));
    System.out.println("ReparseJob: " + summary);
    return 0;
  }

  /** {@code [-crawlId <id>] [-newTarget] [-force]} */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new ReparseJob(), args);
  }
}
