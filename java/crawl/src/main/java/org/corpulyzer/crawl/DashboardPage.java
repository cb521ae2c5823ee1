package org.corpulyzer.crawl;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.corpulyzer.engine.Languages;

/**
 * The dashboard: one HTML file that loads nothing else. While the crawl runs, the page loads itself
 * again every few seconds, unless its reader switches that off.
 */
final class DashboardPage {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final String TITLE = "Crawl for ";
  private static final String ENDED = "Ended: ";

  private static final String RELOAD =
      "<script>\n"
          + "const box = document.getElementById('reload');\n"
          + "try { box.checked = sessionStorage.getItem('reload') !== 'off'; } catch (e) {}\n"
          + "box.onchange = () => {\n"
          + "  try { sessionStorage.setItem('reload', box.checked ? 'on' : 'off'); } catch (e) {}\n"
          + "};\n"
          + "setInterval(() => { if (box.checked) location.reload(); }, SECONDS * 1000);\n"
          + "</script>\n";

  /** Kinds of failed fetches that are named. */
  private static final int MAX_ERRORS = 20;

  private final CrawlWatch.View view;
  private final StringBuilder html = new StringBuilder();

  DashboardPage(CrawlWatch.View view) {
    this.view = view;
  }

  String html() {
    head();
    tiles();
    plots();
    hosts();
    errors();
    rounds();
    return html.append("</main>\n")
        .append(view.isRunning() ? RELOAD.replace("SECONDS", "" + CrawlWatch.TICK_SECONDS) : "")
        .append("</body>\n</html>\n")
        .toString();
  }

  /** Returns whether a file that begins so is a dashboard. */
  static boolean isOne(String head) {
    return head.startsWith("<!doctype html>")
        && (head.contains("<title>" + TITLE) || head.contains("<title>" + ENDED + TITLE));
  }

  private void head() {
    String title = TITLE + escaped(Languages.names(view.options.language));
    html.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';")
        .append(" style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n")
        .append(
            view.isRunning()
                ? "<noscript><meta http-equiv=\"refresh\" content=\""
                    + CrawlWatch.TICK_SECONDS
                    + "\"></noscript>\n"
                : "")
        .append("<title>")
        .append(view.isRunning() ? "" : ENDED)
        .append(title)
        .append("</title>\n<style>\n")
        .append(css())
        .append("</style>\n</head>\n<body>\n<main>\n<h1>")
        .append(title)
        .append("</h1>\n<p class=\"state\">")
        .append(escaped(state()))
        .append("</p>\n<p class=\"soft\">Begun ")
        .append(TIME.format(Instant.ofEpochMilli(view.beganMillis)))
        .append(view.isRunning() ? ", updated " : ", ended ")
        .append(TIME.format(Instant.now()))
        .append("</p>\n");
    if (view.isRunning()) {
      html.append("<p><label><input type=\"checkbox\" id=\"reload\" checked> Update every ")
          .append(CrawlWatch.TICK_SECONDS)
          .append(" seconds</label></p>\n");
    }
  }

  private String state() {
    if (!view.isRunning()) {
      return view.outcome;
    }
    String round = "Round " + view.round + " of " + view.options.rounds;
    if (view.phase == null) {
      return round;
    }
    return round
        + ", "
        + view.phase.label()
        + (view.pages < 0 ? "" : ": " + SvgPlot.number(view.pages) + " pages")
        + (view.left < 0 ? "" : ", " + SvgPlot.number(view.left) + " URLs left");
  }

  private static String css() {
    try (InputStream in = DashboardPage.class.getResourceAsStream("dashboard.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void tiles() {
    long fetched = sum(yield -> yield.fetched);
    long kept = sum(yield -> yield.kept);
    html.append("<dl class=\"tiles\">\n");
    tile("Pages fetched", SvgPlot.number(fetched + (isFetching() ? view.pages : 0)));
    tile("Pages kept", SvgPlot.number(kept));
    tile("Filtered yield", fetched == 0 ? "-" : percent(100.0 * kept / fetched));
    tile("Hosts", SvgPlot.number(sum(yield -> yield.newHosts)));
    tile("Text in the language", bytes(view.languageBytes));
    long scripts = view.rounds.values().stream().mapToLong(round -> round.needScripts).sum();
    if (scripts > 0) {
      tile("Need scripts", SvgPlot.number(scripts));
    }
    if (isFetching()) {
      int last = view.samples.size() - 1;
      tile(
          "Speed now",
          last < 0 ? "-" : SvgPlot.number(view.samples.get(last).speed()) + " pages/s");
    }
    tile("Data folder", bytes(view.dataBytes));
    tile("Free on its disk", view.freeBytes < 0 ? "-" : bytes(view.freeBytes));
    tile("Time", duration(view.seconds));
    if (view.isRunning()) {
      tile(
          "Estimated rest",
          view.leftSeconds < 0 ? "known after a round" : duration(view.leftSeconds));
    }
    html.append("</dl>\n");
    if (view.isRunning() && view.leftSeconds >= 0) {
      html.append("<p class=\"soft\">Estimated end: ")
          .append(TIME.format(Instant.now().plusMillis((long) (1000 * view.leftSeconds))))
          .append(", if the next rounds take as long as the last ones.</p>\n");
    }
  }

  private boolean isFetching() {
    return view.phase == Phase.FETCH && view.pages >= 0;
  }

  private void tile(String name, String value) {
    html.append("<div><dt>")
        .append(name)
        .append("</dt><dd>")
        .append(escaped(value))
        .append("</dd></div>\n");
  }

  private void plots() {
    String plots =
        new SvgPlot("pages", "Pages by round", "round", "pages")
                .add("fetched", by(yield -> yield.fetched))
                .add("with any text in the language", by(yield -> yield.anyText))
                .add("kept", by(yield -> yield.kept))
                .html()
            + new SvgPlot("yield", "Yield by round", "round", "%")
                .add("filtered yield: kept", by(yield -> yield.fetched == 0 ? -1 : yield.percent()))
                .add(
                    "yield: any text",
                    by(yield -> yield.fetched == 0 || yield.anyText < 0 ? -1 : yield.anyPercent()))
                .html()
            + new SvgPlot("hosts", "Hosts by round", "round", "hosts")
                .add("hosts", by(yield -> yield.hosts))
                .add("new hosts", by(yield -> yield.newHosts))
                .add("effective hosts", by(yield -> yield.effectiveHosts))
                .html()
            + phases()
            + new SvgPlot("speed", "Speed by round", "round", "pages/s")
                .add("fetch", speeds(Phase.FETCH))
                .add("parse", speeds(Phase.PARSE))
                .html()
            + speedOverTime()
            + predictions();
    html.append("<h2>Rounds</h2>\n");
    html.append(
        plots.isEmpty()
            ? "<p>The first plots appear at the end of the first round.</p>\n"
            : "<div class=\"plots\">\n" + plots + "</div>\n");
  }

  private List<double[]> by(ToDoubleFunction<RoundYield> value) {
    return view.yields.stream()
        .map(yield -> new double[] {yield.round, value.applyAsDouble(yield)})
        .filter(point -> point[1] >= 0)
        .collect(Collectors.toList());
  }

  private String phases() {
    SvgPlot plot =
        new SvgPlot("phases", "Time by phase, of this run", "round", "seconds").stacked();
    for (Phase phase : Phase.values()) {
      List<double[]> points = new ArrayList<>();
      view.rounds.forEach(
          (number, round) ->
              points.add(new double[] {number, round.seconds.getOrDefault(phase, 0.0)}));
      plot.add(phase.label(), points);
    }
    return plot.html();
  }

  private List<double[]> speeds(Phase phase) {
    List<double[]> points = new ArrayList<>();
    view.rounds.forEach(
        (number, round) -> {
          long pages = phase == Phase.FETCH ? round.fetched : round.parsed;
          double seconds = round.seconds.getOrDefault(phase, 0.0);
          if (pages > 0 && seconds > 0) {
            points.add(new double[] {number, pages / seconds});
          }
        });
    return points;
  }

  private String speedOverTime() {
    List<double[]> points =
        view.samples.stream()
            .map(sample -> new double[] {sample.at / 60, sample.speed()})
            .collect(Collectors.toList());
    return points.size() < 3
        ? ""
        : new SvgPlot("time", "Speed of fetching, of this run", "minutes", "pages/s")
            .add("fetched", points)
            .html();
  }

  /** How good the predictions of policy pages were; empty under the other policies. */
  private String predictions() {
    List<double[]> brier = new ArrayList<>();
    List<double[]> kept = new ArrayList<>();
    view.rounds.forEach(
        (number, round) -> {
          if (round.review != null && round.review.brier() >= 0) {
            brier.add(new double[] {number, round.review.brier()});
          }
          if (round.review != null && round.review.tried() > 0) {
            double share = (double) round.review.kept() / round.review.tried();
            kept.add(new double[] {number, share});
          }
        });
    return new SvgPlot("predicted", "Predicted against found", "round", "0 to 1")
        .add("Brier score, 0 is best", brier)
        .add("new hosts: share of pages kept", kept)
        .html();
  }

  private void hosts() {
    if (!isFetching()) {
      return;
    }
    html.append("<h2>Hosts now</h2>\n<p>")
        .append(view.hostsNow)
        .append(view.hostsNow == 1 ? " host is" : " hosts are")
        .append(" fetched from, ")
        .append(view.hostsWaiting)
        .append(" wait.</p>\n");
    if (!view.hosts.isEmpty()) {
      begin("hosts", "Hosts with a request now, most URLs first", "host", "requests", "URLs left");
      for (HostQueues.Running host : view.hosts) {
        row(host.name, "" + host.requests, "" + host.left);
      }
      end();
    }
  }

  private void errors() {
    Map<String, Long> errors = view.errorsNow();
    html.append("<h2>Fetches without a page</h2>\n");
    if (errors.isEmpty()) {
      html.append("<p>None in this run.</p>\n");
      return;
    }
    begin("errors", "By kind, of this run", "kind", "fetches");
    errors.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(MAX_ERRORS)
        .forEach(kind -> row(kind.getKey(), "" + kind.getValue()));
    end();
  }

  private void rounds() {
    if (view.yields.isEmpty()) {
      return;
    }
    html.append("<h2>Figures by round</h2>\n");
    begin(
        "figures",
        "Times are those of this run",
        "round",
        "fetched",
        "kept",
        "filtered yield",
        "any text",
        "hosts",
        "new hosts",
        "new texts",
        "seconds");
    for (RoundYield yield : view.yields) {
      CrawlWatch.Round round = view.rounds.get(yield.round);
      row(
          "" + yield.round,
          "" + yield.fetched,
          "" + yield.kept,
          yield.fetched == 0 ? "-" : percent(yield.percent()),
          known(yield.anyText),
          known(yield.hosts),
          "" + yield.newHosts,
          "" + yield.newTexts,
          round == null ? "-" : String.format(Locale.ROOT, "%.1f", round.all()));
    }
    end();
  }

  private static String known(long value) {
    return value < 0 ? "-" : "" + value;
  }

  private void begin(String id, String caption, String... columns) {
    html.append("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"")
        .append(id)
        .append("-caption\">\n<table>\n<caption id=\"")
        .append(id)
        .append("-caption\">")
        .append(caption)
        .append("</caption>\n<thead><tr>");
    for (String column : columns) {
      html.append("<th scope=\"col\">").append(column).append("</th>");
    }
    html.append("</tr></thead>\n<tbody>\n");
  }

  private void row(String... cells) {
    html.append("<tr>");
    for (String cell : cells) {
      html.append("<td>").append(escaped(cell)).append("</td>");
    }
    html.append("</tr>\n");
  }

  private void end() {
    html.append("</tbody>\n</table>\n</div>\n");
  }

  private long sum(java.util.function.ToLongFunction<RoundYield> value) {
    return view.yields.stream().mapToLong(value).sum();
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.1f %%", value);
  }

  private static String bytes(long bytes) {
    return SvgPlot.number(bytes).replaceFirst("([kMGT]?)$", " $1B");
  }

  private static String duration(double seconds) {
    long all = Math.round(seconds);
    return all < 60
        ? all + " s"
        : all < 3600
            ? all / 60 + " min " + all % 60 + " s"
            : all / 3600 + " h " + all / 60 % 60 + " min";
  }

  /** Names of hosts and messages come from the web. */
  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
