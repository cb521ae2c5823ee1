package org.corpulyzer.crawl;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.BiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.hostdb.UpdateHostDb;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.jobs.LrlScoreJob;

/** The scores of hosts: by LrlScoreJob in mode J, in Nutch's HostDb in mode S. */
final class HostScoring {
  private final CrawlOptions options;
  private final DataFolder data;
  private final CrawlDbFolder crawlDb;
  private final Configuration conf;
  private final BiFunction<String, Exception, CrawlException> failed;

  /**
   * @param failed the error of a job that failed, by its name
   */
  HostScoring(
      CrawlOptions options,
      DataFolder data,
      CrawlDbFolder crawlDb,
      Configuration conf,
      BiFunction<String, Exception, CrawlException> failed) {
    this.options = options;
    this.data = data;
    this.crawlDb = crawlDb;
    this.conf = conf;
    this.failed = failed;
  }

  boolean isByJob() {
    return options.mode == CrawlOptions.Mode.J && options.scoring == CrawlOptions.Scoring.lrl;
  }

  /**
   * In mode S the scoring filter reads the hosts' scores from Nutch's HostDb. It is made of CrawlDb
   * alone, so it can be made anew.
   */
  void updateHostDb() throws CrawlException, IOException {
    if (options.mode == CrawlOptions.Mode.S && options.scoring == CrawlOptions.Scoring.lrl) {
      LocalFiles.deleteTree(data.hostDb());
      UpdateHostDb job = new UpdateHostDb();
      job.setConf(new Configuration(conf));
      String[] arguments = {
        "-hostdb", data.hostDb().toString(), "-crawldb", crawlDb.path().toString()
      };
      try {
        if (job.run(arguments) != 0) {
          throw CrawlException.failed(
              "UpdateHostDb failed; see the folder logs in the data folder, then run the same"
                  + " command again");
        }
      } catch (CrawlException e) {
        throw e;
      } catch (Exception e) {
        throw failed.apply("UpdateHostDb", e);
      }
    }
  }

  /**
   * Scores every host by the figures that are in CrawlDb.
   *
   * @param scored the configuration of the score passes
   * @return the result for the console
   */
  String run(Configuration scored) throws CrawlException {
    LrlScoreJob job = new LrlScoreJob();
    job.setConf(scored);
    PrintStream console = System.out;
    try {
      // The job prints its result on the console, which has the crawl's own lines.
      System.setOut(
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
      if (job.run(new String[] {crawlDb.path().toString()}) != 0) {
        throw CrawlException.failed(
            "LrlScoreJob failed; see the folder logs in the data folder, then run the same"
                + " command again");
      }
      return describe(job.summary());
    } catch (CrawlException e) {
      throw e;
    } catch (Exception e) {
      throw failed.apply("LrlScoreJob", e);
    } finally {
      System.setOut(console);
    }
  }

  static String describe(ScoreSummary summary) {
    return summary.get(ScoreCounter.PAGES)
        + " rows, "
        + summary.get(ScoreCounter.HOSTS_SCORED)
        + " hosts, "
        + summary.get(ScoreCounter.ROWS_WRITTEN)
        + " scores changed"
        + (summary.get(ScoreCounter.DUPLICATES) == 0
            ? ""
            : ", " + summary.get(ScoreCounter.DUPLICATES) + " duplicates");
  }
}
