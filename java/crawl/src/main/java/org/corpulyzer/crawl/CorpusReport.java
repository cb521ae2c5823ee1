package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.corpus.CorpusPage;
import org.corpulyzer.engine.CorpusSums;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.PageKeys;

/** Writes the report on all pages of a crawl, those that were rejected included. */
final class CorpusReport {
  private static final long MEMORY_BYTES = 64L << 20;

  private CorpusReport() {}

  /**
   * Reads the segments once, a page in memory at a time.
   *
   * @param language the one of several target languages that the report is on; null if there is one
   * @param minBytes see {@link CorpusPage#isKeptFor}
   * @param segments parsed ones, oldest first
   * @param folder for the report, which is created; it also has temporary files during the work
   * @return the numbers of pages in the report, and of words of the kept ones, for the console
   */
  static String write(
      Configuration conf,
      Engine engine,
      String language,
      long minBytes,
      List<Segment> segments,
      String name,
      Path folder)
      throws IOException {
    Files.createDirectories(folder);
    Refetched refetched = Refetched.of(conf, segments);
    long pages = 0;
    try (CorpusSums sums = CorpusSums.open(engine, language, folder, MEMORY_BYTES, true)) {
      for (Segment segment : segments) {
        try (SegmentPages all = new SegmentPages(conf, segment, false)) {
          for (SegmentPage page; (page = all.next()) != null; ) {
            boolean isReplaced = refetched.isReplaced(page);
            if (!isReplaced) {
              sums.add(row(page, language, minBytes));
              pages++;
            } else if (refetched.isGone(page)) {
              sums.add(new CorpusSums.Row(page.url(), page.host()).gone());
            }
          }
        }
      }
      CorpusSums.Words words = sums.report(name, folder);
      return String.format(
          Locale.ROOT,
          "%d pages, %d kept words, %d in its letters",
          pages,
          words.all(),
          words.own());
    }
  }

  private static CorpusSums.Row row(SegmentPage page, String language, long minBytes) {
    CorpusSums.Row row =
        new CorpusSums.Row(page.url(), page.host())
            .round(page.round())
            .decision(
                language == null
                    ? page.figure(PageKeys.DECISION)
                    : page.decisionFor(language, minBytes))
            .languages(page.figure(PageKeys.LANGUAGES))
            .signature(page.signature())
            .fetchTime(page.fetchMillis())
            .contentType(page.contentType())
            .text(
                page.isDecided()
                    ? CorpusPage.orEmpty(page.text()).getBytes(StandardCharsets.UTF_8)
                    : null);
    if (page.bytes(PageKeys.RAW_BYTES) >= 0) {
      row.rawBytes(page.bytes(PageKeys.RAW_BYTES));
    }
    if (page.bytes(PageKeys.VISIBLE_BYTES) >= 0) {
      row.visibleBytes(page.bytes(PageKeys.VISIBLE_BYTES));
    }
    if (page.bytes(PageKeys.MAIN_BYTES) >= 0) {
      row.mainBytes(page.bytes(PageKeys.MAIN_BYTES));
    }
    return row;
  }
}
