package org.corpulyzer.nutch1.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MapFileOutputFormat;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.corpulyzer.corpus.HostSums;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.HostTotals;
import org.corpulyzer.engine.Settings;

/**
 * Pass 1 of Algorithm 1: adds up the pages of every host and scores it. The rows of a host are neighbours in a part of CrawlDb, so a map
 * task holds the sums of one host and no page. The output is a {@link HostTable}.
 */
final class HostPass {

  private static final String LANGUAGE = "crp.score.language";
  private static final String VERSION = "crp.score.version";
  static final String EXPLORES = "crp.score.explores";

  private HostPass() {
  }

  /**
   * @param conf Nutch's configuration; it is copied
   * @param current the parts of CrawlDb
   * @param hosts a folder for the host table; it does not exist
   */
  static Job job(Configuration conf, Engine engine, Path current, Path hosts) throws IOException {
    Job job = Job.getInstance(conf, "corpulyzer host totals: " + current.getParent());
    // The jar of the job is Nutch's job file, which carries this jar in lib/.
    job.setJarByClass(CrawlDb.class);
    job.getConfiguration().set(LANGUAGE, engine.target());
    job.getConfiguration().set(VERSION, engine.recordVersion());
    job.getConfiguration().setBoolean(EXPLORES, explores(conf));
    FileInputFormat.addInputPath(job, current);
    job.setInputFormatClass(SequenceFileInputFormat.class);
    job.setMapperClass(TotalsMapper.class);
    job.setCombinerClass(SumReducer.class);
    job.setReducerClass(ScoreReducer.class);
    job.setMapOutputKeyClass(Text.class);
    job.setMapOutputValueClass(HostSums.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(HostRecord.class);
    job.setOutputFormatClass(MapFileOutputFormat.class);
    FileOutputFormat.setOutputPath(job, hosts);
    job.getConfiguration().setBoolean(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
    job.setSpeculativeExecution(false);
    return job;
  }

  static boolean explores(Configuration conf) {
    return Settings.from(conf::get).scorePolicy() == Settings.ScorePolicy.EXPLORE;
  }

  /** Rows to sums: one record for each run of rows of a host. */
  static final class TotalsMapper extends Mapper<Text, CrawlDatum, Text, HostSums> {

    private final HostCursor cursor = new HostCursor();
    private final HostSums sums = new HostSums();
    private final Text host = new Text();
    private final PageRow row = new PageRow();
    private final ScoreCounter.Tally tally = new ScoreCounter.Tally();
    private boolean explores;
    private String language;
    private String currentVersion;

    @Override
    protected void setup(Context context) {
      Configuration conf = context.getConfiguration();
      explores = conf.getBoolean(EXPLORES, false);
      language = conf.get(LANGUAGE);
      currentVersion = conf.get(VERSION);
    }

    @Override
    protected void map(Text url, CrawlDatum datum, Context context) throws IOException, InterruptedException {
      if (cursor.moveTo(url)) {
        emit(context);
        if (cursor.host() != null) {
          host.set(cursor.host());
        }
      }
      if (cursor.host() == null) {
        tally.count(ScoreCounter.MALFORMED_KEYS);
        return;
      }
      row.read(datum);
      tally.count(ScoreCounter.PAGES);
      sums.addPage();
      if (explores && row.isElsewhere()) {
        sums.addElsewhere();
      }
      if (explores && row.mayProbe()) {
        sums.addProbe(url.toString(), row.score());
      } else {
        sums.addStored(row.isInjected(), explores && !row.isFound(), row.score());
      }
      if (row.isFetched()) {
        addFetched();
      }
    }

    private void addFetched() {
      tally.count(ScoreCounter.FETCHED);
      String decision = row.decision();
      tally.count(decision == null ? ScoreCounter.NONE : decision.startsWith("keep") ? ScoreCounter.KEEP : ScoreCounter.REJECT);
      if (!row.isRead()) {
        tally.count(ScoreCounter.UNREAD);
      }
      String version = row.version();
      if (version != null && !version.equals(currentVersion)) {
        tally.count(ScoreCounter.STALE);
      }
      long bytes = row.bytesIn(language);
      if (bytes < 0) {
        // Counted as 0 bytes: one bad row does not stop a crawl.
        tally.count(ScoreCounter.MALFORMED_FIGURES);
      }
      sums.addFetched(Math.max(0, bytes), bytes >= 0 && row.isRead());
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

  /** Sums of a host to one. */
  static final class SumReducer extends Reducer<Text, HostSums, Text, HostSums> {

    @Override
    protected void reduce(Text host, Iterable<HostSums> runs, Context context) throws IOException, InterruptedException {
      context.write(host, total(runs));
    }

    static HostSums total(Iterable<HostSums> runs) {
      HostSums total = new HostSums();
      for (HostSums run : runs) {
        total.add(run);
      }
      return total;
    }
  }

  /** Sums to records of the host table, scored a batch of hosts at a time. */
  static final class ScoreReducer extends Reducer<Text, HostSums, Text, HostRecord> {

    private static final int BATCH = 1024;

    private final List<Text> hosts = new ArrayList<>();
    private final List<HostSums> sums = new ArrayList<>();
    private Engine engine;
    private ProbeChoice probes;

    @Override
    protected void setup(Context context) {
      Settings settings = Settings.from(context.getConfiguration()::get);
      engine = Engine.of(settings);
      probes = new ProbeChoice(settings.probes(), context.getTaskAttemptID().getTaskID().getId(), context.getNumReduceTasks());
    }

    @Override
    protected void reduce(Text host, Iterable<HostSums> runs, Context context) throws IOException, InterruptedException {
      hosts.add(new Text(host));
      sums.add(SumReducer.total(runs));
      if (hosts.size() == BATCH) {
        score(context);
      }
    }

    private void score(Context context) throws IOException, InterruptedException {
      HostScore[] scores = engine.scores(sums.stream().map(HostSums::totals).toArray(HostTotals[]::new));
      long changed = 0;
      for (int i = 0; i < scores.length; i++) {
        HostSums of = sums.get(i);
        countStop(of, scores[i].stop(), context);
        if (!of.probe().isEmpty()) {
          probes.add(hosts.get(i).toString(), of.isStored(scores[i], true), of.isStored(scores[i], false));
        } else if (!of.isStored(scores[i], false)) {
          changed++;
        }
        context.write(hosts.get(i), new HostRecord(of, scores[i]));
      }
      context.getCounter(ScoreCounter.HOSTS_SCORED).increment(hosts.size());
      context.getCounter(ScoreCounter.HOSTS_CHANGED).increment(changed);
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
      score(context);
      HostTable.writeProbes(context, probes.threshold());
      context.getCounter(ScoreCounter.HOSTS_UNKNOWN).increment(probes.candidates());
      context.getCounter(ScoreCounter.HOSTS_PROBED).increment(probes.chosen());
      context.getCounter(ScoreCounter.HOSTS_CHANGED).increment(probes.changedHosts());
    }
  }
}
