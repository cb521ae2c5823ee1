package org.corpulyzer.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Rows for {@link Steering}, packed for the native library. One object serves many batches. */
public final class SteeringBatch {
  /** Bytes of a full batch. */
  private static final int FULL = 1 << 20;

  /** Most bytes of a row besides its URL. */
  private static final int ROW = 64;

  /** Bytes of a row behind its URL and its number. */
  private static final int FACTS =
      Short.BYTES + 1 + Long.BYTES + LinkCounts.SIZE + 1 + 2 * Float.BYTES;

  private static final int FETCHED = 1;
  private static final int SEED = 2;

  private final ByteBuffer rows = ByteBuffer.allocate(FULL + Short.MAX_VALUE + ROW);

  /**
   * Adds a row; call {@link #take} when the batch is full. A URL that no page can have is left out.
   */
  public void add(Steering.Row row) {
    if (row.urlLength > Short.MAX_VALUE) {
      return;
    }
    rows.putShort((short) row.urlLength).put(row.url, 0, row.urlLength).putInt(row.id);
    rows.putShort((short) row.labelBytes);
    rows.put((byte) ((row.isFetched ? FETCHED : 0) | (row.isSeed ? SEED : 0)));
    rows.putLong(row.bytes);
    for (int place = 0; place < LinkCounts.SIZE; place++) {
      rows.put((byte) row.links.get(place));
    }
    Steering.Prediction predicted = row.predicted;
    rows.put((byte) (predicted == null ? 0 : predicted.level()));
    rows.putFloat(predicted == null ? 0 : predicted.section());
    rows.putFloat(predicted == null ? 0 : predicted.probability());
  }

  /**
   * @return whether the batch has room for no more rows
   */
  public boolean isFull() {
    return rows.position() >= FULL;
  }

  /**
   * @return whether the batch has no row
   */
  public boolean isEmpty() {
    return rows.position() == 0;
  }

  /**
   * @return the packed rows, which are no longer in the batch
   */
  public byte[] take() {
    byte[] taken = Arrays.copyOf(rows.array(), rows.position());
    rows.clear();
    return taken;
  }

  /**
   * @param rows see {@link #take}
   * @param numbers of the rows to find
   * @return the URLs of these rows
   */
  public static List<String> urls(byte[] rows, Set<Integer> numbers) {
    List<String> urls = new ArrayList<>();
    ByteBuffer packed = ByteBuffer.wrap(rows);
    while (packed.hasRemaining()) {
      int length = packed.getShort();
      int at = packed.position();
      packed.position(at + length);
      if (numbers.contains(packed.getInt())) {
        urls.add(new String(rows, at, length, StandardCharsets.UTF_8));
      }
      packed.position(packed.position() + FACTS);
    }
    return urls;
  }
}
