package org.corpulyzer.nutch1.jobs;

import java.io.IOException;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;

/**
 * Looks hosts up in a part of the host table, mostly in the order of their names, as rows of
 * CrawlDb come. Hadoop's reader seeks back for each key, even for the next one. On HDFS each such
 * seek opens a connection and reads a block anew. This class reads on instead, and seeks only for a
 * host that is before the last one or far behind it.
 */
final class HostLookup {
  /** Entries to read on before a seek. A seek itself reads 64 of them on average. */
  private static final int AHEAD = 128;

  private final MapFile.Reader part;

  /** The host that was looked up last. */
  private final Text last = new Text();

  /** The first entry that is not before {@link #last}; {@link #record} is null behind the end. */
  private final Text at = new Text();

  private HostRecord record;
  private boolean isPlaced;

  HostLookup(MapFile.Reader part) {
    this.part = part;
  }

  /**
   * @return the host's record, or null if it has none; another object for each host
   */
  HostRecord find(Text host) throws IOException {
    if (!isPlaced || host.compareTo(last) < 0) {
      seek(host);
    }
    for (int i = 0; isBefore(host); i++) {
      if (i < AHEAD) {
        next();
      } else {
        seek(host);
      }
    }
    last.set(host);
    return record != null && at.equals(host) ? record : null;
  }

  /** Forgets the place, because somebody else moved the reader. */
  void forget() {
    isPlaced = false;
  }

  private boolean isBefore(Text host) {
    return record != null && at.compareTo(host) < 0;
  }

  private void next() throws IOException {
    record = new HostRecord();
    if (!part.next(at, record)) {
      record = null;
    }
  }

  private void seek(Text host) throws IOException {
    record = new HostRecord();
    Text found = (Text) part.getClosest(host, record);
    if (found == null) {
      record = null;
    } else {
      at.set(found);
    }
    isPlaced = true;
  }
}
