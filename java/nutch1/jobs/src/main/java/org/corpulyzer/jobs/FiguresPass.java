package org.corpulyzer.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.scoring.ScoringFilterException;
import org.apache.nutch.scoring.ScoringFilters;
import org.corpulyzer.engine.PageKeys;

/**
 * Writes the figures of parsed segments into the rows of CrawlDb that lack them or have those of
 * another record version. Everything else of a row stays: status, times, signature and score, which
 * Nutch's own updatedb would set back to those of the segment. No row is added.
 */
final class FiguresPass {

  private static final Text SEGMENT = new Text("crp.segment");
  private static final Text LANGUAGES = new Text(PageKeys.LANGUAGES);
  private static final Text DECISION = new Text(PageKeys.DECISION);
  private static final Text VERSION = new Text(PageKeys.VERSION);
  private static final String CURRENT_VERSION = "crp.score.version";

  /** What the pass counts. */
  enum Count {
    /** Rows that got figures. */
    ROWS,
    /** Rows of stored pages that no parser could read. */
    NOT_PARSED
  }

  private FiguresPass() {}

  /**
   * @param conf Nutch's configuration; it is copied
   * @param version record version of the engine
   * @return a job whose output CrawlDb.install puts in place
   */
  static Job job(Configuration conf, CrawlDbFolder crawlDb, Segments segments, String version)
      throws IOException {
    Job job = CrawlDb.createJob(conf, crawlDb.path());
    job.setJobName("corpulyzer figures: " + crawlDb.path());
    segments.set(job.getConfiguration());
    job.getConfiguration().set(CURRENT_VERSION, version);
    for (Path segment : segments.paths()) {
      FileSystem files = segment.getFileSystem(conf);
      for (String name : new String[] {CrawlDatum.FETCH_DIR_NAME, CrawlDatum.PARSE_DIR_NAME}) {
        if (files.exists(new Path(segment, name))) {
          FileInputFormat.addInputPath(job, new Path(segment, name));
        }
      }
    }
    job.setMapperClass(SegmentMapper.class);
    job.setReducerClass(FiguresReducer.class);
    job.setSpeculativeExecution(false);
    return job;
  }

  /** Rows of CrawlDb and of segments, those of a segment with its number. */
  static final class SegmentMapper extends Mapper<Text, CrawlDatum, Text, CrawlDatum> {

    private int segment;

    @Override
    protected void setup(Context context) {
      segment =
          Segments.from(context.getConfiguration())
              .numberOf(((FileSplit) context.getInputSplit()).getPath());
    }

    @Override
    protected void map(Text url, CrawlDatum datum, Context context)
        throws IOException, InterruptedException {
      if (segment >= 0) {
        if (datum.getStatus() == CrawlDatum.STATUS_LINKED) {
          if (datum.getMetaData().isEmpty()) {
            return;
          }
        } else if (datum.getStatus() != CrawlDatum.STATUS_PARSE_META
            && datum.getStatus() != CrawlDatum.STATUS_FETCH_SUCCESS) {
          return;
        } else {
          datum.getMetaData().put(SEGMENT, new IntWritable(segment));
        }
      }
      context.write(url, datum);
    }
  }

  /** Rows to rows with figures. */
  static final class FiguresReducer extends Reducer<Text, CrawlDatum, Text, CrawlDatum> {

    private final Map<Integer, MapWritable> figures = new HashMap<>();
    private final List<CrawlDatum> links = new ArrayList<>();
    private ScoringFilters filters;
    private int mostLinks;
    private String version;

    @Override
    protected void setup(Context context) {
      filters = new ScoringFilters(context.getConfiguration());
      mostLinks = context.getConfiguration().getInt("db.update.max.inlinks", 10_000);
      version = context.getConfiguration().get(CURRENT_VERSION);
    }

    @Override
    protected void reduce(Text url, Iterable<CrawlDatum> values, Context context)
        throws IOException, InterruptedException {
      CrawlDatum row = null;
      int fetchedIn = -1;
      long fetchTime = Long.MIN_VALUE;
      figures.clear();
      links.clear();
      for (CrawlDatum value : values) {
        if (CrawlDatum.hasDbStatus(value)) {
          row = copy(value);
        } else if (value.getStatus() == CrawlDatum.STATUS_LINKED) {
          if (links.size() < mostLinks) {
            links.add(copy(value));
          }
        } else {
          int segment = ((IntWritable) value.getMetaData().get(SEGMENT)).get();
          if (value.getStatus() == CrawlDatum.STATUS_PARSE_META) {
            figures.put(segment, new MapWritable(value.getMetaData()));
          } else if (value.getFetchTime() >= fetchTime) {
            fetchedIn = segment;
            fetchTime = value.getFetchTime();
          }
        }
      }
      if (row == null) {
        return;
      }
      if (fetchedIn >= 0 && lacksFigures(row)) {
        setFigures(row, figures.get(fetchedIn), context);
      }
      passMarks(url, row);
      context.write(url, row);
    }

    private static CrawlDatum copy(CrawlDatum datum) {
      CrawlDatum copy = new CrawlDatum();
      copy.set(datum);
      return copy;
    }

    private boolean lacksFigures(CrawlDatum row) {
      Writable stored = row.getMetaData().get(VERSION);
      boolean hasFigures =
          row.getMetaData().containsKey(LANGUAGES) || row.getMetaData().containsKey(DECISION);
      return !hasFigures || stored == null || !stored.toString().equals(version);
    }

    private static void setFigures(CrawlDatum row, MapWritable parsed, Context context) {
      if (parsed == null) {
        if (!row.getMetaData().containsKey(LANGUAGES)) {
          row.getMetaData().put(new Text(DECISION), new Text(PageKeys.NOT_PARSED));
          context.getCounter(Count.NOT_PARSED).increment(1);
        }
        return;
      }
      parsed.remove(SEGMENT);
      PageKeys.FIGURES.forEach(key -> row.getMetaData().remove(new Text(key)));
      row.getMetaData().putAll(parsed);
      context.getCounter(Count.ROWS).increment(1);
    }

    /**
     * Adds the marks that scoring filters gave to links, to the rows that these lead to. The score
     * stays.
     */
    private void passMarks(Text url, CrawlDatum row) throws IOException {
      if (links.isEmpty()) {
        return;
      }
      float score = row.getScore();
      try {
        filters.updateDbScore(url, copy(row), row, links);
      } catch (ScoringFilterException e) {
        throw new IOException("The links to " + url + " cannot be counted.", e);
      }
      row.setScore(score);
    }
  }
}
