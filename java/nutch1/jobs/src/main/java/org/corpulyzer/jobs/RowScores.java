package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.corpulyzer.corpus.Decisions;
import org.corpulyzer.corpus.HostSums;
import org.corpulyzer.corpus.PageCopy;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.engine.Settings;

/**
 * Both score passes for a caller that reads and writes the rows of CrawlDb itself, in one process.
 * If {@link #zeroesDuplicates}, call {@link #addCopy} for each row and {@link #findDuplicates}.
 * Then call {@link #add} for each row, {@link #score}, {@link #of} for each row in the order of a
 * part, {@link #install}. The sums and scores are those of {@link LrlScoreJob}; the memory does not
 * grow with rows or hosts. The caller holds Nutch's lock of the CrawlDb.
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
  private final Instant start = Instant.now().truncatedTo(ChronoUnit.MILLIS);
  private final boolean explores;
  private final ScoreCounter.Tally tally = new ScoreCounter.Tally();
  private final SequenceFile.Writer runs;

  /** Null if duplicates count like any page. */
  private final SequenceFile.Writer copies;

  private final DuplicatePass.Copies copiesOfRows;
  private final PageRow unmarked = new PageRow();
  private DuplicateMarks marks;
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
    runs = writer("runs", Text.class, HostSums.class);
    copies =
        scoring.zeroesDuplicates() ? writer("copies", BytesWritable.class, PageCopy.class) : null;
    copiesOfRows =
        new DuplicatePass.Copies(
            scoring.lastRun(), (signature, copy) -> copies.append(signature, copy));
    marks = new DuplicateMarks(scoring.zeroesDuplicates(), null, conf);
    sums =
        new HostPass.Runs(
            explores,
            scoring.targets(),
            scoring.version(),
            new Decisions(Settings.from(conf::get)),
            tally,
            runs::append);
  }

  private SequenceFile.Writer writer(String name, Class<?> keys, Class<?> values)
      throws IOException {
    return SequenceFile.createWriter(
        conf,
        SequenceFile.Writer.file(new Path(run, name)),
        SequenceFile.Writer.keyClass(keys),
        SequenceFile.Writer.valueClass(values),
        SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE));
  }

  /**
   * @return whether duplicates count as 0 bytes
   */
  public boolean zeroesDuplicates() {
    return scoring.zeroesDuplicates();
  }

  /** Adds the page of a row, if it was fetched, to the pages that are compared. */
  public void addCopy(Text url, RowBytes row) throws IOException, InterruptedException {
    copiesOfRows.add(url, unmarked.read(row));
  }

  /** Finds the duplicates, when every row was added by {@link #addCopy}. */
  public void findDuplicates() throws IOException, InterruptedException, ClassNotFoundException {
    copies.close();
    marks = new DuplicateMarks(true, scoring.marksOfCopies(new Path(run, "copies"), run), conf);
  }

  /** Adds a row to its host. Rows of a host should follow one another; those of a part do. */
  public void add(Text url, RowBytes row) throws IOException, InterruptedException {
    sums.add(url, marks.read(url, row));
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
   * Sets the status of a row that became a duplicate or is none any more.
   *
   * @return the score of the row; rows come in the order of a part
   */
  public float of(Text url, RowBytes row) throws IOException {
    scores.moveTo(url);
    PageRow page = marks.read(url, row);
    row.setStatus(page.status());
    return scores.of(url, page);
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
    if (copies != null) {
      copies.close();
    }
    marks.close();
    if (scores != null) {
      scores.close();
    }
    crawlDb.delete(run);
  }
}
