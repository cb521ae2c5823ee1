package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.engine.Steering;
import org.corpulyzer.jobs.LocalReduce;
import org.corpulyzer.jobs.RawRows;
import org.corpulyzer.jobs.RawRowsWriter;
import org.corpulyzer.jobs.RowBytes;
import org.corpulyzer.jobs.RowScores;

/**
 * Takes a segment into CrawlDb. Nutch's updatedb and the score passes make an object of every row,
 * sort all rows, and write them twice. This gives Nutch's updatedb the rows alone that the segment
 * mentions, and copies the others as bytes: one pass finds these rows and adds up the hosts,
 * another one writes the new part with the new scores. If duplicates count as 0 bytes, the first
 * pass compares the pages, and a pass in between adds up the hosts.
 */
final class RoundUpdate {
  private final Configuration conf;
  private final org.apache.hadoop.fs.Path crawlDb;
  private final Path temporary;
  private final boolean scores;
  private ScoreSummary summary;
  private Steering.Review review;

  /**
   * @param crawlDb folder of the CrawlDb
   * @param temporary a folder for files that are gone afterwards, on the same disk
   * @param scores whether hosts are scored; otherwise rows keep the score that updatedb gives them
   */
  RoundUpdate(
      Configuration conf, org.apache.hadoop.fs.Path crawlDb, Path temporary, boolean scores) {
    this.conf = conf;
    this.crawlDb = crawlDb;
    this.temporary = temporary;
    this.scores = scores;
  }

  /**
   * @return the counts of the score passes; null if nothing was scored
   */
  ScoreSummary summary() {
    return summary;
  }

  /**
   * @return what new hosts cost and gave; null if policy pages did not choose the rows
   */
  Steering.Review review() {
    return review;
  }

  /**
   * Writes a new part. The old parts do not change; the table of hosts is replaced.
   *
   * @param part the only part of CrawlDb
   * @param segment fetched and parsed
   * @param next folder of the new part
   */
  void write(Path part, Segment segment, Path next)
      throws IOException, InterruptedException, ClassNotFoundException {
    LocalFiles.deleteTree(temporary);
    if (!scores) {
      Path touched = update(part, segment, null);
      merge(part, touched, next, null);
    } else {
      try (RowScores passes = new RowScores(conf, crawlDb)) {
        Path touched = update(part, segment, passes);
        passes.score();
        merge(part, touched, next, passes);
        passes.install();
        summary = passes.summary();
        review =
            PageSelector.review(
                conf, sink -> CrawlDbFolder.each(conf, data(touched), sink), segment);
      }
    }
    LocalFiles.deleteTree(temporary);
  }

  /**
   * Gives the rows to the score passes too.
   *
   * @return a part with the rows that the segment changes or adds, and some others as they were
   */
  private Path update(Path part, Segment segment, RowScores passes)
      throws IOException, InterruptedException, ClassNotFoundException {
    KeyFilter filter =
        KeyFilter.of(
            conf, segment.data(CrawlDatum.FETCH_DIR_NAME), segment.file(CrawlDatum.PARSE_DIR_NAME));
    Path small = temporary.resolve(CrawlDb.CURRENT_NAME).resolve(Segment.PART);
    boolean compares = passes != null && passes.zeroesDuplicates();
    try (RawRows rows = new RawRows(conf, data(part));
        RawRowsWriter touched = new RawRowsWriter(conf, hadoop(small))) {
      while (rows.next()) {
        if (filter.mayHave(rows.key())) {
          touched.append(rows.key(), rows.row());
        } else if (compares) {
          passes.addCopy(rows.key(), rows.row());
        } else if (passes != null) {
          passes.add(rows.key(), rows.row());
        }
      }
    }
    updateByNutch(small, segment);
    if (compares) {
      pass(small, passes::addCopy, key -> true);
      passes.findDuplicates();
      pass(part, passes::add, key -> !filter.mayHave(key));
    }
    if (passes != null) {
      pass(small, passes::add, key -> true);
    }
    return small;
  }

  /** Replaces a part by what the reducer of Nutch's updatedb makes of it and the segment. */
  private void updateByNutch(Path part, Segment segment)
      throws IOException, InterruptedException, ClassNotFoundException {
    Job job = CrawlDb.createJob(new Configuration(conf), hadoop(temporary));
    job.getConfiguration()
        .setBoolean(
            CrawlDb.CRAWLDB_ADDITIONS_ALLOWED,
            conf.getBoolean(CrawlDb.CRAWLDB_ADDITIONS_ALLOWED, true));
    Path updated = temporary.resolve("updated");
    FileOutputFormat.setOutputPath(job, hadoop(updated));
    LocalReduce.run(
        job,
        new org.apache.hadoop.fs.Path[] {
          data(part),
          segment.data(CrawlDatum.FETCH_DIR_NAME),
          segment.file(CrawlDatum.PARSE_DIR_NAME)
        },
        hadoop(temporary.resolve("sorting")));
    LocalFiles.deleteTree(part);
    Files.move(updated.resolve(Segment.PART), part);
  }

  /** Takes a row, which is valid until it returns. */
  private interface Sink {
    void accept(Text key, RowBytes row) throws IOException, InterruptedException;
  }

  private void pass(Path part, Sink sink, Predicate<Text> keys)
      throws IOException, InterruptedException {
    try (RawRows rows = new RawRows(conf, data(part))) {
      while (rows.next()) {
        if (keys.test(rows.key())) {
          sink.accept(rows.key(), rows.row());
        }
      }
    }
  }

  /** Writes the rows of both parts. A row that is in both is taken from the second. */
  private void merge(Path part, Path touched, Path next, RowScores passes) throws IOException {
    try (RawRows old = new RawRows(conf, data(part));
        RawRows fresh = new RawRows(conf, data(touched));
        RawRowsWriter out = new RawRowsWriter(conf, hadoop(next))) {
      old.next();
      fresh.next();
      while (old.hasRow() || fresh.hasRow()) {
        int order = !old.hasRow() ? 1 : !fresh.hasRow() ? -1 : old.key().compareTo(fresh.key());
        if (order < 0) {
          append(out, old.key(), old.row(), passes);
          old.next();
        } else {
          append(out, fresh.key(), fresh.row(), passes);
          fresh.next();
          if (order == 0) {
            old.next();
          }
        }
      }
    }
  }

  private static void append(RawRowsWriter out, Text key, RowBytes row, RowScores passes)
      throws IOException {
    if (passes != null) {
      float score = passes.of(key, row);
      if (Float.floatToRawIntBits(score) != Float.floatToRawIntBits(row.score())) {
        row.setScore(score);
      }
    }
    out.append(key, row);
  }

  private static org.apache.hadoop.fs.Path data(Path part) {
    return hadoop(part.resolve(MapFile.DATA_FILE_NAME));
  }

  private static org.apache.hadoop.fs.Path hadoop(Path path) {
    return new org.apache.hadoop.fs.Path(path.toUri());
  }
}
