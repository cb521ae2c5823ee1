package org.corpulyzer.corpus;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.corpulyzer.engine.DamagedDataException;
import org.corpulyzer.engine.Engine;

/**
 * The records of a WARC file (ISO 28500) or a WET file, plain, in gzip or in Zstandard. It reads as
 * leniently as {@code rust/records}: a damaged record is reported, and the next one is searched
 * behind it.
 */
final class ArchiveReader implements Closeable {

  /** Longest header of a record, in bytes. */
  private static final int MAX_HEADER = 1 << 16;

  private static final String RECORD = "WARC/";

  /** A record, or the problem that there is in its place. */
  static final class Record {
    private final Map<String, String> fields;
    private final byte[] block;
    private final Problem problem;

    private Record(Map<String, String> fields, byte[] block, Problem problem) {
      this.fields = fields;
      this.block = block;
      this.problem = problem;
    }

    /**
     * @param name in lower case
     * @return the field of the header; empty if there is none
     */
    String field(String name) {
      return fields.getOrDefault(name, "");
    }

    /**
     * @return the URL; some writers put angle brackets around it
     */
    String url() {
      String url = field("warc-target-uri");
      return url.startsWith("<") && url.endsWith(">") ? url.substring(1, url.length() - 1) : url;
    }

    /**
     * @return the content of a response, a resource or a conversion; null for others
     */
    byte[] block() {
      return block;
    }

    /**
     * @return null if the record can be read
     */
    Problem problem() {
      return problem;
    }
  }

  /** Problems of a record. */
  enum Problem {
    /** It is damaged; it costs itself alone. */
    BROKEN,
    /** It is longer than the limit. */
    TOO_LONG,
    /** Its length is wrong, so that it may hide others. */
    WRONG_LENGTH
  }

  private final InputStream in;
  private final long maxBytes;
  private boolean behindBlock;

  /** Whether the bytes up to the next record belong to damage that was reported. */
  private boolean lost;

  /** Whether the first line of a record was read already. */
  private boolean begun;

  /**
   * @param file is closed with the reader
   * @param maxBytes longest record that is read, in bytes
   * @param engine decompresses Zstandard
   */
  ArchiveReader(InputStream file, long maxBytes, Engine engine) throws IOException {
    this.maxBytes = maxBytes;
    InputStream buffered = new BufferedInputStream(file, 1 << 16);
    buffered.mark(4);
    int[] magic = {buffered.read(), buffered.read(), buffered.read(), buffered.read()};
    buffered.reset();
    boolean isZstd =
        magic[0] == 0x28 && magic[1] == 0xb5 && magic[2] == 0x2f && magic[3] == 0xfd
            || magic[0] >> 4 == 5 && magic[1] == 0x2a && magic[2] == 0x4d && magic[3] == 0x18;
    boolean isGzip = magic[0] == 0x1f && magic[1] == 0x8b;
    if (isZstd) {
      in = new BufferedInputStream(engine.zstd(buffered), 1 << 16);
    } else {
      in = isGzip ? new BufferedInputStream(new GzipMembers(buffered), 1 << 16) : buffered;
    }
  }

  /**
   * @return the next record; null at the end of the file
   * @throws DamagedArchiveException if the rest of the file cannot be read
   */
  Record next() throws IOException {
    try {
      return read();
    } catch (DamagedDataException e) {
      throw new DamagedArchiveException(e.getMessage());
    }
  }

  private Record read() throws IOException {
    if (!begun) {
      Record damage = seek();
      if (damage != null) {
        return damage;
      }
      if (!begun) {
        return null;
      }
    }
    begun = false;
    lost = false;
    Map<String, String> fields = header();
    if (fields == null) {
      lost = true;
      return problem(Problem.BROKEN);
    }
    String length = fields.getOrDefault("content-length", "");
    if (!length.matches("\\+?[0-9]{1,18}")) {
      lost = true;
      return problem(Problem.BROKEN);
    }
    Record record = block(fields, Long.parseLong(length));
    behindBlock = true;
    return record;
  }

  private Record block(Map<String, String> fields, long length) throws IOException {
    String type = fields.getOrDefault("warc-type", "").toLowerCase(Locale.ROOT);
    boolean isPage =
        type.equals("response") || type.equals("conversion") || type.equals("resource");
    if (!isPage || length > maxBytes) {
      byte[] skipped = new byte[1 << 14];
      for (long left = length; left > 0; ) {
        int count = in.read(skipped, 0, (int) Math.min(left, skipped.length));
        if (count < 0) {
          throw cut();
        }
        left -= count;
      }
      return isPage ? problem(Problem.TOO_LONG) : new Record(fields, null, null);
    }
    // A length that nobody has costs no memory.
    ByteArrayOutputStream block = new ByteArrayOutputStream((int) Math.min(length, 1 << 16));
    byte[] buffer = new byte[1 << 14];
    while (block.size() < length) {
      int count = in.read(buffer, 0, (int) Math.min(length - block.size(), buffer.length));
      if (count < 0) {
        throw cut();
      }
      block.write(buffer, 0, count);
    }
    return new Record(fields, block.toByteArray(), null);
  }

  private static Record problem(Problem problem) {
    return new Record(new HashMap<>(), null, problem);
  }

  private static DamagedArchiveException cut() {
    return new DamagedArchiveException("the file ends within a record");
  }

  /**
   * Reads the first line of the next record and sets {@link #begun}, unless the file ends before.
   *
   * @return the damage if other bytes were skipped
   */
  private Record seek() throws IOException {
    in.mark(1);
    int first = in.read();
    in.reset();
    boolean overruns = behindBlock && first >= 0 && "\r\nW".indexOf(first) < 0;
    behindBlock = false;
    boolean isWholeLine = true;
    boolean skips = false;
    while (true) {
      byte[] line = line(MAX_HEADER);
      begun = isWholeLine && startsWithRecord(line);
      if (line.length == 0 || begun) {
        return skips && !lost ? problem(overruns ? Problem.WRONG_LENGTH : Problem.BROKEN) : null;
      }
      isWholeLine = line[line.length - 1] == '\n';
      skips |= !text(line).trim().isEmpty();
    }
  }

  private static boolean startsWithRecord(byte[] line) {
    for (int i = 0; i < RECORD.length(); i++) {
      if (i >= line.length || line[i] != RECORD.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns null if the header does not end within the limit. */
  private Map<String, String> header() throws IOException {
    Map<String, StringBuilder> values = new HashMap<>();
    StringBuilder last = null;
    for (int left = MAX_HEADER; ; ) {
      byte[] bytes = line(left);
      if (bytes.length == 0) {
        if (left > 0) {
          throw cut();
        }
        return null;
      }
      left -= bytes.length;
      String line = withoutSpaceAtEnd(text(bytes));
      if (line.isEmpty()) {
        Map<String, String> fields = new HashMap<>();
        values.forEach((name, value) -> fields.put(name, value.toString()));
        return fields;
      }
      int colon = line.indexOf(':');
      if (last != null && (line.charAt(0) == ' ' || line.charAt(0) == '\t')) {
        last.append(line);
      } else if (colon >= 0) {
        String name = withoutSpaceAtEnd(line.substring(0, colon)).toLowerCase(Locale.ROOT);
        last = new StringBuilder(line.substring(colon + 1).replaceAll("^\\s+", ""));
        values.putIfAbsent(name, last);
      }
    }
  }

  /**
   * A loop, because a pattern for space at the end reads a run of blanks inside again from each of
   * them.
   */
  private static String withoutSpaceAtEnd(String text) {
    int end = text.length();
    while (end > 0 && " \t\n\u000b\f\r".indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return text.substring(0, end);
  }

  /** Returns the next line with its line end, cut at the limit; empty at the end of the file. */
  private byte[] line(int most) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = 0; c != '\n' && line.size() < most; ) {
      c = in.read();
      if (c < 0) {
        break;
      }
      line.write(c);
    }
    return line.toByteArray();
  }

  /** UTF-8, or else Latin-1. */
  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
