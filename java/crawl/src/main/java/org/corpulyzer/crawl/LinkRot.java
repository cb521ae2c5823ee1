package org.corpulyzer.crawl;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.FetchSchedule;
import org.apache.nutch.crawl.FetchScheduleFactory;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.protocol.ProtocolStatus;
import org.apache.nutch.util.URLUtil;
import org.corpulyzer.corpus.TableCell;

/**
 * Counts of pages that were fetched again: unchanged, changed, moved, gone, forbidden, without an
 * answer; by the age of the fetch before and by host. Of a page that was fetched again several
 * times, the last fetch counts. In memory are 48 bytes for each such page, and its host.
 */
final class LinkRot {
  /** Name of the table beside the corpus. */
  static final String FILE = "link-rot.tsv";

  /** Hosts that the summary names. */
  private static final int NAMED_HOSTS = 3;

  /** The result of a fetch. */
  private enum Outcome {
    /** 304, or the signature that the page had. */
    UNCHANGED("unchanged"),
    CHANGED("changed"),
    /** The server redirects to another URL. */
    MOVED("moved"),
    /** 404, 410 and other statuses that say that there is no page. */
    GONE("gone"),
    /** robots.txt forbids it now, or the server refuses it: 401, 403, 451. */
    FORBIDDEN("forbidden"),
    /** A timeout, an error of the server, or no connection. */
    NO_ANSWER("no answer");

    private final String label;

    Outcome(String label) {
      this.label = label;
    }
  }

  /** Time between the fetch and the one before. */
  private enum Age {
    DAY("under 1 day", 1),
    WEEK("1 to 7 days", 7),
    MONTH("7 to 30 days", 30),
    QUARTER("30 to 90 days", 90),
    YEAR("90 to 365 days", 365),
    OLDER("365 days or more", Long.MAX_VALUE),
    UNKNOWN("unknown", 0);

    private final String label;
    private final long days;

    Age(String label, long days) {
      this.label = label;
      this.days = days;
    }

    /**
     * @param before milliseconds since 1970; 0 if unknown
     */
    static Age of(long before, long now) {
      long days = TimeUnit.MILLISECONDS.toDays(now - before);
      Age age = DAY;
      while (age.days <= days && age != OLDER) {
        age = values()[age.ordinal() + 1];
      }
      return before <= 0 ? UNKNOWN : age;
    }
  }

  /** Pages by outcome. */
  private static final class Counts {
    private final long[] pages = new long[Outcome.values().length];

    private void add(Outcome outcome) {
      pages[outcome.ordinal()]++;
    }

    private long of(Outcome outcome) {
      return pages[outcome.ordinal()];
    }

    private long all() {
      long sum = 0;
      for (long count : pages) {
        sum += count;
      }
      return sum;
    }

    private double gonePercent() {
      return all() == 0 ? 0 : 100.0 * of(Outcome.GONE) / all();
    }
  }

  /** A page before it was fetched again. */
  private static final class Before {
    private final long fetched;
    private final byte[] signature;

    Before(long fetched, byte[] signature) {
      this.fetched = fetched;
      this.signature = signature;
    }
  }

  private final Counts all = new Counts();
  private final Map<Age, Counts> ages = new EnumMap<>(Age.class);
  private final Map<String, Counts> hosts = new TreeMap<>();

  private LinkRot() {}

  /**
   * Reads the segments that have pages that were fetched before.
   *
   * @param segments parsed ones, oldest first
   */
  static LinkRot read(Configuration conf, List<Segment> segments) throws IOException {
    LinkRot rot = new LinkRot();
    FetchSchedule schedule = FetchScheduleFactory.getFetchSchedule(conf);
    Set<Long> counted = new HashSet<>();
    List<Segment> newestFirst = new ArrayList<>(segments);
    Collections.reverse(newestFirst);
    for (Segment segment : newestFirst) {
      Map<Long, Before> pages = new HashMap<>();
      try (SortedRecords<CrawlDatum> rows =
          new SortedRecords<>(conf, segment.file(CrawlDatum.GENERATE_DIR_NAME), new CrawlDatum())) {
        while (rows.next()) {
          CrawlDatum row = rows.value();
          long page = Fingerprint.of(rows.key().toString());
          if (Refetched.wasFetched(row) && !counted.contains(page)) {
            // Of a page whose last fetch failed, the time of the last modification is left.
            long fetched =
                row.getStatus() == CrawlDatum.STATUS_DB_UNFETCHED
                    ? row.getModifiedTime()
                    : schedule.calculateLastFetchTime(row);
            pages.put(page, new Before(fetched, row.getSignature()));
          }
        }
      }
      if (!pages.isEmpty()) {
        rot.add(conf, segment, pages, counted);
      }
    }
    return rot;
  }

  private void add(Configuration conf, Segment segment, Map<Long, Before> pages, Set<Long> counted)
      throws IOException {
    try (SortedRecords<CrawlDatum> answers =
            new SortedRecords<>(conf, segment.data(CrawlDatum.FETCH_DIR_NAME), new CrawlDatum());
        SortedRecords<ParseData> parses =
            new SortedRecords<>(conf, segment.data(ParseData.DIR_NAME), new ParseData())) {
      while (answers.next()) {
        String url = answers.key().toString();
        CrawlDatum answer = answers.value();
        long page = Fingerprint.of(url);
        Before before = pages.get(page);
        // A redirect leaves a link under the address that it leads to.
        if (before == null
            || answer.getStatus() == CrawlDatum.STATUS_LINKED
            || !counted.add(page)) {
          continue;
        }
        Outcome outcome = outcome(answer);
        if (outcome == Outcome.CHANGED
            && Refetched.isSame(
                before.signature, parses.seek(answers.key()) ? parses.value() : null)) {
          outcome = Outcome.UNCHANGED;
        }
        String host = URLUtil.getHost(url);
        all.add(outcome);
        ages.computeIfAbsent(Age.of(before.fetched, answer.getFetchTime()), age -> new Counts())
            .add(outcome);
        hosts.computeIfAbsent(host == null ? "" : host, name -> new Counts()).add(outcome);
      }
    }
  }

  private static Outcome outcome(CrawlDatum answer) {
    switch (answer.getStatus()) {
      case CrawlDatum.STATUS_FETCH_SUCCESS:
        return Outcome.CHANGED;
      case CrawlDatum.STATUS_FETCH_NOTMODIFIED:
        return Outcome.UNCHANGED;
      case CrawlDatum.STATUS_FETCH_REDIR_PERM:
      case CrawlDatum.STATUS_FETCH_REDIR_TEMP:
        return Outcome.MOVED;
      case CrawlDatum.STATUS_FETCH_GONE:
        return isForbidden(answer) ? Outcome.FORBIDDEN : Outcome.GONE;
      default:
        return Outcome.NO_ANSWER;
    }
  }

  private static boolean isForbidden(CrawlDatum answer) {
    Writable status = answer.getMetaData().get(Nutch.WRITABLE_PROTO_STATUS_KEY);
    if (!(status instanceof ProtocolStatus)) {
      return false;
    }
    int code = ((ProtocolStatus) status).getCode();
    return code == ProtocolStatus.ACCESS_DENIED || code == ProtocolStatus.ROBOTS_DENIED;
  }

  /** Returns whether no page was fetched again. */
  boolean isEmpty() {
    return all.all() == 0;
  }

  /** The table with a head: a line for all pages, then for each age, then for each host. */
  String tsv() {
    StringBuilder table = new StringBuilder("by\tvalue\tfetched again");
    for (Outcome outcome : Outcome.values()) {
      table.append('\t').append(outcome.label);
    }
    table.append("\tgone %\n");
    line(table, "all", "all", all);
    ages.forEach((age, counts) -> line(table, "age", age.label, counts));
    hosts.forEach((host, counts) -> line(table, "host", host, counts));
    return table.toString();
  }

  private static void line(StringBuilder table, String by, String value, Counts counts) {
    table.append(by).append('\t').append(TableCell.of(value)).append('\t').append(counts.all());
    for (Outcome outcome : Outcome.values()) {
      table.append('\t').append(counts.of(outcome));
    }
    table.append(String.format(Locale.ROOT, "\t%.2f\n", counts.gonePercent()));
  }

  /** A paragraph for the console. */
  String summary() {
    String outcomes =
        Arrays.stream(Outcome.values())
            .map(outcome -> all.of(outcome) + " " + outcome.label)
            .collect(Collectors.joining(", "));
    String byAge =
        ages.entrySet().stream()
            .map(
                age ->
                    String.format(
                        Locale.ROOT,
                        "%s %.1f %% of %d",
                        age.getKey().label,
                        age.getValue().gonePercent(),
                        age.getValue().all()))
            .collect(Collectors.joining(", "));
    String worst =
        hosts.entrySet().stream()
            .filter(host -> host.getValue().of(Outcome.GONE) > 0)
            .sorted(Comparator.comparingLong(host -> -host.getValue().of(Outcome.GONE)))
            .limit(NAMED_HOSTS)
            .map(
                host ->
                    host.getKey()
                        + " "
                        + host.getValue().of(Outcome.GONE)
                        + " of "
                        + host.getValue().all())
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "link rot: %d pages were fetched again: %s. Gone: %.1f %%; by the age of the fetch before:"
            + " %s.%s The table is %s beside the corpus.%n",
        all.all(),
        outcomes,
        all.gonePercent(),
        byAge,
        worst.isEmpty() ? "" : " Hosts with most pages gone: " + worst + ".",
        FILE);
  }
}
