package org.corpulyzer.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MapFileOutputFormat;
import org.apache.nutch.crawl.CrawlDb;
import org.corpulyzer.corpus.CorpusPage;
import org.corpulyzer.corpus.Decisions;
import org.corpulyzer.corpus.DoctorFindings;
import org.corpulyzer.corpus.HostBatch;
import org.corpulyzer.corpus.HostSums;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.ProbeBudget;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.Targets;

/**
 * Pass 1 of Algorithm 1: adds up the pages of every host and scores it. The rows of a host are
 * neighbours in a part of CrawlDb, so a map task holds the sums of one host and no page. The output
 * is a {@link HostTable}.
 */
final class HostPass {

  private static final String LANGUAGE = "crp.score.language";
  private static final String VERSION = "crp.score.version";
  static final String EXPLORES = "crp.score.explores";

  private HostPass() {}

  /**
   * @param conf Nutch's configuration; it is copied
   * @param targets with the weight of each language in the scores
   * @param current the parts of CrawlDb
   * @param marks the statuses that change; null if none does
   * @param hosts a folder for the host table; it does not exist
   */
  static Job job(
      Configuration conf, Engine engine, Targets targets, Path current, Path marks, Path hosts)
      throws IOException {
    Job job = Job.getInstance(conf, "corpulyzer host totals: " + current.getParent());
    // The jar of the job is Nutch's job file, which carries this jar in lib/.
    job.setJarByClass(CrawlDb.class);
    job.getConfiguration().set(LANGUAGE, targets.toString());
    job.getConfiguration().set(VERSION, engine.recordVersion());
    job.getConfiguration().setBoolean(EXPLORES, explores(conf));
    DuplicateMarks.set(job, marks);
    FileInputFormat.addInputPath(job, current);
    job.setInputFormatClass(RowInput.class);
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

  /**
   * @return the job that makes the same table of {@link Runs}, for {@link LocalReduce}
   */
  static Job jobOfRuns(Configuration conf, Engine engine, Targets targets, Path hosts)
      throws IOException {
    return job(conf, engine, targets, hosts, null, hosts);
  }

  /**
   * @return whether rows that were found on pages in the language are told apart from others
   */
  static boolean explores(Configuration conf) {
    return Settings.from(conf::get).scoresByLinks();
  }

  /** Takes the sums of a run of rows of a host; they are valid until it returns. */
  interface Sink {
    void accept(Text host, HostSums sums) throws IOException, InterruptedException;
  }

  /** Rows, in the order of a part, to sums: one record for each run of rows of a host. */
  static final class Runs {

    private final HostCursor cursor = new HostCursor();
    private final HostSums sums = new HostSums();
    private final Text host = new Text();
    private final boolean explores;
    private final Targets targets;
    private final String currentVersion;
    private final Decisions decisions;
    private final ScoreCounter.Tally tally;
    private final Sink sink;

    Runs(
        boolean explores,
        Targets targets,
        String currentVersion,
        Decisions decisions,
        ScoreCounter.Tally tally,
        Sink sink) {
      this.explores = explores;
      this.targets = targets;
      this.currentVersion = currentVersion;
      this.decisions = decisions;
      this.tally = tally;
      this.sink = sink;
    }

    void add(Text url, PageRow row) throws IOException, InterruptedException {
      if (cursor.moveTo(url)) {
        end();
        if (cursor.host() != null) {
          host.set(cursor.host());
        }
      }
      if (cursor.host() == null) {
        tally.count(ScoreCounter.MALFORMED_KEYS);
        return;
      }
      tally.count(ScoreCounter.PAGES);
      if (!sums.add(row.at(url), row.score(), explores, targets)) {
        tally.count(ScoreCounter.MALFORMED_FIGURES);
      }
      if (row.isFetched()) {
        countFetched(row);
      }
    }

    private void countFetched(PageRow row) {
      if (row.isZeroed()) {
        tally.count(ScoreCounter.FETCHED);
        tally.count(ScoreCounter.DUPLICATES);
        return;
      }
      String decision = row.decision();
      String version = row.version();
      tally.countFetched(
          decision != null,
          decision != null && decisions.isKept(decision, CorpusPage.counts(row.languages())),
          version != null && !version.equals(currentVersion));
      if (!row.isRead()) {
        tally.count(ScoreCounter.UNREAD);
      }
    }

    /** Ends the last run. */
    void end() throws IOException, InterruptedException {
      if (sums.pages() > 0) {
        sink.accept(host, sums);
        sums.clear();
      }
    }
  }

  /** Rows to {@link Runs}. */
  static final class TotalsMapper extends Mapper<Text, RowBytes, Text, HostSums> {

    private final ScoreCounter.Tally tally = new ScoreCounter.Tally();
    private DuplicateMarks marks;
    private Runs runs;

    @Override
    protected void setup(Context context) throws IOException {
      Configuration conf = context.getConfiguration();
      marks = DuplicateMarks.of(conf);
      runs =
          new Runs(
              conf.getBoolean(EXPLORES, false),
              Targets.of(conf.get(LANGUAGE)),
              conf.get(VERSION),
              new Decisions(Settings.from(conf::get)),
              tally,
              context::write);
    }

    @Override
    protected void map(Text url, RowBytes row, Context context)
        throws IOException, InterruptedException {
      runs.add(url, marks.read(url, row));
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      runs.end();
      tally.report(context);
      marks.close();
    }
  }

  /** Sums of a host to one. */
  static final class SumReducer extends Reducer<Text, HostSums, Text, HostSums> {

    @Override
    protected void reduce(Text host, Iterable<HostSums> runs, Context context)
        throws IOException, InterruptedException {
      context.write(host, HostSums.total(runs));
    }
  }

  /** Sums to records of the host table, scored a batch of hosts at a time. */
  static final class ScoreReducer extends Reducer<Text, HostSums, Text, HostRecord> {

    private HostBatch<Text> hosts;
    private ProbeChoice probes;

    @Override
    protected void setup(Context context) {
      Settings settings = Settings.from(context.getConfiguration()::get);
      hosts =
          new HostBatch<>(
              Engine.of(settings),
              Targets.of(context.getConfiguration().get(LANGUAGE)),
              context,
              (host, sums, score) -> write(host, sums, score, context));
      probes =
          new ProbeChoice(
              settings.scorePolicy() == Settings.ScorePolicy.EXPLORE
                  ? probes(context.getConfiguration(), settings)
                  : 0,
              context.getTaskAttemptID().getTaskID().getId(),
              context.getNumReduceTasks());
    }

    /**
     * A local generate gives plugins no -topN, so its part of the batch is taken here, from the
     * number of pages of a host: the documentation sets that to a twentieth of -topN.
     */
    private static long probes(Configuration conf, Settings settings) {
      long most = conf.getInt("generate.max.count", -1);
      return most <= 0
          ? settings.probes()
          : Math.min(
              settings.probes(), ProbeBudget.placesOf(DoctorFindings.HOSTS_OF_A_BATCH * most));
    }

    @Override
    protected void reduce(Text host, Iterable<HostSums> runs, Context context)
        throws IOException, InterruptedException {
      hosts.add(new Text(host), runs);
    }

    private void write(Text host, HostSums sums, HostScore score, Context context)
        throws IOException, InterruptedException {
      if (!sums.probe().isEmpty()) {
        probes.add(
            host.toString(),
            sums.isStrong(),
            sums.isStored(score, true),
            sums.isStored(score, false));
      } else if (!sums.isStored(score, false)) {
        context.getCounter(ScoreCounter.HOSTS_CHANGED).increment(1);
      }
      context.write(host, new HostRecord(sums, score));
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      hosts.finish();
      HostTable.writeProbes(context, probes.threshold(true), probes.threshold(false));
      context.getCounter(ScoreCounter.HOSTS_UNKNOWN).increment(probes.candidates());
      context.getCounter(ScoreCounter.HOSTS_PROBED).increment(probes.chosen());
      context.getCounter(ScoreCounter.HOSTS_CHANGED).increment(probes.changedHosts());
    }
  }
}
