package org.corpulyzer.corpus;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapreduce.Partitioner;

/** Two numbers of 64 bits without sign, in the order of the first and then of the second. */
public final class PagePair implements WritableComparable<PagePair> {

  private static final int BYTES = 2 * Long.BYTES;

  static {
    WritableComparator.define(PagePair.class, new Order());
  }

  private long first;
  private long second;

  /** Creates a pair of zeros. */
  public PagePair() {}

  PagePair set(long newFirst, long newSecond) {
    first = newFirst;
    second = newSecond;
    return this;
  }

  long first() {
    return first;
  }

  long second() {
    return second;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(first);
    out.writeLong(second);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    first = in.readLong();
    second = in.readLong();
  }

  @Override
  public int compareTo(PagePair other) {
    int order = Long.compareUnsigned(first, other.first);
    return order == 0 ? Long.compareUnsigned(second, other.second) : order;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PagePair && compareTo((PagePair) other) == 0;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(first) * 31 + Long.hashCode(second);
  }

  /** The order, on bytes. */
  static final class Order extends WritableComparator {
    Order() {
      super(PagePair.class);
    }

    @Override
    public int compare(byte[] a, int atA, int lengthA, byte[] b, int atB, int lengthB) {
      return compareBytes(a, atA, BYTES, b, atB, BYTES);
    }
  }

  /** Brings the pairs with one first number together, sorted by the second. */
  static final class ByFirst extends WritableComparator {
    ByFirst() {
      super(PagePair.class);
    }

    @Override
    public int compare(byte[] a, int atA, int lengthA, byte[] b, int atB, int lengthB) {
      return compareBytes(a, atA, Long.BYTES, b, atB, Long.BYTES);
    }
  }

  /** Gives the pairs with one first number to one reducer. */
  static final class Parts extends Partitioner<PagePair, Object> {
    @Override
    public int getPartition(PagePair key, Object value, int parts) {
      return (Long.hashCode(key.first) * 0x9e3779b1 >>> 1) % parts;
    }
  }
}
