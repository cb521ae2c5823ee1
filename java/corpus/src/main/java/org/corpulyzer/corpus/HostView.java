package org.corpulyzer.corpus;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.HostTotals;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.Targets;

/** Prints hosts and their scores as text, for the HostReader of either line of Nutch. */
public final class HostView {

  /** Which rows have the score of their host under policy pages. */
  public static final String BY_PAGE =
      "Under policy pages, only new seeds and rows that are not due have these scores. A row that"
          + " is due has the bytes that its page is expected to have, and a probe the score of the"
          + " row next to it in the order. The probability behind a URL is that with which it was"
          + " chosen.";

  private final PrintStream out;

  /**
   * @param out where to print
   */
  public HostView(PrintStream out) {
    this.out = out;
  }

  /** A row of a host as it is printed. */
  public static final class Row {
    private final String url;
    private final String status;
    private String marks = "";
    private String probability = "";
    private String figures = "-";
    private String score = "-";
    private String decision = "-";

    /**
     * @param url the row's URL
     * @param status Nutch's name of the row's status
     */
    public Row(String url, String status) {
      this.url = url;
      this.status = status;
    }

    /**
     * Sets the row's figures.
     *
     * @param languages bytes per language as stored, or null
     * @param bytes bytes in the target language; -1 if malformed
     * @param fetched whether they count in the host's mean
     */
    public Row figures(String languages, long bytes, boolean fetched) {
      String text = bytes < 0 ? "malformed" : languages == null ? "-" : Long.toString(bytes);
      figures = fetched ? text : "(" + text + ")";
      return this;
    }

    /** Sets the stored score; NaN if there is none. */
    public Row score(float stored) {
      score = Float.isNaN(stored) ? "-" : String.valueOf(stored);
      return this;
    }

    /** Sets decision and reason; null if there is none. */
    public Row decision(String text) {
      decision = text == null ? "-" : printable(text);
      return this;
    }

    /** Sets the probability of the language with which the row was chosen; NaN if there is none. */
    public Row probability(float ofLanguage) {
      probability =
          Float.isNaN(ofLanguage)
              ? ""
              : String.format(Locale.ROOT, "  (probability %.2f)", ofLanguage);
      return this;
    }

    /** Sets whether the row is a seed, and on what pages it was found. */
    public Row marks(boolean injected, boolean found, boolean elsewhere) {
      marks =
          (injected ? "  (seed)" : found ? "  (found)" : "") + (elsewhere ? "  (elsewhere)" : "");
      return this;
    }
  }

  /** The hosts of the highest scores; memory is bounded by their number. */
  public static final class Best {
    private static final Comparator<Host> BY_SCORE = Comparator.comparing(host -> host.score);

    private final int count;
    private final PriorityQueue<Host> best = new PriorityQueue<>(BY_SCORE);
    private final Map<HostScore.Stop, Long> stopped = new EnumMap<>(HostScore.Stop.class);

    private final List<String> languages;

    /**
     * @param count how many hosts to keep, at least 1
     */
    public Best(int count) {
      this(count, Collections.emptyList());
    }

    /**
     * @param count how many hosts to keep, at least 1
     * @param languages the target languages; the text of each is shown if there are several
     */
    public Best(int count, List<String> languages) {
      this.count = count;
      this.languages = languages;
    }

    /** The host's bytes by language, behind its name; empty if there is one language. */
    private String byLanguage(Host host) {
      long[] bytes = host.totals.byTarget();
      StringBuilder text = new StringBuilder();
      for (int i = 0; bytes != null && i < Math.min(bytes.length, languages.size()); i++) {
        text.append(i == 0 ? "  " : ",").append(languages.get(i)).append(':').append(bytes[i]);
      }
      return text.toString();
    }

    /**
     * Adds a host.
     *
     * @param pages rows of the host
     * @param scored when it was scored, or empty
     */
    public void add(String name, HostTotals totals, long pages, float score, String scored) {
      HostScore.Stop stop = HostScore.Stop.of(score);
      if (stop != null) {
        stopped.merge(stop, 1L, Long::sum);
      }
      if (best.size() == count && score < best.peek().score) {
        return;
      }
      best.add(new Host(name, totals, pages, score, scored));
      if (best.size() > count) {
        best.remove();
      }
    }
  }

  private static final class Host {
    private final String name;
    private final HostTotals totals;
    private final long pages;
    private final float score;
    private final String scored;

    Host(String name, HostTotals totals, long pages, float score, String scored) {
      this.name = name;
      this.totals = totals;
      this.pages = pages;
      this.score = score;
      this.scored = scored;
    }
  }

  /** Prints the best hosts, best first, and the number of stopped hosts. */
  public void best(Best hosts) {
    List<Host> sorted = new ArrayList<>(hosts.best);
    sorted.sort(Best.BY_SCORE.reversed().thenComparing(host -> host.name));
    print(
        "%12s %14s %9s %9s  %-24s %s",
        "score", "target bytes", "fetched", "pages", "scored", "host");
    for (Host host : sorted) {
      print(
          "%12.1f %14d %9d %9d  %-24s %s%s",
          host.score,
          host.totals.targetBytes(),
          host.totals.fetchedPages(),
          host.pages,
          host.scored,
          printable(host.name),
          hosts.byLanguage(host));
    }
    hosts.stopped.forEach(
        (stop, number) ->
            print(
                "%d hosts are generated no more, score %s; %s",
                number, stop.score(), stop.reason()));
  }

  /** Prints the heading of rows. */
  public void heading(String language) {
    print(
        "%-18s %12s %14s  %-28s %s",
        "status", language + " bytes", "stored score", "decision", "url");
  }

  /** Prints a row. */
  public void row(Row row) {
    print(
        "%-18s %12s %14s  %-28s %s%s%s",
        row.status,
        row.figures,
        row.score,
        row.decision,
        printable(row.url),
        row.marks,
        row.probability);
  }

  /**
   * Prints how a host's score follows from its rows.
   *
   * @param language ISO 639-3 code of the target language
   * @param probe URL of the row that may probe the host; empty if there is none
   */
  public void score(HostSums sums, HostScore score, String language, String probe) {
    score(sums, score, Targets.of(language), probe);
  }

  /**
   * Prints how a host's score follows from its rows.
   *
   * @param targets the target languages; of several the bytes are shown with their weights
   * @param probe URL of the row that may probe the host; empty if there is none
   */
  public void score(HostSums sums, HostScore score, Targets targets, String probe) {
    HostTotals totals = sums.totals().weighted(targets);
    String language = targets.areSeveral() ? "weighted" : targets.codes().get(0);
    print("");
    long[] bytes = totals.byTarget();
    for (int i = 0; bytes != null && i < bytes.length; i++) {
      print("%d %s bytes, weight %.3f", bytes[i], targets.codes().get(i), targets.weight(i));
    }
    printRule(sums, totals, score, language);
    if (totals.rawBytes() > 0) {
      print(
          "%d %s bytes / %d downloaded bytes = byte yield %.3f %%",
          totals.targetBytes(),
          language,
          totals.rawBytes(),
          100.0 * totals.targetBytes() / totals.rawBytes());
    }
    if (Float.compare(score.other(), score.rows()) != 0) {
      print(
          "Of these, rows found on no page in the language score %s (%s).%s",
          score.other(),
          Settings.SCORE_POLICY,
          probe.isEmpty()
              ? ""
              : " Probe of the host, score "
                  + score.probe(sums.isStrong())
                  + ": "
                  + printable(probe));
    }
  }

  /** Prints the rule that gives the host its score, with the numbers in it. */
  private void printRule(HostSums sums, HostTotals totals, HostScore score, String language) {
    if (score.stop() != null) {
      print(
          "%d %s bytes / %d fetched pages (of %d, %d not read): generated no more, score %s; %s",
          totals.targetBytes(),
          language,
          totals.fetchedPages(),
          sums.pages(),
          totals.unreadPages(),
          score.rows(),
          score.stop().reason());
    } else if (totals.isUnread()) {
      print(
          "None of %d fetched pages (of %d) has figures: score %s (%s) or more, by the score"
              + " before; seeds %s (%s)",
          totals.fetchedPages(),
          sums.pages(),
          score.rows(),
          Settings.SCORE_UNKNOWN,
          score.injected(),
          Settings.SCORE_INJECTED);
    } else if (totals.unreadPages() > 0) {
      print(
          "%d %s bytes / %d fetched pages with figures (of %d, %d fetched ones without) = %s",
          totals.targetBytes(),
          language,
          totals.readPages(),
          sums.pages(),
          totals.unreadPages(),
          score.rows());
    } else if (totals.fetchedPages() > 0) {
      print(
          "%d %s bytes / %d fetched pages (of %d) = %s",
          totals.targetBytes(), language, totals.fetchedPages(), sums.pages(), score.rows());
    } else {
      print(
          "Nothing of %d pages is fetched: score %s (%s), seeds %s (%s)",
          sums.pages(),
          score.rows(),
          Settings.SCORE_UNKNOWN,
          score.injected(),
          Settings.SCORE_INJECTED);
    }
  }

  /** Prints a line. */
  public void print(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }

  /**
   * @return the text without control characters, which could steer the terminal
   */
  public static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }
}
