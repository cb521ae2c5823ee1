package org.corpulyzer.corpus;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;

/**
 * Whether some rows have the same score stored. The score passes skip a host whose rows have their
 * score already.
 */
public final class StoredScore implements Writable {

  private static final byte NO_ROW = 0;
  private static final byte SAME = 1;
  private static final byte DIFFERENT = 2;

  private byte state;

  /** The stored score by its bits, so that 0 is not -0. */
  private int bits;

  /** Starts again without rows. */
  public void clear() {
    state = NO_ROW;
    bits = 0;
  }

  /**
   * @param score a row's stored score, or NaN when it has none; no score to store is NaN
   */
  public void add(float score) {
    if (Float.isNaN(score)) {
      state = DIFFERENT;
    } else if (state != DIFFERENT) {
      add(Float.floatToRawIntBits(score));
    }
  }

  private void add(int stored) {
    state = state == SAME && bits != stored ? DIFFERENT : SAME;
    bits = stored;
  }

  /** Adds the rows of another one. */
  public void add(StoredScore other) {
    if (state == DIFFERENT || other.state == DIFFERENT) {
      state = DIFFERENT;
    } else if (other.state == SAME) {
      add(other.bits);
    }
  }

  /**
   * @return whether no row has another score; true when there is no row
   */
  public boolean isEverywhere(float score) {
    return state == NO_ROW || state == SAME && bits == Float.floatToRawIntBits(score);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeByte(state);
    out.writeInt(bits);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    state = in.readByte();
    bits = in.readInt();
  }
}
