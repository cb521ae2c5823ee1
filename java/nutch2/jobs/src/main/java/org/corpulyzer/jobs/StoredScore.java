package org.corpulyzer.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.Writable;

/** The score that rows have stored: the same in every one, or not. By it a host that has its score already is left alone. */
final class StoredScore implements Writable {

  private static final byte NO_ROW = 0;
  private static final byte SAME = 1;
  private static final byte DIFFERENT = 2;

  private byte state;
  /** The stored bytes as a number; they are compared as they stand, so that a NaN equals itself and 0 is not -0. */
  private int bits;

  /** Starts again without rows. */
  void clear() {
    state = NO_ROW;
    bits = 0;
  }

  /** @param score a row's stored score, or null when it has none */
  void add(Cell score) {
    if (score == null || score.getValueLength() != Float.BYTES) {
      state = DIFFERENT;
    } else if (state != DIFFERENT) {
      add(Bytes.toInt(score.getValueArray(), score.getValueOffset()));
    }
  }

  private void add(int stored) {
    state = state == SAME && bits != stored ? DIFFERENT : SAME;
    bits = stored;
  }

  /** Adds the rows that another one has seen. */
  void add(StoredScore other) {
    if (state == DIFFERENT || other.state == DIFFERENT) {
      state = DIFFERENT;
    } else if (other.state == SAME) {
      add(other.bits);
    }
  }

  /** @return whether no row has another score; true when there is no row */
  boolean isEverywhere(float score) {
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
