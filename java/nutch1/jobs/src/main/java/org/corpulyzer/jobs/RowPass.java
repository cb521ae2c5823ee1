package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MapFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.engine.HostScore;

/**
 * Pass 2 of Algorithm 1: writes CrawlDb again with the score of its host in every row, and with the
 * statuses of {@link DuplicateMarks}. There is no shuffle: a task reads one part, in its order, and
 * writes the part of the same name, so every row stays in the part where Nutch looks it up.
 */
final class RowPass {

  private static final String HOSTS = "crp.score.hosts";
  private static final String CHOICE = "crp.score.choice";
  private static final String DRY_RUN = "crp.dry.run";

  private RowPass() {}

  /**
   * @param conf Nutch's configuration; it is copied
   * @param current the parts of CrawlDb
   * @param marks the statuses that change; null if none does
   * @param hosts the host table
   * @param choice the output of {@link PagesPass}; null under other policies
   * @param rows a folder for the new parts; it does not exist
   */
  static Job job(Configuration conf, Path current, Path marks, Path hosts, Path choice, Path rows)
      throws IOException {
    Job job = Job.getInstance(conf, "corpulyzer row scores: " + current.getParent());
    job.setJarByClass(CrawlDb.class);
    job.getConfiguration().set(HOSTS, hosts.toString());
    job.getConfiguration().setBoolean(HostPass.EXPLORES, HostPass.explores(conf));
    if (choice != null) {
      job.getConfiguration().set(CHOICE, choice.toString());
    }
    DuplicateMarks.set(job, marks);
    FileInputFormat.addInputPath(job, current);
    job.setInputFormatClass(RowInput.WholeParts.class);
    job.setMapperClass(ScoreMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(CrawlDatum.class);
    // The mapper writes its part itself, since the name of the part is known in the mapper only;
    // the committer is the usual one.
    LazyOutputFormat.setOutputFormatClass(job, MapFileOutputFormat.class);
    FileOutputFormat.setOutputPath(job, rows);
    job.getConfiguration().setBoolean(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
    job.setSpeculativeExecution(false);
    return job;
  }

  /**
   * @param changes a folder for text: a line for each part and host with rows that would change
   * @return the job, which writes no other file
   */
  static Job dryJob(
      Configuration conf, Path current, Path marks, Path hosts, Path choice, Path changes)
      throws IOException {
    Job job = job(conf, current, marks, hosts, choice, changes);
    job.getConfiguration().setBoolean(DRY_RUN, true);
    job.setOutputFormatClass(TextOutputFormat.class);
    return job;
  }

  /** Finds the score of each row, given in the order of a part. */
  static final class Scores implements Closeable {

    private final HostCursor cursor = new HostCursor();
    private final HostTable hosts;
    private final boolean explores;
    private final ScoreCounter.Tally tally;

    /** Null for rows without a host. */
    private HostRecord host;

    private boolean probed;

    Scores(HostTable hosts, boolean explores, ScoreCounter.Tally tally) {
      this.hosts = hosts;
      this.explores = explores;
      this.tally = tally;
    }

    /**
     * @return whether the row is of another host than the row before
     */
    boolean moveTo(Text url) throws IOException {
      if (!cursor.moveTo(url)) {
        return false;
      }
      host = cursor.host() == null ? null : hosts.find(cursor.host());
      probed = host != null && hosts.isProbed(cursor.host(), host);
      return true;
    }

    /**
     * @return name of the host of the current row, or null
     */
    String host() {
      return cursor.host();
    }

    /**
     * @return scores of the host of the current row; it has a host
     */
    HostScore scores() {
      return host.score();
    }

    /**
     * @param url of the row that {@link #moveTo} went to
     * @return the row's score; the stored one if it has no host
     */
    float of(Text url, PageRow row) {
      float score = ofHost(url, row);
      if (host != null) {
        count(score, row);
      }
      return score;
    }

    /**
     * @return the score of {@link #of}, which is not counted
     */
    private float ofHost(Text url, PageRow row) {
      if (host == null) {
        return row.score();
      }
      HostScore scores = host.score();
      return host.totals().isUnread()
          ? scores.unread(row.score(), row.isInjected())
          : scoreOfRead(scores, url, row);
    }

    private void count(float score, PageRow row) {
      tally.count(
          isSame(score, row.score()) ? ScoreCounter.ROWS_UNCHANGED : ScoreCounter.ROWS_WRITTEN);
    }

    /**
     * @param number of the row in the part, from 0 on
     * @return the score of a row by policy pages
     */
    float of(RowChoice choice, int number, Text url, PageRow row, RowBytes bytes)
        throws IOException {
      float score = choice.of(number, bytes, ofHost(url, row));
      count(score, row);
      return score;
    }

    private float scoreOfRead(HostScore scores, Text url, PageRow row) {
      boolean probes = probed && host.probe().equals(url.toString());
      // Hosts with fetched pages have one score, whatever the marks of a row are.
      return !probes
              && isSame(scores.injected(), scores.rows())
              && isSame(scores.other(), scores.rows())
          ? scores.rows()
          : probes
              ? scores.probe(host.isStrong())
              : scores.of(row.isInjected(), explores && row.isFound());
    }

    static boolean isSame(float score, float other) {
      return Float.floatToRawIntBits(score) == Float.floatToRawIntBits(other);
    }

    @Override
    public void close() {
      hosts.close();
    }
  }

  /** A new part, as MapFileOutputFormat writes it, but with the name of the part that is read. */
  private static final class Output implements Closeable {

    /** Null if the output is compressed. */
    private final RawRowsWriter raw;

    /** Null if the output is not compressed. */
    private final MapFile.Writer compressed;

    Output(Mapper<?, ?, ?, ?>.Context context) throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      Path part =
          new Path(
              FileOutputFormat.getWorkOutputPath(context),
              RowInput.WholeParts.name(context.getInputSplit()));
      if (!FileOutputFormat.getCompressOutput(context)) {
        raw = new RawRowsWriter(conf, part, context);
        compressed = null;
        return;
      }
      CompressionCodec codec =
          ReflectionUtils.newInstance(
              FileOutputFormat.getOutputCompressorClass(context, DefaultCodec.class), conf);
      raw = null;
      compressed =
          new MapFile.Writer(
              conf,
              part,
              MapFile.Writer.keyClass(Text.class),
              SequenceFile.Writer.valueClass(CrawlDatum.class),
              SequenceFile.Writer.compression(
                  SequenceFileOutputFormat.getOutputCompressionType(context), codec),
              SequenceFile.Writer.progressable(context));
    }

    void append(Text url, RowBytes row) throws IOException {
      if (raw != null) {
        raw.append(url, row);
      } else {
        compressed.append(url, row.datum());
      }
    }

    @Override
    public void close() throws IOException {
      if (raw != null) {
        raw.close();
      } else {
        compressed.close();
      }
    }
  }

  /** Rows to rows with their score. */
  static final class ScoreMapper extends Mapper<Text, RowBytes, Object, NullWritable> {

    private final ScoreCounter.Tally tally = new ScoreCounter.Tally();
    private DuplicateMarks marks;
    private Scores scores;

    /** Null under other policies than pages. */
    private RowChoice choice;

    /** Null in a dry run. */
    private Output writer;

    private int number;

    private String hostName;
    private long changed;
    private float changedTo;

    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      scores =
          new Scores(
              new HostTable(new Path(conf.get(HOSTS)), conf),
              conf.getBoolean(HostPass.EXPLORES, false),
              tally);
      marks = DuplicateMarks.of(conf);
      if (conf.get(CHOICE) != null) {
        choice =
            new RowChoice(
                new Path(conf.get(CHOICE)),
                RowInput.WholeParts.name(context.getInputSplit()),
                conf);
      }
      if (!conf.getBoolean(DRY_RUN, false)) {
        writer = new Output(context);
      }
    }

    @Override
    protected void map(Text url, RowBytes bytes, Context context)
        throws IOException, InterruptedException {
      if (scores.moveTo(url)) {
        reportHost(context);
        hostName = scores.host();
      }
      PageRow row = marks.read(url, bytes);
      float score =
          choice == null ? scores.of(url, row) : scores.of(choice, number++, url, row, bytes);
      bytes.setStatus(row.status());
      if (!Scores.isSame(score, bytes.score())) {
        changed++;
        changedTo = choice == null ? scores.scores().rows() : score;
        bytes.setScore(score);
      }
      if (writer != null) {
        writer.append(url, bytes);
      }
    }

    private void reportHost(Context context) throws IOException, InterruptedException {
      if (changed > 0 && writer == null) {
        context.write(hostName + '\t' + changed + " rows\t" + changedTo, NullWritable.get());
      }
      changed = 0;
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      reportHost(context);
      tally.report(context);
      scores.close();
      marks.close();
      if (choice != null) {
        choice.close();
      }
      if (writer != null) {
        writer.close();
      }
    }
  }
}
