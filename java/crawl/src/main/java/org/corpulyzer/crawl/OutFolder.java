package org.corpulyzer.crawl;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.corpulyzer.corpus.DocumentFormat;

/**
 * The folder of the corpus. A marker file names the crawl and lists the files that it wrote there;
 * the crawl replaces and deletes no others, and no corpus of another crawl. A folder that has files
 * and no marker is refused, unless its README is one of an earlier release, which wrote no marker.
 */
final class OutFolder {
  /** Name of the marker file. */
  static final String MARKER = ".corpulyzer-crawl";

  static final String README = "README.md";
  private static final String HEAD =
      "# The crawl wrote these files, and replaces them; it leaves others alone.";
  private static final String REPORT = "report";

  /** Begins the line of the marker with the crawl and its language. No name of a file begins so. */
  private static final String CRAWL = "\tcrawl\t";

  /** Files of a report that an earlier release wrote. */
  private static final List<String> EARLIER_REPORT =
      Arrays.asList(
          "report.html",
          "report.json",
          "table3-thresholds.tsv",
          "table7-lsh.tsv",
          "table8-languages.tsv",
          "table9-top-sites-by-pages.tsv",
          "table9-top-sites-by-bytes.tsv",
          "table10-tokens.tsv",
          "table11-corpora.tsv",
          "thresholds.tsv",
          "lsh.tsv",
          "languages.tsv",
          "duplicates.tsv",
          "coverage.tsv",
          "site-richness.tsv",
          "site-languages.tsv",
          "pages-per-site.tsv",
          "url-depth.tsv",
          "page-sizes.tsv",
          "yield.tsv",
          "byte-yields.tsv",
          "costliest-sites.tsv",
          "zipf.tsv",
          "words.tsv",
          "comparison.tsv",
          "combinations.tsv",
          "reference.tsv",
          "ranking.tsv",
          "index.tsv");

  private final Path root;

  /** Names below the folder, with {@code /} between their parts. */
  private final Set<String> ours;

  /** The line with the crawl whose corpus is here; null if it is not known. */
  private String crawl;

  private OutFolder(Path root, Set<String> ours) {
    this.root = root;
    this.ours = ours;
    crawl = ours.stream().filter(line -> line.startsWith(CRAWL)).findFirst().orElse(null);
    ours.removeIf(line -> line.startsWith(CRAWL));
  }

  /**
   * Checks that the crawl may write its files into the folder. Writes nothing.
   *
   * @throws CrawlException if the path is not a folder, cannot be written, or has a foreign file at
   *     a place where the crawl would write
   */
  static OutFolder look(CrawlOptions options) throws CrawlException {
    Path root = options.out;
    Path nearest = nearest(root);
    if (!Files.isDirectory(nearest)) {
      throw CrawlException.usage(nearest + " is a file, not a folder; name a folder (--out)");
    }
    if (!Files.isWritable(nearest)) {
      throw CrawlException.usage(
          "the folder " + nearest + " cannot be written; name another folder (--out)");
    }
    try {
      requireApart(root, options.data);
      OutFolder folder = new OutFolder(root, Files.exists(root) ? ours(root) : new TreeSet<>());
      folder.requireOurs(README);
      folder.requireOurs(corpus(options.format));
      if (!options.noReport) {
        folder.requireReportOurs();
      }
      return folder;
    } catch (IOException e) {
      throw CrawlException.usage(
          "the folder "
              + root
              + " cannot be read ("
              + CrawlException.reason(e)
              + "); name another folder (--out)");
    }
  }

  /**
   * Checks that there is no corpus of another crawl, which could be the better one.
   *
   * @param id of this crawl; null if it has none yet
   */
  void requireOf(String id, CrawlOptions options) throws CrawlException {
    boolean isThere = ours.stream().anyMatch(name -> Files.exists(root.resolve(name)));
    if (crawl == null || !isThere || options.replace) {
      return;
    }
    String[] known = crawl.substring(CRAWL.length()).split("\t", 2);
    if (!known[0].equals(id)) {
      throw CrawlException.usage(
          "the folder "
              + root
              + " has the corpus of another crawl, for "
              + known[known.length - 1]
              + "; name another folder (--out), or the --data folder of that crawl, or replace its"
              + " corpus (--replace)");
    }
  }

  /**
   * Makes the folder and its marker before anything is fetched, so that a folder that cannot be
   * written is an early error.
   *
   * @param id of the crawl
   */
  void take(String id, String language) throws CrawlException {
    try {
      Files.createDirectories(root);
      crawl = CRAWL + id + '\t' + language;
      save();
    } catch (IOException e) {
      throw CrawlException.usage(
          "the folder "
              + root
              + " cannot be written ("
              + CrawlException.reason(e)
              + "); name another folder (--out)");
    }
  }

  /** Name of the corpus in a format. */
  static String corpus(DocumentFormat format) {
    return "corpus." + format.extension() + (format.isCompressed() ? "" : ".zst");
  }

  /** Notes a file as the crawl's, before the crawl writes it. */
  Path claim(String name) throws CrawlException, IOException {
    requireOurs(name);
    if (ours.add(name)) {
      save();
    }
    return root.resolve(name);
  }

  /** Deletes the corpus files of other formats that the crawl wrote. */
  void deleteOtherCorpora(DocumentFormat kept) throws IOException {
    boolean isChanged = false;
    for (DocumentFormat format : DocumentFormat.values()) {
      if (format != kept && ours.remove(corpus(format))) {
        Files.deleteIfExists(root.resolve(corpus(format)));
        isChanged = true;
      }
    }
    if (isChanged) {
      save();
    }
  }

  /** The folder in which the next report is made. */
  Path nextReport() throws IOException {
    Path next = root.resolve(MARKER + ".report.next");
    LocalFiles.deleteTree(next);
    return next;
  }

  /** Replaces the old report by the next one. */
  void installReport(Path next) throws CrawlException, IOException {
    requireReportOurs();
    try (Stream<Path> files = Files.list(next)) {
      files.forEach(file -> ours.add(REPORT + "/" + file.getFileName()));
    }
    save();
    Path old = root.resolve(MARKER + ".report.old");
    Path report = root.resolve(REPORT);
    // A run that was killed between the two moves left the old report here. It is deleted when
    // there is a new one.
    LocalFiles.deleteTree(old);
    if (Files.exists(report)) {
      Files.move(report, old);
    }
    Files.move(next, report);
    LocalFiles.deleteTree(old);
  }

  /** The corpus is given away, and the data folder is not: neither may be in the other. */
  private static void requireApart(Path out, Path data) throws CrawlException, IOException {
    Path realOut = real(out);
    Path realData = real(data);
    if (realOut.startsWith(realData) || realData.startsWith(realOut)) {
      throw CrawlException.usage(
          "--out is "
              + out
              + " and --data is "
              + data
              + ", and one is in the other; name two folders apart");
    }
  }

  /** The path without symbolic links, also of a folder that is not there yet. */
  private static Path real(Path path) throws IOException {
    Path whole = path.toAbsolutePath().normalize();
    Path nearest = whole;
    while (!Files.exists(nearest) && nearest.getParent() != null) {
      nearest = nearest.getParent();
    }
    return nearest.toRealPath().resolve(nearest.relativize(whole)).normalize();
  }

  private static Path nearest(Path path) {
    Path nearest = path.toAbsolutePath();
    while (!Files.exists(nearest, LinkOption.NOFOLLOW_LINKS) && nearest.getParent() != null) {
      nearest = nearest.getParent();
    }
    return nearest.equals(path.toAbsolutePath()) ? path : nearest;
  }

  private static Set<String> ours(Path root) throws CrawlException, IOException {
    Path marker = root.resolve(MARKER);
    if (Files.isRegularFile(marker, LinkOption.NOFOLLOW_LINKS)) {
      List<String> lines = Files.readAllLines(marker, StandardCharsets.UTF_8);
      if (!lines.isEmpty() && lines.get(0).equals(HEAD)) {
        return new TreeSet<>(lines.subList(1, lines.size()));
      }
    }
    List<Path> found;
    // A run that was killed before it had its marker leaves the marker's temporary file.
    Path unfinished = LocalFiles.temporary(marker);
    try (Stream<Path> entries = Files.list(root)) {
      found =
          entries.filter(entry -> !entry.equals(unfinished)).sorted().collect(Collectors.toList());
    }
    Set<String> names = new TreeSet<>();
    if (found.isEmpty()) {
      return names;
    }
    if (!isOfAnEarlierRelease(root.resolve(README))) {
      throw foreign(found.get(0));
    }
    names.add(README);
    for (DocumentFormat format : DocumentFormat.values()) {
      names.add(corpus(format));
    }
    EARLIER_REPORT.forEach(name -> names.add(REPORT + "/" + name));
    return names;
  }

  private static boolean isOfAnEarlierRelease(Path readme) throws IOException {
    if (!Files.isRegularFile(readme, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    byte[] head = CorpusReadme.TITLE.getBytes(StandardCharsets.UTF_8);
    try (InputStream in = Files.newInputStream(readme)) {
      return Arrays.equals(head, in.readNBytes(head.length));
    }
  }

  private void requireOurs(String name) throws CrawlException {
    Path file = root.resolve(name);
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !(ours.contains(name) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))) {
      throw foreign(file);
    }
  }

  private void requireReportOurs() throws CrawlException, IOException {
    Path report = root.resolve(REPORT);
    if (!Files.exists(report, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isDirectory(report, LinkOption.NOFOLLOW_LINKS)) {
      throw foreign(report);
    }
    List<Path> files;
    try (Stream<Path> entries = Files.list(report)) {
      files = entries.sorted().collect(Collectors.toList());
    }
    for (Path file : files) {
      requireOurs(REPORT + "/" + file.getFileName());
    }
  }

  private static CrawlException foreign(Path file) {
    return CrawlException.usage(
        "the crawl did not write " + file + ", and leaves it alone; name another folder (--out)");
  }

  private void save() throws IOException {
    LocalFiles.replace(
        root.resolve(MARKER),
        (HEAD
                + "\n"
                + (crawl == null ? "" : crawl + "\n")
                + ours.stream().map(name -> name + "\n").collect(Collectors.joining()))
            .getBytes(StandardCharsets.UTF_8));
  }
}
