package org.corpulyzer.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.util.NutchConfiguration;
import org.apache.nutch.util.NutchJob;
import org.corpulyzer.corpus.Arguments;
import org.corpulyzer.corpus.CorpusFiles;
import org.corpulyzer.corpus.Decisions;
import org.corpulyzer.corpus.DocumentFormat;
import org.corpulyzer.corpus.ExportCounter;
import org.corpulyzer.corpus.ExportOptions;
import org.corpulyzer.corpus.RunFolder;
import org.corpulyzer.corpus.TaskFailure;
import org.corpulyzer.corpus.Tools;
import org.corpulyzer.corpus.UsageException;
import org.corpulyzer.engine.Settings;

/**
 * Writes the pages that a crawl kept as a corpus: JSON lines, text, WET or WARC ({@link
 * DocumentFormat}). A mapper writes a region in row order, so the pages of a host are together; a
 * page is in memory at a time. Files begin anew at a size, and appear when the job is done.
 *
 * <p>Bytes of all languages are stored with a page. So another threshold than the parser's, or the
 * pages in another language that the crawl came across, need no new parse.
 */
public class CorpusExportJob extends Configured implements Tool {

  private static final String USAGE =
      "Usage: CorpusExportJob [-crawlId <id>] "
          + ExportOptions.SYNTAX
          + " <out>\n"
          + "    <out>            - a folder that is not there yet; files are written to it, a"
          + " region each or more\n"
          + "    -crawlId <id>    - the id to prefix the schemas to operate on (default:"
          + " storage.crawl.id)\n"
          + ExportOptions.HELP;

  @Override
  public int run(String[] args) throws Exception {
    Configuration conf = HBase.configuration(getConf());
    String out;
    try {
      Arguments arguments = ExportOptions.arguments().option("-crawlId").read(args, 1);
      if (arguments.paths().isEmpty()) {
        throw new UsageException("<out> is missing.");
      }
      out = arguments.paths().get(0);
      if (arguments.has("-crawlId")) {
        conf.set(Nutch.CRAWL_ID_KEY, arguments.get("-crawlId"));
      }
      Settings.from(conf::get).requireOneTarget("Nutch 2.4");
      ExportOptions.set(conf, arguments);
    } catch (UsageException e) {
      return e.print("CorpusExportJob", USAGE);
    }
    WebTable table = WebTable.existing(conf);
    Path folder = Tools.newFolder(out, conf);
    // Nutch would throw, and name the job alone.
    conf.setBoolean("fail.on.job.failure", false);
    try (RunFolder run = new RunFolder(conf)) {
      TaskFailure.noteIn(conf, run.path("failure"));
      Job job = job(conf, table, folder);
      Tools.run(job, folder);
      System.out.println(
          CorpusFiles.summary(
              "CorpusExportJob",
              job.getCounters(),
              table.name().toString(),
              "rows have a key that is no reversed URL",
              out));
    }
    return 0;
  }

  static Job job(Configuration conf, WebTable table, Path out) throws IOException {
    Job job = NutchJob.getInstance(conf, "corpulyzer export");
    WebTablePage page = new WebTablePage(conf);
    ExportOptions options = new ExportOptions(conf);
    Scan scan = page.scan(options.format());
    switch (options.pages()) {
      case KEPT:
        // Which rows are kept depends on the present settings.
        Decisions decisions = new Decisions(Settings.from(conf::get));
        if (decisions.areBySize()) {
          page.onlyKeptOrIn(scan, decisions.targets().get(0));
        }
        break;
      case IN_LANGUAGE:
        page.onlyIn(scan, options.language());
        break;
      default:
    }
    RegionInputFormat.setInput(job, table.name(), scan, null);
    job.setMapperClass(PageMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(CorpusFiles.Output.class);
    FileOutputFormat.setOutputPath(job, out);
    job.setSpeculativeExecution(false);
    return job;
  }

  /** Rows to documents. */
  static final class PageMapper extends Mapper<NullWritable, Result, NullWritable, NullWritable> {

    /** Hadoop's own would clean up, that is write a file's end, after a row that failed too. */
    @Override
    public void run(Context context) throws IOException, InterruptedException {
      try {
        WebTablePage page = new WebTablePage(context.getConfiguration());
        page.decideBy(new Decisions(Settings.from(context.getConfiguration()::get)));
        CorpusFiles files =
            new CorpusFiles(context, WebTablePage.description(context.getConfiguration()));
        while (context.nextKeyValue()) {
          page.read(context.getCurrentValue());
          if (!page.isValid()) {
            files.leaveOut(ExportCounter.MALFORMED_KEYS);
          } else if (page.isFetched()) {
            files.add(page);
          }
        }
        files.close();
      } catch (IOException | RuntimeException | Error e) {
        TaskFailure.note(context.getConfiguration(), e);
        throw e;
      }
    }
  }

  /** As {@link #USAGE}. */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new CorpusExportJob(), args);
  }
}
