package org.corpulyzer.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MapFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.nutch.util.NutchJob;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.HostTotals;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.jobs.PageRow.Column;

/**
 * Pass 1 of Algorithm 1: adds up every host's pages and scores it. A host's rows are neighbours, so a map task keeps the sums of one
 * host and sends one record for each host of its region; no page is held.
 */
final class HostPass {

  private HostPass() {
  }

  /**
   * @param conf Nutch's configuration with the crawl's id; it is copied
   * @param dryRun a folder to write the host records to, or null to write the host table
   */
  static Job job(Configuration conf, WebTable table, ScoreRun run, Path dryRun) throws IOException {
    Job job = NutchJob.getInstance(conf, "corpulyzer host totals");
    run.store(job.getConfiguration());
    RegionInputFormat.setInput(job, table.name(), TotalsMapper.columns(table).scan());
    job.setMapperClass(TotalsMapper.class);
    job.setMapOutputKeyClass(Text.class);
    job.setMapOutputValueClass(HostSums.class);
    job.setReducerClass(ScoreReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(HostRecord.class);
    if (dryRun == null) {
      job.setOutputFormatClass(HostTableOutput.class);
    } else {
      job.setOutputFormatClass(MapFileOutputFormat.class);
      FileOutputFormat.setOutputPath(job, dryRun);
      // MapFileOutputFormat's own reader takes every file of the folder for a map file.
      job.getConfiguration().setBoolean(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
    }
    job.setSpeculativeExecution(false);
    return job;
  }

  /** Rows to sums: one record for each host of the split. */
  static final class TotalsMapper extends Mapper<NullWritable, Result, Text, HostSums> {

    private static final byte[] KEEP = HBase.utf8("keep");

    private final HostCursor cursor = new HostCursor();
    private final HostSums sums = new HostSums();
    private final Text host = new Text();
    private final ScoreCounter.Tally tally = new ScoreCounter.Tally();
    private PageRow row;
    private String language;
    private byte[] currentVersion;

    static PageRow columns(WebTable table) {
      return new PageRow(table, Column.STATUS, Column.VERSION, Column.LANGUAGES, Column.DECISION);
    }

    @Override
    protected void setup(Context context) throws IOException {
      row = columns(WebTable.of(context.getConfiguration()));
      Engine engine = Engine.of(Settings.from(context.getConfiguration()::get));
      language = engine.target();
      currentVersion = HBase.utf8(engine.recordVersion());
    }

    @Override
    protected void map(NullWritable none, Result result, Context context) throws IOException, InterruptedException {
      row.read(result);
      if (cursor.moveTo(row.first())) {
        emit(context);
        if (cursor.host() != null) {
          host.set(cursor.host());
        }
      }
      if (cursor.host() == null) {
        tally.count(ScoreCounter.MALFORMED_KEYS);
        return;
      }
      tally.count(ScoreCounter.PAGES);
      if (!cursor.isNormalised(row.first())) {
        tally.count(ScoreCounter.UNNORMALISED_HOSTS);
      }
      sums.addPage();
      if (row.isFetched()) {
        tally.count(ScoreCounter.FETCHED);
        countFigures();
        long bytes = row.bytesIn(language);
        if (bytes < 0) {
          // Counted and gone on with: one bad row does not stop a crawl.
          tally.count(ScoreCounter.MALFORMED_FIGURES);
        }
        sums.addFetched(Math.max(0, bytes));
      }
    }

    private void countFigures() {
      tally.count(!row.has(Column.DECISION) ? ScoreCounter.NONE
          : row.begins(Column.DECISION, KEEP) ? ScoreCounter.KEEP : ScoreCounter.REJECT);
      Cell version = row.cell(Column.VERSION);
      if (version != null && !CellUtil.matchingValue(version, currentVersion)) {
        tally.count(ScoreCounter.STALE);
      }
    }

    private void emit(Context context) throws IOException, InterruptedException {
      if (sums.pages() > 0) {
        context.write(host, sums);
        sums.clear();
      }
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      emit(context);
      tally.report(context);
    }
  }

  /** Sums of splits to one record a host, scored a batch of hosts at a time. */
  static final class ScoreReducer extends Reducer<Text, HostSums, Text, HostRecord> {

    private static final int BATCH = 1024;

    private final List<String> hosts = new ArrayList<>();
    private final List<HostSums> sums = new ArrayList<>();
    private Engine engine;
    private ScoreRun run;

    @Override
    protected void setup(Context context) {
      engine = Engine.of(Settings.from(context.getConfiguration()::get));
      run = ScoreRun.of(context.getConfiguration());
    }

    @Override
    protected void reduce(Text host, Iterable<HostSums> splits, Context context) throws IOException, InterruptedException {
      HostSums total = new HostSums();
      for (HostSums split : splits) {
        total.add(split);
      }
      hosts.add(host.toString());
      sums.add(total);
      if (hosts.size() == BATCH) {
        score(context);
      }
    }

    private void score(Context context) throws IOException, InterruptedException {
      HostScore[] scores = engine.scores(sums.stream().map(HostSums::totals).toArray(HostTotals[]::new));
      for (int i = 0; i < scores.length; i++) {
        HostSums of = sums.get(i);
        context.write(new Text(hosts.get(i)), HostRecord.scored(hosts.get(i), of.totals(), of.pages(), scores[i], run,
            engine.target(), engine.recordVersion()));
      }
      context.getCounter(ScoreCounter.HOSTS_SCORED).increment(hosts.size());
      hosts.clear();
      sums.clear();
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      score(context);
    }
  }

  /** Writes host records to the host table; a lost one fails the task. */
  static final class HostTableOutput extends OutputFormat<Text, HostRecord> {

    @Override
    public RecordWriter<Text, HostRecord> getRecordWriter(TaskAttemptContext context) throws IOException {
      HostTable hosts = HBaseHostTable.open(context.getConfiguration());
      return new RecordWriter<Text, HostRecord>() {
        @Override
        public void write(Text host, HostRecord record) throws IOException {
          hosts.put(record);
        }

        @Override
        public void close(TaskAttemptContext ended) throws IOException {
          hosts.close();
        }
      };
    }

    @Override
    public void checkOutputSpecs(JobContext context) {
      // The driver made the table.
    }

    @Override
    public OutputCommitter getOutputCommitter(TaskAttemptContext context) {
      return new NullOutputFormat<Text, HostRecord>().getOutputCommitter(context);
    }
  }
}
