package org.corpulyzer.corpus;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import org.junit.Test;

public class ArchivedResponseTest {

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String repeated(String text, int times) {
    return String.join("", Collections.nCopies(times, text));
  }

  /** A response with these header lines and the body "body". */
  private static ArchivedResponse response(String... lines) {
    String head = "HTTP/1.1 200 OK\r\n" + String.join("\r\n", lines) + "\r\n\r\n";
    return ArchivedResponse.read(latin1(head + "body"));
  }

  @Test
  public void aStatusLineOfEveryVersionIsRead() {
    for (String line :
        new String[] {
          "HTTP/2 200", "HTTP/3  200 OK", "http/1.1 200 ok", "HTTP/1.1  200", "HTTP 200"
        }) {
      ArchivedResponse found = ArchivedResponse.read(latin1(line + "\r\nA: b\r\n\r\n<p>x"));
      assertNotNull(line, found);
      assertEquals(line, 200, found.status());
    }
    for (String line :
        new String[] {"HTTPS/1.1 200", "HTTP/1.1 20", "HTTP/1.1 2000", "<p>HTTP/1.1 200"}) {
      assertNull(line, ArchivedResponse.read(latin1(line + "\r\nA: b\r\n\r\n<p>x")));
    }
  }

  @Test
  public void headersHaveNamesInLowerCaseAndValuesWithoutBlanksAround() {
    ArchivedResponse response =
        response(
            "Plain: a",
            "No-Blank:b",
            "Blanks \t: \t c \t d\t ",
            "Empty:",
            "Only-Blanks: \t ",
            "Colons: e:f: g",
            "Twice: 1",
            "twice: 2");
    assertEquals(200, response.status());
    assertEquals("a", response.header("plain"));
    assertEquals("b", response.header("no-blank"));
    assertEquals("c \t d", response.header("blanks"));
    assertEquals("", response.header("empty"));
    assertEquals("", response.header("only-blanks"));
    assertEquals("e:f: g", response.header("colons"));
    assertEquals(Arrays.asList("1", "2"), response.headers("twice"));
    assertNull(response.header("none"));
  }

  @Test
  public void linesThatAreNoHeaderAreIgnored() {
    ArchivedResponse response =
        response(
            "no colon",
            ": no name",
            " Leading: blank",
            "In side: the name",
            "Control: a\u0001b",
            "Delete: a\u007fb",
            "Return: a\rb",
            "Good: a");
    assertEquals("a", response.header("good"));
    for (String name : new String[] {"", "leading", "in side", "control", "delete", "return"}) {
      assertNull(name, response.header(name));
    }
  }

  /** Quadratic time would be hours. */
  @Test(timeout = 60_000)
  public void longRunsOfBlanksInHeadersAreReadInLinearTime() {
    String blanks = repeated(" ", 2_000_000);
    ArchivedResponse response =
        response(
            "Control:" + blanks + "\u0001",
            "Inside: a" + blanks + "b",
            "Behind: a" + blanks,
            "Name" + blanks + ": a",
            "No-Colon" + blanks,
            repeated("x", 2_000_000));
    assertNull(response.header("control"));
    assertEquals("a" + blanks + "b", response.header("inside"));
    assertEquals("a", response.header("behind"));
    assertEquals("a", response.header("name"));
    assertNull(response.header("no-colon"));
  }

  private static byte[] gzip(byte[] text) throws IOException {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(coded)) {
      out.write(text);
    }
    return coded.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.write(part, 0, part.length);
    }
    return all.toByteArray();
  }

  /** The content of a body in gzip, of at most 1 MiB. */
  private static byte[] gunzipped(byte[]... body) {
    byte[] head = latin1("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
    return ArchivedResponse.read(joined(head, joined(body))).body(1 << 20, null);
  }

  @Test
  public void bytesOfAGzipBodyThatCanBeDecodedAreItsContent() throws IOException {
    byte[] page = latin1("<p>a page</p>");
    for (String behind :
        new String[] {"\n", "\0\0\0\0", "\u001f", "\u001f\u008b\b no member", "</html>"}) {
      assertArrayEquals(behind, page, gunzipped(gzip(page), latin1(behind)));
    }
    assertArrayEquals(joined(page, page), gunzipped(gzip(page), gzip(page), latin1("\n")));

    byte[] noise = new byte[200_000];
    Random random = new Random(3);
    for (int i = 0; i < noise.length; i++) {
      noise[i] = (byte) ('a' + random.nextInt(16));
    }
    byte[] coded = gzip(noise);
    byte[] damaged = coded.clone();
    Arrays.fill(damaged, coded.length / 2, coded.length, (byte) 0xff);
    for (byte[] broken : new byte[][] {Arrays.copyOf(coded, coded.length / 2), damaged}) {
      byte[] text = gunzipped(broken);
      assertTrue(text.length + " bytes", text.length > noise.length / 4);
      int same = Math.min(text.length, noise.length / 4);
      assertArrayEquals(Arrays.copyOf(noise, same), Arrays.copyOf(text, same));
    }
    ByteArrayOutputStream flushed = new ByteArrayOutputStream();
    GZIPOutputStream out = new GZIPOutputStream(flushed, true);
    out.write(page);
    out.flush();
    // No block of deflate data begins with this byte.
    assertArrayEquals(page, gunzipped(flushed.toByteArray(), latin1("\u00ff")));
    byte[] wrongChecksum = coded.clone();
    wrongChecksum[coded.length - 8] ^= 1;
    assertArrayEquals(noise, gunzipped(wrongChecksum));
  }

  @Test
  public void gzipBodiesOfWhichNothingCanBeDecodedStayAsTheyAre() throws IOException {
    byte[] page = gzip(latin1("<p>a page</p>"));
    for (byte[] body :
        new byte[][] {
          latin1("<p>decoded already"),
          latin1("\u001f\u008b\b no member"),
          Arrays.copyOf(page, 9),
          {}
        }) {
      assertArrayEquals(body, gunzipped(body));
    }
  }

  @Test
  public void gzipBodiesAreCutAtTheLimit() throws IOException {
    byte[] bomb = gzip(new byte[1 << 22]);
    assertEquals(1 << 20, gunzipped(bomb).length);
    assertEquals(1 << 20, gunzipped(bomb, latin1("\n")).length);
  }

  @Test
  public void deflateBodiesAreReadWithAndWithoutTheirHeader() {
    byte[] page = latin1("<p>a page</p>");
    for (boolean isRaw : new boolean[] {false, true}) {
      byte[] head = latin1("HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n");
      byte[] response = joined(head, deflated(page, isRaw));
      assertArrayEquals(page, ArchivedResponse.read(response).body(1 << 20, null));
    }
  }

  @Test
  public void theInflaterOfABodyEndsWithItsStream() throws IOException {
    Inflater inflater = new Inflater();
    try (InputStream in = ArchivedResponse.inflated(deflated(latin1("<p>"), false), inflater)) {
      assertEquals('<', in.read());
    }
    NullPointerException ended = assertThrows(NullPointerException.class, inflater::getBytesRead);
    assertEquals("Inflater has been closed", ended.getMessage());
  }

  private static byte[] deflated(byte[] text, boolean isRaw) {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, isRaw);
    deflater.setInput(text);
    deflater.finish();
    byte[] coded = new byte[100];
    int length = deflater.deflate(coded);
    deflater.end();
    return Arrays.copyOf(coded, length);
  }
}
