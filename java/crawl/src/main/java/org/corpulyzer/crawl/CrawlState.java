package org.corpulyzer.crawl;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;

/**
 * How far a crawl has come, in a file that is replaced in one step: the phase to run next, and
 * whether it was begun already, which after a crash means that some of its files may be there.
 */
final class CrawlState {
  /** The end of the property with the bytes of a corpus. */
  private static final String CORPUS_BYTES = "corpus.bytes";

  /** A corpus as a run left it. */
  static final class CorpusFile {
    /** Settings that its lines depend on, besides the pages. */
    final String form;

    /** The last round whose pages it has. */
    final int round;

    final long documents;
    final long duplicates;

    /** Compressed frames in the file, one after the other. */
    final int frames;

    private final long length;
    private final long modified;

    /** Of a file as it is now. */
    CorpusFile(String form, int round, long documents, long duplicates, int frames, Path file)
        throws IOException {
      this.form = form;
      this.round = round;
      this.documents = documents;
      this.duplicates = duplicates;
      this.frames = frames;
      length = Files.size(file);
      modified = Files.getLastModifiedTime(file).toMillis();
    }

    private CorpusFile(Properties values, String prefix) {
      form = values.getProperty(prefix + "corpus.form");
      round = (int) number(values, prefix + "corpus.round");
      documents = number(values, prefix + "corpus.documents");
      duplicates = number(values, prefix + "corpus.duplicates");
      frames = (int) number(values, prefix + "corpus.frames");
      length = number(values, prefix + "corpus.length");
      modified = number(values, prefix + "corpus.modified");
    }

    private static long number(Properties values, String key) {
      return Long.parseLong(values.getProperty(key, "-1"));
    }

    private void put(Properties values, String prefix) {
      values.setProperty(prefix + "corpus.form", form);
      values.setProperty(prefix + "corpus.round", Integer.toString(round));
      values.setProperty(prefix + "corpus.documents", Long.toString(documents));
      values.setProperty(prefix + "corpus.duplicates", Long.toString(duplicates));
      values.setProperty(prefix + "corpus.frames", Integer.toString(frames));
      values.setProperty(prefix + "corpus.length", Long.toString(length));
      values.setProperty(prefix + "corpus.modified", Long.toString(modified));
    }

    /** Returns whether a file still has the same length and time. */
    boolean isSame(Path file) throws IOException {
      return Files.isRegularFile(file)
          && Files.size(file) == length
          && Files.getLastModifiedTime(file).toMillis() == modified;
    }
  }

  private final Path file;
  private final Properties values;

  /** Before the names of a corpus and of yields, if there are several target languages. */
  private final String prefix;

  private CrawlState(Path file, Properties values, String prefix) {
    this.file = file;
    this.values = values;
    this.prefix = prefix;
  }

  /** The state with the corpus and the yields of one of several target languages. */
  CrawlState of(String language) {
    return new CrawlState(file, values, language + ".");
  }

  /** The state in the file; the start of a crawl when there is none. */
  static CrawlState load(Path file) throws IOException {
    CrawlState state = new CrawlState(file, new Properties(), "");
    if (Files.exists(file)) {
      try (InputStream in = Files.newInputStream(file)) {
        state.values.load(in);
      }
    }
    return state;
  }

  /** The round that {@link #next()} belongs to, from 1. */
  int round() {
    return Integer.parseInt(values.getProperty("round", "1"));
  }

  Phase next() {
    return Phase.of(values.getProperty("next", Phase.GENERATE.label()));
  }

  boolean isBegun() {
    return Boolean.parseBoolean(values.getProperty("begun"));
  }

  /**
   * A fact about the crawl that must not change between runs, such as its language; null when it
   * was never set.
   */
  String fact(String name) {
    return values.getProperty("crawl." + name);
  }

  void setFact(String name, String value) throws IOException {
    values.setProperty("crawl." + name, value);
    save();
  }

  void setFacts(Map<String, String> facts) throws IOException {
    facts.forEach((name, value) -> values.setProperty("crawl." + name, value));
    save();
  }

  /** Returns whether a crawl was begun here. */
  boolean isOfACrawl() {
    return fact("language") != null;
  }

  /** The crawl's own name; null when it has none yet. */
  String id() {
    return fact("id");
  }

  /** The crawl's own name, which no other crawl has. */
  String makeId() throws IOException {
    if (id() == null) {
      setFact("id", UUID.randomUUID().toString());
    }
    return id();
  }

  /** Returns whether a seed with a source was ever injected. */
  boolean hasSources() {
    return Boolean.parseBoolean(fact("sources"));
  }

  /** Notes that a seed has a source. */
  void noteSources() throws IOException {
    setFact("sources", "true");
  }

  /**
   * The time at which the run with {@code --refresh} began, in milliseconds since 1970: pages that
   * were fetched since are not fetched again. A run that was stopped or killed keeps its time.
   */
  long beginRefresh(long now) throws IOException {
    String began = values.getProperty("refresh.began");
    if (began != null) {
      return Long.parseLong(began);
    }
    values.setProperty("refresh.began", Long.toString(now));
    save();
    return now;
  }

  /** Notes that a run has done its rounds. */
  void endRefresh() throws IOException {
    if (values.remove("refresh.began") != null) {
      save();
    }
  }

  /** The last round that the running reparse is through with; null when none is running. */
  Integer reparsed() {
    String round = values.getProperty("reparse");
    return round == null ? null : Integer.valueOf(round);
  }

  /** Notes that a reparse is through with a round. */
  void setReparsed(int round) throws IOException {
    values.setProperty("reparse", Integer.toString(round));
    save();
  }

  /** From now on the records are of another making, or will be when the reparse has ended. */
  void beginReparse(Map<String, String> facts) throws IOException {
    values.setProperty("reparse", "0");
    setFacts(facts);
  }

  void endReparse() throws IOException {
    values.remove("reparse");
    save();
  }

  void begin(Phase phase) throws IOException {
    values.setProperty("round", Integer.toString(round()));
    values.setProperty("next", phase.label());
    values.setProperty("begun", "true");
    save();
  }

  void complete(Phase phase) throws IOException {
    boolean last = phase.ordinal() == Phase.values().length - 1;
    values.setProperty("begun", "false");
    values.setProperty(
        "next", (last ? Phase.GENERATE : Phase.values()[phase.ordinal() + 1]).label());
    if (last) {
      values.setProperty("round", Integer.toString(round() + 1));
    }
    save();
  }

  /**
   * UTF-8 bytes of the language that the corpus had when it was last written; 0 if it is not known.
   * For a crawl in several languages, the sum over their corpora.
   */
  long corpusBytes() {
    String own = prefix + CORPUS_BYTES;
    return values.stringPropertyNames().stream()
        .filter(name -> name.equals(own) || prefix.isEmpty() && name.endsWith("." + CORPUS_BYTES))
        .mapToLong(name -> Long.parseLong(values.getProperty(name)))
        .sum();
  }

  /** Saved with the next change. */
  void setCorpusBytes(long bytes) {
    values.setProperty(prefix + CORPUS_BYTES, Long.toString(bytes));
  }

  /** The corpus as it was last written; null when there is none yet. */
  CorpusFile corpusFile() {
    return values.containsKey(prefix + "corpus.form") ? new CorpusFile(values, prefix) : null;
  }

  /** Saved with the next change. */
  void setCorpusFile(CorpusFile corpus) {
    corpus.put(values, prefix);
  }

  /** Keeps the yield of a round. It is saved with the next change. */
  void addYield(RoundYield yield) {
    values.setProperty(
        prefix + "yield." + yield.round,
        yield.fetched
            + " "
            + yield.kept
            + " "
            + yield.newHosts
            + " "
            + yield.newTexts
            + " "
            + yield.hosts
            + " "
            + yield.effectiveHosts
            + " "
            + yield.anyText);
  }

  /** The finished rounds in order. */
  List<RoundYield> yields() {
    List<RoundYield> yields = new ArrayList<>();
    for (int round = 1; values.containsKey(prefix + "yield." + round); round++) {
      String[] counts = values.getProperty(prefix + "yield." + round).split(" ");
      // If texts were not compared yet, each page in the language counts as a new one.
      yields.add(
          new RoundYield(
              round,
              Long.parseLong(counts[0]),
              Long.parseLong(counts[1]),
              Long.parseLong(counts[2]),
              Long.parseLong(counts[counts.length > 3 ? 3 : 1]),
              counts.length > 4 ? Long.parseLong(counts[4]) : -1,
              counts.length > 5 ? Double.parseDouble(counts[5]) : -1,
              counts.length > 6 ? Long.parseLong(counts[6]) : -1));
    }
    return yields;
  }

  void save() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    values.store(out, "The state of the crawl; written by the crawl.");
    LocalFiles.replace(file, out.toByteArray());
  }
}
