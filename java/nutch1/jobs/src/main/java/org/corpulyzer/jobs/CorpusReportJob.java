package org.corpulyzer.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.corpus.Arguments;
import org.corpulyzer.corpus.PageSums;
import org.corpulyzer.corpus.ReportCounter;
import org.corpulyzer.corpus.ReportOptions;
import org.corpulyzer.corpus.ReportReducer;
import org.corpulyzer.corpus.RunFolder;
import org.corpulyzer.corpus.TaskFailure;
import org.corpulyzer.corpus.Tools;
import org.corpulyzer.corpus.UsageException;

/**
 * Writes the report of {@code corpulyzer report} over the pages of segments. It includes rejected
 * pages, so that the yield of each round is known. Figures are those of the command over the same
 * pages, to the last digit. The first job joins the pages by URL and adds them up, {@code
 * mapreduce.job.reduces} tasks at a time; the second makes the report of the sums.
 */
public class CorpusReportJob extends Configured implements Tool {

  private static final String USAGE =
      "Usage: CorpusReportJob "
          + ReportOptions.SYNTAX
          + " [-language <code>] [-crawldb <crawldb>] <out> (<segment> ... | -dir <segments>)\n"
          + "    <out>          - a folder that is not there yet, for report.html, report.json and"
          + " tables\n"
          + "    <segment>      - a segment that is fetched and parsed\n"
          + "    -dir <folder>  - all segments in this folder\n"
          + "    -crawldb <db>  - count pages that are gone by this CrawlDb as gone, and leave out"
          + " those that redirect\n"
          + "    -language <code> - report on this target language; of several one must be named\n"
          + "    -name <name>   - name of the corpus in the report (default: the folder of the"
          + " segments)\n"
          + ReportOptions.HELP;

  @Override
  public int run(String[] args) throws Exception {
    Configuration conf = new Configuration(getConf());
    Arguments arguments;
    Segments segments;
    try {
      arguments =
          ReportOptions.arguments()
              .option("-language")
              .option("-crawldb")
              .option("-dir")
              .read(args, Integer.MAX_VALUE);
      if (arguments.paths().isEmpty()) {
        throw new UsageException("<out> is missing.");
      }
      segments =
          Segments.of(
              conf, arguments.paths().subList(1, arguments.paths().size()), arguments.get("-dir"));
      // A wrong property stops here and not in every task.
      ReportOptions.setLanguage(conf, arguments.get("-language"));
    } catch (UsageException e) {
      return e.print("CorpusReportJob", USAGE);
    }
    Path out = Tools.newFolder(arguments.paths().get(0), conf);
    ReportOptions.set(
        conf,
        arguments.has("-name") ? arguments.get("-name") : segments.name(),
        !arguments.has("-noWords"),
        arguments.get("-memory"));
    try (RunFolder run = new RunFolder(conf)) {
      TaskFailure.noteIn(conf, run.path("failure"));
      Path sums = run.path("sums");
      Job sum = sum(conf, segments, arguments.get("-crawldb"), sums);
      Tools.run(sum, sums);
      Tools.run(report(conf, sums, out), out);
      segments.notes().forEach(System.out::println);
      System.out.println(
          "CorpusReportJob: "
              + sum.getCounters().findCounter(ReportCounter.PAGES).getValue()
              + " pages of "
              + CorpusExportJob.source(segments)
              + ": "
              + new Path(out, "report.html"));
    }
    return 0;
  }

  private static Job sum(Configuration conf, Segments segments, String crawlDb, Path out)
      throws IOException {
    Job job = Job.getInstance(conf, "corpulyzer report: sums");
    // The jar of the job is Nutch's job file, which carries this jar in lib/.
    job.setJarByClass(CrawlDb.class);
    SegmentInput.set(job, segments, crawlDb, false, false);
    job.setReducerClass(SumReducer.class);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(BytesWritable.class);
    FileOutputFormat.setOutputPath(job, out);
    return job;
  }

  private static Job report(Configuration conf, Path sums, Path out) throws IOException {
    Job job = Job.getInstance(conf, "corpulyzer report");
    job.setJarByClass(CrawlDb.class);
    job.setInputFormatClass(SequenceFileInputFormat.class);
    FileInputFormat.addInputPath(job, sums);
    job.setMapperClass(Mapper.class);
    job.setMapOutputKeyClass(NullWritable.class);
    job.setMapOutputValueClass(BytesWritable.class);
    ReportReducer.setOutput(job, out);
    return job;
  }

  /** Pages to sums, in parts. */
  static final class SumReducer extends PageReducer<NullWritable, BytesWritable> {

    private PageSums sums;

    @Override
    void begin(Context context, Segments segments) throws IOException {
      sums = new PageSums(context);
    }

    @Override
    void add(SegmentPage page) {
      switch (page.state()) {
        case MALFORMED:
          sums.addMalformed();
          break;
        case FETCHED:
        case DUPLICATE:
          sums.add(page);
          break;
        case GONE:
          if (page.hasFigures()) {
            sums.addGone(page.url(), page.host());
            break;
          }
          sums.addOther();
          break;
        default:
          sums.addOther();
      }
    }

    @Override
    void end() throws IOException, InterruptedException {
      sums.give();
    }

    @Override
    void close() throws IOException {
      if (sums != null) {
        sums.close();
      }
    }
  }

  /** As {@link #USAGE}. */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new CorpusReportJob(), args);
  }
}
