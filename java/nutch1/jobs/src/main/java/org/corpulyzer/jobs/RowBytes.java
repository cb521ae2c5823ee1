package org.corpulyzer.jobs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.protocol.ProtocolStatus;

/**
 * A row of CrawlDb in the form in which Nutch stores it ({@code CrawlDatum.write}, version 7). Most
 * rows of a pass are only copied, and making a {@link CrawlDatum} of each with its metadata costs
 * more than everything else. One object serves a whole part.
 */
public final class RowBytes {

  private static final byte VERSION = 7;
  private static final int STATUS_AT = 1;
  private static final int FETCH_TIME_AT = 2;
  private static final int FETCH_INTERVAL_AT = 11;
  private static final int SCORE_AT = 15;
  private static final int SIGNATURE_AT = 27;
  private static final byte TEXT_ID = idOfText();
  private static final byte[] PROTOCOL_STATUS =
      ProtocolStatus.class.getName().getBytes(StandardCharsets.UTF_8);
  private static final byte STATUS_VERSION = 2;
  private static final int ENTRY = 4;

  private byte[] data = new byte[0];
  private int length;

  /** Position of the metadata after its mark; the end of the row if it has none. */
  private int metadataAt;

  private boolean isWalked;

  /** Entries of text: from, length of key; from, length of value, -1 if it is no text. */
  private int[] entries = new int[ENTRY * 16];

  private int size;

  /** The metadata of a row with values of kinds that this class does not know. */
  private MapWritable decoded;

  private final DataInputBuffer in = new DataInputBuffer();
  private final DataOutputBuffer out = new DataOutputBuffer();

  /** The number under which Hadoop stores the class Text. */
  private static byte idOfText() {
    MapWritable map = new MapWritable();
    map.put(new Text(), new Text());
    DataOutputBuffer bytes = new DataOutputBuffer();
    try {
      map.write(bytes);
    } catch (IOException e) {
      throw new IllegalStateException("memory can be written", e);
    }
    // The number of classes, the number of entries.
    return bytes.getData()[1 + Integer.BYTES];
  }

  /**
   * Points this at a row. The bytes are not copied; they are as they were when this object is
   * asked.
   *
   * @throws IOException if the bytes are no row
   */
  public RowBytes set(byte[] bytes, int bytesLength) throws IOException {
    data = bytes;
    length = bytesLength;
    if (length > 0 && data[0] < VERSION) {
      in.reset(data, length);
      rewrite(CrawlDatum.read(in));
      return this;
    }
    return begin();
  }

  private RowBytes begin() throws IOException {
    if (length < SIGNATURE_AT + 2 || data[0] != VERSION) {
      throw new IOException(
          "a row of CrawlDb is damaged: "
              + length
              + " bytes, version "
              + (length == 0 ? -1 : data[0]));
    }
    int mark = SIGNATURE_AT + 1 + Math.max(0, data[SIGNATURE_AT]);
    if (mark >= length || data[mark] != 0 && mark + 1 == length) {
      throw new IOException("a row of CrawlDb is damaged: it ends before its metadata");
    }
    metadataAt = data[mark] == 0 ? length : mark + 1;
    isWalked = false;
    return this;
  }

  /** Points this at bytes of its own with another row. */
  void rewrite(CrawlDatum row) throws IOException {
    out.reset();
    row.write(out);
    data = out.getData();
    length = out.getLength();
    begin();
  }

  /**
   * @return the bytes of the row, from the first on
   */
  public byte[] bytes() {
    return data;
  }

  /**
   * @return how many bytes the row has
   */
  public int length() {
    return length;
  }

  /**
   * @return one of CrawlDatum's constants
   */
  public byte status() {
    return data[STATUS_AT];
  }

  /** Sets the status, in the bytes that this was pointed at. */
  public void setStatus(byte status) {
    data[STATUS_AT] = status;
  }

  /**
   * @return when the page is to be fetched next, in milliseconds since 1970
   */
  long fetchTime() {
    return ByteBuffer.wrap(data).getLong(FETCH_TIME_AT);
  }

  /**
   * @return time between two fetches of the page in seconds
   */
  int fetchInterval() {
    return ByteBuffer.wrap(data).getInt(FETCH_INTERVAL_AT);
  }

  /**
   * @return the signature; null if there is none
   */
  byte[] signature() {
    int size = data[SIGNATURE_AT];
    return size <= 0 ? null : Arrays.copyOfRange(data, SIGNATURE_AT + 1, SIGNATURE_AT + 1 + size);
  }

  /**
   * @return the stored score
   */
  public float score() {
    return ByteBuffer.wrap(data).getFloat(SCORE_AT);
  }

  /** Sets the score, in the bytes that this was pointed at. */
  public void setScore(float score) {
    ByteBuffer.wrap(data).putFloat(SCORE_AT, score);
  }

  /**
   * @return a new object with the row
   */
  public CrawlDatum datum() throws IOException {
    in.reset(data, length);
    return CrawlDatum.read(in);
  }

  /** Reads the row without its metadata into another. */
  public void readBare(CrawlDatum row) throws IOException {
    int mark = SIGNATURE_AT + 1 + Math.max(0, data[SIGNATURE_AT]);
    byte had = data[mark];
    data[mark] = 0;
    try {
      in.reset(data, mark + 1);
      row.readFields(in);
    } finally {
      data[mark] = had;
    }
  }

  /**
   * @return whether the metadata has a key
   */
  public boolean has(Text key) {
    return decoded() != null ? decoded.containsKey(key) : find(key) >= 0;
  }

  /**
   * @return the value of a key of the metadata as text, or null
   */
  public String text(Text key) {
    if (decoded() == null) {
      int at = find(key);
      if (at < 0) {
        return null;
      }
      if (entries[at + 2] >= 0) {
        return new String(data, entries[at + 2], entries[at + 3], StandardCharsets.UTF_8);
      }
      decode();
    }
    Writable value = decoded.get(key);
    return value == null ? null : value.toString();
  }

  /**
   * @return the metadata if it has values of kinds that are not known here, or null
   */
  private MapWritable decoded() {
    walk();
    return decoded;
  }

  private int find(Text key) {
    for (int i = 0; i < size; i += ENTRY) {
      if (Arrays.equals(
          data, entries[i], entries[i] + entries[i + 1], key.getBytes(), 0, key.getLength())) {
        return i;
      }
    }
    return -1;
  }

  private void decode() {
    try {
      decoded = datum().getMetaData();
    } catch (IOException e) {
      throw damaged(e);
    }
  }

  private static IllegalStateException damaged(Exception cause) {
    return new IllegalStateException("the metadata of a row of CrawlDb is damaged", cause);
  }

  private void walk() {
    if (isWalked) {
      return;
    }
    isWalked = true;
    size = 0;
    decoded = null;
    try {
      in.reset(data, metadataAt, length - metadataAt);
      if (metadataAt < length && !walkEntries()) {
        decode();
      }
    } catch (IOException e) {
      throw damaged(e);
    }
  }

  /**
   * @return whether all entries are of kinds that are known here
   */
  private boolean walkEntries() throws IOException {
    int classes = in.readByte();
    byte statusId = 0;
    for (int i = 0; i < classes; i++) {
      byte id = in.readByte();
      int nameLength = in.readUnsignedShort();
      int nameAt = in.getPosition();
      if (nameAt + nameLength > length
          || !Arrays.equals(
              data, nameAt, nameAt + nameLength, PROTOCOL_STATUS, 0, PROTOCOL_STATUS.length)) {
        return false;
      }
      statusId = id;
      skip(nameLength);
    }
    for (int left = in.readInt(); left > 0; left--) {
      if (in.readByte() != TEXT_ID) {
        return false;
      }
      int keyLength = WritableUtils.readVInt(in);
      int keyAt = in.getPosition();
      skip(keyLength);
      byte kind = in.readByte();
      if (kind == TEXT_ID) {
        int valueLength = WritableUtils.readVInt(in);
        note(keyAt, keyLength, in.getPosition(), valueLength);
        skip(valueLength);
      } else if (kind == statusId && statusId != 0 && skipStatus()) {
        note(keyAt, keyLength, -1, -1);
      } else {
        return false;
      }
    }
    return true;
  }

  /**
   * @return whether the status, of which every fetched row has one, is in the form of {@link
   *     ProtocolStatus#write}
   */
  private boolean skipStatus() throws IOException {
    if (in.readByte() != STATUS_VERSION) {
      return false;
    }
    skip(Byte.BYTES + Long.BYTES);
    for (int left = in.readInt(); left > 0; left--) {
      skip(Math.max(0, in.readInt()));
    }
    return true;
  }

  private void skip(int bytes) throws IOException {
    if (bytes < 0 || in.skip(bytes) != bytes) {
      throw new IOException("an entry ends behind the row");
    }
  }

  private void note(int keyAt, int keyLength, int valueAt, int valueLength) {
    if (size == entries.length) {
      entries = Arrays.copyOf(entries, 2 * size);
    }
    entries[size++] = keyAt;
    entries[size++] = keyLength;
    entries[size++] = valueAt;
    entries[size++] = valueLength;
  }
}
