package org.corpulyzer.crawl;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A plot of the dashboard as SVG within HTML: lines or stacked bars over the rounds or over time.
 * Series differ by colour, dashes and the form of their points.
 */
final class SvgPlot {
  private static final int WIDTH = 360;
  private static final int HEIGHT = 216;
  private static final int LEFT = 48;
  private static final int RIGHT = 12;
  private static final int TOP = 24;
  private static final int BOTTOM = 34;

  /** Most points that have a mark. */
  private static final int MAX_MARKS = 30;

  private static final int STEPS = 4;
  private static final int MAX_NUMBERS = 8;

  private static final class Series {
    private final String name;
    private final List<double[]> points;

    private Series(String name, List<double[]> points) {
      this.name = name;
      this.points = points;
    }
  }

  private final String id;
  private final String title;
  private final String x;
  private final String y;
  private final List<Series> series = new ArrayList<>();
  private boolean isStacked;

  /**
   * @param x label of the horizontal axis
   * @param y label of the vertical axis, which begins at 0
   */
  SvgPlot(String id, String title, String x, String y) {
    this.id = id;
    this.title = title;
    this.x = x;
    this.y = y;
  }

  /** Draws bars, one above the other, instead of lines. */
  SvgPlot stacked() {
    isStacked = true;
    return this;
  }

  /** Adds a series of pairs of x and y. One without points is left out. */
  SvgPlot add(String name, List<double[]> points) {
    if (!points.isEmpty()) {
      series.add(new Series(name, points));
    }
    return this;
  }

  /** Returns the figure; empty if there are no points. */
  String html() {
    if (series.isEmpty()) {
      return "";
    }
    double from = Double.MAX_VALUE;
    double to = -Double.MAX_VALUE;
    for (Series one : series) {
      for (double[] point : one.points) {
        from = Math.min(from, point[0]);
        to = Math.max(to, point[0]);
      }
    }
    double step = step(highest() / STEPS);
    double top = Math.max(1, Math.ceil(highest() / step)) * step;
    double room = isStacked ? 0.5 : from == to ? 1 : 0;
    Scale scale = new Scale(from - room, to + room, top);
    StringBuilder svg = new StringBuilder();
    svg.append("<figure><h3 id=\"").append(id).append("\">").append(title).append("</h3>\n");
    svg.append(
        String.format(
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"%s\""
                + " aria-describedby=\"%s-values\"><desc id=\"%s-values\">%s</desc>%n",
            WIDTH, HEIGHT, id, id, id, description()));
    axes(svg, scale, step, from, to);
    if (isStacked) {
      bars(svg, scale);
    } else {
      for (int i = 0; i < series.size(); i++) {
        line(svg, scale, i);
      }
    }
    svg.append("</svg>\n");
    legend(svg);
    return svg.append("</figure>\n").toString();
  }

  /** Whether all places are whole numbers. */
  private boolean isOfRounds() {
    return series.stream()
        .flatMap(one -> one.points.stream())
        .allMatch(point -> point[0] == Math.rint(point[0]));
  }

  /** The last value of each series, for those who do not see the plot. */
  private String description() {
    StringBuilder text = new StringBuilder();
    for (Series one : series) {
      double[] last = one.points.get(one.points.size() - 1);
      text.append(text.length() == 0 ? "Last values: " : "; ")
          .append(one.name)
          .append(' ')
          .append(number(last[1]));
    }
    return text.append('.').toString();
  }

  private double highest() {
    double highest = 0;
    for (double[] point : series.get(0).points) {
      double sum = 0;
      for (Series one : series) {
        double value = valueAt(one, point[0]);
        sum = isStacked ? sum + value : Math.max(sum, value);
      }
      highest = Math.max(highest, sum);
    }
    for (Series one : series) {
      for (double[] point : one.points) {
        highest = Math.max(highest, point[1]);
      }
    }
    return highest <= 0 ? 1 : highest;
  }

  private static double valueAt(Series series, double x) {
    for (double[] point : series.points) {
      if (point[0] == x) {
        return point[1];
      }
    }
    return 0;
  }

  /** The next of 1, 2 and 5 times a power of ten. */
  private static double step(double least) {
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    for (int factor : new int[] {1, 2, 5}) {
      if (factor * power >= least) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  private static final class Scale {
    private final double from;
    private final double to;
    private final double top;

    Scale(double from, double to, double top) {
      this.from = from;
      this.to = to;
      this.top = top;
    }

    double x(double value) {
      return LEFT + (value - from) / (to - from) * (WIDTH - LEFT - RIGHT);
    }

    double y(double value) {
      return HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM);
    }
  }

  private void axes(StringBuilder svg, Scale scale, double step, double from, double to) {
    for (int i = 0; i * step <= scale.top * 1.001; i++) {
      double at = scale.y(i * step);
      svg.append(
          format(
              "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                  + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n",
              LEFT, WIDTH - RIGHT, at, at, LEFT - 6, at + 4, number(i * step)));
    }
    double between = step(Math.max((to - from) / MAX_NUMBERS, isOfRounds() ? 0.6 : 0.001));
    for (double at = Math.ceil(from / between) * between; at <= to * 1.001; at += between) {
      svg.append(
          format(
              "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
              scale.x(at), HEIGHT - BOTTOM + 15, number(at)));
    }
    svg.append(
        format(
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
            WIDTH - RIGHT, HEIGHT - 4, x));
    svg.append(format("<text x=\"0\" y=\"11\">%s</text>%n", y));
  }

  private void line(StringBuilder svg, Scale scale, int number) {
    Series one = series.get(number);
    StringBuilder path = new StringBuilder();
    for (double[] point : one.points) {
      path.append(path.length() == 0 ? "M" : "L")
          .append(format("%.1f %.1f", scale.x(point[0]), scale.y(point[1])));
    }
    svg.append(format("<path class=\"line s%d\" d=\"%s\"/>%n", number, path));
    if (one.points.size() <= MAX_MARKS) {
      for (double[] point : one.points) {
        svg.append(mark(number, scale.x(point[0]), scale.y(point[1])));
      }
    }
  }

  private static String mark(int number, double x, double y) {
    switch (number % 3) {
      case 0:
        return format("<circle class=\"s%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", number, x, y);
      case 1:
        return format(
            "<rect class=\"s%d\" x=\"%.1f\" y=\"%.1f\" width=\"6\" height=\"6\"/>",
            number, x - 3, y - 3);
      default:
        return format("<path class=\"s%d\" d=\"M%.1f %.1fl4 7h-8z\"/>", number, x, y - 4);
    }
  }

  private void bars(StringBuilder svg, Scale scale) {
    double width = Math.max(1, Math.min(40, scale.x(scale.from + 0.8) - scale.x(scale.from)));
    for (double[] place : series.get(0).points) {
      double below = 0;
      for (int i = 0; i < series.size(); i++) {
        double value = valueAt(series.get(i), place[0]);
        double top = scale.y(below + value);
        svg.append(
            format(
                "<rect class=\"bar s%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\""
                    + " height=\"%.1f\"/>%n",
                i, scale.x(place[0]) - width / 2, top, width, scale.y(below) - top));
        below += value;
      }
    }
  }

  private void legend(StringBuilder html) {
    html.append("<ul class=\"legend\">");
    for (int i = 0; i < series.size(); i++) {
      html.append("<li><svg viewBox=\"0 0 20 12\" aria-hidden=\"true\">")
          .append(
              isStacked
                  ? format("<rect class=\"s%d\" x=\"4\" width=\"12\" height=\"12\"/>", i)
                  : format("<path class=\"line s%d\" d=\"M0 6H20\"/>%s", i, mark(i, 10, 6)))
          .append("</svg>")
          .append(series.get(i).name)
          .append("</li>");
    }
    html.append("</ul>\n");
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** A number in few characters: 950, 1.2k, 3M, 0.25. */
  static String number(double value) {
    String[] units = {"", "k", "M", "G", "T"};
    int unit = 0;
    double rest = value;
    while (Math.abs(rest) >= 1000 && unit + 1 < units.length) {
      rest /= 1000;
      unit++;
    }
    String digits = format(rest >= 100 ? "%.0f" : rest >= 10 ? "%.1f" : "%.2f", rest);
    return (digits.contains(".") ? digits.replaceAll("\\.?0+$", "") : digits) + units[unit];
  }
}
