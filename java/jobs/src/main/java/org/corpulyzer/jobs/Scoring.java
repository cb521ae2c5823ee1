package org.corpulyzer.jobs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.mapreduce.Job;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.util.ToolUtil;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Settings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs both passes over a crawl's web table. They can be run again at any time, also after a run that was killed. */
final class Scoring {

  private static final Logger LOG = LoggerFactory.getLogger(Scoring.class);

  private final Configuration conf;
  private final WebTable table;
  private final Map<String, Object> results;
  private final Consumer<Job> current;
  private final Map<ScoreCounter, Long> counts = new EnumMap<>(ScoreCounter.class);

  /**
   * Checks everything that an operator can get wrong, and that HBase answers, before any job starts: Nutch's own updatedb goes on
   * for minutes when it does not.
   *
   * @param conf Nutch's configuration; it is copied
   * @param args Nutch's arguments: the command line leaves the crawl's id in the configuration, the REST server sends it as one
   * @param results Nutch's job results, which get the counters
   * @param current told which job runs, so that Nutch can show its progress and stop it
   * @throws CorpulyzerException in one sentence
   */
  Scoring(Configuration conf, Map<String, Object> args, Map<String, Object> results, Consumer<Job> current) throws IOException {
    // Tasks see HBase's own settings (hbase-site.xml) as the driver does; no jar is added to the job: Nutch's .job file carries
    // HBase's client and this jar in lib/, and a local run has the driver's class path.
    this.conf = HBaseConfiguration.create(conf);
    Object crawlId = args.get(Nutch.ARG_CRAWL);
    if (crawlId != null) {
      this.conf.set(Nutch.CRAWL_ID_KEY, crawlId.toString());
    }
    this.table = WebTable.of(this.conf);
    this.results = results;
    this.current = current;
    Settings.from(conf::get);
    requireTable();
  }

  /**
   * Writes the host table and the scores.
   *
   * @param batch see {@link ScoreRun}
   */
  ScoreSummary run(String batch) throws IOException, InterruptedException, ClassNotFoundException {
    HBaseHostTable.create(conf);
    complete(HostPass.job(conf, table, new ScoreRun(batch, System.currentTimeMillis()), null));
    complete(RowPass.job(conf, table));
    return new ScoreSummary(table.name().getNameAsString(), counts);
  }

  /**
   * Finds out what {@link #run} would write, and writes nothing but files that are gone when it returns.
   *
   * @param out gets a line for each host and region with rows that would change
   */
  ScoreSummary dryRun(PrintStream out) throws IOException, InterruptedException, ClassNotFoundException {
    Path folder = new Path(conf.get("hadoop.tmp.dir"), "corpulyzer-dry-run-" + UUID.randomUUID());
    FileSystem files = folder.getFileSystem(conf);
    files.deleteOnExit(folder);
    try {
      Path hosts = new Path(folder, "hosts");
      Path changes = new Path(folder, "changes");
      complete(HostPass.job(conf, table, new ScoreRun("-", System.currentTimeMillis()), hosts));
      complete(RowPass.dryJob(conf, table, hosts, changes));
      print(files, changes, out);
    } finally {
      files.delete(folder, true);
    }
    return new ScoreSummary(table.name().getNameAsString() + " (dry run, nothing written)", counts);
  }

  private void requireTable() throws IOException {
    try (Connection connection = HBase.connect(conf); Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(table.name())) {
        throw new CorpulyzerException("HBase has no table '" + table.name() + "': inject seeds first, or mend -crawlId.");
      }
    }
  }

  private void complete(Job job) throws IOException, InterruptedException, ClassNotFoundException {
    current.accept(job);
    LOG.info("{}: starting", job.getJobName());
    boolean succeeded = job.waitForCompletion(true);
    ToolUtil.recordJobStatus(null, job, results);
    if (!succeeded) {
      throw new JobFailedException(job);
    }
    for (ScoreCounter counter : ScoreCounter.values()) {
      counts.merge(counter, job.getCounters().findCounter(counter).getValue(), Long::sum);
    }
  }

  private static void print(FileSystem files, Path changes, PrintStream out) throws IOException {
    for (FileStatus part : files.globStatus(new Path(changes, "part-*"))) {
      try (BufferedReader in = new BufferedReader(new InputStreamReader(files.open(part.getPath()), StandardCharsets.UTF_8))) {
        in.lines().forEach(out::println);
      }
    }
  }
}
