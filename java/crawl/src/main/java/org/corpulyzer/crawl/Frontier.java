package org.corpulyzer.crawl;

import java.io.BufferedWriter;
import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.net.URLFilterException;
import org.apache.nutch.net.URLFilters;
import org.apache.nutch.net.URLNormalizers;
import org.apache.nutch.protocol.ProtocolStatus;
import org.apache.nutch.util.URLUtil;
import org.corpulyzer.corpus.TableCell;
import org.corpulyzer.engine.LinkCounts;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Steering;
import org.corpulyzer.jobs.RowBytes;

/**
 * The URLs that a crawl knows, and why each was fetched or not: a table with a line for each, and
 * the answer for one URL.
 */
final class Frontier {
  static final String FILE = "frontier.tsv";

  private static final String HEAD = "url\thost\tsection\tscore\tstate\treason\n";
  private static final Text DECISION = new Text(PageKeys.DECISION);
  private static final Text LINKS = new Text(PageKeys.LINK_COUNTS);

  /** Names of {@link Steering.Prediction#level}. */
  private static final String[] LEVELS = {
    "not predicted",
    "no page of its host in the language was fetched",
    "by the fetched pages of its host and of its sections"
  };

  private static final Text LIST = new Text(PageKeys.LIST_MARK);
  private static final Text ELSEWHERE = new Text(PageKeys.LIST_ELSEWHERE);

  private final Configuration conf;
  private final CrawlDbFolder crawlDb;

  /** State of policy pages; null under the other policies. */
  private final String pages;

  private final HostWaits waits;
  private final float leastScore;
  private final long now = System.currentTimeMillis();

  /**
   * @param pages state of the last round under policy pages ({@link PageSelector#stateOf}); null
   *     under the other policies
   */
  Frontier(Configuration conf, CrawlDbFolder crawlDb, String pages) {
    this.conf = conf;
    this.crawlDb = crawlDb;
    this.pages = pages;
    waits = HostWaits.of(conf);
    leastScore = conf.getFloat("generate.min.score", Float.NaN);
  }

  /**
   * Writes the table beside the corpus.
   *
   * @return the number of URLs
   */
  long write(Path folder) throws IOException {
    Path next = folder.resolve(FILE + ".next");
    long[] count = {0};
    try (BufferedWriter out = Files.newBufferedWriter(next, StandardCharsets.UTF_8);
        PageSelector.Scores scores = scores()) {
      out.write(HEAD);
      crawlDb.eachRaw(
          conf,
          rows -> {
            String url = rows.key().toString();
            CrawlDatum row = rows.row().datum();
            Steering.Prediction predicted =
                scores == null || row.getScore() < leastScore
                    ? null
                    : scores.of(rows.key(), rows.row());
            String host = String.valueOf(URLUtil.getHost(url));
            out.write(
                String.join(
                        "\t",
                        TableCell.of(url),
                        TableCell.of(host),
                        TableCell.of(section(url)),
                        String.format(
                            Locale.ROOT,
                            "%.6g",
                            predicted == null ? row.getScore() : predicted.score()),
                        state(row),
                        TableCell.of(reason(host, row)))
                    + "\n");
            count[0]++;
          });
    }
    Files.move(
        next,
        folder.resolve(FILE),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.ATOMIC_MOVE);
    return count[0];
  }

  /** Returns the predictions of policy pages; null under the other policies. */
  private PageSelector.Scores scores() throws IOException {
    return pages == null
        ? null
        : new PageSelector.Scores(conf, sink -> crawlDb.eachRaw(conf, sink), pages);
  }

  /** Returns the lines about the score of a row. */
  private String score(String url, CrawlDatum row) throws IOException {
    if (pages == null || row.getScore() < leastScore) {
      return String.format(Locale.ROOT, "\n  score: %.6g\n", row.getScore());
    }
    DataOutputBuffer bytes = new DataOutputBuffer();
    row.write(bytes);
    try (PageSelector.Scores scores = scores()) {
      RowBytes stored = new RowBytes().set(bytes.getData(), bytes.getLength());
      Steering.Prediction predicted = scores.of(new Text(url), stored);
      LinkCounts links = new LinkCounts();
      links.add(Objects.toString(row.getMetaData().get(LINKS), ""));
      return String.format(
          Locale.ROOT,
          "\n  score: %.6g\n  probability: %.4f, %s\n  expected bytes: %.0f\n  sections: %s\n"
              + "  links: %s\n",
          predicted.score(),
          predicted.probability(),
          LEVELS[predicted.level()],
          predicted.score() / predicted.probability(),
          sections(scores.sections(new Text(url), stored)),
          links.describe());
    }
  }

  /** Returns the sums of the sections of a row, the outermost first. */
  private static String sections(List<Steering.Section> sections) {
    String text =
        sections.stream()
            .filter(Steering.Section::isOfRow)
            .map(
                section ->
                    (section.name().isEmpty() ? "host" : section.name())
                        + " "
                        + section.kept()
                        + " of "
                        + section.fetched()
                        + " in the language")
            .collect(Collectors.joining(", "));
    return text.isEmpty() ? "no page of the host was fetched" : text;
  }

  /** Returns the lines that explain one URL. */
  String explain(String given) throws IOException, CrawlException {
    String url;
    try {
      url =
          new URLNormalizers(conf, URLNormalizers.SCOPE_OUTLINK)
              .normalize(given.trim(), URLNormalizers.SCOPE_OUTLINK);
    } catch (MalformedURLException e) {
      throw CrawlException.usage("--explain is '" + given + "'; allowed is an http or https URL");
    }
    StringBuilder explanation = new StringBuilder(url + "\n");
    CrawlDatum row = crawlDb.row(conf, url);
    if (row != null) {
      String host = String.valueOf(URLUtil.getHost(url));
      return explanation
          .append("  state: ")
          .append(state(row))
          .append("\n  reason: ")
          .append(reason(host, row))
          .append(score(url, row))
          .toString();
    }
    return explanation
        .append("  state: unknown\n  reason: ")
        .append(whyUnknown(url))
        .append("\n")
        .toString();
  }

  private String whyUnknown(String url) {
    try {
      if (new URLFilters(conf).filter(url) == null) {
        return "left out by --allow, --deny, the type of its file, its length, or its shape (the"
            + " same path segment again and again)";
      }
    } catch (URLFilterException e) {
      return "left out by a filter: " + e.getMessage();
    }
    return "no fetched page or sitemap links to it, or the page has more links than are taken, or"
        + " the sitemap is of another site, or the rules for links leave it out";
  }

  /** The first folder of a path. */
  private static String section(String url) {
    String path = url.replaceFirst("^[a-z]+://[^/]*/?", "").replaceFirst("[?#].*$", "");
    int slash = path.indexOf('/');
    return slash < 0 ? "/" : "/" + path.substring(0, slash);
  }

  private static String state(CrawlDatum row) {
    switch (row.getStatus()) {
      case CrawlDatum.STATUS_DB_FETCHED:
        return "fetched";
      case CrawlDatum.STATUS_DB_NOTMODIFIED:
        return "not modified";
      case CrawlDatum.STATUS_DB_REDIR_TEMP:
      case CrawlDatum.STATUS_DB_REDIR_PERM:
        return "moved";
      case CrawlDatum.STATUS_DB_GONE:
        return "gone";
      case CrawlDatum.STATUS_DB_DUPLICATE:
        return "duplicate";
      default:
        return row.getMetaData().containsKey(Nutch.WRITABLE_PROTO_STATUS_KEY)
            ? "failed"
            : "not fetched";
    }
  }

  private String reason(String host, CrawlDatum row) {
    Writable decision = row.getMetaData().get(DECISION);
    Writable answer = row.getMetaData().get(Nutch.WRITABLE_PROTO_STATUS_KEY);
    String state = state(row);
    if (state.equals("fetched") || state.equals("not modified")) {
      boolean isList =
          row.getMetaData().containsKey(ELSEWHERE)
              || decision == null && row.getMetaData().containsKey(LIST);
      return isList ? list(row) : decision == null ? "no page with text" : decision.toString();
    }
    if (state.equals("not fetched")) {
      return whyWaiting(host, row);
    }
    if (!(answer instanceof ProtocolStatus)) {
      return state;
    }
    ProtocolStatus status = (ProtocolStatus) answer;
    String message = status.getMessage();
    String outcome =
        status.getName().toLowerCase(Locale.ROOT).replace('_', ' ')
            + (message == null || message.isEmpty() ? "" : ": " + message);
    return state.equals("failed")
        ? outcome + "; tried again from " + Instant.ofEpochMilli(row.getFetchTime())
        : outcome;
  }

  /** Returns the reason of a list that was fetched, with what is left out of it. */
  private static String list(CrawlDatum row) {
    Writable others = row.getMetaData().get(ELSEWHERE);
    String[] parts = others == null ? new String[0] : others.toString().split(" ", 2);
    return parts.length < 2
        ? "a sitemap or feed"
        : "a sitemap or feed; links to other sites that are left out: "
            + parts[0]
            + ", the first of them to "
            + parts[1];
  }

  private String whyWaiting(String host, CrawlDatum row) {
    if (waits.isWaiting(host, now)) {
      return "its host is set aside until " + Instant.ofEpochMilli(waits.until(host));
    }
    if (!Float.isNaN(leastScore) && row.getScore() < leastScore) {
      return "its host is stopped: the score is less than " + leastScore;
    }
    return row.getFetchTime() > now
        ? "due at " + Instant.ofEpochMilli(row.getFetchTime())
        : "waits for a round: others have a better score, or its host or domain had its share";
  }
}
