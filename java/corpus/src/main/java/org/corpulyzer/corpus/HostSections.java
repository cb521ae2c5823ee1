package org.corpulyzer.corpus;

import java.io.Closeable;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.Steering;

/**
 * The sections of one host as policy pages sums them up, for the HostReader of either line of
 * Nutch.
 */
public final class HostSections implements Closeable {

  /** Most sections that are printed: those with the most fetched pages. */
  private static final int MOST = 20;

  private final Steering steering;

  /** The last row that was added; null before the first. */
  private Steering.Row last;

  /**
   * @param settings of policy pages
   */
  public HostSections(Settings settings) {
    steering = new Steering(Engine.of(settings), "");
  }

  /**
   * Adds a row of the host.
   *
   * @param row null adds nothing. Its reader may use one object for all rows, but nothing else may
   *     change it before {@link #print}.
   * @return the probability of the language with which the row was chosen; NaN if it has none
   */
  public float add(Steering.Row row) {
    if (row == null) {
      return Float.NaN;
    }
    steering.add(row);
    last = row;
    return row.predicted == null ? Float.NaN : row.predicted.probability();
  }

  /** Prints the sums of the sections, those with the most fetched pages first. */
  public void print(HostView view) {
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
    if (sections.stream().anyMatch(section -> section.name().indexOf('0') >= 0)) {
      view.print("In names of sections, 0 stands for any number.");
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
