package org.corpulyzer.jobs;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.nutch.util.NutchJob;
import org.corpulyzer.corpus.CorpusPage;
import org.corpulyzer.corpus.Decisions;
import org.corpulyzer.corpus.HostBatch;
import org.corpulyzer.corpus.HostSums;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.RowKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.jobs.PageRow.Column;

/**
 * Pass 1 of Algorithm 1: adds up every host's pages and scores it. A host's rows are neighbours, so
 * a map task keeps the sums of one host and sends one record for each host of its region; no page
 * is held. The rows' stored scores are read along, so that pass 2 reads the hosts alone that have a
 * row to write.
 */
final class HostPass {

  private static final String DRY_RUN = "crp.dry.run";

  /** Whether the output has the records of all hosts. */
  private static final String ALL_HOSTS = "crp.all.hosts";

  private HostPass() {}

  /**
   * @param conf Nutch's configuration with the crawl's id; it is copied
   * @param hosts a folder with the {@link HostList} of the hosts to add up, or null for all
   * @param changed a folder for the records of the hosts that have a row with another score, under
   *     policy pages for those of all hosts: a {@link HostList}
   * @param dryRun whether to leave the host table alone
   */
  static Job job(
      Configuration conf, WebTable table, ScoreRun run, Path hosts, Path changed, boolean dryRun)
      throws IOException {
    Job job = NutchJob.getInstance(conf, "corpulyzer host totals");
    run.store(job.getConfiguration());
    job.getConfiguration().setBoolean(DRY_RUN, dryRun);
    Settings settings = Settings.from(conf::get);
    job.getConfiguration()
        .setBoolean(ALL_HOSTS, settings.scorePolicy() == Settings.ScorePolicy.PAGES);
    RegionInputFormat.setInput(
        job, table.name(), TotalsMapper.columns(table, settings).scan(), hosts);
    job.setMapperClass(TotalsMapper.class);
    job.setMapOutputKeyClass(Text.class);
    job.setMapOutputValueClass(HostSums.class);
    job.setReducerClass(ScoreReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(HostRecord.class);
    HostList.setOutput(job, changed);
    job.setSpeculativeExecution(false);
    return job;
  }

  /**
   * Rows to sums: one record for each host of the split, under the key by which the host's rows
   * begin.
   */
  static final class TotalsMapper extends Mapper<NullWritable, Result, Text, HostSums> {

    private final HostCursor cursor = new HostCursor();
    private final HostSums sums = new HostSums();
    private final Text host = new Text();
    private final ScoreCounter.Tally tally = new ScoreCounter.Tally();
    private PageRow row;
    private boolean explores;
    private String language;
    private Decisions decisions;
    private byte[] currentVersion;

    static PageRow columns(WebTable table, Settings settings) {
      Set<Column> columns =
          EnumSet.of(
              Column.STATUS,
              Column.VERSION,
              Column.LANGUAGES,
              Column.DECISION,
              Column.SCORE,
              Column.INJECTED);
      if (settings.scorePolicy() == Settings.ScorePolicy.EXPLORE) {
        columns.add(Column.FOUND);
        columns.add(Column.ELSEWHERE);
      }
      if (settings.stopsLowYields()) {
        columns.add(Column.RAW_BYTES);
      }
      if (settings.zeroesDuplicates()) {
        columns.add(Column.DUPLICATE);
      }
      return new PageRow(table, columns.toArray(new Column[0]));
    }

    @Override
    protected void setup(Context context) throws IOException {
      Settings settings = Settings.from(context.getConfiguration()::get);
      explores = settings.scorePolicy() == Settings.ScorePolicy.EXPLORE;
      row = columns(WebTable.of(context.getConfiguration()), settings);
      Engine engine = Engine.of(settings);
      language = engine.target();
      decisions = new Decisions(settings);
      currentVersion = HBase.utf8(engine.recordVersion());
    }

    @Override
    protected void map(NullWritable none, Result result, Context context)
        throws IOException, InterruptedException {
      row.read(result);
      if (cursor.moveTo(row.first())) {
        emit(context);
        if (cursor.host() != null) {
          host.set(RowKeys.startKey(cursor.host()));
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
      if (!sums.add(row, row.score(), explores, language)) {
        tally.count(ScoreCounter.MALFORMED_FIGURES);
      }
      if (!row.has(Column.SCORE)) {
        tally.count(ScoreCounter.ROWS_UNSCORED);
      }
      if (row.isFetched()) {
        countFetched();
      }
    }

    private void countFetched() {
      if (row.isDuplicate()) {
        tally.count(ScoreCounter.FETCHED);
        tally.count(ScoreCounter.DUPLICATES);
        return;
      }
      Cell version = row.cell(Column.VERSION);
      tally.countFetched(
          row.has(Column.DECISION),
          row.has(Column.DECISION)
              && decisions.isKept(
                  row.text(Column.DECISION), CorpusPage.counts(row.text(Column.LANGUAGES))),
          version != null && !CellUtil.matchingValue(version, currentVersion));
      if (!row.isRead()) {
        tally.count(ScoreCounter.UNREAD);
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

  /**
   * Adds the sums of splits to one record for each host, and scores a batch of hosts at a time.
   * Every record is written to the host table; a lost record fails the task. The output has the
   * records of hosts with rows to write.
   */
  static final class ScoreReducer extends Reducer<Text, HostSums, Text, HostRecord> {

    private Engine engine;
    private HostBatch<String> hosts;
    private ScoreRun run;
    private boolean listsAll;

    /** Null in a dry run. */
    private HostTable table;

    @Override
    protected void setup(Context context) throws IOException {
      Configuration conf = context.getConfiguration();
      engine = Engine.of(Settings.from(conf::get));
      hosts =
          new HostBatch<>(
              engine, context, (host, sums, score) -> write(host, sums, score, context));
      run = ScoreRun.of(conf);
      listsAll = conf.getBoolean(ALL_HOSTS, false);
      if (!conf.getBoolean(DRY_RUN, false)) {
        table = HBaseHostTable.open(conf);
      }
    }

    @Override
    protected void reduce(Text startKey, Iterable<HostSums> splits, Context context)
        throws IOException, InterruptedException {
      hosts.add(HostList.host(startKey), splits);
    }

    private void write(String host, HostSums sums, HostScore score, Context context)
        throws IOException, InterruptedException {
      HostRecord record =
          HostRecord.scored(host, sums, score, run, engine.target(), engine.recordVersion());
      if (table != null) {
        table.put(record);
      }
      if (!listsAll && sums.isStored(score, !sums.probe().isEmpty())) {
        context.getCounter(ScoreCounter.ROWS_UNCHANGED).increment(sums.pages());
      } else {
        context.getCounter(ScoreCounter.HOSTS_CHANGED).increment(1);
        context.write(HostList.key(host), record);
      }
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      try {
        hosts.finish();
      } finally {
        if (table != null) {
          table.close();
        }
      }
    }
  }
}
