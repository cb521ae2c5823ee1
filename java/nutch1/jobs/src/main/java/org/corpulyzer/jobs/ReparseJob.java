package org.corpulyzer.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseSegment;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.corpus.Arguments;
import org.corpulyzer.corpus.JobFailedException;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.corpus.Tools;
import org.corpulyzer.corpus.UsageException;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.Settings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parses the stored pages of segments again, with Nutch's own parse job and so with the plugin, and
 * fetches nothing. Then it writes the figures into CrawlDb ({@link FiguresPass}) and runs the score
 * passes. It is for a crawl that began without the plugin, and after a change of the engine.
 *
 * <p>The older parse of a segment is put aside while it is parsed, and back if that fails. A run
 * that was killed is completed by the next one.
 */
public class ReparseJob extends Configured implements Tool {

  private static final Logger LOG = LoggerFactory.getLogger(ReparseJob.class);

  private static final String USAGE =
      "Usage: ReparseJob <crawldb> (<segment> ... | -dir <segments>) [-force]\n"
          + "    <crawldb>       - the folder of the CrawlDb\n"
          + "    <segment>       - a segment that is fetched and has the content of its pages\n"
          + "    -dir <segments> - all segments in this folder\n"
          + "    -force          - take over the lock of a job that was killed; score hosts though"
          + " fewer than half of the fetched pages have figures";

  private static final String[] PARSED = {
    CrawlDatum.PARSE_DIR_NAME, ParseData.DIR_NAME, ParseText.DIR_NAME
  };

  /** Nutch's jobs read named folders of a segment only. */
  private static final String ASIDE = "_corpulyzer-older-parse";

  private ScoreSummary summary;

  @Override
  public int run(String[] args) throws Exception {
    Arguments arguments;
    Segments segments;
    CrawlDbFolder crawlDb;
    try {
      arguments = new Arguments().option("-dir").flag("-force").read(args, Integer.MAX_VALUE);
      crawlDb = new CrawlDbFolder(new Path(arguments.path(0, "crawldb")), getConf());
      List<String> named = arguments.paths().subList(1, arguments.paths().size());
      putBack(named, arguments.get("-dir"));
      segments = Segments.of(getConf(), named, arguments.get("-dir"));
    } catch (UsageException e) {
      return e.print("ReparseJob", USAGE);
    }
    boolean force = arguments.has("-force");
    crawlDb.requireUnlocked(force);
    crawlDb.restore();
    crawlDb.requireExisting();
    Settings settings = Settings.from(getConf()::get);
    // A mistake of the operator fails before any page is parsed.
    Scoring scoring =
        settings.scoreSource(
                    Settings.ScoreSource.STORED,
                    Settings.ScoreSource.HOSTDB,
                    Settings.ScoreSource.ROW)
                == Settings.ScoreSource.STORED
            ? new Scoring(getConf(), crawlDb, job -> {})
            : null;
    requireContent(segments);
    segments.notes().forEach(System.out::println);
    for (Path segment : segments.paths()) {
      parse(segment);
    }
    System.out.println(
        "ReparseJob: " + writeFigures(crawlDb, segments, Engine.of(settings), force));
    if (scoring != null) {
      summary = scoring.run(force);
      System.out.println("ReparseJob: " + summary);
    }
    return 0;
  }

  /**
   * @return the counts of the last run's score passes, or null if there were none
   */
  public ScoreSummary summary() {
    return summary;
  }

  private void requireContent(Segments segments) throws IOException {
    for (Path segment : segments.paths()) {
      if (!segment.getFileSystem(getConf()).exists(new Path(segment, Content.DIR_NAME))) {
        throw new CorpulyzerException(
            "The segment "
                + segment
                + " has no folder "
                + Content.DIR_NAME
                + ", because fetcher.store.content was false: do not name it; its pages get figures"
                + " when they are fetched again.");
      }
    }
  }

  /** Puts the parse of a run that was killed back, so that the segment is whole. */
  private void putBack(List<String> named, String dir) throws IOException {
    List<Path> candidates = new ArrayList<>();
    named.forEach(name -> candidates.add(new Path(name)));
    if (dir != null) {
      FileSystem files = new Path(dir).getFileSystem(getConf());
      if (files.exists(new Path(dir))) {
        for (FileStatus status : files.listStatus(new Path(dir))) {
          candidates.add(status.getPath());
        }
      }
    }
    for (Path segment : candidates) {
      if (segment.getFileSystem(getConf()).exists(new Path(segment, ASIDE))) {
        putBack(segment);
      }
    }
  }

  private void putBack(Path segment) throws IOException {
    FileSystem files = segment.getFileSystem(getConf());
    Path aside = new Path(segment, ASIDE);
    for (String name : PARSED) {
      if (files.exists(new Path(aside, name))) {
        files.delete(new Path(segment, name), true);
        rename(files, new Path(aside, name), new Path(segment, name));
      }
    }
    files.delete(aside, true);
  }

  private void parse(Path segment)
      throws IOException, InterruptedException, ClassNotFoundException {
    FileSystem files = segment.getFileSystem(getConf());
    Path aside = new Path(segment, ASIDE);
    files.mkdirs(aside);
    for (String name : PARSED) {
      if (files.exists(new Path(segment, name))) {
        rename(files, new Path(segment, name), new Path(aside, name));
      }
    }
    Configuration conf = new Configuration(getConf());
    // As in bin/nutch parse: links are filtered when they are written.
    conf.setBoolean("fetcher.parse", false);
    boolean done = false;
    try {
      LOG.info("Parsing the stored pages of {} again", segment);
      new ParseSegment(conf).parse(segment);
      done = true;
    } finally {
      if (!done) {
        putBack(segment);
      }
    }
    files.delete(aside, true);
  }

  private static void rename(FileSystem files, Path from, Path to) throws IOException {
    if (!files.rename(from, to)) {
      throw new IOException("The folder " + from + " cannot be renamed to " + to + ".");
    }
  }

  private String writeFigures(
      CrawlDbFolder crawlDb, Segments segments, Engine engine, boolean force)
      throws IOException, InterruptedException, ClassNotFoundException {
    crawlDb.lock(force);
    Job job = FiguresPass.job(getConf(), crawlDb, segments, engine.recordVersion());
    boolean done = false;
    try {
      JobFailedException.runOrThrow(job, true);
      done = true;
    } finally {
      if (!done) {
        crawlDb.delete(FileOutputFormat.getOutputPath(job));
        crawlDb.unlock();
      }
    }
    // Gives the lock back.
    CrawlDb.install(job, crawlDb.path());
    return "the pages of "
        + CorpusExportJob.source(segments)
        + " gave figures to "
        + job.getCounters().findCounter(FiguresPass.Count.ROWS).getValue()
        + " rows; "
        + job.getCounters().findCounter(FiguresPass.Count.NOT_PARSED).getValue()
        + " stored pages could not be parsed";
  }

  /** {@code <crawldb> (<segment> ... | -dir <segments>) [-force]} */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new ReparseJob(), args);
  }
}
