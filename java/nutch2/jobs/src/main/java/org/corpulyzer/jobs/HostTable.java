package org.corpulyzer.jobs;

import java.io.IOException;
import java.util.function.Consumer;

/** Totals and score of every host of a crawl. A record replaces the one of the run before. */
public interface HostTable extends HostScores {

  /**
   * Stores a record; it is safe when {@link #close} returns. Either throws when a record is lost.
   */
  void put(HostRecord record) throws IOException;

  /** Shows every record, in the order of the web table. */
  void forEach(Consumer<HostRecord> visitor) throws IOException;
}
