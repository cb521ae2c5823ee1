package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * The corpora of a crawl: one in the folder {@code --out}, or one for each of several target
 * languages in a folder of its ISO 639-3 code below it. A page may be in several corpora.
 */
final class Corpora {
  /** A corpus with its report. */
  private static final class Corpus {
    /** The one of several target languages; null if there is one. */
    final String language;

    final CrawlOptions options;
    final OutFolder out;

    Corpus(String language, CrawlOptions options) throws CrawlException {
      this.language = language;
      this.options = options;
      out = OutFolder.look(options);
    }
  }

  private final List<Corpus> corpora = new ArrayList<>();

  private Corpora() {}

  /**
   * Checks that the crawl may write its files into the folders, see {@link OutFolder#look}. Writes
   * nothing.
   */
  static Corpora look(CrawlOptions options) throws CrawlException {
    Corpora corpora = new Corpora();
    List<String> languages = options.targets();
    if (languages.size() == 1) {
      corpora.corpora.add(new Corpus(null, options));
    } else {
      for (String language : languages) {
        corpora.corpora.add(new Corpus(language, options.of(language)));
      }
    }
    return corpora;
  }

  /** Checks that no folder has the corpus of another crawl, see {@link OutFolder#requireOf}. */
  void requireOf(String crawl) throws CrawlException {
    for (Corpus corpus : corpora) {
      corpus.out.requireOf(crawl, corpus.options);
    }
  }

  /** Makes the folders and their markers, see {@link OutFolder#take}. */
  void take(String crawl) throws CrawlException {
    for (Corpus corpus : corpora) {
      corpus.out.take(crawl, corpus.options.language);
    }
  }

  private static CrawlState state(Corpus corpus, CrawlState state) {
    return corpus.language == null ? state : state.of(corpus.language);
  }

  private static CorpusWriter writer(
      Corpus corpus, Configuration conf, DataFolder data, Console console, CrawlState state) {
    return new CorpusWriter(
        corpus.options, corpus.language, corpus.out, conf, data, console, state(corpus, state));
  }

  /** What a run of {@link #write} has written. */
  static final class Written {
    private final List<String> contents = new ArrayList<>();
    private long documents;
    private CorpusWriter.Summary first;

    /** Documents in all corpora; a page counts in each that it is in. */
    long documents() {
      return documents;
    }

    /** Returns whether the yield of a round is known. */
    boolean hasYield(int round) {
      return first.yields().containsKey(round);
    }

    /** Contents of the corpora, for the console. */
    String describe() {
      return String.join("; ", contents);
    }
  }

  /**
   * Brings the corpora up to a round, and notes the yields of the rounds that were read in the
   * state.
   *
   * @param anew see {@link CorpusWriter#write}
   */
  Written write(
      Configuration conf,
      DataFolder data,
      Console console,
      CrawlState state,
      int rounds,
      boolean anew)
      throws CrawlException {
    Written written = new Written();
    for (Corpus corpus : corpora) {
      CorpusWriter.Summary summary = writer(corpus, conf, data, console, state).write(rounds, anew);
      written.documents += summary.documents();
      if (written.first == null) {
        written.first = summary;
      }
      String bytes = String.format(Locale.ROOT, "%.1f MB", summary.languageBytes() / 1e6);
      if (corpus.language == null) {
        written.contents.add(
            String.format(
                Locale.ROOT,
                "%d documents, %s of the language, file of %.1f MB",
                summary.documents(),
                bytes,
                summary.bytes() / 1e6));
      } else {
        written.contents.add(corpus.language + " " + summary.documents() + " documents, " + bytes);
        summary.yields().values().forEach(state(corpus, state)::addYield);
      }
    }
    return written;
  }

  /** Notes the yields of rounds: the pages that are in any corpus. */
  static void addYields(Written written, CrawlState state, int round) {
    state.addYield(written.first.allYields().get(round));
  }

  /** Notes the yields of all rounds that were read. */
  static void addYields(Written written, CrawlState state) {
    written.first.allYields().values().forEach(state::addYield);
  }

  /** Joins the frames of each corpus, see {@link CorpusWriter#join}. */
  void join(Configuration conf, DataFolder data, Console console, CrawlState state)
      throws CrawlException {
    for (Corpus corpus : corpora) {
      writer(corpus, conf, data, console, state).join();
    }
  }

  /**
   * Writes the report of each corpus to a folder beside it. An old report stays until the new one
   * is complete.
   *
   * @return see {@link CorpusReport#write}; with the language before it, if there are several
   */
  String report(Configuration conf, CrawlOptions options, List<Segment> segments, String name)
      throws CrawlException, IOException {
    List<String> figuresOfAll = new ArrayList<>();
    for (Corpus corpus : corpora) {
      Path next = corpus.out.nextReport();
      String figures =
          CorpusReport.write(
              conf,
              PageSettings.require(options),
              corpus.language,
              options.leastBytes(),
              segments,
              name,
              next);
      corpus.out.installReport(next);
      figuresOfAll.add(corpus.language == null ? figures : corpus.language + " " + figures);
    }
    return String.join("; ", figuresOfAll);
  }

  /**
   * Writes the table of the pages that were fetched again beside each corpus, if there are such
   * pages.
   *
   * @param segments parsed ones, oldest first
   * @return a paragraph for the console; empty if no page was fetched again
   */
  String linkRot(Configuration conf, List<Segment> segments) throws CrawlException, IOException {
    LinkRot rot = LinkRot.read(conf, segments);
    if (rot.isEmpty()) {
      return "";
    }
    for (Corpus corpus : corpora) {
      LocalFiles.replace(
          corpus.out.claim(LinkRot.FILE), rot.tsv().getBytes(StandardCharsets.UTF_8));
    }
    return rot.summary();
  }

  /**
   * Writes the yields by source beside each corpus.
   *
   * @param segments parsed ones, oldest first
   * @return tables for the console
   */
  String sources(Configuration conf, CrawlOptions options, List<Segment> segments)
      throws CrawlException, IOException {
    StringBuilder tables = new StringBuilder();
    for (Corpus corpus : corpora) {
      SourceYields yields =
          SourceYields.read(
              conf,
              corpus.language,
              PageSettings.require(options).target(),
              options.leastBytes(),
              segments);
      LocalFiles.replace(
          corpus.out.claim(SourceYields.FILE), yields.tsv().getBytes(StandardCharsets.UTF_8));
      tables.append(yields.table(corpus.language));
    }
    return tables.toString();
  }

  /** Returns whether each corpus has this number of bytes of its language. */
  boolean have(long bytes, CrawlState state) {
    return corpora.stream().allMatch(corpus -> state(corpus, state).corpusBytes() >= bytes);
  }

  /** The bytes of each language in its corpus, as {@code skr:12,urd:345}. */
  String bytesByLanguage(CrawlState state) {
    return corpora.stream()
        .filter(corpus -> corpus.language != null)
        .map(corpus -> corpus.language + ":" + state.of(corpus.language).corpusBytes())
        .collect(Collectors.joining(","));
  }

  /** A line for each of several languages: its pages, yield and bytes; empty if there is one. */
  String table(CrawlState state) {
    if (corpora.size() == 1) {
      return "";
    }
    StringBuilder table =
        new StringBuilder("language    pages  filtered yield  last round  MB in the corpus\n");
    for (Corpus corpus : corpora) {
      CrawlState own = state.of(corpus.language);
      List<RoundYield> yields = own.yields();
      long pages = yields.stream().mapToLong(round -> round.kept).sum();
      long fetched = yields.stream().mapToLong(round -> round.fetched).sum();
      double last = yields.isEmpty() ? 0 : yields.get(yields.size() - 1).percent();
      table.append(
          String.format(
              Locale.ROOT,
              "%8s  %7d  %13.1f%%  %9.1f%%  %16.2f%n",
              corpus.language,
              pages,
              fetched == 0 ? 0 : 100.0 * pages / fetched,
              last,
              own.corpusBytes() / 1e6));
    }
    return table.toString();
  }
}
