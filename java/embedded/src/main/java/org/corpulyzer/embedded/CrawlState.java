package org.corpulyzer.embedded;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * How far a crawl has come, in a file that is replaced in one step: the phase to run next, and whether it was begun already, which
 * after a crash means that some of its writes may be in the table.
 */
final class CrawlState {
  private final Path file;
  private final Properties values = new Properties();

  private CrawlState(Path file) {
    this.file = file;
  }

  /** The state in the file; the start of a crawl when there is none. */
  static CrawlState load(Path file) throws IOException {
    CrawlState state = new CrawlState(file);
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

  /** Nutch's batch id of the current round; null before its generate phase. */
  String batch() {
    return values.getProperty("batch");
  }

  /** A fact about the crawl that must not change between runs, such as its language; null when it was never set. */
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

  /** Whether a crawl was begun here. */
  boolean isOfACrawl() {
    return fact("language") != null;
  }

  /** What the rows are marked with that the running reparse is through with; null when none is running. */
  String reparse() {
    return values.getProperty("reparse");
  }

  /** From now on the records are of another making, or will be when the reparse has ended. */
  void beginReparse(String id, Map<String, String> facts) throws IOException {
    values.setProperty("reparse", id);
    setFacts(facts);
  }

  void endReparse() throws IOException {
    values.remove("reparse");
    save();
  }

  void setBatch(String batch) {
    values.setProperty("batch", batch);
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
    values.setProperty("next", (last ? Phase.GENERATE : Phase.values()[phase.ordinal() + 1]).label());
    if (last) {
      values.setProperty("round", Integer.toString(round() + 1));
      values.remove("batch");
    }
    save();
  }

  /** UTF-8 bytes of the language that the corpus had when it was last written; 0 when nothing is known of it. */
  long corpusBytes() {
    return Long.parseLong(values.getProperty("corpus.bytes", "0"));
  }

  /** Saved with the next change. */
  void setCorpusBytes(long bytes) {
    values.setProperty("corpus.bytes", Long.toString(bytes));
  }

  /** Keeps what a round brought; saved with the next change. */
  void addYield(RoundYield yield) {
    values.setProperty("yield." + yield.round, yield.fetched + " " + yield.inLanguage + " " + yield.newHosts + " " + yield.newTexts);
  }

  /** The finished rounds in order. */
  List<RoundYield> yields() {
    List<RoundYield> yields = new ArrayList<>();
    for (int round = 1; values.containsKey("yield." + round); round++) {
      String[] counts = values.getProperty("yield." + round).split(" ");
      // Where texts were not told apart yet, each page in the language counts as a new one.
      yields.add(new RoundYield(round, Long.parseLong(counts[0]), Long.parseLong(counts[1]), Long.parseLong(counts[2]),
          Long.parseLong(counts[counts.length > 3 ? 3 : 1])));
    }
    return yields;
  }

  void save() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    values.store(out, "How far the crawl has come; written by the crawl.");
    LocalFiles.replace(file, out.toByteArray());
  }
}
