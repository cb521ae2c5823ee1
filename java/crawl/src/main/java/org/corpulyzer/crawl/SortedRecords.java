package org.corpulyzer.crawl;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;

/** Reads a file of records in the order of their keys, one record in memory. */
final class SortedRecords<V extends Writable> implements Closeable {
  private final SequenceFile.Reader reader;
  private final Text key = new Text();
  private final Supplier<V> holders;
  private V value;
  private boolean hasRecord;
  private boolean hasValue;

  private SortedRecords(Configuration conf, Path file, Supplier<V> holders) throws IOException {
    this.holders = holders;
    reader = new SequenceFile.Reader(conf, SequenceFile.Reader.file(file));
  }

  /**
   * @param value holder that every record is read into
   */
  SortedRecords(Configuration conf, Path file, V value) throws IOException {
    this(conf, file, () -> value);
  }

  /**
   * @param holders gives a holder for each record, for those who keep records
   */
  static <V extends Writable> SortedRecords<V> each(
      Configuration conf, Path file, Supplier<V> holders) throws IOException {
    return new SortedRecords<>(conf, file, holders);
  }

  /**
   * @return whether there is a next record; then it is the current one
   */
  boolean next() throws IOException {
    if (nextKey()) {
      readValue();
    }
    return hasRecord;
  }

  /**
   * Goes on to the next record whose key ends with one of the texts. The values of the records
   * between are not read.
   */
  boolean nextEndingWith(String... ends) throws IOException {
    while (nextKey()) {
      String name = key.toString();
      if (Arrays.stream(ends).anyMatch(name::endsWith)) {
        readValue();
        return true;
      }
    }
    return false;
  }

  private boolean nextKey() throws IOException {
    hasRecord = reader.next(key);
    hasValue = false;
    return hasRecord;
  }

  private void readValue() throws IOException {
    if (!hasValue) {
      value = holders.get();
      reader.getCurrentValue(value);
      hasValue = true;
    }
  }

  /**
   * Goes on to the first record whose key is not before another.
   *
   * @return whether its key is the other; then its value is read
   */
  boolean seek(Text other) throws IOException {
    while (!hasRecord || key.compareTo(other) < 0) {
      if (!nextKey()) {
        return false;
      }
    }
    if (!key.equals(other)) {
      return false;
    }
    readValue();
    return true;
  }

  /** The current key, the same object for all. */
  Text key() {
    return key;
  }

  /** The current value; the same object for all, if there is one holder. */
  V value() {
    return value;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
