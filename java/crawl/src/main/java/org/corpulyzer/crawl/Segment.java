package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.protocol.Content;

/**
 * A round's segment in Nutch's layout, one part in each folder. A phase writes into a folder beside it and renames the results into the
 * segment, so the segment's folders tell which phases have ended.
 */
final class Segment {
  /** Name of the one part, as Hadoop names the output of the first reducer. */
  static final String PART = "part-r-00000";
  private static final String[] FETCHED = {Content.DIR_NAME, CrawlDatum.FETCH_DIR_NAME};
  private static final String[] PARSED = {ParseText.DIR_NAME, ParseData.DIR_NAME, CrawlDatum.PARSE_DIR_NAME};
  /** The results of a reparse, complete, until they have taken the place of the older ones. */
  private static final String REPARSED = "_reparsed";

  private final Path folder;
  private final int round;

  /** @param folder of the segment, which need not be there yet */
  Segment(Path folder, int round) {
    this.folder = folder;
    this.round = round;
  }

  int round() {
    return round;
  }

  Path folder() {
    return folder;
  }

  /** Where the fetch phase notes pages until it has all of them. */
  Path journal() {
    return folder.resolve("_journal");
  }

  boolean isGenerated() {
    return Files.exists(folder.resolve(CrawlDatum.GENERATE_DIR_NAME));
  }

  boolean isFetched() {
    return Files.exists(folder.resolve(CrawlDatum.FETCH_DIR_NAME));
  }

  boolean isParsed() {
    return Files.exists(folder.resolve(CrawlDatum.PARSE_DIR_NAME));
  }

  /** The file of a folder with map files that holds the records. */
  org.apache.hadoop.fs.Path data(String name) {
    return new org.apache.hadoop.fs.Path(folder.resolve(name).resolve(PART).resolve("data").toUri());
  }

  /** The file of a folder with sequence files. */
  org.apache.hadoop.fs.Path file(String name) {
    return new org.apache.hadoop.fs.Path(folder.resolve(name).resolve(PART).toUri());
  }

  /** Moves what the fetch phase wrote to its place; {@code crawl_fetch} last, since it tells that the phase has ended. */
  void installFetched(Path from) throws IOException {
    move(from, folder, FETCHED);
  }

  /** Moves what the parse phase wrote to its place, {@code crawl_parse} last. */
  void installParsed(Path from) throws IOException {
    move(from, folder, PARSED);
  }

  /** Takes the results of a reparse, which are complete. */
  void keepReparsed(Path from) throws IOException {
    LocalFiles.deleteTree(folder.resolve(REPARSED));
    Files.move(from, folder.resolve(REPARSED));
  }

  /** Puts the results of a reparse in the place of the older ones; goes on where a killed process stopped. */
  void installReparsed() throws IOException {
    Path from = folder.resolve(REPARSED);
    if (Files.exists(from)) {
      move(from, folder, PARSED);
      LocalFiles.deleteTree(from);
    }
  }

  private static void move(Path from, Path to, String... names) throws IOException {
    for (String name : names) {
      if (Files.exists(from.resolve(name))) {
        LocalFiles.deleteTree(to.resolve(name));
        Files.move(from.resolve(name), to.resolve(name));
      }
    }
  }

  /** What Nutch's output formats take: the first reducer of a job that writes into this folder. */
  static TaskAttemptContext output(Configuration conf, Path into) {
    Configuration copy = new Configuration(conf);
    copy.set(FileOutputFormat.OUTDIR, new org.apache.hadoop.fs.Path(into.toUri()).toString());
    return new TaskAttemptContextImpl(copy, new TaskAttemptID(new TaskID(new JobID("crawl", 1), TaskType.REDUCE, 0), 0));
  }
}
