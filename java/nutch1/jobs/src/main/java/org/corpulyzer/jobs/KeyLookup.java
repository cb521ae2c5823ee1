package org.corpulyzer.jobs;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;

/**
 * Looks keys up in a map file, mostly in their order: the hosts of the host table, or URLs, as rows
 * of CrawlDb come. Hadoop's reader seeks back for each key, even for the next one. On HDFS each
 * such seek opens a connection and reads a block anew. This class reads on instead, and seeks only
 * for a key that is before the last one or far behind it.
 *
 * @param <V> the values
 */
final class KeyLookup<V extends Writable> {
  /** Entries to read on before a seek. A seek itself reads 64 of them on average. */
  private static final int AHEAD = 128;

  private final MapFile.Reader part;
  private final Supplier<V> values;

  /** The key that was looked up last. */
  private final Text last = new Text();

  /** The first entry that is not before {@link #last}; {@link #value} is null behind the end. */
  private final Text at = new Text();

  private V value;
  private boolean isPlaced;

  /**
   * @param values makes a value to read into
   */
  KeyLookup(MapFile.Reader part, Supplier<V> values) {
    this.part = part;
    this.values = values;
  }

  /**
   * @return the value, or null if the key is not there; another object for each key
   */
  V find(Text key) throws IOException {
    if (!isPlaced || key.compareTo(last) < 0) {
      seek(key);
    }
    for (int i = 0; isBefore(key); i++) {
      if (i < AHEAD) {
        next();
      } else {
        seek(key);
      }
    }
    last.set(key);
    return value != null && at.equals(key) ? value : null;
  }

  /** Forgets the place, because somebody else moved the reader. */
  void forget() {
    isPlaced = false;
  }

  private boolean isBefore(Text key) {
    return value != null && at.compareTo(key) < 0;
  }

  private void next() throws IOException {
    value = values.get();
    if (!part.next(at, value)) {
      value = null;
    }
  }

  private void seek(Text key) throws IOException {
    value = values.get();
    Text found = (Text) part.getClosest(key, value);
    if (found == null) {
      value = null;
    } else {
      at.set(found);
    }
    isPlaced = true;
  }
}
