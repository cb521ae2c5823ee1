package org.corpulyzer.crawl;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;

/**
 * A Bloom filter of the addresses of a segment (B. Bloom, "Space/time trade-offs in hash coding
 * with allowable errors", 1970). It may take a row for one of the segment that is not, and never
 * overlooks one.
 */
final class KeyFilter {
  private static final int BITS_OF_A_KEY = 16;
  private static final int HASHES = 4;

  /** No record of a segment is smaller. */
  private static final int MIN_RECORD = 32;

  private static final long MIN_BITS = 1 << 12;

  /** Most bits of a filter: 16 MB. */
  private static final long MAX_BITS = 1 << 27;

  private final long[] words;

  private KeyFilter(long keys) {
    long bits = Math.max(MIN_BITS, Math.min(MAX_BITS, Long.highestOneBit(keys * BITS_OF_A_KEY)));
    words = new long[(int) (bits / Long.SIZE)];
  }

  /** Reads the keys of some files. */
  static KeyFilter of(Configuration conf, Path... files) throws IOException {
    long bytes = 0;
    for (Path file : files) {
      FileSystem system = file.getFileSystem(conf);
      bytes += system.getFileStatus(file).getLen();
    }
    KeyFilter filter = new KeyFilter(1 + bytes / MIN_RECORD);
    Text key = new Text();
    for (Path file : files) {
      try (SequenceFile.Reader reader =
          new SequenceFile.Reader(conf, SequenceFile.Reader.file(file))) {
        while (reader.next(key)) {
          filter.add(key);
        }
      }
    }
    return filter;
  }

  private void add(Text key) {
    long hash = hash(key);
    for (int i = 0; i < HASHES; i++) {
      long bit = bit(hash, i);
      words[(int) (bit / Long.SIZE)] |= 1L << bit;
    }
  }

  /**
   * @return false if no file had the key
   */
  boolean mayHave(Text key) {
    long hash = hash(key);
    for (int i = 0; i < HASHES; i++) {
      long bit = bit(hash, i);
      if ((words[(int) (bit / Long.SIZE)] & 1L << bit) == 0) {
        return false;
      }
    }
    return true;
  }

  private long bit(long hash, int number) {
    // A. Kirsch, M. Mitzenmacher, "Less hashing, same performance", 2006.
    long step = hash >>> 32 | 1;
    return (hash + number * step) & ((long) words.length * Long.SIZE - 1);
  }

  /** FNV-1a, then the finalizer of MurmurHash3. */
  private static long hash(Text key) {
    byte[] bytes = key.getBytes();
    long hash = 0xcbf29ce484222325L ^ key.getLength();
    for (int i = 0; i < key.getLength(); i++) {
      hash = (hash ^ bytes[i]) * 0x100000001b3L;
    }
    hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
    hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
    return hash ^ hash >>> 33;
  }
}
