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
 * A round's segment in Nutch's layout, one part in each folder. A phase writes into a folder beside
 * the segment and renames the results into it, so the folders of the segment show which phases have
 * ended.
 */
final class Segment {
  /** Name of the one part, as Hadoop names the output of the first reducer. */
  static final String PART = "part-r-00000";

  private static final String[] FETCHED = {Content.DIR_NAME, CrawlDatum.FETCH_DIR_NAME};
  private static final String[] PARSED = {
    ParseText.DIR_NAME, ParseData.DIR_NAME, CrawlDatum.PARSE_DIR_NAME
  };

  /** The complete results of a reparse, until they replace the older ones. */
  private static final String REPARSED = "_reparsed";

  private final Path folder;
  private final int round;

  /**
   * @param folder of the segment, which need not be there yet
   */
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

  /** Place of the fetch phase's journal until all pages are fetched. */
  Path journal() {
    return folder.resolve("_journal");
  }

  /** Place of the parse phase's list of pages in progress. */
  Path attempts() {
    return folder.resolve("_attempts");
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
    return new org.apache.hadoop.fs.Path(
        folder.resolve(name).resolve(PART).resolve("data").toUri());
  }

  /** The file of a folder with sequence files. */
  org.apache.hadoop.fs.Path file(String name) {
    return new org.apache.hadoop.fs.Path(folder.resolve(name).resolve(PART).toUri());
  }

  /**
   * Moves the results of the fetch phase to their place. {@code crawl_fetch} is last, because it
   * marks the end of the phase.
   */
  void installFetched(Path from) throws IOException {
    move(from, folder, FETCHED);
  }

  /** Moves the results of the parse phase to their place, {@code crawl_parse} last. */
  void installParsed(Path from) throws IOException {
    move(from, folder, PARSED);
  }

  /** Takes the results of a reparse, which are complete. */
  void keepReparsed(Path from) throws IOException {
    LocalFiles.deleteTree(folder.resolve(REPARSED));
    Files.move(from, folder.resolve(REPARSED));
  }

  /**
   * Replaces the older results by those of a reparse. Completes the step of a process that was
   * killed.
   */
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

  /**
   * Arguments of Nutch's output formats: the first reducer of a job that writes into this folder.
   */
  static TaskAttemptContext output(Configuration conf, Path into) {
    Configuration copy = new Configuration(conf);
    copy.set(FileOutputFormat.OUTDIR, new org.apache.hadoop.fs.Path(into.toUri()).toString());
    return new TaskAttemptContextImpl(
        copy, new TaskAttemptID(new TaskID(new JobID("crawl", 1), TaskType.REDUCE, 0), 0));
  }
}
