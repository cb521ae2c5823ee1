package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.IOException;

/** The scores of hosts for pass 2, which looks them up in the order of the web table. */
interface HostScores extends Closeable {

  /**
   * @return the host's record, or null when there is none
   */
  HostRecord find(String host) throws IOException;
}
