package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.util.LockUtil;
import org.apache.nutch.util.StringUtil;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Steering;
import org.corpulyzer.jobs.LrlCrawlDb;
import org.corpulyzer.jobs.RawRows;

/**
 * Nutch's CrawlDb as files. Nutch writes new files at each change and never changes an existing
 * file. So a copy made of hard links is complete and takes no space.
 */
final class CrawlDbFolder {
  private static final String OLD = "old";

  /** Names of Nutch's lock and its checksum, of the output of its jobs, and of its backup. */
  private static final Pattern LEFT =
      Pattern.compile("\\.?\\.locked(\\.crc)?|[0-9]+|joined|" + OLD);

  private final Path root;
  private final Path copy;

  private int waiting;
  private Steering.Review review;

  CrawlDbFolder(DataFolder data) {
    root = data.crawlDb();
    copy = root.resolveSibling("crawldb.before");
  }

  org.apache.hadoop.fs.Path path() {
    return new org.apache.hadoop.fs.Path(root.toUri());
  }

  private Path current() {
    return root.resolve(CrawlDb.CURRENT_NAME);
  }

  boolean exists() {
    return Files.exists(current());
  }

  /**
   * Deletes the remains of a killed process: the lock, which only a process that holds the data
   * folder makes, and incomplete files.
   */
  void repair() throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    if (!exists() && Files.exists(root.resolve(OLD))) {
      // The process was killed between the two moves that replace the old CrawlDb by the new one.
      Files.move(root.resolve(OLD), current());
    }
    List<Path> left;
    try (Stream<Path> entries = Files.list(root)) {
      left =
          entries
              .filter(entry -> LEFT.matcher(entry.getFileName().toString()).matches())
              .collect(Collectors.toList());
    }
    for (Path entry : left) {
      LocalFiles.deleteTree(entry);
    }
  }

  /** Makes the present content the one that {@link #restore} brings back. */
  void save() throws IOException {
    LocalFiles.deleteTree(copy);
    Path next = root.resolveSibling("crawldb.saving");
    LocalFiles.deleteTree(next);
    link(current(), next);
    Files.move(next, copy);
  }

  /**
   * Brings back what {@link #save} saved, if it saved something and {@link #forget} was not called
   * since.
   */
  void restore() throws IOException {
    if (Files.exists(copy)) {
      LocalFiles.deleteTree(current());
      link(copy, current());
      repair();
    }
  }

  /** Takes the saved content away. */
  void forget() throws IOException {
    LocalFiles.deleteTree(copy);
  }

  private static void link(Path from, Path to) throws IOException {
    List<Path> tree;
    try (Stream<Path> entries = Files.walk(from)) {
      tree = entries.collect(Collectors.toList());
    }
    for (Path entry : tree) {
      Path target = to.resolve(from.relativize(entry).toString());
      if (Files.isDirectory(entry)) {
        LocalFiles.createPrivate(target);
      } else {
        Files.createLink(target, entry);
      }
    }
  }

  private List<Path> parts() throws IOException {
    if (!exists()) {
      return new ArrayList<>();
    }
    try (Stream<Path> entries = Files.list(current())) {
      return entries.filter(Files::isDirectory).sorted().collect(Collectors.toList());
    }
  }

  /** Those of some addresses that have no row. */
  List<String> missing(Configuration conf, List<String> urls) throws IOException {
    List<String> missing = new ArrayList<>(urls);
    CrawlDatum row = new CrawlDatum();
    for (Path part : parts()) {
      try (MapFile.Reader reader =
          new MapFile.Reader(new org.apache.hadoop.fs.Path(part.toUri()), conf)) {
        List<String> left = new ArrayList<>();
        for (String url : missing) {
          if (reader.get(new Text(url), row) == null) {
            left.add(url);
          }
        }
        missing = left;
      }
    }
    return missing;
  }

  /**
   * @return what new hosts cost and gave in the round of the last update; null if policy pages did
   *     not choose its rows
   */
  Steering.Review review() {
    return review;
  }

  /** Returns the hosts that the last selection left out because they asked for fewer requests. */
  int waiting() {
    return waiting;
  }

  /**
   * Chooses the addresses of a round, see {@link UrlSelector}.
   *
   * @return how many were written to the file
   */
  int select(Configuration conf, int top, org.apache.hadoop.fs.Path file) throws IOException {
    UrlSelector selector = new UrlSelector(conf, System.currentTimeMillis(), top);
    read(conf, selector);
    waiting = selector.waiting();
    return selector.write(file);
  }

  /**
   * Chooses the addresses of a round of which a share is spent on pages that were fetched before.
   * If there are fewer such pages, new ones take their place, unless the share is 1.
   *
   * @param share from 0 to 1, greater than 0
   * @param before see {@link UrlSelector#refresh}
   * @return how many pages are to be fetched again, and how many addresses were written in all
   */
  int[] selectWithPages(
      Configuration conf, int top, double share, long before, org.apache.hadoop.fs.Path file)
      throws IOException {
    long now = System.currentTimeMillis();
    UrlSelector pages = UrlSelector.refresh(conf, now, top, share, before);
    read(conf, pages);
    int again = pages.chosen();
    if (share >= 1 || again == top) {
      return new int[] {again, pages.write(file)};
    }
    UrlSelector fresh = UrlSelector.fresh(conf, now, top - again, pages);
    read(conf, fresh);
    waiting = fresh.waiting();
    return new int[] {again, fresh.write(file, pages)};
  }

  /** What a choice by policy pages has given. */
  static final class PageChoice {
    /** Addresses that were written. */
    final int addresses;

    /** Those that were fetched before. */
    final int again;

    /** Those that probe new hosts. */
    final int probes;

    private PageChoice(int addresses, int again, int probes) {
      this.addresses = addresses;
      this.again = again;
      this.probes = probes;
    }
  }

  /**
   * Chooses the addresses of a round by policy pages, see {@link PageSelector}.
   *
   * @param made the segment of the round, to which the addresses and the state are written
   * @param last the segment of the round before
   * @param share share of the round for pages that were fetched before
   * @param before see {@link UrlSelector#refresh}
   */
  PageChoice selectPages(
      Configuration conf, int top, double share, long before, Segment made, Segment last)
      throws IOException {
    long now = System.currentTimeMillis();
    List<UrlSelector.Chosen> rows = new ArrayList<>();
    Map<String, Integer> taken = Map.of();
    if (share > 0) {
      UrlSelector pages = UrlSelector.refresh(conf, now, top, share, before);
      read(conf, pages);
      rows.addAll(pages.rows());
      taken = pages.byHost();
    }
    int again = rows.size();
    PageSelector selector = new PageSelector(conf, sink -> eachRaw(conf, sink), made.round(), now);
    int probes = 0;
    LocalFiles.createPrivate(made.folder());
    if (share < 1 && again < top) {
      PageSelector.Selection chosen =
          selector.select(
              PageSelector.stateOf(last),
              top - again,
              taken,
              share > 0,
              made.folder().resolve(PageSelector.DUE));
      rows.addAll(0, chosen.rows);
      probes = chosen.probes;
      LocalFiles.replace(
          made.folder().resolve(PageSelector.CHOSEN),
          chosen.state.getBytes(StandardCharsets.UTF_8));
    }
    waiting = selector.waiting();
    int addresses = UrlSelector.write(conf, made.file(CrawlDatum.GENERATE_DIR_NAME), rows);
    return new PageChoice(addresses, again, probes);
  }

  /** Gives every row to the sink as bytes, in the order of their URLs. */
  void eachRaw(Configuration conf, PageSelector.Sink sink) throws IOException {
    for (Path part : parts()) {
      each(conf, data(part), sink);
    }
  }

  static void each(Configuration conf, org.apache.hadoop.fs.Path file, PageSelector.Sink sink)
      throws IOException {
    try (RawRows rows = new RawRows(conf, file)) {
      while (rows.next()) {
        sink.accept(rows);
      }
    }
  }

  private void read(Configuration conf, UrlSelector selector) throws IOException {
    for (Path part : parts()) {
      try (RawRows rows = new RawRows(conf, data(part))) {
        selector.read(rows);
      }
    }
  }

  /** Takes a row of CrawlDb. */
  interface RowSink {
    void accept(String url, CrawlDatum row) throws IOException;
  }

  /** Gives every row to the sink, in the order of their URLs. */
  void each(Configuration conf, RowSink sink) throws IOException {
    for (Path part : parts()) {
      try (SortedRecords<CrawlDatum> rows =
          new SortedRecords<>(conf, data(part), new CrawlDatum())) {
        while (rows.next()) {
          sink.accept(rows.key().toString(), rows.value());
        }
      }
    }
  }

  /** Returns the row of a URL, or null. */
  CrawlDatum row(Configuration conf, String url) throws IOException {
    CrawlDatum row = new CrawlDatum();
    for (Path part : parts()) {
      try (MapFile.Reader reader =
          new MapFile.Reader(new org.apache.hadoop.fs.Path(part.toUri()), conf)) {
        if (reader.get(new Text(url), row) != null) {
          return row;
        }
      }
    }
    return null;
  }

  /** The version of the first record by address; null when there is none. */
  String recordVersion(Configuration conf) throws IOException {
    Text version = new Text(PageKeys.VERSION);
    for (Path part : parts()) {
      try (SortedRecords<CrawlDatum> rows =
          new SortedRecords<>(conf, data(part), new CrawlDatum())) {
        while (rows.next()) {
          if (rows.value().getMetaData().containsKey(version)) {
            return rows.value().getMetaData().get(version).toString();
          }
        }
      }
    }
    return null;
  }

  private static org.apache.hadoop.fs.Path data(Path part) {
    return new org.apache.hadoop.fs.Path(part.resolve(MapFile.DATA_FILE_NAME).toUri());
  }

  /**
   * Gives every row the figures and the signature that the newest segment with a parse of it has.
   * Nutch's own update would also restore the status and the time of older fetches. Rows and
   * segments are sorted alike, so this is one pass with a row of each in memory.
   *
   * @param segments parsed ones, oldest first
   */
  void join(Configuration conf, List<Segment> segments) throws IOException {
    String[] names = conf.getTrimmedStrings("db.parsemeta.to.crawldb");
    Path next = root.resolve("joined");
    LocalFiles.deleteTree(next);
    for (Path part : parts()) {
      Map<Segment, SortedRecords<ParseData>> parses = new LinkedHashMap<>();
      org.apache.hadoop.fs.Path target =
          new org.apache.hadoop.fs.Path(next.resolve(part.getFileName()).toUri());
      try (SortedRecords<CrawlDatum> rows =
              new SortedRecords<>(conf, data(part), new CrawlDatum());
          MapFile.Writer out =
              new MapFile.Writer(
                  conf,
                  target,
                  MapFile.Writer.keyClass(Text.class),
                  SequenceFile.Writer.valueClass(CrawlDatum.class))) {
        for (Segment segment : segments) {
          parses.put(
              segment,
              new SortedRecords<>(conf, segment.data(ParseData.DIR_NAME), new ParseData()));
        }
        while (rows.next()) {
          for (SortedRecords<ParseData> parse : parses.values()) {
            if (parse.seek(rows.key())) {
              set(rows.value(), parse.value().getParseMeta(), names);
              setSignature(rows.value(), parse.value().getContentMeta());
            }
          }
          out.append(rows.key(), rows.value());
        }
      } finally {
        for (SortedRecords<ParseData> parse : parses.values()) {
          parse.close();
        }
      }
    }
    install(next);
  }

  /**
   * Replaces the present parts by complete new parts. {@link #repair} completes this step after a
   * kill.
   */
  private void install(Path next) throws IOException {
    Path old = root.resolve(OLD);
    LocalFiles.deleteTree(old);
    Files.move(current(), old);
    Files.move(next, current());
    LocalFiles.deleteTree(old);
  }

  /**
   * Updates CrawlDb by a segment, as Nutch's updatedb and the score passes do.
   *
   * @param temporary a folder that is not there yet
   * @param scores whether hosts are scored
   * @return the counts of the score passes; null if nothing was scored
   */
  ScoreSummary update(Configuration conf, Segment segment, Path temporary, boolean scores)
      throws IOException, InterruptedException, ClassNotFoundException {
    org.apache.hadoop.fs.Path[] segments = {
      new org.apache.hadoop.fs.Path(segment.folder().toUri())
    };
    List<Path> parts = parts();
    if (parts.size() != 1 || !parts.get(0).endsWith(Segment.PART)) {
      // A tool of Nutch wrote other parts. Its updatedb makes one of them.
      return updateByNutch(conf, segments, scores);
    }
    org.apache.hadoop.fs.Path lock = CrawlDb.lock(conf, path(), false);
    try {
      Path next = root.resolve("joined");
      LocalFiles.deleteTree(next);
      RoundUpdate update = new RoundUpdate(conf, path(), temporary, scores);
      update.write(parts.get(0), segment, next.resolve(Segment.PART));
      install(next);
      review = update.review();
      return update.summary();
    } finally {
      LockUtil.removeLockFile(lock.getFileSystem(conf), lock);
    }
  }

  private ScoreSummary updateByNutch(
      Configuration conf, org.apache.hadoop.fs.Path[] segments, boolean scores)
      throws IOException, InterruptedException, ClassNotFoundException {
    if (!scores) {
      new CrawlDb(new Configuration(conf)).update(path(), segments, false, false);
      return null;
    }
    LrlCrawlDb job = new LrlCrawlDb(new Configuration(conf));
    job.update(path(), segments, false, false);
    return job.summary();
  }

  private static void setSignature(CrawlDatum row, Metadata content) {
    String signature = content.get(Nutch.SIGNATURE_KEY);
    if (signature != null) {
      row.setSignature(StringUtil.fromHexString(signature));
    }
  }

  private static void set(CrawlDatum row, Metadata figures, String... names) {
    for (String name : names) {
      Text key = new Text(name);
      if (figures.get(name) == null) {
        row.getMetaData().remove(key);
      } else {
        row.getMetaData().put(key, new Text(figures.get(name)));
      }
    }
  }
}
