package org.corpulyzer.jobs;

import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.ByteWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MapFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.corpulyzer.corpus.PageCopy;
import org.corpulyzer.corpus.ScoreCounter;

/**
 * The pass before pass 1 if duplicates count as 0 bytes: finds the rows whose status changes from
 * fetched to duplicate or back. Nutch's DeduplicationJob writes CrawlDb once more, never gives a
 * duplicate its status back before it is fetched again, and of two hosts with the same pages
 * prefers the page that was fetched last. Here all fetched pages with a signature are compared in
 * each run, see {@link PageCopy}, and pass 2 writes what changed. A reducer holds two pages at a
 * time.
 */
final class DuplicatePass {

  private static final String LAST_RUN = "crp.score.lastRun";

  private DuplicatePass() {}

  /**
   * @param conf Nutch's configuration; it is copied
   * @param current the parts of CrawlDb
   * @param run the last run of the score passes; null if there was none
   * @param changes a folder for the URLs whose status changes, with the new status; it does not
   *     exist
   */
  static Job job(Configuration conf, Path current, HostTable.Run run, Path changes)
      throws IOException {
    Job job = job(conf, "corpulyzer duplicates: " + current.getParent(), current, changes);
    job.getConfiguration().setLong(LAST_RUN, lastRun(run));
    job.setInputFormatClass(RowInput.class);
    job.setMapperClass(CopyMapper.class);
    return changeJob(job);
  }

  /**
   * @param copies a sequence file of {@link Copies}, in place of the rows
   * @return the job that finds the same changes
   */
  static Job jobOfCopies(Configuration conf, Path copies, Path changes) throws IOException {
    Job job = job(conf, "corpulyzer duplicates: " + copies.getParent(), copies, changes);
    job.setMapperClass(Mapper.class);
    return changeJob(job);
  }

  private static Job changeJob(Job job) {
    job.setReducerClass(ChangeReducer.class);
    job.setMapOutputKeyClass(BytesWritable.class);
    job.setMapOutputValueClass(PageCopy.class);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    return job;
  }

  /**
   * @param changes the output of {@link #job}
   * @param marks a folder for the same as {@link DuplicateMarks}; it does not exist
   */
  static Job sortJob(Configuration conf, Path changes, Path marks) throws IOException {
    Job job = job(conf, "corpulyzer duplicates by URL: " + marks.getParent(), changes, marks);
    job.setMapperClass(Mapper.class);
    job.setReducerClass(Reducer.class);
    job.setOutputFormatClass(MapFileOutputFormat.class);
    return job;
  }

  private static Job job(Configuration conf, String name, Path in, Path out) throws IOException {
    Job job = Job.getInstance(conf, name);
    job.setJarByClass(CrawlDb.class);
    FileInputFormat.addInputPath(job, in);
    job.setInputFormatClass(SequenceFileInputFormat.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(ByteWritable.class);
    FileOutputFormat.setOutputPath(job, out);
    job.getConfiguration().setBoolean(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
    job.setSpeculativeExecution(false);
    return job;
  }

  /**
   * @return start of a run in milliseconds since 1970; 0 if it is not known
   */
  static long lastRun(HostTable.Run run) {
    try {
      return run == null ? 0 : Instant.parse(run.time()).toEpochMilli();
    } catch (DateTimeParseException e) {
      return 0;
    }
  }

  /** Takes the signature of a fetched page with the page; both are valid until it returns. */
  interface Sink {
    void accept(BytesWritable signature, PageCopy copy) throws IOException, InterruptedException;
  }

  /** Rows to pages with their signatures; those that were not fetched or have none are left out. */
  static final class Copies {

    private final BytesWritable signature = new BytesWritable();
    private final PageCopy copy = new PageCopy();
    private final long lastRun;
    private final Sink sink;

    Copies(long lastRun, Sink sink) {
      this.lastRun = lastRun;
      this.sink = sink;
    }

    void add(Text url, PageRow row) throws IOException, InterruptedException {
      byte[] bytes = row.isFetched() ? row.signature() : null;
      if (bytes != null && bytes.length > 0) {
        signature.set(bytes, 0, bytes.length);
        copy.set(
            url,
            row.status() == CrawlDatum.STATUS_DB_DUPLICATE,
            row.lastFetch() >= lastRun,
            row.score(),
            0);
        sink.accept(signature, copy);
      }
    }
  }

  /** Rows to {@link Copies}. */
  static final class CopyMapper extends Mapper<Text, RowBytes, BytesWritable, PageCopy> {

    private final PageRow row = new PageRow();
    private Copies copies;

    @Override
    protected void setup(Context context) {
      copies = new Copies(context.getConfiguration().getLong(LAST_RUN, 0), context::write);
    }

    @Override
    protected void map(Text url, RowBytes bytes, Context context)
        throws IOException, InterruptedException {
      copies.add(url, row.read(bytes));
    }
  }

  /** Pages with one signature to the changes of their statuses. */
  static final class ChangeReducer extends Reducer<BytesWritable, PageCopy, Text, ByteWritable> {

    private static final ByteWritable DUPLICATE = new ByteWritable(CrawlDatum.STATUS_DB_DUPLICATE);
    private static final ByteWritable FETCHED = new ByteWritable(CrawlDatum.STATUS_DB_FETCHED);

    @Override
    protected void reduce(BytesWritable signature, Iterable<PageCopy> copies, Context context)
        throws IOException, InterruptedException {
      PageCopy.compare(
          copies,
          (page, isDuplicate) -> {
            context.getCounter(ScoreCounter.DUPLICATES_CHANGED).increment(1);
            context.write(page.key(), isDuplicate ? DUPLICATE : FETCHED);
          });
    }
  }
}
