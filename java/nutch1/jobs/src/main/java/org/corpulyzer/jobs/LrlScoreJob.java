package org.corpulyzer.jobs;

import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.Tool;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.corpus.Arguments;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.corpus.Tools;
import org.corpulyzer.corpus.UsageException;

/** The score passes alone, after stock {@code updatedb} or a change of settings. */
public class LrlScoreJob extends Configured implements Tool {

  private static final String USAGE =
      "Usage: LrlScoreJob <crawldb> [-dryRun] [-force]\n"
          + "    <crawldb> - the folder of the CrawlDb\n"
          + "    -dryRun   - print the hosts whose rows would change, and write nothing\n"
          + "    -force    - take over the lock of a job that was killed; score hosts though fewer"
          + " than half of the fetched pages have figures";

  private ScoreSummary summary;

  @Override
  public int run(String[] args) throws Exception {
    Arguments arguments;
    String crawlDb;
    try {
      arguments = new Arguments().flag("-dryRun").flag("-force").read(args, 1);
      crawlDb = arguments.path(0, "crawldb");
    } catch (UsageException e) {
      return e.print("LrlScoreJob", USAGE);
    }
    Scoring scoring =
        new Scoring(getConf(), new CrawlDbFolder(new Path(crawlDb), getConf()), job -> {});
    summary =
        arguments.has("-dryRun")
            ? scoring.dryRun(System.out)
            : scoring.run(arguments.has("-force"));
    System.out.println("LrlScoreJob: " + summary);
    return 0;
  }

  /**
   * @return the counts of the last run, or null before it succeeded
   */
  public ScoreSummary summary() {
    return summary;
  }

  /** {@code <crawldb> [-dryRun] [-force]} */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new LrlScoreJob(), args);
  }
}
