package org.corpulyzer.engine;

import java.nio.ByteBuffer;

/** The rule by which two pages are near duplicates: they have an equal band of MinHash values. */
public final class MinHash {

  /** Words of a shingle, unless another number is set. */
  public static final int WORDS = 5;

  /** Bands, unless another number is set. */
  public static final int BANDS = 14;

  /** Values of a band, unless another number is set. */
  public static final int ROWS = 8;

  /** Most values of a page. */
  public static final int MAX_VALUES = 128;

  private final int words;
  private final int bands;
  private final int rows;
  private final boolean letters;

  /**
   * @param words of a shingle
   * @param bands of a page
   * @param rows values of a band
   * @param letters whether words are compared by their letters alone
   */
  public MinHash(int words, int bands, int rows, boolean letters) {
    this.words = words;
    this.bands = bands;
    this.rows = rows;
    this.letters = letters;
  }

  byte[] toBytes() {
    return ByteBuffer.allocate(3 * Integer.BYTES + 1)
        .putInt(words)
        .putInt(bands)
        .putInt(rows)
        .put((byte) (letters ? 1 : 0))
        .array();
  }
}
