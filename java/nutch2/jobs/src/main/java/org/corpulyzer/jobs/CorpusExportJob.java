package org.corpulyzer.jobs;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.io.output.CountingOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.util.NutchConfiguration;
import org.apache.nutch.util.NutchJob;
import org.corpulyzer.corpus.JobFailedException;
import org.corpulyzer.corpus.Tools;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.Settings;

/**
 * Writes the pages that a crawl kept as a corpus: JSON lines, text, WET or WARC ({@link DocumentFormat}). A mapper writes a region in row
 * order, so the pages of a host are together; a page is in memory at a time. Files begin anew at a size, and appear when the job is done.
 *
 * <p>Bytes of all languages are stored with a page. So another threshold than the parser's, or the pages in another language that the
 * crawl came across, need no new parse.
 */
public class CorpusExportJob extends Configured implements Tool {

  private static final String FORMAT = "crp.export.format";
  private static final String PAGES = "crp.export.pages";
  private static final String LANGUAGE = "crp.export.language";
  private static final String MIN_BYTES = "crp.export.minBytes";
  private static final String FILE_MIB = "crp.export.fileMiB";
  private static final int DEFAULT_MIB = 1024;
  private static final String USAGE = "Usage: CorpusExportJob [-crawlId <id>] [-format jsonl|text|wet|warc] [-all | [-language <code>] "
      + "[-minBytes <n>]] [-fileSize <MiB>] <out>\n"
      + "    <out>            - a folder that is not there yet; files are written to it, a region each or more\n"
      + "    -crawlId <id>    - the id to prefix the schemas to operate on (default: storage.crawl.id)\n"
      + "    -format <format> - jsonl: main content and figures of a page as a JSON object a line (default); text: main content alone;\n"
      + "                       wet: the same as WARC conversion records; warc: pages as fetched, and their figures\n"
      + "    -all             - also pages that were rejected; their decision is among their figures\n"
      + "    -language <code> - whatever was decided: pages with bytes enough in this language, ISO 639-1 or 639-3, that are no junk\n"
      + "    -minBytes <n>    - so many bytes are enough (default: " + Settings.PAGE_MIN_BYTES + "); without -language, in that of the crawl\n"
      + "    -fileSize <MiB>  - compressed bytes after which another file begins: 1 to 65536 (default: " + DEFAULT_MIB + ")";

  /** Which pages are written. */
  private enum Pages {
    /** Those that the parser kept. */
    KEPT,
    /** Those that it judged. */
    ALL,
    /** Those with bytes enough in a language that are no junk. */
    IN_LANGUAGE
  }

  @Override
  public int run(String[] args) throws Exception {
    Configuration conf = HBaseConfiguration.create(getConf());
    conf.setEnum(FORMAT, DocumentFormat.jsonl);
    conf.setEnum(PAGES, Pages.KEPT);
    boolean all = false;
    String language = null;
    String minBytes = null;
    String out = null;
    for (int i = 0; i < args.length; i++) {
      String value = i + 1 < args.length ? args[i + 1] : "";
      if (args[i].equals("-all")) {
        all = true;
      } else if (args[i].equals("-crawlId") && !value.isEmpty()) {
        conf.set(Nutch.CRAWL_ID_KEY, args[++i]);
      } else if (args[i].equals("-format") && value.matches("jsonl|text|wet|warc")) {
        conf.setEnum(FORMAT, DocumentFormat.valueOf(args[++i]));
      } else if (args[i].equals("-language") && !value.isEmpty()) {
        language = args[++i];
      } else if (args[i].equals("-minBytes") && value.matches("[0-9]{1,9}")) {
        minBytes = args[++i];
      } else if (args[i].equals("-fileSize") && value.matches("[0-9]{1,5}") && Integer.parseInt(value) >= 1
          && Integer.parseInt(value) <= 65_536) {
        conf.setInt(FILE_MIB, Integer.parseInt(args[++i]));
      } else if (out == null && !args[i].isEmpty() && !args[i].startsWith("-")) {
        out = args[i];
      } else {
        return usage("'" + (args[i] + " " + value).trim() + "' is not allowed");
      }
    }
    if (out == null) {
      return usage("<out> is missing");
    }
    if (all && (language != null || minBytes != null)) {
      return usage("-all has all pages, -language and -minBytes some: leave out one or the other");
    }
    if (all) {
      conf.setEnum(PAGES, Pages.ALL);
    } else if (language != null || minBytes != null) {
      choose(conf, language, minBytes);
    }
    WebTable table = WebTable.existing(conf);
    Path folder = Tools.newFolder(out, conf);
    // Nutch would throw, and name the job alone.
    conf.setBoolean("fail.on.job.failure", false);
    Job job = job(conf, table, folder);
    if (!job.waitForCompletion(true)) {
      // It is this job's, was not there before, and would be in the way of the next.
      folder.getFileSystem(conf).delete(folder, true);
      throw new JobFailedException(job);
    }
    System.out.println(said(job.getCounters(), table, out));
    return 0;
  }

  private static int usage(String wrong) {
    System.err.println("CorpusExportJob: " + wrong + ".\n" + USAGE);
    return -1;
  }

  /** Only the engine knows the codes of languages. The crawl's own language stays as it is. */
  private static void choose(Configuration conf, String language, String minBytes) {
    conf.setEnum(PAGES, Pages.IN_LANGUAGE);
    Configuration asked = new Configuration(conf);
    if (language != null) {
      asked.set(Settings.LANGUAGE_TARGET, language);
    }
    if (minBytes != null) {
      asked.set(Settings.PAGE_MIN_BYTES, minBytes);
    }
    Settings settings = Settings.from(asked::get);
    conf.set(LANGUAGE, Engine.of(settings).target());
    conf.setLong(MIN_BYTES, settings.minBytes());
  }

  static Job job(Configuration conf, WebTable table, Path out) throws IOException {
    Job job = NutchJob.getInstance(conf, "corpulyzer export");
    CorpusPage page = new CorpusPage(conf);
    Scan scan = page.scan(conf.getEnum(FORMAT, DocumentFormat.jsonl));
    switch (conf.getEnum(PAGES, Pages.KEPT)) {
      case KEPT:
        page.onlyKept(scan);
        break;
      case IN_LANGUAGE:
        page.onlyIn(scan, conf.get(LANGUAGE));
        break;
      default:
    }
    RegionInputFormat.setInput(job, table.name(), scan, null);
    job.setMapperClass(PageMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(Files.class);
    FileOutputFormat.setOutputPath(job, out);
    job.setSpeculativeExecution(false);
    return job;
  }

  private static String said(Counters counters, WebTable table, String out) {
    StringBuilder said = new StringBuilder();
    said.append(String.format(Locale.ROOT, "CorpusExportJob: %d pages of %s in %d files, %.1f MB: %s", count(counters, ExportCounter.PAGES),
        table.name(), count(counters, ExportCounter.FILES), count(counters, ExportCounter.BYTES) / 1e6, out));
    told(said, counters, ExportCounter.PAGES_REJECTED, "of these were rejected by the parser");
    told(said, counters, ExportCounter.WITHOUT_TEXT, "more have no text (nothing is main content, or they forbid indexing)");
    told(said, counters, ExportCounter.WITHOUT_CONTENT, "more have no stored content (fetcher.store.content)");
    told(said, counters, ExportCounter.NOT_JUDGED, "more were fetched and not parsed with the plugin");
    told(said, counters, ExportCounter.MALFORMED_KEYS, "rows have a key that is no reversed URL");
    return said.toString();
  }

  private static void told(StringBuilder said, Counters counters, ExportCounter counter, String what) {
    long count = count(counters, counter);
    if (count > 0) {
      said.append(System.lineSeparator()).append("  ").append(count).append(' ').append(what);
    }
  }

  private static long count(Counters counters, ExportCounter counter) {
    return counters.findCounter(counter).getValue();
  }

  /** The mapper makes its files itself; this gives it a folder of the attempt's, whose files the job moves to their place. */
  static final class Files extends FileOutputFormat<NullWritable, NullWritable> {

    @Override
    public RecordWriter<NullWritable, NullWritable> getRecordWriter(TaskAttemptContext context) {
      return new NullOutputFormat<NullWritable, NullWritable>().getRecordWriter(context);
    }
  }

  /** Rows to documents. */
  static final class PageMapper extends Mapper<NullWritable, Result, NullWritable, NullWritable> {

    private DocumentFormat format;
    private Pages pages;
    private String language;
    private long minBytes;
    private long fileBytes;
    private CorpusPage page;
    private FileSystem files;
    private CountingOutputStream counted;
    private DocumentWriter writer;
    private int number;

    /** Hadoop's own would clean up, that is write a file's end, after a row that failed too. */
    @Override
    public void run(Context context) throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      format = conf.getEnum(FORMAT, DocumentFormat.jsonl);
      pages = conf.getEnum(PAGES, Pages.KEPT);
      language = conf.get(LANGUAGE);
      minBytes = conf.getLong(MIN_BYTES, 0);
      fileBytes = (long) conf.getInt(FILE_MIB, DEFAULT_MIB) << 20;
      page = new CorpusPage(conf);
      files = FileOutputFormat.getWorkOutputPath(context).getFileSystem(conf);
      while (context.nextKeyValue()) {
        page.read(context.getCurrentValue());
        ExportCounter counter = counter();
        if (counter == ExportCounter.PAGES) {
          write(context);
        }
        if (counter != null) {
          context.getCounter(counter).increment(1);
        }
      }
      closeFile(context);
    }

    /** Where the row counts: pages are written, and rows without a counter are no pages of what was asked for. */
    private ExportCounter counter() {
      if (!page.isValid()) {
        return ExportCounter.MALFORMED_KEYS;
      }
      if (!page.isFetched()) {
        return null;
      }
      if (pages == Pages.ALL && !page.isJudged()) {
        return ExportCounter.NOT_JUDGED;
      }
      if (!isChosen()) {
        return null;
      }
      if (!page.hasText()) {
        return ExportCounter.WITHOUT_TEXT;
      }
      return format == DocumentFormat.warc && !page.hasContent() ? ExportCounter.WITHOUT_CONTENT : ExportCounter.PAGES;
    }

    private boolean isChosen() {
      switch (pages) {
        case KEPT:
          return page.isKept();
        case IN_LANGUAGE:
          return page.bytesIn(language) >= Math.max(1, minBytes) && !page.isJunk();
        default:
          return true;
      }
    }

    private void write(Context context) throws IOException, InterruptedException {
      if (writer != null && counted.getByteCount() >= fileBytes) {
        closeFile(context);
      }
      if (writer == null) {
        openFile(context);
      }
      writer.write(page, page.text());
      if (!page.isKept()) {
        context.getCounter(ExportCounter.PAGES_REJECTED).increment(1);
      }
    }

    private void openFile(Context context) throws IOException, InterruptedException {
      String extension = String.format(Locale.ROOT, "-%05d.%s%s", number++, format.extension(), format.isCompressed() ? "" : ".gz");
      Path file = new Path(FileOutputFormat.getWorkOutputPath(context), FileOutputFormat.getUniqueFile(context, "corpus", extension));
      counted = new CountingOutputStream(files.create(file, false));
      OutputStream out = format.isCompressed() ? counted : new GZIPOutputStream(counted, 1 << 16);
      writer = DocumentWriter.of(format, out, file.getName(), context.getConfiguration());
    }

    private void closeFile(Context context) throws IOException {
      if (writer != null) {
        writer.close();
        writer = null;
        context.getCounter(ExportCounter.FILES).increment(1);
        context.getCounter(ExportCounter.BYTES).increment(counted.getByteCount());
      }
    }
  }

  /** As {@link #USAGE}. */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new CorpusExportJob(), args);
  }
}
