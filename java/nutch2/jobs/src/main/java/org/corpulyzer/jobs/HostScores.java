package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.IOException;

/** Where pass 2 looks a host's score up. Hosts are asked for in the order of the web table. */
interface HostScores extends Closeable {

  /** @return the host's record, or null when there is none */
  HostRecord find(String host) throws IOException;
}
