package org.corpulyzer.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileRecordReader;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.protocol.Content;
import org.corpulyzer.corpus.PlainPath;
import org.corpulyzer.corpus.TaskFailure;
import org.corpulyzer.corpus.UnreadableException;
import org.corpulyzer.engine.CorpulyzerException;

/** The map side of a job over segments: what their folders have, by URL. */
public final class SegmentInput extends SequenceFileInputFormat<Text, Writable> {

  /** Keys of our figures in parse metadata. */
  static final String FIGURES = "crp.";

  private static final String WITH_CONTENT = "crp.segments.content";
  private static final String WITH_HOST_FILES = "crp.segments.hostFiles";

  /** Key of the page's title in the kept part of its ParseData. */
  static final String TITLE = "title";

  /**
   * @param crawlDb folder of the CrawlDb, or null
   * @param withContent whether the pages' bytes are read
   * @param withHostFiles whether the files of hosts with rules on the use of their pages are read
   * @throws CorpulyzerException when the folder is no CrawlDb
   */
  static void set(
      Job job, Segments segments, String crawlDb, boolean withContent, boolean withHostFiles)
      throws IOException {
    Configuration conf = job.getConfiguration();
    conf.setBoolean(WITH_CONTENT, withContent);
    conf.setBoolean(WITH_HOST_FILES, withHostFiles);
    segments.set(conf);
    for (Path segment : segments.paths()) {
      FileInputFormat.addInputPath(job, new Path(segment, CrawlDatum.FETCH_DIR_NAME));
      FileInputFormat.addInputPath(job, new Path(segment, ParseData.DIR_NAME));
      FileInputFormat.addInputPath(job, new Path(segment, ParseText.DIR_NAME));
      Path content = new Path(segment, Content.DIR_NAME);
      // There is none if fetcher.store.content was false.
      if ((withContent || withHostFiles) && content.getFileSystem(conf).exists(content)) {
        FileInputFormat.addInputPath(job, content);
      }
    }
    if (crawlDb != null) {
      Path current = new Path(PlainPath.require(new Path(crawlDb)), CrawlDb.CURRENT_NAME);
      FileSystem files = current.getFileSystem(conf);
      if (!files.exists(current)) {
        throw new CorpulyzerException(
            "The folder "
                + crawlDb
                + " is not a CrawlDb: it has no folder "
                + CrawlDb.CURRENT_NAME
                + ".");
      }
      FileInputFormat.addInputPath(job, current);
    }
    job.setInputFormatClass(SegmentInput.class);
    job.setMapperClass(PartMapper.class);
    job.setMapOutputKeyClass(PageKey.class);
    job.setMapOutputValueClass(PagePart.class);
    job.setPartitionerClass(PageKey.ByHost.class);
    job.setGroupingComparatorClass(PageKey.SameUrl.class);
    job.setSpeculativeExecution(false);
  }

  @Override
  public RecordReader<Text, Writable> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new Reader();
  }

  /** Names the file that cannot be read, for the operator. */
  private static final class Reader extends SequenceFileRecordReader<Text, Writable> {

    private Path file;
    private Configuration task;

    /** Of the contents, only those of files of hosts. */
    private boolean skipsPages;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context)
        throws IOException, InterruptedException {
      file = ((FileSplit) split).getPath();
      task = context.getConfiguration();
      skipsPages = !task.getBoolean(WITH_CONTENT, false);
      try {
        super.initialize(split, context);
      } catch (IOException | RuntimeException e) {
        throw unreadable(e);
      }
    }

    @Override
    public boolean nextKeyValue() throws IOException, InterruptedException {
      try {
        while (super.nextKeyValue()) {
          if (!(skipsPages && getCurrentValue() instanceof Content)
              || StoredRules.isFile(getCurrentKey())) {
            return true;
          }
        }
        return false;
      } catch (IOException | RuntimeException e) {
        throw unreadable(e);
      }
    }

    private UnreadableException unreadable(Exception cause) {
      UnreadableException unreadable =
          new UnreadableException(
              "The file "
                  + file
                  + " cannot be read ("
                  + cause
                  + "): restore it, fetch or parse its segment again, or leave the segment out.",
              cause);
      TaskFailure.note(task, unreadable);
      return unreadable;
    }
  }

  /** Rows of one file to parts of pages. */
  static final class PartMapper extends Mapper<Text, Writable, PageKey, PagePart> {

    private final PageKey key = new PageKey();
    private final PagePart part = new PagePart();
    private int segment;
    private boolean readsHostFiles;
    private boolean readsContent;

    @Override
    protected void setup(Context context) {
      readsHostFiles = context.getConfiguration().getBoolean(WITH_HOST_FILES, false);
      readsContent = context.getConfiguration().getBoolean(WITH_CONTENT, false);
      segment =
          Segments.from(context.getConfiguration())
              .numberOf(((FileSplit) context.getInputSplit()).getPath());
    }

    @Override
    public void run(Context context) throws IOException, InterruptedException {
      try {
        super.run(context);
      } catch (RuntimeException | Error e) {
        TaskFailure.note(context.getConfiguration(), e);
        throw e;
      }
    }

    @Override
    protected void map(Text url, Writable value, Context context)
        throws IOException, InterruptedException {
      if (value instanceof CrawlDatum) {
        CrawlDatum datum = (CrawlDatum) value;
        boolean isFetch = segment >= 0;
        if (isFetch ? CrawlDatum.hasFetchStatus(datum) : SegmentPage.dropsPage(datum.getStatus())) {
          write(context, url, isFetch ? PagePart.Kind.FETCH : PagePart.Kind.CRAWLDB, datum);
        }
      } else if (value instanceof Content) {
        if (readsHostFiles && StoredRules.isFile(url)) {
          key.setHostFile(url);
          part.set(PagePart.Kind.HOST_FILE, segment, value);
          context.write(key, part);
        }
        if (readsContent) {
          write(context, url, PagePart.Kind.CONTENT, value);
        }
      } else if (value instanceof ParseText) {
        write(context, url, PagePart.Kind.TEXT, value);
      } else if (value instanceof ParseData) {
        write(context, url, PagePart.Kind.PARSE, needed((ParseData) value));
      }
    }

    private void write(Context context, Text url, PagePart.Kind kind, Writable value)
        throws IOException, InterruptedException {
      key.set(url, value instanceof CrawlDatum);
      part.set(kind, segment, value);
      context.write(key, part);
    }

    private static Metadata needed(ParseData data) {
      Metadata needed = new Metadata();
      for (String name : data.getParseMeta().names()) {
        if (name.startsWith(FIGURES)) {
          needed.set(name, data.getParseMeta().get(name));
        }
      }
      set(needed, TITLE, data.getTitle());
      set(needed, Nutch.SEGMENT_NAME_KEY, data.getContentMeta().get(Nutch.SEGMENT_NAME_KEY));
      set(needed, Nutch.SIGNATURE_KEY, data.getContentMeta().get(Nutch.SIGNATURE_KEY));
      return needed;
    }

    private static void set(Metadata metadata, String name, String value) {
      if (value != null) {
        metadata.set(name, value);
      }
    }
  }
}
