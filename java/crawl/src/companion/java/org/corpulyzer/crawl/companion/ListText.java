package org.corpulyzer.crawl.companion;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a sitemap or feed, without the faults at which an XML parser ends although readers of
 * lists read on: what stands in front of the list (blank lines, warnings of scripts, a DOCTYPE),
 * bytes that are no text in the charset, control characters, {@code &} that begins no reference,
 * and names of HTML such as {@code &nbsp;}. Entities of a DOCTYPE are not declared any more, so
 * none is expanded.
 */
final class ListText extends Reader {
  /** The list begins so far in front. Some have a licence in a comment there. */
  private static final int MAX_HEAD = 16 << 10;

  private static final int CHARSET_BYTES = 200;
  private static final int MAX_REFERENCE = 12;

  /** In small steps, so that the parser has seen the URLs of one before the next. */
  private static final int MAX_STEP = 8192;

  private static final Pattern ROOT =
      Pattern.compile("<([A-Za-z0-9_-]+:)?(urlset|sitemapindex|rss|feed|RDF|channel)[\\s>/]");

  private static final Pattern ENCODING =
      Pattern.compile("<\\?xml[^>]{0,100}\\bencoding\\s*=\\s*['\"]([A-Za-z0-9._:-]{1,40})");

  private static final Pattern REFERENCE =
      Pattern.compile("amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6}");

  private static final String BEGIN = "<![CDATA[";
  private static final String END = "]]>";

  private final BufferedReader in;
  private final boolean isXml;
  private final boolean isJson;

  /** Characters to give out before the next of {@link #in}. */
  private String pending = "";

  private int at;
  private boolean isCdata;

  /** Characters of the next border of CDATA that were read. */
  private int ofBorder;

  ListText(InputStream bytes) throws IOException {
    PushbackInputStream first = new PushbackInputStream(bytes, CHARSET_BYTES);
    byte[] head = first.readNBytes(CHARSET_BYTES);
    first.unread(head);
    in = new BufferedReader(new InputStreamReader(first, charset(head)), MAX_HEAD);
    in.mark(MAX_HEAD);
    char[] start = new char[MAX_HEAD];
    int length = 0;
    for (int n; length < MAX_HEAD && (n = in.read(start, length, MAX_HEAD - length)) > 0; ) {
      length += n;
    }
    in.reset();
    String text = new String(start, 0, length);
    Matcher root = ROOT.matcher(text);
    String lead = text.replaceFirst("^[\ufeff\\s]+", "");
    boolean hasRoot = root.find();
    isJson = !hasRoot && lead.startsWith("{");
    isXml =
        !isJson && !lead.startsWith("http") && !lead.startsWith("HTTP") && !lead.startsWith("#");
    in.skip(isXml && hasRoot ? root.start() : text.length() - lead.length());
  }

  /** Returns whether the list begins as a JSON object. */
  boolean isJson() {
    return isJson;
  }

  /** Returns whether the list begins neither so nor as a line of text. */
  boolean isXml() {
    return isXml;
  }

  private static Charset charset(byte[] head) {
    if (head.length > 1 && (head[0] & 0xff) == 0xff && (head[1] & 0xff) == 0xfe
        || head.length > 1 && head[0] != 0 && head[1] == 0) {
      return StandardCharsets.UTF_16LE;
    }
    if (head.length > 1 && (head[0] & 0xff) == 0xfe && (head[1] & 0xff) == 0xff
        || head.length > 1 && head[0] == 0 && head[1] != 0) {
      return StandardCharsets.UTF_16BE;
    }
    Matcher stated = ENCODING.matcher(new String(head, StandardCharsets.ISO_8859_1));
    try {
      Charset found = stated.find() ? Charset.forName(stated.group(1)) : StandardCharsets.UTF_8;
      // A declaration that can be read byte by byte is in no charset of two bytes.
      return found.name().startsWith("UTF-16") ? StandardCharsets.UTF_8 : found;
    } catch (IllegalArgumentException e) {
      return StandardCharsets.UTF_8;
    }
  }

  @Override
  public int read() throws IOException {
    if (at < pending.length()) {
      return pending.charAt(at++);
    }
    int next = in.read();
    if (next < 0 || !isXml) {
      return next;
    }
    if (next == '&' && !isCdata) {
      return reference();
    }
    char c = (char) next;
    seeBorder(c);
    return isAllowed(c) ? c : ' ';
  }

  private void seeBorder(char c) {
    String border = isCdata ? END : BEGIN;
    if (c == border.charAt(ofBorder)) {
      ofBorder++;
    } else if (c != ']' || !isCdata) {
      ofBorder = c == border.charAt(0) ? 1 : 0;
    }
    if (ofBorder == border.length()) {
      isCdata = !isCdata;
      ofBorder = 0;
    }
  }

  /** Returns the first character of a reference, or of an escaped {@code &}. */
  private int reference() throws IOException {
    in.mark(MAX_REFERENCE);
    StringBuilder name = new StringBuilder();
    int next = in.read();
    while (next >= 0 && next != ';' && name.length() < MAX_REFERENCE - 1) {
      name.append((char) next);
      next = in.read();
    }
    in.reset();
    at = 0;
    ofBorder = 0;
    pending = next == ';' && REFERENCE.matcher(name).matches() && isAllowed(name) ? "" : "amp;";
    return '&';
  }

  /** Whether XML may have the character that a reference names. */
  private static boolean isAllowed(StringBuilder name) {
    if (name.charAt(0) != '#') {
      return true;
    }
    boolean isHex = name.charAt(1) == 'x';
    int c = Integer.parseInt(name.substring(isHex ? 2 : 1), isHex ? 16 : 10);
    return c > 0xffff ? c <= Character.MAX_CODE_POINT : isAllowed((char) c) && !isSurrogate(c);
  }

  private static boolean isSurrogate(int c) {
    return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
  }

  /** XML 1.0, 2.2. Halves of pairs are left as they are. */
  private static boolean isAllowed(char c) {
    return c >= ' ' ? c < '\ufffe' : c == '\n' || c == '\r' || c == '\t';
  }

  @Override
  public int read(char[] to, int from, int length) throws IOException {
    int most = Math.min(length, MAX_STEP);
    int count = 0;
    while (count < most) {
      int next = read();
      if (next < 0) {
        return count == 0 && most > 0 ? -1 : count;
      }
      to[from + count++] = (char) next;
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
