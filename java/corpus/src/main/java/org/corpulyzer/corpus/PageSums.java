package org.corpulyzer.corpus;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.corpulyzer.engine.CorpusSums;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;

/** The sums over the pages of one task. It gives them in parts to {@link ReportReducer}. */
public final class PageSums implements Closeable {

  private final TaskInputOutputContext<?, ?, NullWritable, BytesWritable> context;
  private final Scratch scratch;

  /** The one of several target languages that the sums are of; null if there is one. */
  private final String language;

  private final long minBytes;
  private final CorpusSums sums;
  private long pages;
  private long gone;
  private long others;
  private long malformed;

  public PageSums(TaskInputOutputContext<?, ?, NullWritable, BytesWritable> context)
      throws IOException {
    this.context = context;
    language = ReportOptions.language(context.getConfiguration());
    minBytes = Settings.from(context.getConfiguration()::get).minBytes();
    scratch = new Scratch();
    try {
      sums = ReportOptions.open(context.getConfiguration(), scratch.folder());
    } catch (RuntimeException | Error e) {
      scratch.close();
      throw e;
    }
  }

  /** Adds a fetched page. */
  public void add(CorpusPage page) {
    CorpusSums.Row row = new CorpusSums.Row(page.url(), page.host());
    long round = page.round();
    if (round >= 0) {
      row.round(round);
    }
    row.decision(
            language == null
                ? page.figure(PageKeys.DECISION)
                : page.decisionFor(language, minBytes))
        .languages(page.figure(PageKeys.LANGUAGES))
        .signature(page.signature())
        .fetchTime(page.fetchMillis())
        .contentType(page.contentType())
        .text(page.utf8Text());
    if (page.bytes(PageKeys.RAW_BYTES) >= 0) {
      row.rawBytes(page.bytes(PageKeys.RAW_BYTES));
    }
    if (page.bytes(PageKeys.VISIBLE_BYTES) >= 0) {
      row.visibleBytes(page.bytes(PageKeys.VISIBLE_BYTES));
    }
    if (page.bytes(PageKeys.MAIN_BYTES) >= 0) {
      row.mainBytes(page.bytes(PageKeys.MAIN_BYTES));
    }
    sums.add(row);
    pages++;
  }

  /** Adds a page that had figures and that the server no longer has. */
  public void addGone(String url, String host) {
    sums.add(new CorpusSums.Row(url, host).gone());
    gone++;
  }

  /** Counts a row that is no page: never fetched, a redirect, a dead link. */
  public void addOther() {
    others++;
  }

  /** Counts a row whose key is no URL. */
  public void addMalformed() {
    malformed++;
  }

  /**
   * Writes the sums to the reducer, and ends them. Do not call it for a task that failed: its parts
   * would look whole.
   */
  public void give() throws IOException, InterruptedException {
    Path parts = scratch.folder().resolve("parts");
    Heartbeat.during(context, () -> sums.writeParts(parts, others + malformed));
    CorpusSums.readParts(
        parts,
        part -> {
          context.write(NullWritable.get(), new BytesWritable(part));
          context.getCounter(ReportCounter.PARTS).increment(1);
        });
    context.getCounter(ReportCounter.PAGES).increment(pages);
    context.getCounter(ReportCounter.PAGES_GONE).increment(gone);
    context.getCounter(ReportCounter.OTHER_ROWS).increment(others);
    context.getCounter(ReportCounter.MALFORMED_KEYS).increment(malformed);
  }

  @Override
  public void close() throws IOException {
    try {
      sums.close();
    } finally {
      scratch.close();
    }
  }
}
