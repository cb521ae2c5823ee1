package org.corpulyzer.engine;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The data that crosses the JNI border: magic, version, then (u16 tag, u32 length, bytes) fields
 * until the end, all big-endian. Unknown tags are kept and ignored, so that either side may be
 * newer. {@link Tag} has the tags.
 */
public final class Frame {

  /** The first four bytes, "CRPL". */
  public static final int MAGIC = 0x4352504C;

  /** The layout that this class reads and writes. */
  public static final short VERSION = 1;

  private static final int HEAD = 6;
  private static final int FIELD_HEAD = 6;

  /** Bytes from which on a text is decoded with an eye on memory. */
  private static final int LONG_TEXT = 1 << 20;

  private byte[] frame;
  private final Map<Integer, List<Field>> fields;

  private Frame(byte[] frame, Map<Integer, List<Field>> fields) {
    this.frame = frame;
    this.fields = fields;
  }

  /** Positions of a value in the frame. Bytes are copied on request, text is decoded in place. */
  private static final class Field {
    final int start;
    final int length;

    Field(int start, int length) {
      this.start = start;
      this.length = length;
    }
  }

  /**
   * Reads a whole frame, and keeps the bytes.
   *
   * @throws CorpulyzerException when the bytes are null, no frame, of another version, or cut short
   */
  public static Frame read(byte[] bytes) {
    if (bytes == null) {
      throw new CorpulyzerException("The native library returned no frame.");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (in.remaining() < HEAD || in.getInt() != MAGIC) {
      throw new CorpulyzerException("These " + bytes.length + " bytes are not a Corpulyzer frame.");
    }
    short version = in.getShort();
    if (version != VERSION) {
      throw new CorpulyzerException(
          "Frame version "
              + version
              + " found, "
              + VERSION
              + " is allowed: the jars and the native library are of different releases.");
    }
    Map<Integer, List<Field>> fields = new HashMap<>();
    while (in.hasRemaining()) {
      int at = in.position();
      if (in.remaining() < FIELD_HEAD) {
        throw new CorpulyzerException("The frame is cut short at byte " + at + ".");
      }
      int tag = Short.toUnsignedInt(in.getShort());
      long length = Integer.toUnsignedLong(in.getInt());
      if (length > in.remaining()) {
        throw new CorpulyzerException(
            "The frame's field "
                + tag
                + " at byte "
                + at
                + " claims "
                + length
                + " bytes of "
                + in.remaining()
                + " that are left.");
      }
      fields
          .computeIfAbsent(tag, absent -> new ArrayList<>(1))
          .add(new Field(in.position(), (int) length));
      in.position(in.position() + (int) length);
    }
    return new Frame(bytes, fields);
  }

  /**
   * @return a writer for one frame
   */
  public static Writer writer() {
    return new Writer();
  }

  /**
   * @return every value of a tag in the frame's order, empty when there is none
   */
  public List<byte[]> all(int tag) {
    List<byte[]> values = new ArrayList<>();
    for (Field field : fields.getOrDefault(tag, Collections.emptyList())) {
      values.add(bytes(field));
    }
    return Collections.unmodifiableList(values);
  }

  /**
   * @return the first value of a tag, or null
   */
  public byte[] bytes(int tag) {
    Field first = first(tag);
    return first == null ? null : bytes(first);
  }

  private byte[] bytes(Field field) {
    return Arrays.copyOfRange(frame, field.start, field.start + field.length);
  }

  private Field first(int tag) {
    List<Field> found = fields.get(tag);
    return found == null ? null : found.get(0);
  }

  /**
   * @return the first value as text, or null when there is none; ill-formed UTF-8 becomes U+FFFD
   */
  public String text(int tag) {
    Field first = first(tag);
    return first == null
        ? null
        : new String(frame, first.start, first.length, StandardCharsets.UTF_8);
  }

  /**
   * Returns a text that may be most of the frame, and releases the frame's bytes: nothing can be
   * read from it any more. Java decodes UTF-8 beyond Latin into twice its bytes, and copies the
   * used part of that.
   *
   * @return the first value as text, or null when there is none
   */
  String lastText(int tag) {
    Field first = first(tag);
    if (first == null || first.length < LONG_TEXT) {
      return text(tag);
    }
    CharBuffer decoded = CharBuffer.allocate(utf16Length(first));
    boolean fits =
        !StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE)
            .decode(ByteBuffer.wrap(frame, first.start, first.length), decoded, true)
            .isOverflow();
    if (!fits) {
      // Ill-formed, so that more characters came out than begin in it.
      return text(tag);
    }
    fields.clear();
    frame = null;
    decoded.flip();
    return decoded.toString();
  }

  /** How many chars a well-formed text has. */
  private int utf16Length(Field field) {
    int length = 0;
    for (int at = field.start; at < field.start + field.length; at++) {
      // Bytes that begin a character, and those that begin one of two chars.
      length += ((frame[at] & 0xC0) != 0x80 ? 1 : 0) + ((frame[at] & 0xF8) == 0xF0 ? 1 : 0);
    }
    return length;
  }

  /**
   * @return the first value as a number, or 0 when there is none
   * @throws CorpulyzerException when the value has not 8 bytes
   */
  public long u64(int tag) {
    byte[] value = sized(tag, Long.BYTES);
    return value == null ? 0 : ByteBuffer.wrap(value).getLong();
  }

  /**
   * @return the first value as a number, or 0 when there is none
   * @throws CorpulyzerException when the value has not 4 bytes
   */
  public int u32(int tag) {
    byte[] value = sized(tag, Integer.BYTES);
    return value == null ? 0 : ByteBuffer.wrap(value).getInt();
  }

  private byte[] sized(int tag, int size) {
    byte[] value = bytes(tag);
    if (value != null && value.length != size) {
      throw new CorpulyzerException(
          "The frame's field "
              + tag
              + " has "
              + value.length
              + " bytes, "
              + size
              + " are allowed.");
    }
    return value;
  }

  /** Writes one frame, field by field. Absent values are left out. */
  public static final class Writer {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private Writer() {
      put(ByteBuffer.allocate(HEAD).putInt(MAGIC).putShort(VERSION));
    }

    /** Adds a field; null adds none. */
    public Writer bytes(int tag, byte[] value) {
      if (value != null) {
        put(ByteBuffer.allocate(FIELD_HEAD).putShort((short) tag).putInt(value.length));
        out.write(value, 0, value.length);
      }
      return this;
    }

    /** Adds a UTF-8 field; null adds none. */
    public Writer text(int tag, String value) {
      return bytes(tag, value == null ? null : value.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds an 8-byte number. */
    public Writer u64(int tag, long value) {
      return bytes(tag, ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    }

    /** Adds a 4-byte number. */
    public Writer u32(int tag, int value) {
      return bytes(tag, ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
    }

    /**
     * @return the frame so far
     */
    public byte[] toBytes() {
      return out.toByteArray();
    }

    private void put(ByteBuffer head) {
      out.write(head.array(), 0, head.capacity());
    }
  }
}
