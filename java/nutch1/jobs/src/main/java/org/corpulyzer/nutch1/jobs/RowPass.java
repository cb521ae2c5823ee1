package org.corpulyzer.nutch1.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.SequenceFile.CompressionType;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
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

/**
 * Pass 2 of Algorithm 1: writes CrawlDb again with the score of its host in every row. There is no shuffle: a task reads one part, in its
 * order, and writes the part of the same name, so every row stays in the part where Nutch looks it up.
 */
final class RowPass {

  private static final String HOSTS = "crp.score.hosts";
  private static final String DRY_RUN = "crp.dry.run";

  private RowPass() {
  }

  /**
   * @param conf Nutch's configuration; it is copied
   * @param current the parts of CrawlDb
   * @param hosts the host table
   * @param rows a folder for the new parts; it does not exist
   */
  static Job job(Configuration conf, Path current, Path hosts, Path rows) throws IOException {
    Job job = Job.getInstance(conf, "corpulyzer row scores: " + current.getParent());
    job.setJarByClass(CrawlDb.class);
    job.getConfiguration().set(HOSTS, hosts.toString());
    job.getConfiguration().setBoolean(HostPass.EXPLORES, HostPass.explores(conf));
    FileInputFormat.addInputPath(job, current);
    job.setInputFormatClass(WholeParts.class);
    job.setMapperClass(ScoreMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(CrawlDatum.class);
    // The mapper writes its part itself, since the name of the part is known in the mapper only; the committer is the usual one.
    LazyOutputFormat.setOutputFormatClass(job, MapFileOutputFormat.class);
    FileOutputFormat.setOutputPath(job, rows);
    job.getConfiguration().setBoolean(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
    job.setSpeculativeExecution(false);
    return job;
  }

  /**
   * @param changes a folder for text: a line for each part and host with rows that would change
   * @return the job that writes nothing else
   */
  static Job dryJob(Configuration conf, Path current, Path hosts, Path changes) throws IOException {
    Job job = job(conf, current, hosts, changes);
    job.getConfiguration().setBoolean(DRY_RUN, true);
    job.setOutputFormatClass(TextOutputFormat.class);
    return job;
  }

  /** The parts of a CrawlDb, one split each. */
  static final class WholeParts extends SequenceFileInputFormat<Text, CrawlDatum> {

    @Override
    protected boolean isSplitable(JobContext context, Path file) {
      return false;
    }

    /** @return the name of the part that a split reads, such as {@code part-r-00000} */
    static String name(InputSplit split) {
      Path file = ((FileSplit) split).getPath();
      return file.getName().equals(MapFile.DATA_FILE_NAME) ? file.getParent().getName() : file.getName();
    }
  }

  /** Rows to rows with their score. */
  static final class ScoreMapper extends Mapper<Text, CrawlDatum, Object, NullWritable> {

    private final HostCursor cursor = new HostCursor();
    private final PageRow row = new PageRow();
    private final ScoreCounter.Tally tally = new ScoreCounter.Tally();
    private boolean explores;
    private HostTable hosts;
    /** Null in a dry run. */
    private MapFile.Writer writer;
    /** Null for rows without a host, as is the record. */
    private String hostName;
    private HostRecord host;
    private boolean probed;
    private long changed;

    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      explores = conf.getBoolean(HostPass.EXPLORES, false);
      hosts = new HostTable(new Path(conf.get(HOSTS)), conf);
      if (!conf.getBoolean(DRY_RUN, false)) {
        writer = open(context);
      }
    }

    /** As MapFileOutputFormat does it, but by the name of the part that is read. */
    private static MapFile.Writer open(Context context) throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      CompressionType type = CompressionType.NONE;
      CompressionCodec codec = null;
      if (FileOutputFormat.getCompressOutput(context)) {
        type = SequenceFileOutputFormat.getOutputCompressionType(context);
        codec = ReflectionUtils.newInstance(FileOutputFormat.getOutputCompressorClass(context, DefaultCodec.class), conf);
      }
      Path part = new Path(FileOutputFormat.getWorkOutputPath(context), WholeParts.name(context.getInputSplit()));
      return new MapFile.Writer(conf, part, MapFile.Writer.keyClass(Text.class), SequenceFile.Writer.valueClass(CrawlDatum.class),
          SequenceFile.Writer.compression(type, codec), SequenceFile.Writer.progressable(context));
    }

    @Override
    protected void map(Text url, CrawlDatum datum, Context context) throws IOException, InterruptedException {
      if (cursor.moveTo(url)) {
        reportHost(context);
        hostName = cursor.host();
        host = cursor.host() == null ? null : hosts.find(cursor.host());
        probed = host != null && hosts.isProbed(cursor.host(), host);
      }
      if (host != null) {
        row.read(datum);
        float score = host.score().of(row.isInjected(), explores && row.isFound(), probed && host.probe().equals(url.toString()));
        if (Float.floatToRawIntBits(score) == Float.floatToRawIntBits(datum.getScore())) {
          tally.count(ScoreCounter.ROWS_UNCHANGED);
        } else {
          tally.count(ScoreCounter.ROWS_WRITTEN);
          changed++;
          datum.setScore(score);
        }
      }
      if (writer != null) {
        writer.append(url, datum);
      }
    }

    private void reportHost(Context context) throws IOException, InterruptedException {
      if (changed > 0 && writer == null) {
        context.write(hostName + '\t' + changed + " rows\t" + host.score().rows(), NullWritable.get());
      }
      changed = 0;
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      reportHost(context);
      tally.report(context);
      hosts.close();
      if (writer != null) {
        writer.close();
      }
    }
  }
}
