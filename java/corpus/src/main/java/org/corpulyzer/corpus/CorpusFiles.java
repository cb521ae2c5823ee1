package org.corpulyzer.corpus;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.corpulyzer.engine.NativeLibrary;
import org.corpulyzer.engine.Settings;

/**
 * The corpus files that one task writes: of the pages it is given, those that the options ask for.
 * A file is followed by another when it has the size. Of several target languages each has its
 * files in a folder of its ISO 639-3 code. Files appear in the output folder when the job is done.
 * A page is in memory at a time.
 */
public final class CorpusFiles {

  private final TaskInputOutputContext<?, ?, ?, ?> context;
  private final ExportOptions options;
  private final CrawlDescription crawl;
  private final Path folder;
  private final FileSystem files;
  private final long fileBytes;

  /** See {@link #beginHost}. */
  private List<CorpusPage> hostFiles = Collections.emptyList();

  /** The corpora by their folder; of one target language one, in no folder of its own. */
  private final Map<String, Corpus> corpora = new TreeMap<>();

  /**
   * @param context of a task of a job with {@link Output}
   */
  public CorpusFiles(TaskInputOutputContext<?, ?, ?, ?> context, CrawlDescription crawl)
      throws IOException, InterruptedException {
    this.context = context;
    this.crawl = crawl;
    NativeLibrary.load(context.getConfiguration().get(Settings.NATIVE_PATH, ""));
    options = new ExportOptions(context.getConfiguration());
    fileBytes = options.fileBytes();
    folder = FileOutputFormat.getWorkOutputPath(context);
    files = folder.getFileSystem(context.getConfiguration());
  }

  /**
   * Writes a fetched page if it is one of the requested pages and has the data that the format
   * needs. Counts it.
   */
  public void add(CorpusPage page) throws IOException {
    ExportCounter counter = counter(page);
    if (counter == ExportCounter.PAGES) {
      write(page);
    }
    if (counter != null) {
      context.getCounter(counter).increment(1);
    }
  }

  /**
   * Takes the files with rules of the host whose pages follow. WARC files have them before the
   * first page of the host that is written, so that {@code collect --reservations} finds them.
   */
  public void beginHost(List<CorpusPage> newHostFiles) {
    if (newHostFiles != hostFiles && !newHostFiles.isEmpty()) {
      context.getCounter(ExportCounter.HOSTS_WITH_RULES).increment(1);
    }
    hostFiles = newHostFiles;
  }

  /** Counts a page that is left out, if it is one of the requested pages. */
  public void leaveOut(CorpusPage page, ExportCounter why) {
    if (options.isChosen(page)) {
      leaveOut(why);
    }
  }

  /** Counts a row that is left out. */
  public void leaveOut(ExportCounter why) {
    context.getCounter(why).increment(1);
  }

  /** A page without a counter was read and is not one of the requested pages. */
  private ExportCounter counter(CorpusPage page) {
    if (!page.isDecided()) {
      return ExportCounter.NOT_JUDGED;
    }
    if (!options.isChosen(page)) {
      return null;
    }
    if (!page.hasText()) {
      return ExportCounter.WITHOUT_TEXT;
    }
    return page.has(options.format()) ? ExportCounter.PAGES : ExportCounter.WITHOUT_CONTENT;
  }

  private void write(CorpusPage page) throws IOException {
    if (options.languages().isEmpty()) {
      corpus("").write(page);
    } else {
      for (String language : options.languages()) {
        if (options.isIn(language, page)) {
          corpus(language).write(page);
        }
      }
    }
    if (!page.isKept()) {
      context.getCounter(ExportCounter.PAGES_REJECTED).increment(1);
    }
  }

  private Corpus corpus(String language) {
    return corpora.computeIfAbsent(language, Corpus::new);
  }

  /** The files of one corpus, one after the other. */
  private final class Corpus {
    private final String language;
    private FSDataOutputStream bytes;
    private DocumentWriter writer;
    private int number;

    /** The last that were written. */
    private List<CorpusPage> writtenHostFiles = Collections.emptyList();

    /**
     * @param language the language, if it has a folder of its own; otherwise empty
     */
    Corpus(String language) {
      this.language = language;
    }

    void write(CorpusPage page) throws IOException {
      if (writer != null && bytes.getPos() >= fileBytes) {
        close();
      }
      if (writer == null) {
        open();
      }
      if (options.format() == DocumentFormat.warc && writtenHostFiles != hostFiles) {
        for (CorpusPage file : hostFiles) {
          writer.write(file, "");
        }
        writtenHostFiles = hostFiles;
      }
      writer.write(page, page.text());
    }

    private void open() throws IOException {
      DocumentFormat format = options.format();
      String extension =
          String.format(
              Locale.ROOT,
              "-%05d.%s%s",
              number++,
              format.extension(),
              format.isCompressed() ? "" : ".gz");
      Path file =
          new Path(
              language.isEmpty() ? folder : new Path(folder, language),
              FileOutputFormat.getUniqueFile(context, "corpus", extension));
      bytes = files.create(file, false);
      OutputStream out = format.isCompressed() ? bytes : new GZIPOutputStream(bytes, 1 << 16);
      writer =
          DocumentWriter.of(
              format, out, file.getName(), language.isEmpty() ? crawl : crawl.in(language));
    }

    private void close() throws IOException {
      if (writer != null) {
        writer.close();
        writer = null;
        context.getCounter(ExportCounter.FILES).increment(1);
        context.getCounter(ExportCounter.BYTES).increment(bytes.getPos());
      }
    }
  }

  /**
   * Writes the end of the last files. Do not call it for a task that failed: its files would look
   * whole.
   */
  public void close() throws IOException {
    for (Corpus corpus : corpora.values()) {
      corpus.close();
    }
  }

  /**
   * @param command that prints it
   * @param source source of the pages
   * @param malformed name of the things that {@link ExportCounter#MALFORMED_KEYS} counts
   * @return the result of an export, in lines: the pages, the files, and what was left out
   */
  public static String summary(
      String command, Counters counters, String source, String malformed, String out) {
    StringBuilder summary = new StringBuilder();
    summary.append(
        String.format(
            Locale.ROOT,
            "%s: %d pages of %s in %d files, %.1f MB: %s",
            command,
            count(counters, ExportCounter.PAGES),
            source,
            count(counters, ExportCounter.FILES),
            count(counters, ExportCounter.BYTES) / 1e6,
            out));
    line(summary, counters, ExportCounter.PAGES_REJECTED, "of these were rejected by the parser");
    line(
        summary,
        counters,
        ExportCounter.WITHOUT_TEXT,
        "more have no text (nothing is main content, or they forbid indexing)");
    line(
        summary,
        counters,
        ExportCounter.WITHOUT_CONTENT,
        "more have no stored content (fetcher.store.content)");
    line(
        summary,
        counters,
        ExportCounter.NOT_JUDGED,
        "more were fetched and not parsed with the plugin");
    line(summary, counters, ExportCounter.GONE, "more are no longer there, or redirect");
    line(summary, counters, ExportCounter.DUPLICATES, "more are duplicates by the CrawlDb");
    line(summary, counters, ExportCounter.MALFORMED_KEYS, malformed);
    line(
        summary,
        counters,
        ExportCounter.HOSTS_WITH_RULES,
        "hosts have stored rules on the use of their pages (robots.txt, tdmrep.json)");
    return summary.toString();
  }

  private static void line(
      StringBuilder summary, Counters counters, ExportCounter counter, String what) {
    long count = count(counters, counter);
    if (count > 0) {
      summary.append(System.lineSeparator()).append("  ").append(count).append(' ').append(what);
    }
  }

  private static long count(Counters counters, ExportCounter counter) {
    return counters.findCounter(counter).getValue();
  }

  /** Gives a task a folder of the attempt's, whose files the job moves to their place. */
  public static final class Output extends FileOutputFormat<NullWritable, NullWritable> {

    @Override
    public RecordWriter<NullWritable, NullWritable> getRecordWriter(TaskAttemptContext context) {
      return new NullOutputFormat<NullWritable, NullWritable>().getRecordWriter(context);
    }
  }
}
