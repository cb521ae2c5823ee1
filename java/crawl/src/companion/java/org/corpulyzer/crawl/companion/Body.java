package org.corpulyzer.crawl.companion;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import okhttp3.Response;
import org.brotli.dec.BrotliInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The body of an answer, decompressed as it is read (Content-Encoding, RFC 9110, 8.4), so that a small body that stands for a large one
 * costs no more than the limit of its reader.
 */
final class Body {
  /** The codings of {@link #open}, for the Accept-Encoding header. */
  static final String CODINGS = "gzip, br, zstd";

  private static final Logger LOG = LoggerFactory.getLogger(Body.class);
  /** Nobody compresses more than twice. */
  private static final int MAX_CODINGS = 2;
  /** Bytes of a unit of {@link #MEMORY}. */
  static final int UNIT = 64 << 10;
  /** Thousands of threads may read at the same time, and each body may be as long as the limit. */
  private static final Semaphore MEMORY =
      new Semaphore((int) Math.min(Integer.MAX_VALUE, Math.max(1, Runtime.getRuntime().maxMemory() / 8 / UNIT)));
  private static final long LONGEST_WAIT_MILLIS = 10_000;
  /** RFC 9659: a window of more than 8 MiB must not be needed. */
  private static final int ZSTD_WINDOW_LOG = 23;

  private final byte[] bytes;
  private final String cutReason;

  private Body(byte[] bytes, String cutReason) {
    this.bytes = bytes;
    this.cutReason = cutReason;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Returns why bytes are missing, in the words of Nutch's {@code http.content.truncated.reason}, or null. */
  String cutReason() {
    return cutReason;
  }

  /**
   * Opens an answer's body.
   *
   * @throws IOException if the header names an unknown coding or too many, or a coding's first bytes are wrong
   */
  static BufferedInputStream open(Response response) throws IOException {
    InputStream in = response.body().byteStream();
    String header = String.join(",", response.headers("Content-Encoding")).toLowerCase(Locale.ROOT);
    String[] codings = header.isBlank() ? new String[0] : header.split(",");
    if (codings.length > MAX_CODINGS) {
      throw new IOException("Content-Encoding has " + codings.length + " codings, " + MAX_CODINGS + " are allowed");
    }
    BufferedInputStream buffered = new BufferedInputStream(in);
    try {
      for (int i = codings.length - 1; i >= 0; i--) {
        buffered = new BufferedInputStream(decoded(codings[i].trim(), buffered));
      }
      return buffered;
    } catch (IOException e) {
      close(buffered);
      throw e;
    }
  }

  /** Frees what the decoders hold. The rest of an answer is of no interest, nor are errors in it. */
  static void close(InputStream in) {
    try {
      in.close();
    } catch (IOException e) {
      LOG.debug("closing a body", e);
    }
  }

  private static InputStream decoded(String coding, BufferedInputStream in) throws IOException {
    in.mark(2);
    int first = in.read();
    int second = in.read();
    in.reset();
    if (first < 0) {
      return in; // An empty body with a coding is common.
    }
    switch (coding) {
      case "gzip":
      case "x-gzip":
        // Servers set the header for bodies that are not compressed; browsers show these.
        return first == 0x1f && second == 0x8b ? new GZIPInputStream(in) : in;
      case "deflate":
        // RFC 9110 means the zlib format; some servers send a raw stream.
        boolean zlib = (first & 0x0f) == 8 && (first << 8 | second) % 31 == 0;
        return new InflaterInputStream(in, new Inflater(!zlib));
      case "br":
        return new BrotliInputStream(in);
      case "zstd":
        return new ZstdInputStreamNoFinalizer(in).setLongMax(ZSTD_WINDOW_LOG);
      case "":
      case "identity":
        return in;
      default:
        throw new IOException("unknown Content-Encoding " + coding);
    }
  }

  /**
   * Reads to the end or to the limit. All bodies that are read at the same time, each without its first 64 KiB, share an eighth of the
   * heap. A body that waits longer than ten seconds for its share is cut.
   *
   * @param keepPartial whether to return what came before an error
   * @throws IOException if reading fails before the first byte, or at all without {@code keepPartial}
   */
  static Body read(InputStream in, int maxBytes, boolean keepPartial) throws IOException {
    return read(in, maxBytes, keepPartial, MEMORY, LONGEST_WAIT_MILLIS);
  }

  static Body read(InputStream in, int maxBytes, boolean keepPartial, Semaphore memory, long waitMillis) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] buffer = new byte[16_384];
    int units = 0;
    try {
      int left = maxBytes;
      for (int n; left > 0 && (n = in.read(buffer, 0, Math.min(buffer.length, left))) >= 0; left -= n) {
        if (out.size() + n > (units + 1) * (long) UNIT) {
          if (!memory.tryAcquire(waitMillis, TimeUnit.MILLISECONDS)) {
            return new Body(out.toByteArray(), "internal");
          }
          units++;
        }
        out.write(buffer, 0, n);
      }
      return new Body(out.toByteArray(), left == 0 && in.read() >= 0 ? "length" : null);
    } catch (IOException e) {
      if (keepPartial && out.size() > 0) {
        return new Body(out.toByteArray(), e instanceof InterruptedIOException ? "time" : "disconnect");
      }
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a body was read");
    } finally {
      memory.release(units);
    }
  }
}
