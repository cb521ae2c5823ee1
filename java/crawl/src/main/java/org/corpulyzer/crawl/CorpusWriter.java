package org.corpulyzer.crawl;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.corpus.CrawlDescription;
import org.corpulyzer.corpus.DocumentFormat;
import org.corpulyzer.corpus.DocumentWriter;
import org.corpulyzer.engine.PageKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the kept pages as a corpus and counts the yield of each round. A round is appended to the
 * file of earlier rounds, so that the cost depends on the round only. The corpus is written again,
 * and replaces the old one in one step, if the format changes, if a page was fetched again, or if
 * the file differs from the end of the last run. One page at a time is in memory, and about 24
 * bytes for each page of a round.
 */
final class CorpusWriter {
  /** Contents of a corpus, and the parts that rounds added. */
  static final class Summary {
    private final Map<Integer, RoundYield> rounds = new TreeMap<>();
    private final Map<Integer, RoundYield> allRounds = new TreeMap<>();
    private long documents;
    private long duplicates;
    private long bytes;
    private long languageBytes;
    private int frames;

    long documents() {
      return documents;
    }

    /** Documents left out because an earlier one has their text. */
    long duplicates() {
      return duplicates;
    }

    /** Size of the compressed file in bytes. */
    long bytes() {
      return bytes;
    }

    /**
     * UTF-8 bytes of the language in the main content of the documents; of those that were kept,
     * where others are written too.
     */
    long languageBytes() {
      return languageBytes;
    }

    /** The yields of the rounds that were read, by round. */
    Map<Integer, RoundYield> yields() {
      return rounds;
    }

    /** The same, with the pages in any of the target languages. */
    Map<Integer, RoundYield> allYields() {
      return allRounds;
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(CorpusWriter.class);
  private static final String[] SETS = {"hosts", "texts", "documents"};

  private final CrawlOptions options;

  /** The one of several target languages that the corpus is of; null if there is one. */
  private final String language;

  private final Configuration conf;
  private final DataFolder data;
  private final Console console;
  private final CrawlState state;
  private final OutFolder out;
  private final Path file;

  /**
   * @param language the one of several target languages that the corpus is of; null if there is one
   * @param state of this corpus
   */
  CorpusWriter(
      CrawlOptions options,
      String language,
      OutFolder out,
      Configuration conf,
      DataFolder data,
      Console console,
      CrawlState state) {
    this.options = options;
    this.language = language;
    this.conf = conf;
    this.data = data;
    this.console = console;
    this.state = state;
    this.out = out;
    file = options.out.resolve(OutFolder.corpus(options.format));
  }

  /**
   * Brings the corpus up to a round.
   *
   * @param rounds the last round that is in the corpus afterwards; its segment is parsed
   * @param anew whether what is stored of pages has changed since the corpus was written
   */
  Summary write(int rounds, boolean anew) throws CrawlException {
    try {
      out.claim(OutFolder.corpus(options.format));
      LocalFiles.createPrivate(seen());
      CrawlState.CorpusFile known = state.corpusFile();
      boolean isOurs = !anew && known != null && known.form.equals(form()) && known.isSame(file);
      Summary summary;
      if (isOurs && known.round == rounds) {
        summary = summaryOf(known);
      } else if (isOurs
          && known.round == rounds - 1
          && Files.exists(seen(0, known.round))
          && !Refetched.isIn(conf, data.segment(rounds))) {
        summary = append(summaryOf(known), rounds);
      } else {
        summary = writeAnew(rounds);
      }
      summary.bytes = Files.size(file);
      keep(summary, rounds);
      LocalFiles.replace(
          out.claim(OutFolder.README),
          new CorpusReadme(options, file.getFileName().toString(), summary).bytes());
      out.deleteOtherCorpora(options.format);
      return summary;
    } catch (IOException e) {
      throw CrawlException.failed(
          "the corpus cannot be written to "
              + options.out
              + " ("
              + CrawlException.reason(e)
              + "); correct that, or name another folder "
              + "with --out, then run the same command again",
          e);
    }
  }

  /**
   * Joins the compressed frames of the rounds to one: some programs read the first frame of a file
   * alone.
   */
  void join() throws CrawlException {
    CrawlState.CorpusFile known = state.corpusFile();
    if (options.format.isCompressed() || known == null || known.frames < 2) {
      return;
    }
    Path next = temporary();
    try {
      try (InputStream in =
              new ZstdInputStream(new BufferedInputStream(Files.newInputStream(file)));
          OutputStream out =
              new ZstdOutputStream(new BufferedOutputStream(LocalFiles.create(next)))) {
        in.transferTo(out);
      }
      LocalFiles.replace(next, file);
      state.setCorpusFile(
          new CrawlState.CorpusFile(
              known.form, known.round, known.documents, known.duplicates, 1, file));
      state.save();
    } catch (IOException e) {
      throw CrawlException.failed(
          "the corpus "
              + file
              + " cannot be written ("
              + CrawlException.reason(e)
              + "); correct that, then run the same command again",
          e);
    }
  }

  private Path temporary() {
    return LocalFiles.temporary(file);
  }

  /** Settings that the lines of the corpus depend on, besides the pages. */
  private String form() {
    return file.toAbsolutePath()
        + " all="
        + options.all
        + " nfc="
        + options.nfc
        + " dedup="
        + options.dedup;
  }

  private Summary summaryOf(CrawlState.CorpusFile known) {
    Summary summary = new Summary();
    summary.documents = known.documents;
    summary.duplicates = known.duplicates;
    summary.frames = known.frames;
    summary.languageBytes = state.corpusBytes();
    return summary;
  }

  private void keep(Summary summary, int rounds) throws IOException {
    state.setCorpusBytes(summary.languageBytes);
    state.setCorpusFile(
        new CrawlState.CorpusFile(
            form(), rounds, summary.documents, summary.duplicates, summary.frames, file));
  }

  /**
   * Other programs may read the growing file. So the round is compressed to a file beside it, and
   * then appended in one step.
   */
  private Summary append(Summary summary, int round) throws IOException, CrawlException {
    Path part = data.temporary().resolve("corpus.part");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
      writeRound(summary, data.segment(round), Refetched.none(), out);
    }
    try (FileChannel from = FileChannel.open(part, StandardOpenOption.READ);
        FileChannel to =
            FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      for (long at = 0; at < from.size(); ) {
        at += from.transferTo(at, from.size() - at, to);
      }
      to.force(true);
    }
    Files.delete(part);
    return summary;
  }

  private Summary writeAnew(int rounds) throws IOException, CrawlException {
    LocalFiles.deleteTree(seen());
    LocalFiles.createPrivate(seen());
    List<Segment> segments = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      segments.add(data.segment(round));
    }
    Refetched refetched = Refetched.of(conf, segments);
    Summary summary = new Summary();
    Path next = temporary();
    try (OutputStream out = new BufferedOutputStream(LocalFiles.create(next))) {
      for (Segment segment : segments) {
        writeRound(summary, segment, refetched, out);
      }
      if (segments.isEmpty() && !options.format.isCompressed()) {
        new ZstdOutputStream(out).close();
      }
    }
    LocalFiles.replace(next, file);
    return summary;
  }

  private Path seen(int set, int round) {
    return seen().resolve(SETS[set] + "-" + round);
  }

  private Path seen() {
    return language == null ? data.seen() : data.seen().resolve(language);
  }

  private boolean isKept(SegmentPage page) {
    return language == null ? page.isKept() : page.isKeptFor(language, options.leastBytes());
  }

  /** Fetched and kept pages of a round, and their fingerprints in the order of {@link #SETS}. */
  private static final class Counted {
    private final SeenSet.Round[] sets = {
      new SeenSet.Round(), new SeenSet.Round(), new SeenSet.Round()
    };
    private long fetched;
    private long kept;
    private long keptForAny;

    /** Pages with any text in the language of the corpus, and in any of the languages. */
    private long withText;

    private long withTextInAny;
  }

  private void count(Counted counted, SegmentPage page) {
    counted.fetched++;
    counted.sets[0].add(Fingerprint.of(page.host()));
    if (isKept(page)) {
      counted.kept++;
    }
    boolean hasAny = page.bytes(PageKeys.TARGET_BYTES) > 0;
    counted.withTextInAny += hasAny ? 1 : 0;
    counted.withText += (language == null ? hasAny : page.bytesIn(language) > 0) ? 1 : 0;
    if (page.isKept()) {
      counted.keptForAny++;
      if (page.hasText()) {
        counted.sets[1].add(Fingerprint.of(page.text()));
      }
    }
    if (isWithoutDuplicates() && isWanted(page) && page.hasText()) {
      counted.sets[2].add(fingerprint(page, form(page.text())));
    }
  }

  private boolean isWithoutDuplicates() {
    return options.dedup != CrawlOptions.Dedup.none;
  }

  /** Pages with the same fingerprint are duplicates. */
  private long fingerprint(SegmentPage page, String text) {
    return Fingerprint.of(
        options.dedup == CrawlOptions.Dedup.exact ? text : page.canonicalUrl() + "\n" + text);
  }

  /** Adds a round to the fingerprints of the rounds before, and notes its yield. */
  private void merge(Counted counted, Summary summary, int round) throws IOException {
    for (int set = 0; set < SETS.length; set++) {
      SeenSet.merge(seen(set, round - 1), counted.sets[set], seen(set, round));
    }
    summary.rounds.put(round, yieldOf(counted, counted.kept, counted.withText, round));
    summary.allRounds.put(
        round, yieldOf(counted, counted.keptForAny, counted.withTextInAny, round));
  }

  private static RoundYield yieldOf(Counted counted, long kept, long withText, int round) {
    SeenSet.Round hosts = counted.sets[0];
    return new RoundYield(
        round,
        counted.fetched,
        kept,
        hosts.news(),
        counted.sets[1].news(),
        hosts.distinct(),
        hosts.effective(),
        withText);
  }

  /**
   * Reads the round once. Duplicates need a pass before, because the fingerprints of the rounds
   * before are read in one sweep: only then is it known which texts are new.
   */
  private void writeRound(Summary summary, Segment segment, Refetched refetched, OutputStream out)
      throws IOException, CrawlException {
    int round = segment.round();
    Counted counted = new Counted();
    boolean isCountedFirst = isWithoutDuplicates();
    if (isCountedFirst) {
      try (SegmentPages pages = new SegmentPages(conf, segment, false)) {
        for (SegmentPage page; (page = pages.next()) != null; ) {
          if (!refetched.isReplaced(page)) {
            count(counted, page);
          }
        }
      }
      merge(counted, summary, round);
    }
    summary.frames++;
    // The caller closes the file; a round ends its compressed frame.
    OutputStream open =
        new FilterOutputStream(out) {
          @Override
          public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
          }

          @Override
          public void close() throws IOException {
            flush();
          }
        };
    try (OutputStream compressed =
            options.format.isCompressed() ? open : new ZstdOutputStream(open);
        DocumentWriter documents =
            DocumentWriter.of(
                options.format, compressed, file.getFileName().toString(), description());
        SegmentPages pages =
            new SegmentPages(conf, segment, options.format == DocumentFormat.warc)) {
      writeHostFiles(segment, documents);
      String target = language == null ? PageSettings.require(options).target() : language;
      for (SegmentPage page; (page = pages.next()) != null; ) {
        if (refetched.isReplaced(page)) {
          continue;
        }
        if (!isCountedFirst) {
          count(counted, page);
        }
        if (isWanted(page) && add(page, documents, counted.sets[2], summary) && isKept(page)) {
          summary.languageBytes += page.bytesIn(target);
        }
      }
    }
    if (!isCountedFirst) {
      merge(counted, summary, round);
    }
    for (int set = 0; set < SETS.length; set++) {
      Files.deleteIfExists(seen(set, round - 2));
    }
  }

  /** WARC files have the rules of hosts too, where {@code collect --reservations} finds them. */
  private void writeHostFiles(Segment segment, DocumentWriter documents) throws IOException {
    if (options.format != DocumentFormat.warc) {
      return;
    }
    try (HostFiles files = new HostFiles(conf, segment)) {
      for (SegmentPage file; (file = files.next()) != null; ) {
        documents.write(file, "");
      }
    }
  }

  private CrawlDescription description() {
    return new CrawlDescription(
        "Corpulyzer on Apache Nutch " + CrawlConfiguration.NUTCH,
        "webpage",
        options.language,
        options.agent,
        options.contact);
  }

  private boolean isWanted(SegmentPage page) {
    return isKept(page) || options.all && page.isDecided();
  }

  private String form(String text) {
    return options.nfc ? Normalizer.normalize(text, Normalizer.Form.NFC) : text;
  }

  /**
   * @return whether the page became a document
   */
  private boolean add(
      SegmentPage page, DocumentWriter documents, SeenSet.Round texts, Summary summary)
      throws IOException {
    if (!page.has(options.format)) {
      if (isKept(page)) {
        LOG.warn("{} was kept, but has no text or no content", page.url());
      }
      return false;
    }
    String text = form(page.text());
    if (isWithoutDuplicates() && !texts.take(fingerprint(page, text))) {
      summary.duplicates++;
      return false;
    }
    documents.write(page, text);
    if (++summary.documents % 1000 == 0) {
      console.status("corpus: " + summary.documents + " documents");
    }
    return true;
  }
}
