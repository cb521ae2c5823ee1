package org.corpulyzer.nutch1.jobs;

import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.corpulyzer.corpus.HostSums;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.corpus.ScoreSummary;

/**
 * Both score passes for a caller that reads and writes the rows of CrawlDb itself, in one process.
 * Call {@link #add} for each row, {@link #score}, {@link #of} for each row in the order of a part,
 * {@link #install}. The sums and scores are those of {@link LrlScoreJob}; the memory does not grow
 * with rows or hosts. The caller holds Nutch's lock of the CrawlDb.
 */
public final class RowScores implements Closeable {

  /**
   * The bytes of each target language that a crawl has in its corpora, as {@code skr:12,urd:345},
   * for the weights of {@code corpulyzer.score.targetBytes}. Without it they are the bytes of the
   * host table.
   */
  public static final String CORPUS_BYTES = "crp.score.corpusBytes";

  private final Configuration conf;
  private final Scoring scoring;
  private final CrawlDbFolder crawlDb;
  private final Path run;
  private final Instant start = Instant.now();
  private final boolean explores;
  private final ScoreCounter.Tally tally = new ScoreCounter.Tally();
  private final PageRow page = new PageRow();
  private final SequenceFile.Writer runs;
  private final HostPass.Runs sums;
  private RowPass.Scores scores;

  /**
   * @param conf Nutch's configuration
   * @param path the folder of the CrawlDb
   * @throws org.corpulyzer.engine.CorpulyzerException if a setting is wrong, in one sentence
   */
  public RowScores(Configuration conf, Path path) throws IOException {
    this.conf = conf;
    crawlDb = new CrawlDbFolder(path, conf);
    scoring = new Scoring(conf, crawlDb, job -> {});
    explores = HostPass.explores(conf);
    crawlDb.deleteStale();
    run = crawlDb.newRun();
    runs =
        SequenceFile.createWriter(
            conf,
            SequenceFile.Writer.file(new Path(run, "runs")),
            SequenceFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(HostSums.class),
            SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE));
    sums = new HostPass.Runs(explores, scoring.targets(), scoring.version(), tally, runs::append);
  }

  /** Adds a row to its host. Rows of a host should follow one another; those of a part do. */
  public void add(Text url, RowBytes row) throws IOException, InterruptedException {
    sums.add(url, page.read(row));
  }

  /** Scores all hosts, when every row was added. */
  public void score() throws IOException, InterruptedException, ClassNotFoundException {
    sums.end();
    runs.close();
    Path hosts = new Path(run, "hosts");
    scoring.scoreHosts(new Path(run, "runs"), hosts, start);
    scores = new RowPass.Scores(new HostTable(hosts, conf), explores, tally);
  }

  /**
   * @return the score of a row; rows come in the order of a part
   */
  public float of(Text url, RowBytes row) throws IOException {
    scores.moveTo(url);
    return scores.of(url, page.read(row));
  }

  /** Makes the scores of the hosts those that {@link HostReader} shows. */
  public void install() throws IOException {
    crawlDb.installHosts(new Path(run, "hosts"));
  }

  /**
   * @return the counts
   */
  public ScoreSummary summary() {
    return scoring.summary(tally);
  }

  /** Deletes files that {@link #install} did not put in place. */
  @Override
  public void close() throws IOException {
    runs.close();
    if (scores != null) {
      scores.close();
    }
    crawlDb.delete(run);
  }
}
