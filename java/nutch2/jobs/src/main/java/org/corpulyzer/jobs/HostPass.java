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
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.nutch.util.NutchJob;
import org.corpulyzer.corpus.HostSums;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.HostTotals;
import org.corpulyzer.engine.RowKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.jobs.PageRow.Column;

/**
 * Pass 1 of Algorithm 1: adds up every host's pages and scores it. A host's rows are neighbours, so a map task keeps the sums of one
 * host and sends one record for each host of its region; no page is held. The rows' stored scores are read along, so that pass 2
 * reads the hosts alone that have a row to write.
 */
final class HostPass {

  private static final String DRY_RUN = "crp.dry.run";

  private HostPass() {
  }

  /**
   * @param conf Nutch's configuration with the crawl's id; it is copied
   * @param hosts a folder with the {@link HostList} of the hosts to add up, or null for all
   * @param changed a folder for the records of the hosts that have a row with another score: a {@link HostList}
   * @param dryRun whether to leave the host table alone
   */
  static Job job(Configuration conf, WebTable table, ScoreRun run, Path hosts, Path changed, boolean dryRun) throws IOException {
    Job job = NutchJob.getInstance(conf, "corpulyzer host totals");
    run.store(job.getConfiguration());
    job.getConfiguration().setBoolean(DRY_RUN, dryRun);
    boolean explores = Settings.from(conf::get).scorePolicy() == Settings.ScorePolicy.EXPLORE;
    RegionInputFormat.setInput(job, table.name(), TotalsMapper.columns(table, explores).scan(), hosts);
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

  /** Rows to sums: one record for each host of the split, under the key by which the host's rows begin. */
  static final class TotalsMapper extends Mapper<NullWritable, Result, Text, HostSums> {

    private static final byte[] KEEP = HBase.utf8("keep");

    private final HostCursor cursor = new HostCursor();
    private final HostSums sums = new HostSums();
    private final Text host = new Text();
    private final ScoreCounter.Tally tally = new ScoreCounter.Tally();
    private PageRow row;
    private boolean explores;
    private String language;
    private byte[] currentVersion;

    static PageRow columns(WebTable table, boolean explores) {
      return explores
          ? new PageRow(table, Column.STATUS, Column.VERSION, Column.LANGUAGES, Column.DECISION, Column.SCORE, Column.INJECTED,
              Column.FOUND, Column.ELSEWHERE)
          : new PageRow(table, Column.STATUS, Column.VERSION, Column.LANGUAGES, Column.DECISION, Column.SCORE, Column.INJECTED);
    }

    @Override
    protected void setup(Context context) throws IOException {
      Settings settings = Settings.from(context.getConfiguration()::get);
      explores = settings.scorePolicy() == Settings.ScorePolicy.EXPLORE;
      row = columns(WebTable.of(context.getConfiguration()), explores);
      Engine engine = Engine.of(settings);
      language = engine.target();
      currentVersion = HBase.utf8(engine.recordVersion());
    }

    @Override
    protected void map(NullWritable none, Result result, Context context) throws IOException, InterruptedException {
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
      sums.addPage();
      if (explores && row.isElsewhere()) {
        sums.addElsewhere();
      }
      if (explores && row.mayProbe()) {
        sums.addProbe(row.key(), row.score());
      } else {
        sums.addStored(row.isInjected(), explores && !row.isFound(), row.score());
      }
      if (!row.has(Column.SCORE)) {
        tally.count(ScoreCounter.ROWS_UNSCORED);
      }
      if (row.isFetched()) {
        tally.count(ScoreCounter.FETCHED);
        countFigures();
        long bytes = row.bytesIn(language);
        if (bytes < 0) {
          // Counted and gone on with: one bad row does not stop a crawl.
          tally.count(ScoreCounter.MALFORMED_FIGURES);
        }
        sums.addFetched(Math.max(0, bytes), bytes >= 0 && row.isRead());
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

  /**
   * Sums of splits to one record a host, scored a batch of hosts at a time. Every record goes to the host table, where a lost one
   * fails the task; those of hosts with rows to write are the output.
   */
  static final class ScoreReducer extends Reducer<Text, HostSums, Text, HostRecord> {

    private static final int BATCH = 1024;

    private final List<String> hosts = new ArrayList<>();
    private final List<HostSums> sums = new ArrayList<>();
    private Engine engine;
    private ScoreRun run;
    /** Null in a dry run. */
    private HostTable table;

    @Override
    protected void setup(Context context) throws IOException {
      Configuration conf = context.getConfiguration();
      engine = Engine.of(Settings.from(conf::get));
      run = ScoreRun.of(conf);
      if (!conf.getBoolean(DRY_RUN, false)) {
        table = HBaseHostTable.open(conf);
      }
    }

    @Override
    protected void reduce(Text startKey, Iterable<HostSums> splits, Context context) throws IOException, InterruptedException {
      HostSums total = new HostSums();
      for (HostSums split : splits) {
        total.add(split);
      }
      hosts.add(HostList.host(startKey));
      sums.add(total);
      if (hosts.size() == BATCH) {
        score(context);
      }
    }

    private void score(Context context) throws IOException, InterruptedException {
      HostScore[] scores = engine.scores(sums.stream().map(HostSums::totals).toArray(HostTotals[]::new));
      for (int i = 0; i < scores.length; i++) {
        HostSums of = sums.get(i);
        countStop(of, scores[i].stop(), context);
        HostRecord record = HostRecord.scored(hosts.get(i), of, scores[i], run, engine.target(), engine.recordVersion());
        if (table != null) {
          table.put(record);
        }
        if (of.isStored(scores[i], !of.probe().isEmpty())) {
          context.getCounter(ScoreCounter.ROWS_UNCHANGED).increment(of.pages());
        } else {
          context.getCounter(ScoreCounter.HOSTS_CHANGED).increment(1);
          context.write(HostList.key(hosts.get(i)), record);
        }
      }
      context.getCounter(ScoreCounter.HOSTS_SCORED).increment(hosts.size());
      hosts.clear();
      sums.clear();
    }

    private static void countStop(HostSums host, HostScore.Stop stop, Context context) {
      if (stop != null) {
        context.getCounter(stop == HostScore.Stop.BARREN ? ScoreCounter.HOSTS_BARREN : ScoreCounter.HOSTS_LIMIT).increment(1);
        context.getCounter(ScoreCounter.ROWS_STOPPED).increment(host.pages());
      }
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      try {
        score(context);
      } finally {
        if (table != null) {
          table.close();
        }
      }
    }
  }
}
