package org.corpulyzer.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.gora.hbase.store.HBaseColumn;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.nutch.util.NutchJob;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.jobs.PageRow.Column;

/**
 * Pass 2 of Algorithm 1: gives every row its host's score, fetched or not, and writes the rows
 * where that changes a byte, under policy pages those that {@link RowChoice} does not let stay. It
 * reads the hosts alone that pass 1 found to have such a row.
 */
final class RowPass {

  private static final String HOSTS = "crp.score.hosts";
  private static final String ALL_ROWS = "crp.score.all.rows";
  private static final String DRY_RUN = "crp.dry.run";
  private static final String EXPLORES = "crp.score.explores";
  private static final String CHOICE = "crp.score.choice";

  private RowPass() {}

  /**
   * @param hosts the folder that {@link HostPass} wrote
   * @param unscored whether rows without a score are among them: only then is the column read that
   *     every row has, which is beside the pages' content
   * @param choice the output of {@link PagesPass}; null under other policies than pages
   * @return the job that writes scores
   */
  static Job job(Configuration conf, WebTable table, Path hosts, boolean unscored, Path choice)
      throws IOException {
    Job job = NutchJob.getInstance(conf, "corpulyzer row scores");
    job.getConfiguration().set(HOSTS, hosts.toString());
    if (choice != null) {
      job.getConfiguration().set(CHOICE, choice.toString());
    }
    job.getConfiguration().setBoolean(ALL_ROWS, unscored);
    boolean explores = Settings.from(conf::get).scorePolicy() == Settings.ScorePolicy.EXPLORE;
    job.getConfiguration().setBoolean(EXPLORES, explores);
    RegionInputFormat.setInput(
        job, table.name(), ScoreMapper.columns(table, unscored, explores).scan(), hosts);
    job.setMapperClass(ScoreMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(NullWritable.class);
    job.setOutputFormatClass(NullOutputFormat.class);
    job.setSpeculativeExecution(false);
    return job;
  }

  /**
   * @param changes a folder for the result: text, with a line for each host and region with rows to
   *     change
   * @return the job, which writes no other file
   */
  static Job dryJob(
      Configuration conf, WebTable table, Path hosts, boolean unscored, Path choice, Path changes)
      throws IOException {
    Job job = job(conf, table, hosts, unscored, choice);
    job.getConfiguration().setBoolean(DRY_RUN, true);
    job.setOutputFormatClass(TextOutputFormat.class);
    FileOutputFormat.setOutputPath(job, changes);
    return job;
  }

  /** Rows to puts of their score. */
  static final class ScoreMapper extends Mapper<NullWritable, Result, Text, NullWritable> {

    private final HostCursor cursor = new HostCursor();
    private final ScoreCounter.Tally tally = new ScoreCounter.Tally();
    private PageRow row;
    private HBaseColumn score;
    private HBaseColumn prediction;
    private HostScores hosts;

    /** Null under other policies than pages. */
    private RowChoice choice;

    /** Null in a dry run. */
    private PutBatches writer;

    private HostRecord host;
    private byte[] rowScore;
    private byte[] seedScore;
    private byte[] otherScore;
    private byte[] probeScore;
    private boolean explores;
    private long changed;

    static PageRow columns(WebTable table, boolean allRows, boolean explores) {
      List<Column> columns = new ArrayList<>(Arrays.asList(Column.SCORE, Column.INJECTED));
      if (explores) {
        columns.add(Column.FOUND);
      }
      if (allRows) {
        columns.add(Column.STATUS);
      }
      return new PageRow(table, columns.toArray(new Column[0]));
    }

    @Override
    protected void setup(Context context) throws IOException {
      Configuration conf = context.getConfiguration();
      WebTable table = WebTable.of(conf);
      explores = conf.getBoolean(EXPLORES, false);
      row = columns(table, conf.getBoolean(ALL_ROWS, true), explores);
      score = Column.SCORE.in(table);
      prediction = Column.PREDICTION.in(table);
      choice = conf.get(CHOICE) == null ? null : new RowChoice(new Path(conf.get(CHOICE)), conf);
      hosts = new HostFiles(new Path(conf.get(HOSTS)), conf);
      if (!conf.getBoolean(DRY_RUN, false)) {
        writer = PutBatches.open(conf, table.name());
      }
    }

    @Override
    protected void map(NullWritable none, Result result, Context context)
        throws IOException, InterruptedException {
      row.read(result);
      if (cursor.moveTo(row.first())) {
        reportHost(context);
        startHost();
      }
      if (cursor.host() == null) {
        return;
      }
      if (host == null) {
        tally.count(ScoreCounter.ROWS_UNSEEN);
        return;
      }
      RowChoice.Entry chosen = choice == null ? null : choice.find(row.first());
      boolean hasOwn = chosen != null && chosen.hasScore();
      byte[] wanted = hasOwn ? Bytes.toBytes(chosen.score()) : wanted();
      String predicted = chosen == null ? null : chosen.prediction();
      Cell stored = row.cell(Column.SCORE);
      boolean isSame =
          hasOwn
              ? chosen.allows(row.score())
              : stored != null
                  && (CellUtil.matchingValue(stored, wanted)
                      || choice != null && RowChoice.isNear(row.score(), Bytes.toFloat(wanted)));
      if (predicted == null && isSame) {
        tally.count(ScoreCounter.ROWS_UNCHANGED);
        return;
      }
      tally.count(ScoreCounter.ROWS_WRITTEN);
      changed++;
      if (writer != null) {
        writer.add(put(stored, wanted, predicted));
      }
    }

    private byte[] wanted() {
      if (host.totals().isUnread()) {
        return Bytes.toBytes(host.scores().unread(row.score(), row.isInjected()));
      }
      if (row.isInjected()) {
        return seedScore;
      }
      if (explores && !row.isFound()) {
        return otherScore;
      }
      return !host.probe().isEmpty() && row.key().equals(host.probe()) ? probeScore : rowScore;
    }

    private void startHost() throws IOException {
      host = cursor.host() == null ? null : hosts.find(cursor.host());
      if (host != null) {
        // Gora stores a float so, as its four bytes in big-endian order.
        rowScore = Bytes.toBytes(host.score());
        seedScore = Bytes.toBytes(host.seedScore());
        otherScore = Bytes.toBytes(host.otherScore());
        probeScore = Bytes.toBytes(host.probeScore());
      }
    }

    private Put put(Cell stored, byte[] wanted, String predicted) {
      // Gora stamps cells with the clock of whichever node wrote them: a score must not hide behind
      // one from a clock that is ahead.
      long time =
          Math.max(System.currentTimeMillis(), stored == null ? 0 : stored.getTimestamp() + 1);
      Put put =
          new Put(CellUtil.cloneRow(row.first()))
              .addColumn(score.getFamily(), score.getQualifier(), time, wanted);
      return predicted == null
          ? put
          : put.addColumn(prediction.getFamily(), prediction.getQualifier(), HBase.utf8(predicted));
    }

    private void reportHost(Context context) throws IOException, InterruptedException {
      if (changed > 0 && writer == null) {
        context.write(
            new Text(host.host() + '\t' + changed + " rows\t" + host.score()), NullWritable.get());
      }
      changed = 0;
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      reportHost(context);
      tally.report(context);
      hosts.close();
      if (choice != null) {
        choice.close();
      }
      if (writer != null) {
        writer.close();
      }
    }
  }
}
