package org.corpulyzer.corpus;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.corpulyzer.engine.Engine;

/** The HTTP response in a WARC record, read by the rules of {@code rust/records}. */
final class ArchivedResponse {

  /** Most header lines of a response. */
  private static final int MAX_HEADERS = 256;

  /** Most content codings that are decoded. */
  private static final int MAX_CODINGS = 3;

  /**
   * Of any version: archives have {@code HTTP/2 200}, {@code http/1.0 200 OK}, {@code HTTP 200}.
   */
  private static final Pattern STATUS_LINE =
      Pattern.compile(
          "HTTP(?:/[0-9.]*)?[ \\t]+([1-9][0-9]{2})(?![0-9]).*", Pattern.CASE_INSENSITIVE);

  /** The name of a header line, with the blanks before the colon. */
  private static final Pattern NAME = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \\t]*");

  private final int status;
  private final List<String[]> headers;
  private final byte[] rest;
  private boolean hasUnknownCoding;

  private ArchivedResponse(int status, List<String[]> headers, byte[] rest) {
    this.status = status;
    this.headers = headers;
    this.rest = rest;
  }

  /**
   * @param block of the record
   * @return null if it has no proper head
   */
  static ArchivedResponse read(byte[] block) {
    int at = 0;
    while (at < block.length && (block[at] == '\r' || block[at] == '\n')) {
      at++;
    }
    int status = 0;
    List<String[]> headers = new ArrayList<>();
    while (at < block.length) {
      int end = at;
      while (end < block.length && block[end] != '\n') {
        end++;
      }
      if (end == block.length) {
        return null;
      }
      int length = end - at - (end > at && block[end - 1] == '\r' ? 1 : 0);
      String line = new String(block, at, length, StandardCharsets.UTF_8);
      at = end + 1;
      if (status == 0) {
        Matcher first = STATUS_LINE.matcher(line);
        if (!first.matches()) {
          return null;
        }
        status = Integer.parseInt(first.group(1));
      } else if (line.isEmpty()) {
        return new ArchivedResponse(status, headers, Arrays.copyOfRange(block, at, block.length));
      } else {
        String[] header = headerOf(line);
        if (header != null) {
          headers.add(header);
          if (headers.size() > MAX_HEADERS) {
            return null;
          }
        }
      }
    }
    return null;
  }

  int status() {
    return status;
  }

  /**
   * @param name in lower case
   * @return the first value; null if there is none
   */
  String header(String name) {
    List<String> values = headers(name);
    return values.isEmpty() ? null : values.get(0);
  }

  /**
   * @param name in lower case
   * @return all values
   */
  List<String> headers(String name) {
    List<String> values = new ArrayList<>();
    for (String[] header : headers) {
      if (header[0].equals(name)) {
        values.add(header[1]);
      }
    }
    return values;
  }

  /**
   * Removes the codings that the head names. Archives may have decoded the body and kept the head,
   * so a body that cannot be decoded is returned unchanged. Of gzip data that is damaged or has
   * other bytes behind its end, the bytes before the damage are returned.
   *
   * @param maxBytes most bytes of the body
   * @param engine decompresses Zstandard
   */
  byte[] body(long maxBytes, Engine engine) {
    byte[] bytes = rest;
    String transfer = header("transfer-encoding");
    if (transfer != null && transfer.trim().equalsIgnoreCase("chunked")) {
      byte[] joined = unchunked(bytes);
      bytes = joined == null ? bytes : joined;
    }
    String codings = header("content-encoding");
    String[] applied = codings == null ? new String[0] : codings.split(",", -1);
    for (int i = applied.length - 1; i >= Math.max(0, applied.length - MAX_CODINGS); i--) {
      bytes = decoded(applied[i].trim().toLowerCase(Locale.ROOT), bytes, maxBytes, engine);
    }
    return bytes;
  }

  /**
   * @return whether {@link #body} met a coding that is not decoded: Brotli
   */
  boolean hasUnknownCoding() {
    return hasUnknownCoding;
  }

  private byte[] decoded(String coding, byte[] body, long maxBytes, Engine engine) {
    switch (coding) {
      case "gzip":
      case "x-gzip":
        // Browsers show what they can decode, of a cut body and before other bytes too.
        return orElse(read(new GzipMembers(new ByteArrayInputStream(body)), maxBytes, true), body);
      case "deflate":
        // The standard requires zlib; some servers omit its header and trailer.
        byte[] inflated = read(inflated(body, new Inflater(false)), maxBytes, false);
        if (inflated == null) {
          inflated = read(inflated(body, new Inflater(true)), maxBytes, false);
        }
        return orElse(inflated, body);
      case "br":
        hasUnknownCoding = true;
        return body;
      case "zstd":
        return orElse(read(engine.zstd(new ByteArrayInputStream(body)), maxBytes, false), body);
      default:
        return body;
    }
  }

  /**
   * @param inflater is ended when the stream is closed: its memory is outside of the heap, and Java
   *     ends only inflaters that the stream made itself
   */
  static InputStream inflated(byte[] body, Inflater inflater) {
    return new InflaterInputStream(new ByteArrayInputStream(body), inflater) {
      @Override
      public void close() throws IOException {
        inf.end();
        super.close();
      }
    };
  }

  private static byte[] orElse(byte[] bytes, byte[] other) {
    return bytes == null ? other : bytes;
  }

  /**
   * @param keepsPart whether the bytes before damage count, if there are any
   * @return null if the bytes are damaged
   */
  private static byte[] read(InputStream coded, long maxBytes, boolean keepsPart) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (InputStream in = coded) {
      byte[] buffer = new byte[1 << 14];
      while (bytes.size() < maxBytes) {
        int count = in.read(buffer, 0, (int) Math.min(buffer.length, maxBytes - bytes.size()));
        if (count < 0) {
          break;
        }
        bytes.write(buffer, 0, count);
      }
    } catch (IOException e) {
      if (!keepsPart || bytes.size() == 0) {
        return null;
      }
    }
    return bytes.toByteArray();
  }

  /**
   * Returns the name in lower case and the value; null if the line is no header. The value is read
   * by loops, because a line may be as long as the record, and a pattern reads a run of blanks
   * again from each of them.
   */
  private static String[] headerOf(String line) {
    int colon = line.indexOf(':');
    Matcher name = NAME.matcher(line.substring(0, Math.max(0, colon)));
    if (!name.matches()) {
      return null;
    }
    int from = colon + 1;
    int to = line.length();
    while (from < to && isBlank(line.charAt(from))) {
      from++;
    }
    while (to > from && isBlank(line.charAt(to - 1))) {
      to--;
    }
    for (int i = from; i < to; i++) {
      char c = line.charAt(i);
      if (c < ' ' && c != '\t' || c == 0x7f) {
        return null;
      }
    }
    return new String[] {name.group(1).toLowerCase(Locale.ROOT), line.substring(from, to)};
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  /** Returns null if the body is not chunked. */
  private static byte[] unchunked(byte[] bytes) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (int at = 0; ; ) {
      int end = at;
      while (end < bytes.length && bytes[end] != '\n') {
        end++;
      }
      if (end == bytes.length || end == at || bytes[end - 1] != '\r') {
        return null;
      }
      String size = new String(bytes, at, end - at - 1, StandardCharsets.ISO_8859_1);
      Matcher digits = Pattern.compile("([0-9a-fA-F]{1,16})[ \\t]*(;.*)?").matcher(size);
      if (!digits.matches()) {
        return null;
      }
      long length = Long.parseUnsignedLong(digits.group(1), 16);
      if (length == 0) {
        return text.toByteArray();
      }
      at = end + 1;
      if (length < 0 || length > bytes.length - at - 2L) {
        return null;
      }
      text.write(bytes, at, (int) length);
      at += (int) length;
      if (bytes[at] != '\r' || bytes[at + 1] != '\n') {
        return null;
      }
      at += 2;
    }
  }
}
