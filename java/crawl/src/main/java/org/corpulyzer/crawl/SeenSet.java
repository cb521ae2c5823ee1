package org.corpulyzer.crawl;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Fingerprints of all that earlier rounds had, in a file in ascending order, 8 bytes each. A round
 * is merged into it in one pass, so that the memory is that of a round, not of the crawl.
 */
final class SeenSet {
  /** The fingerprints of one round; {@link #seal} ends the collecting. */
  static final class Round {
    private long[] values = new long[1024];
    private int size;
    private boolean[] old;
    private double effective;

    void add(long fingerprint) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = fingerprint;
    }

    private void seal() {
      Arrays.sort(values, 0, size);
      effective = effectiveNumber();
      int distinct = 0;
      for (int i = 0; i < size; i++) {
        if (i == 0 || values[i] != values[i - 1]) {
          values[distinct++] = values[i];
        }
      }
      size = distinct;
      old = new boolean[size];
    }

    /** Of the sorted values. */
    private double effectiveNumber() {
      double entropy = 0;
      for (int from = 0, to; from < size; from = to) {
        for (to = from + 1; to < size && values[to] == values[from]; to++) {}
        double share = (double) (to - from) / size;
        entropy -= share * Math.log(share);
      }
      return size == 0 ? 0 : Math.exp(entropy);
    }

    /**
     * @return the number of different fingerprints
     */
    int distinct() {
      return size;
    }

    /**
     * The effective number of fingerprints: e to the power of the Shannon entropy of their
     * frequencies (Hill number of order 1). If all are equally frequent, it is their number.
     *
     * @return 0 if there are none
     */
    double effective() {
      return effective;
    }

    /**
     * @return how many of them no earlier round had
     */
    int news() {
      int news = 0;
      for (int i = 0; i < size; i++) {
        news += old[i] ? 0 : 1;
      }
      return news;
    }

    /**
     * @return whether no earlier round had it, and this is the first call with it
     */
    boolean take(long fingerprint) {
      int at = Arrays.binarySearch(values, 0, size, fingerprint);
      boolean isNew = !old[at];
      old[at] = true;
      return isNew;
    }
  }

  private SeenSet() {}

  /**
   * Adds a round and finds out which of its fingerprints are new.
   *
   * @param before the file of the rounds before; an empty set if there is none
   * @param after the file to write, which is another
   */
  static void merge(Path before, Round round, Path after) throws IOException {
    round.seal();
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(after), 1 << 16))) {
      int next = 0;
      if (Files.exists(before)) {
        try (DataInputStream in =
            new DataInputStream(new BufferedInputStream(Files.newInputStream(before), 1 << 16))) {
          for (long left = Files.size(before) / Long.BYTES; left > 0; left--) {
            long value = read(in, before);
            while (next < round.size && round.values[next] < value) {
              out.writeLong(round.values[next++]);
            }
            if (next < round.size && round.values[next] == value) {
              round.old[next++] = true;
            }
            out.writeLong(value);
          }
        }
      }
      while (next < round.size) {
        out.writeLong(round.values[next++]);
      }
    }
  }

  private static long read(DataInputStream in, Path file) throws IOException {
    try {
      return in.readLong();
    } catch (EOFException e) {
      throw new IOException(file + " ends early", e);
    }
  }
}
