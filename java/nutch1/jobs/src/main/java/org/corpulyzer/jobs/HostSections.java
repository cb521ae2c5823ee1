package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.corpus.HostView;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.Steering;
import org.corpulyzer.engine.Targets;

/** The sections of one host as policy pages sums them up, for {@link HostReader}. */
final class HostSections implements Closeable {

  /** Most sections that are printed: those with the most fetched pages. */
  private static final int MOST = 20;

  private final Steering steering;
  private final SteeringRows facts;
  private final RowBytes bytes = new RowBytes();
  private final DataOutputBuffer out = new DataOutputBuffer();

  /** The last row that was added; null before the first. */
  private Steering.Row last;

  HostSections(Settings settings, Targets targets) {
    steering = new Steering(Engine.of(settings), "");
    facts = new SteeringRows(settings, targets);
  }

  /**
   * Adds a row of the host.
   *
   * @return the prediction with which the row was chosen; null if it has none
   */
  Steering.Prediction add(Text url, CrawlDatum datum) throws IOException {
    out.reset();
    datum.write(out);
    Steering.Row row = facts.read(0, url, bytes.set(out.getData(), out.getLength()));
    if (row != null) {
      steering.add(row);
      last = row;
    }
    return row == null ? null : row.predicted;
  }

  /** Prints the sums of the sections, those with the most fetched pages first. */
  void print(HostView view) {
    if (last == null) {
      return;
    }
    List<Steering.Section> sections =
        steering.sections(last).stream()
            .filter(section -> !section.name().isEmpty())
            .sorted(Comparator.comparing(section -> -section.fetched()))
            .collect(Collectors.toList());
    if (sections.isEmpty()) {
      return;
    }
    view.print("");
    view.print("%-12s %12s  %s", "in language", "fetched", "section");
    for (Steering.Section section : sections.subList(0, Math.min(MOST, sections.size()))) {
      view.print(
          "%-12d %12d  %s", section.kept(), section.fetched(), HostView.printable(section.name()));
    }
    if (sections.size() > MOST) {
      view.print("and %d sections with fewer pages", sections.size() - MOST);
    }
  }

  @Override
  public void close() {
    steering.close();
  }
}
