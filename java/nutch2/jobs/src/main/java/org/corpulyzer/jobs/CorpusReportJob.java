package org.corpulyzer.jobs;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.util.Tool;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.util.NutchConfiguration;
import org.apache.nutch.util.NutchJob;
import org.apache.nutch.util.NutchTool;
import org.apache.nutch.util.ToolUtil;
import org.corpulyzer.corpus.Arguments;
import org.corpulyzer.corpus.Decisions;
import org.corpulyzer.corpus.PageSums;
import org.corpulyzer.corpus.ReportCounter;
import org.corpulyzer.corpus.ReportOptions;
import org.corpulyzer.corpus.ReportReducer;
import org.corpulyzer.corpus.RunFolder;
import org.corpulyzer.corpus.TaskFailure;
import org.corpulyzer.corpus.Tools;
import org.corpulyzer.corpus.UsageException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.Settings;

/**
 * Reports on a crawl: the report of {@code corpulyzer report} over the rows of the web table,
 * including rejected pages, so that the yield of each round is known. A mapper sums a region, and
 * one reducer merges all sums and writes the report. The figures equal those of the command over
 * the same pages, to the last digit.
 */
public class CorpusReportJob extends NutchTool implements Tool {

  /** Argument of {@link #run(Map)}: the folder for the report, which must not be there. */
  public static final String ARG_OUT = "out";

  /**
   * Argument of {@link #run(Map)}: what the report calls the corpus; by default the web table's
   * name.
   */
  public static final String ARG_NAME = "name";

  /** Argument of {@link #run(Map)}: {@code true} to skip word-based figures. */
  public static final String ARG_NO_WORDS = "noWords";

  /**
   * Argument of {@link #run(Map)}: MiB of memory for counting in each task, in addition to its
   * heap.
   */
  public static final String ARG_MEMORY = "memory";

  private static final String USAGE =
      "Usage: CorpusReportJob [-crawlId <id>] "
          + ReportOptions.SYNTAX
          + " <out>\n"
          + "    <out>          - a folder that is not there yet, for report.html, report.json and"
          + " tables\n"
          + "    -crawlId <id>  - the id to prefix the schemas to operate on (default:"
          + " storage.crawl.id)\n"
          + "    -name <name>   - name of the corpus in the report (default: the name of the web"
          + " table)\n"
          + ReportOptions.HELP;

  private long pagesInOwnBatches;

  @Override
  public Map<String, Object> run(Map<String, Object> args) throws Exception {
    Configuration conf = getConf();
    if (args.get(Nutch.ARG_CRAWL) != null) {
      conf.set(Nutch.CRAWL_ID_KEY, args.get(Nutch.ARG_CRAWL).toString());
    }
    // A wrong property stops here and not in every task.
    Settings settings = Settings.from(conf::get);
    settings.requireOneTarget("Nutch 2.4");
    Engine.of(settings);
    WebTable table = WebTable.existing(conf);
    Path out = Tools.newFolder(args.get(ARG_OUT).toString(), conf);
    Object name = args.get(ARG_NAME);
    Object memory = args.get(ARG_MEMORY);
    ReportOptions.set(
        conf,
        name == null ? table.name().getNameAsString() : name.toString(),
        !Boolean.parseBoolean(String.valueOf(args.get(ARG_NO_WORDS))),
        memory == null ? null : memory.toString());
    numJobs = 1;
    currentJobNum = 0;
    // Nutch would throw, and name the job alone.
    conf.setBoolean("fail.on.job.failure", false);
    try (RunFolder run = new RunFolder(conf)) {
      TaskFailure.noteIn(conf, run.path("failure"));
      BatchRounds.noteIn(conf, run.path("batches"));
      run(table, out);
      pagesInOwnBatches = count(ReportCounter.PAGES_IN_OWN_BATCHES);
      if (pagesInOwnBatches > 0) {
        out.getFileSystem(conf).delete(out, true);
        BatchRounds.useNoted(conf);
        run(table, out);
      }
    }
    ToolUtil.recordJobStatus(null, currentJob, results);
    return results;
  }

  private void run(WebTable table, Path out)
      throws IOException, InterruptedException, ClassNotFoundException {
    currentJob = job(getConf(), table, out);
    Tools.run(currentJob, out);
  }

  private long count(ReportCounter counter) throws IOException {
    return currentJob.getCounters().findCounter(counter).getValue();
  }

  static Job job(Configuration conf, WebTable table, Path out) throws IOException {
    Job job = NutchJob.getInstance(conf, "corpulyzer report");
    RegionInputFormat.setInput(job, table.name(), new WebTablePage(conf).reportScan(), null);
    job.setMapperClass(SumMapper.class);
    job.setMapOutputKeyClass(NullWritable.class);
    job.setMapOutputValueClass(BytesWritable.class);
    ReportReducer.setOutput(job, out);
    return job;
  }

  /** Rows to the sums of a region, in parts. */
  static final class SumMapper extends Mapper<NullWritable, Result, NullWritable, BytesWritable> {

    /** Hadoop's own would clean up, that is give parts away, after a row that failed too. */
    @Override
    public void run(Context context) throws IOException, InterruptedException {
      WebTablePage page = new WebTablePage(context.getConfiguration());
      page.decideBy(new Decisions(Settings.from(context.getConfiguration()::get)));
      BatchRounds rounds = new BatchRounds(context);
      page.numberRounds(rounds);
      try (PageSums sums = new PageSums(context)) {
        while (context.nextKeyValue()) {
          page.read(context.getCurrentValue());
          if (page.hasHost()) {
            add(sums, page);
          } else {
            sums.addMalformed();
          }
        }
        rounds.write();
        sums.give();
      } catch (IOException | RuntimeException | Error e) {
        TaskFailure.note(context.getConfiguration(), e);
        throw e;
      }
    }

    private static void add(PageSums sums, WebTablePage page) {
      if (page.isGone()) {
        sums.addGone(page.url(), page.host());
      } else if (page.isFetched()) {
        sums.add(page);
      } else {
        sums.addOther();
      }
    }
  }

  @Override
  public int run(String[] args) throws Exception {
    Arguments arguments;
    try {
      arguments = ReportOptions.arguments().option("-crawlId").read(args, 1);
      if (arguments.paths().isEmpty()) {
        throw new UsageException("<out> is missing.");
      }
    } catch (UsageException e) {
      return e.print("CorpusReportJob", USAGE);
    }
    String out = arguments.paths().get(0);
    run(
        ToolUtil.toArgMap(
            Nutch.ARG_CRAWL,
            arguments.get("-crawlId"),
            ARG_NAME,
            arguments.get("-name"),
            ARG_NO_WORDS,
            arguments.has("-noWords"),
            ARG_MEMORY,
            arguments.get("-memory"),
            ARG_OUT,
            out));
    if (pagesInOwnBatches > 0) {
      System.out.println(
          "The batch ids of "
              + pagesInOwnBatches
              + " pages hold no round: "
              + "their rounds are numbered by the first fetch of each batch.");
    }
    System.out.println(
        "CorpusReportJob: "
            + count(ReportCounter.PAGES)
            + " pages of "
            + ReportOptions.name(getConf())
            + ": "
            + new Path(out, "report.html"));
    return 0;
  }

  /** {@code [-crawlId <id>] [-name <name>] [-noWords] [-memory <MiB>] <out>} */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new CorpusReportJob(), args);
  }
}
