package org.corpulyzer.jobs;

import java.util.Map;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.Tool;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.util.NutchConfiguration;
import org.apache.nutch.util.NutchTool;
import org.apache.nutch.util.ToolUtil;
import org.corpulyzer.corpus.Arguments;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.corpus.Tools;
import org.corpulyzer.corpus.UsageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The score passes alone, for a crawl that ran stock {@code updatedb} or changed its target
 * language.
 */
public class LrlScoreJob extends NutchTool implements Tool {

  /** Argument of {@link #run(Map)}: {@code true} to print the changes without writing them. */
  public static final String ARG_DRY_RUN = "dryRun";

  /**
   * Argument of {@link #run(Map)}: {@code true} to score the hosts alone that have a row which was
   * written since the last run.
   */
  public static final String ARG_INCREMENTAL = "incremental";

  /**
   * Argument of {@link #run(Map)}: {@code true} to score for another target language than the last
   * run.
   */
  public static final String ARG_NEW_TARGET = "newTarget";

  private static final Logger LOG = LoggerFactory.getLogger(LrlScoreJob.class);
  private static final String USAGE =
      "Usage: LrlScoreJob [-crawlId <id>] [-newTarget] [-dryRun | -incremental] [-force]\n"
          + "    -crawlId <id> - the id to prefix the schemas to operate on (default:"
          + " storage.crawl.id)\n"
          + "    -newTarget    - score for corpulyzer.language.target though the last run had"
          + " another target language\n"
          + "    -dryRun       - print the hosts whose rows would change, and write nothing\n"
          + "    -incremental  - score the hosts alone that have a row which was written since the"
          + " last run\n"
          + "    -force        - score hosts though fewer than half of the fetched pages have"
          + " figures";

  private ScoreSummary summary;

  @Override
  public Map<String, Object> run(Map<String, Object> args) throws Exception {
    numJobs = 2;
    currentJobNum = -1;
    Scoring scoring = new Scoring(getConf(), args, results, this::next);
    boolean dryRun = Boolean.parseBoolean(String.valueOf(args.get(ARG_DRY_RUN)));
    boolean incremental = Boolean.parseBoolean(String.valueOf(args.get(ARG_INCREMENTAL)));
    summary =
        dryRun
            ? scoring.dryRun(System.out)
            : incremental
                ? scoring.runIncremental("-", System.currentTimeMillis())
                : scoring.run("-");
    LOG.info("{}", summary);
    return results;
  }

  private void next(Job job) {
    currentJob = job;
    currentJobNum++;
  }

  /**
   * @return the counts of the last run, or null before it succeeded
   */
  public ScoreSummary summary() {
    return summary;
  }

  @Override
  public int run(String[] args) throws Exception {
    Arguments arguments;
    try {
      arguments =
          new Arguments()
              .option("-crawlId")
              .flag("-newTarget")
              .flag("-dryRun")
              .flag("-incremental")
              .flag("-force")
              .read(args, 0);
      if (arguments.has("-dryRun") && arguments.has("-incremental")) {
        throw new UsageException("-dryRun and -incremental exclude each other.");
      }
    } catch (UsageException e) {
      return e.print("LrlScoreJob", USAGE);
    }
    run(
        ToolUtil.toArgMap(
            Nutch.ARG_CRAWL,
            arguments.get("-crawlId"),
            ARG_DRY_RUN,
            arguments.has("-dryRun"),
            ARG_INCREMENTAL,
            arguments.has("-incremental"),
            ARG_NEW_TARGET,
            arguments.has("-newTarget"),
            Nutch.ARG_FORCE,
            arguments.has("-force")));
    System.out.println("LrlScoreJob: " + summary);
    return 0;
  }

  /** {@code [-crawlId <id>] [-newTarget] [-dryRun | -incremental] [-force]} */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new LrlScoreJob(), args);
  }
}
