package org.corpulyzer.crawl;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.corpus.TableCell;
import org.corpulyzer.engine.PageKeys;

/**
 * The yield of each round by the source of the pages: fetched pages, kept pages, and bytes. A page
 * that was fetched again counts in the last round that got another response, as in the corpus.
 */
final class SourceYields {
  /** Name of the table beside the corpus. */
  static final String FILE = "sources.tsv";

  /** Stands for pages without a source. No source begins with it. */
  private static final String NONE = "-";

  /** Most lines of rounds on the console; beyond, it has the lines of all rounds alone. */
  private static final int MAX_LINES = 60;

  private static final class Counts {
    private long fetched;
    private long kept;
    private long rawBytes;
    private long languageBytes;

    private void add(Counts other) {
      fetched += other.fetched;
      kept += other.kept;
      rawBytes += other.rawBytes;
      languageBytes += other.languageBytes;
    }

    private double percent() {
      return fetched == 0 ? 0 : 100.0 * kept / fetched;
    }
  }

  private final Map<Integer, Map<String, Counts>> rounds = new TreeMap<>();
  private final Map<String, Counts> all = new TreeMap<>();

  private SourceYields() {}

  /**
   * Reads the segments once, a page in memory at a time.
   *
   * @param language the one of several target languages that the corpus is of; null if there is one
   * @param target the target language, if there is one
   * @param minBytes see {@link org.corpulyzer.corpus.CorpusPage#isKeptFor}
   * @param segments parsed ones, oldest first
   */
  static SourceYields read(
      Configuration conf, String language, String target, long minBytes, List<Segment> segments)
      throws IOException {
    SourceYields yields = new SourceYields();
    Refetched refetched = Refetched.of(conf, segments);
    for (Segment segment : segments) {
      Map<String, Counts> round = new TreeMap<>();
      try (SegmentPages pages = new SegmentPages(conf, segment, false)) {
        for (SegmentPage page; (page = pages.next()) != null; ) {
          if (!refetched.isReplaced(page)) {
            Counts counts =
                round.computeIfAbsent(
                    page.source().isEmpty() ? NONE : page.source(), source -> new Counts());
            counts.fetched++;
            counts.rawBytes += Math.max(0, page.bytes(PageKeys.RAW_BYTES));
            if (language == null ? page.isKept() : page.isKeptFor(language, minBytes)) {
              counts.kept++;
              counts.languageBytes += page.bytesIn(language == null ? target : language);
            }
          }
        }
      }
      yields.rounds.put(segment.round(), round);
      round.forEach(
          (source, counts) -> yields.all.computeIfAbsent(source, name -> new Counts()).add(counts));
    }
    return yields;
  }

  /** The table with a head: a line for each round and source, then one for each source. */
  String tsv() {
    StringBuilder table =
        new StringBuilder(
            "round\tsource\tfetched\tkept\tyield %\tdownloaded bytes\tbytes in the language\n");
    rounds.forEach(
        (round, counts) -> counts.forEach((source, c) -> tsv(table, "" + round, source, c)));
    all.forEach((source, counts) -> tsv(table, "all", source, counts));
    return table.toString();
  }

  private static void tsv(StringBuilder table, String round, String source, Counts counts) {
    table.append(
        String.format(
            Locale.ROOT,
            "%s\t%s\t%d\t%d\t%.2f\t%d\t%d\n",
            round,
            source.equals(NONE) ? NONE : TableCell.of(source),
            counts.fetched,
            counts.kept,
            counts.percent(),
            counts.rawBytes,
            counts.languageBytes));
  }

  /**
   * The table for the console.
   *
   * @param language in the head; null for none
   */
  String table(String language) {
    StringBuilder table = new StringBuilder();
    table.append(
        String.format(
            Locale.ROOT,
            "%5s  %7s  %7s  %6s  %13s  %11s  source%s%n",
            "round",
            "fetched",
            "kept",
            "yield",
            "downloaded MB",
            "language MB",
            language == null ? "" : " (kept for " + language + ")"));
    if (rounds.values().stream().mapToInt(Map::size).sum() <= MAX_LINES) {
      rounds.forEach(
          (round, counts) -> counts.forEach((source, c) -> line(table, "" + round, source, c)));
    }
    all.forEach((source, counts) -> line(table, "all", source, counts));
    return table.toString();
  }

  private static void line(StringBuilder table, String round, String source, Counts counts) {
    table.append(
        String.format(
            Locale.ROOT,
            "%5s  %7d  %7d  %5.1f%%  %13.2f  %11.2f  %s%n",
            round,
            counts.fetched,
            counts.kept,
            counts.percent(),
            counts.rawBytes / 1e6,
            counts.languageBytes / 1e6,
            source));
  }
}
