package org.corpulyzer.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.corpus.Arguments;
import org.corpulyzer.corpus.CorpusFiles;
import org.corpulyzer.corpus.DocumentFormat;
import org.corpulyzer.corpus.ExportCounter;
import org.corpulyzer.corpus.ExportOptions;
import org.corpulyzer.corpus.RunFolder;
import org.corpulyzer.corpus.TaskFailure;
import org.corpulyzer.corpus.Tools;
import org.corpulyzer.corpus.UsageException;

/**
 * Writes the pages of segments that a crawl kept as a corpus: JSON lines, text, WET or WARC ({@link
 * DocumentFormat}). Pages are joined by URL; of a URL that several segments have, the newest fetch
 * counts. A reducer writes its hosts in order, so the pages of a host are together; a page is in
 * memory at a time. {@code mapreduce.job.reduces} is the number of reducers. The rules of hosts on
 * the use of their pages are taken from the stored files of hosts ({@link StoredRules}).
 */
public class CorpusExportJob extends Configured implements Tool {

  /** Nutch's property: robots.txt is stored in segments. */
  private static final String STORES_ROBOTS = "fetcher.store.robotstxt";

  private static final String USAGE =
      "Usage: CorpusExportJob "
          + ExportOptions.SYNTAX
          + " [-crawldb <crawldb>] <out> (<segment> ... | -dir <segments>)\n"
          + "    <out>            - a folder that is not there yet; files are written to it, one or"
          + " more for each reducer\n"
          + "    <segment>        - a segment that is fetched and parsed\n"
          + "    -dir <segments>  - all segments in this folder\n"
          + "    -crawldb <path>  - leave out pages that are gone, redirect or are duplicates by"
          + " this CrawlDb\n"
          + ExportOptions.HELP;

  @Override
  public int run(String[] args) throws Exception {
    Configuration conf = new Configuration(getConf());
    Arguments arguments;
    Segments segments;
    try {
      arguments =
          ExportOptions.arguments().option("-crawldb").option("-dir").read(args, Integer.MAX_VALUE);
      if (arguments.paths().isEmpty()) {
        throw new UsageException("<out> is missing.");
      }
      ExportOptions.set(conf, arguments);
      segments =
          Segments.of(
              conf, arguments.paths().subList(1, arguments.paths().size()), arguments.get("-dir"));
    } catch (UsageException e) {
      return e.print("CorpusExportJob", USAGE);
    }
    String out = arguments.paths().get(0);
    Path folder = Tools.newFolder(out, conf);
    try (RunFolder run = new RunFolder(conf)) {
      TaskFailure.noteIn(conf, run.path("failure"));
      Job job = job(conf, segments, arguments.get("-crawldb"), folder);
      Tools.run(job, folder);
      segments.notes().forEach(System.out::println);
      System.out.println(
          CorpusFiles.summary(
              "CorpusExportJob",
              job.getCounters(),
              source(segments),
              "addresses are no URL with a host",
              out));
    }
    return 0;
  }

  static String source(Segments segments) {
    return segments.paths().size() == 1
        ? "segment " + segments.paths().get(0).getName()
        : segments.paths().size() + " segments";
  }

  private static Job job(Configuration conf, Segments segments, String crawlDb, Path out)
      throws IOException {
    Job job = Job.getInstance(conf, "corpulyzer export");
    // The jar of the job is Nutch's job file, which carries this jar in lib/.
    job.setJarByClass(CrawlDb.class);
    DocumentFormat format = new ExportOptions(conf).format();
    boolean isWarc = format == DocumentFormat.warc;
    // The other formats have no reservations.
    boolean withRules =
        isWarc || format == DocumentFormat.jsonl && conf.getBoolean(STORES_ROBOTS, false);
    SegmentInput.set(job, segments, crawlDb, isWarc, withRules);
    job.setReducerClass(ExportReducer.class);
    job.setOutputFormatClass(CorpusFiles.Output.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(NullWritable.class);
    FileOutputFormat.setOutputPath(job, out);
    return job;
  }

  /** Pages to documents. */
  static final class ExportReducer extends PageReducer<NullWritable, NullWritable> {

    private CorpusFiles files;

    @Override
    void begin(Context context, Segments segments) throws IOException, InterruptedException {
      files =
          new CorpusFiles(context, SegmentPage.description(context.getConfiguration(), segments));
    }

    @Override
    void add(SegmentPage page) throws IOException {
      switch (page.state()) {
        case MALFORMED:
          files.leaveOut(ExportCounter.MALFORMED_KEYS);
          break;
        case FETCHED:
          files.beginHost(page.hostFiles());
          files.add(page);
          break;
        case GONE:
        case MOVED:
          files.leaveOut(page, ExportCounter.GONE);
          break;
        case DUPLICATE:
          files.leaveOut(page, ExportCounter.DUPLICATES);
          break;
        default:
      }
    }

    @Override
    void end() throws IOException {
      files.close();
    }
  }

  /** As {@link #USAGE}. */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new CorpusExportJob(), args);
  }
}
