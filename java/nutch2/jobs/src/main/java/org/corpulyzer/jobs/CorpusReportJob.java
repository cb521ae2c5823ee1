package org.corpulyzer.jobs;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.util.NutchConfiguration;
import org.apache.nutch.util.NutchJob;
import org.apache.nutch.util.NutchTool;
import org.apache.nutch.util.TableUtil;
import org.apache.nutch.util.ToolUtil;
import org.corpulyzer.corpus.Heartbeat;
import org.corpulyzer.corpus.JobFailedException;
import org.corpulyzer.corpus.Tools;
import org.corpulyzer.engine.CorpusSums;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.jobs.PageRow.Column;

/**
 * What is in a crawl: the report of {@code corpulyzer report} over the rows of the web table, pages that were rejected included, so that
 * the yield of each round is known. A mapper sums up a region, one reducer takes the sums of all in and writes the report. Figures are
 * those of the command over the same pages, to the last digit.
 */
public class CorpusReportJob extends NutchTool implements Tool {

  /** Argument of {@link #run(Map)}: the folder for the report, which must not be there. */
  public static final String ARG_OUT = "out";
  /** Argument of {@link #run(Map)}: what the report calls the corpus; by default the web table's name. */
  public static final String ARG_NAME = "name";
  /** Argument of {@link #run(Map)}: {@code true} to leave out what needs words. */
  public static final String ARG_NO_WORDS = "noWords";
  /** Argument of {@link #run(Map)}: MiB of memory for counting, of each task, beside its heap. */
  public static final String ARG_MEMORY = "memory";

  private static final String NAME = "crp.report.name";
  private static final String WORDS = "crp.report.words";
  private static final String MEMORY = "crp.report.memory";
  private static final int MEMORY_MIB = 64;
  private static final String USAGE = "Usage: CorpusReportJob [-crawlId <id>] [-name <name>] [-noWords] [-memory <MiB>] <out>\n"
      + "    <out>          - a folder that is not there yet, for report.html, report.json and tables\n"
      + "    -crawlId <id>  - the id to prefix the schemas to operate on (default: storage.crawl.id)\n"
      + "    -name <name>   - what the report calls the corpus (default: the name of the web table)\n"
      + "    -noWords       - leave out what needs words: vocabulary, Zipf's law, near duplicates\n"
      + "    -memory <MiB>  - memory for counting, of each task, beside its heap: 16 to 65536 (default: " + MEMORY_MIB + ")";

  @Override
  public Map<String, Object> run(Map<String, Object> args) throws Exception {
    Configuration conf = getConf();
    if (args.get(Nutch.ARG_CRAWL) != null) {
      conf.set(Nutch.CRAWL_ID_KEY, args.get(Nutch.ARG_CRAWL).toString());
    }
    // A wrong property stops here and not in every task.
    Engine.of(Settings.from(conf::get));
    WebTable table = WebTable.existing(conf);
    Path out = Tools.newFolder(args.get(ARG_OUT).toString(), conf);
    Object name = args.get(ARG_NAME);
    conf.set(NAME, name == null ? table.name().getNameAsString() : name.toString());
    conf.setBoolean(WORDS, !Boolean.parseBoolean(String.valueOf(args.get(ARG_NO_WORDS))));
    if (args.get(ARG_MEMORY) != null) {
      conf.setLong(MEMORY, Long.parseLong(args.get(ARG_MEMORY).toString()));
    }
    numJobs = 1;
    currentJobNum = 0;
    currentJob = job(conf, table, out);
    if (!currentJob.waitForCompletion(true)) {
      throw new JobFailedException(currentJob);
    }
    ToolUtil.recordJobStatus(null, currentJob, results);
    return results;
  }

  static Job job(Configuration conf, WebTable table, Path out) throws IOException {
    Job job = NutchJob.getInstance(conf, "corpulyzer report");
    RegionInputFormat.setInput(job, table.name(), SumMapper.columns(table).scan(), null);
    job.setMapperClass(SumMapper.class);
    job.setReducerClass(ReportReducer.class);
    job.setNumReduceTasks(1);
    job.setMapOutputKeyClass(NullWritable.class);
    job.setMapOutputValueClass(BytesWritable.class);
    // The report's files are written by their names; a part file of no lines would only stand beside them.
    LazyOutputFormat.setOutputFormatClass(job, TextOutputFormat.class);
    FileOutputFormat.setOutputPath(job, out);
    job.getConfiguration().setBoolean("mapreduce.fileoutputcommitter.marksuccessfuljobs", false);
    job.setSpeculativeExecution(false);
    return job;
  }

  private static CorpusSums open(Configuration conf, java.nio.file.Path scratch) {
    Engine engine = Engine.of(Settings.from(conf::get));
    return CorpusSums.open(engine, scratch, conf.getLong(MEMORY, MEMORY_MIB) << 20, conf.getBoolean(WORDS, true));
  }

  /** A folder of the task's; on YARN it lies in the container's own, which goes with it. */
  private static java.nio.file.Path scratch() throws IOException {
    return Files.createTempDirectory("corpulyzer-report-");
  }

  private static void delete(java.nio.file.Path folder) throws IOException {
    try (DirectoryStream<java.nio.file.Path> files = Files.newDirectoryStream(folder)) {
      for (java.nio.file.Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  /** Rows to the sums of a region, in parts. */
  static final class SumMapper extends Mapper<NullWritable, Result, NullWritable, BytesWritable> {

    private final HostCursor cursor = new HostCursor();
    private java.nio.file.Path scratch;
    private CorpusSums sums;
    private PageRow row;
    private long pages;
    private long gone;
    private long malformed;
    private long others;

    static PageRow columns(WebTable table) {
      return new PageRow(table, Column.STATUS, Column.BATCH, Column.LANGUAGES, Column.DECISION, Column.RAW_BYTES, Column.VISIBLE_BYTES,
          Column.MAIN_BYTES, Column.SIGNATURE, Column.TEXT);
    }

    /** Hadoop's own would clean up, that is give parts away, after a row that failed too. */
    @Override
    public void run(Context context) throws IOException, InterruptedException {
      row = columns(WebTable.of(context.getConfiguration()));
      scratch = scratch();
      try (CorpusSums opened = open(context.getConfiguration(), scratch)) {
        sums = opened;
        while (context.nextKeyValue()) {
          add(context.getCurrentValue());
        }
        give(context);
      } finally {
        delete(scratch);
      }
    }

    private void add(Result result) {
      row.read(result);
      cursor.moveTo(row.first());
      // A page that was one once, and is no more; a dead link never was.
      boolean isGone = row.status() == CrawlStatus.STATUS_GONE && row.has(Column.LANGUAGES);
      if (cursor.host() == null) {
        malformed++;
      } else if (isGone || row.isFetched()) {
        pages += isGone ? 0 : 1;
        gone += isGone ? 1 : 0;
        sums.add(page(isGone));
      } else {
        others++;
      }
    }

    private CorpusSums.Row page(boolean isGone) {
      CorpusSums.Row page = new CorpusSums.Row(TableUtil.unreverseUrl(row.key()), TableUtil.unreverseHost(cursor.host()));
      if (isGone) {
        return page.gone();
      }
      if (row.round() >= 0) {
        page.round(row.round());
      }
      page.decision(row.text(Column.DECISION)).languages(row.text(Column.LANGUAGES)).signature(row.value(Column.SIGNATURE))
          .text(row.value(Column.TEXT));
      if (row.bytes(Column.RAW_BYTES) >= 0) {
        page.rawBytes(row.bytes(Column.RAW_BYTES));
      }
      if (row.bytes(Column.VISIBLE_BYTES) >= 0) {
        page.visibleBytes(row.bytes(Column.VISIBLE_BYTES));
      }
      if (row.bytes(Column.MAIN_BYTES) >= 0) {
        page.mainBytes(row.bytes(Column.MAIN_BYTES));
      }
      return page;
    }

    private void give(Context context) throws IOException, InterruptedException {
      java.nio.file.Path parts = scratch.resolve("parts");
      Heartbeat.during(context, () -> sums.writeParts(parts, others + malformed));
      CorpusSums.readParts(parts, part -> {
        context.write(NullWritable.get(), new BytesWritable(part));
        context.getCounter(ReportCounter.PARTS).increment(1);
      });
      context.getCounter(ReportCounter.PAGES).increment(pages);
      context.getCounter(ReportCounter.PAGES_GONE).increment(gone);
      context.getCounter(ReportCounter.OTHER_ROWS).increment(others);
      context.getCounter(ReportCounter.MALFORMED_KEYS).increment(malformed);
    }
  }

  /** Parts to the report. */
  static final class ReportReducer extends Reducer<NullWritable, BytesWritable, NullWritable, NullWritable> {

    @Override
    public void run(Context context) throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      java.nio.file.Path scratch = scratch();
      try (CorpusSums sums = open(conf, scratch)) {
        while (context.nextKey()) {
          for (BytesWritable part : context.getValues()) {
            sums.absorb(part.copyBytes());
          }
        }
        Heartbeat.during(context, () -> sums.report(conf.get(NAME), scratch));
        // The committer moves this folder to its place when the task has ended well; no other attempt sees it.
        Path folder = FileOutputFormat.getWorkOutputPath(context);
        try (FileSystem files = FileSystem.newInstance(folder.toUri(), conf);
            DirectoryStream<java.nio.file.Path> written = Files.newDirectoryStream(scratch)) {
          // A local file system would put its checksums beside the files.
          files.setWriteChecksum(false);
          for (java.nio.file.Path file : written) {
            files.copyFromLocalFile(new Path(file.toUri()), new Path(folder, file.getFileName().toString()));
          }
        }
      } finally {
        delete(scratch);
      }
    }
  }

  @Override
  public int run(String[] args) throws Exception {
    String crawlId = null;
    String name = null;
    String memory = null;
    String out = null;
    boolean noWords = false;
    for (int i = 0; i < args.length; i++) {
      String value = i + 1 < args.length ? args[i + 1] : "";
      if (args[i].equals("-noWords")) {
        noWords = true;
      } else if (args[i].equals("-crawlId") && !value.isEmpty()) {
        crawlId = args[++i];
      } else if (args[i].equals("-name") && !value.isEmpty()) {
        name = args[++i];
      } else if (args[i].equals("-memory") && value.matches("[0-9]{2,5}") && Integer.parseInt(value) >= 16
          && Integer.parseInt(value) <= 65_536) {
        memory = args[++i];
      } else if (out == null && !args[i].isEmpty() && !args[i].startsWith("-")) {
        out = args[i];
      } else {
        System.err.println(USAGE);
        return -1;
      }
    }
    if (out == null) {
      System.err.println(USAGE);
      return -1;
    }
    run(ToolUtil.toArgMap(Nutch.ARG_CRAWL, crawlId, ARG_NAME, name, ARG_NO_WORDS, noWords, ARG_MEMORY, memory, ARG_OUT, out));
    System.out.println("CorpusReportJob: " + currentJob.getCounters().findCounter(ReportCounter.PAGES).getValue() + " pages of "
        + getConf().get(NAME) + ": " + new Path(out, "report.html"));
    return 0;
  }

  /** {@code [-crawlId <id>] [-name <name>] [-noWords] [-memory <MiB>] <out>} */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new CorpusReportJob(), args);
  }
}
