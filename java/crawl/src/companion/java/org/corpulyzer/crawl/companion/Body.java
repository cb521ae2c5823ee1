package org.corpulyzer.crawl.companion;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
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
 * The body of a response, decompressed while it is read (Content-Encoding, RFC 9110, 8.4). So a
 * small body that decompresses to a large one costs at most the limit of its reader.
 */
final class Body implements Closeable {
  /** The codings of {@link #open}, for the Accept-Encoding header. */
  static final String CODINGS = "gzip, br, zstd";

  /** The cut reason of a body that did not get its share of the memory in time. */
  static final String NO_MEMORY = "internal";

  /** Registered codings that no server may use without being asked, and that the crawl lacks. */
  private static final Set<String> UNREADABLE =
      Set.of(
          "compress",
          "x-compress",
          "exi",
          "pack200-gzip",
          "aes128gcm",
          "dcb",
          "dcz",
          "sdch",
          "bzip2",
          "lzma",
          "xz",
          "peerdist");

  private static final Logger LOG = LoggerFactory.getLogger(Body.class);

  /** Most codings of a body. Real servers compress a body at most twice. */
  private static final int MAX_CODINGS = 2;

  /** Size of the first buffer of a body, in bytes. */
  private static final int FIRST_BYTES = 8 << 10;

  /** Size of the buffers of streams, in bytes. Large reads do not go through these buffers. */
  private static final int PEEKED_BYTES = 512;

  private static final BodyMemory MEMORY = BodyMemory.ofHeap(8);

  private static final long LONGEST_WAIT_MILLIS = 30_000;

  /** RFC 9659: a window of more than 8 MiB must not be needed. */
  private static final int ZSTD_WINDOW_LOG = 23;

  /** Heap of a Brotli decoder: a window of 16 MiB at most, and the tables of three trees. */
  private static final int DECODER_BYTES = 20 << 20;

  /** Incompressible bytes grow when they are compressed, and a block is decoded as a whole. */
  private static final long LONGEST_BLOCK = 256 << 10;

  /** Compressed bodies that wait for a decoder share half as much as bodies do. */
  private static final BodyMemory COMPRESSED = BodyMemory.ofHeap(16);

  /**
   * A window is not part of a body's share, so few bodies have a decoder with a window at a time:
   * those whose compressed bytes are there, so that none waits for a server.
   */
  private static final Semaphore DECODERS =
      new Semaphore((int) Math.max(1, Runtime.getRuntime().maxMemory() / 8 / DECODER_BYTES), true);

  private final byte[] bytes;
  private final String cutReason;
  private final BodyMemory.Share share;

  private Body(byte[] read, int size, String cutReason, BodyMemory.Share share) {
    bytes = size == read.length ? read : Arrays.copyOf(read, size);
    this.cutReason = cutReason;
    this.share = share;
  }

  byte[] bytes() {
    return bytes;
  }

  /**
   * Returns why bytes are missing, in the words of Nutch's {@code http.content.truncated.reason},
   * or null.
   */
  String cutReason() {
    return cutReason;
  }

  /**
   * Opens the body of a response. A body in Brotli or Zstandard is read from the server here.
   *
   * @param maxBytes most compressed bytes of such a body
   * @throws NoMemoryException if such a body gets no memory or decoder in time
   * @throws IOException if the header names an unknown coding or too many, or a coding's first
   *     bytes are wrong
   */
  static BufferedInputStream open(Response response, int maxBytes) throws IOException {
    InputStream in = response.body().byteStream();
    String header = String.join(",", response.headers("Content-Encoding")).toLowerCase(Locale.ROOT);
    String[] codings =
        Arrays.stream(header.split(","))
            .map(String::trim)
            .filter(coding -> !coding.isEmpty())
            .toArray(String[]::new);
    if (codings.length > MAX_CODINGS) {
      throw new IOException(
          "Content-Encoding has " + codings.length + " codings, " + MAX_CODINGS + " are allowed");
    }
    if (Arrays.stream(codings).filter(Body::hasWindow).count() > 1) {
      throw new IOException("Content-Encoding is " + header + ", one of br and zstd is allowed");
    }
    BufferedInputStream buffered = new BufferedInputStream(in, PEEKED_BYTES);
    try {
      for (int i = codings.length - 1; i >= 0; i--) {
        if (hasWindow(codings[i])) {
          buffered = new BufferedInputStream(new Windowed(buffered, maxBytes), PEEKED_BYTES);
        }
        buffered = new BufferedInputStream(decoded(codings[i].trim(), buffered), PEEKED_BYTES);
      }
      boolean isHtml = Types.isHtml(Types.of(response.header("Content-Type")));
      return isHtml ? unpacked(buffered) : buffered;
    } catch (IOException e) {
      close(buffered);
      throw e;
    }
  }

  /**
   * Decodes a file that a server stores in gzip, and sends with no or another header. No page and
   * no robots.txt begins so; others stay as they are.
   */
  static BufferedInputStream unpacked(BufferedInputStream in) throws IOException {
    return new BufferedInputStream(decoded("gzip", in), PEEKED_BYTES);
  }

  private static boolean hasWindow(String coding) {
    return coding.trim().equals("br") || coding.trim().equals("zstd");
  }

  /** No memory came free in time, so the page is left to a later round. */
  static final class NoMemoryException extends IOException {
    private static final long serialVersionUID = 1L;

    NoMemoryException() {
      super("too many large pages at a time");
    }
  }

  /** Ends without an error if nothing but the sum at the end is missing, as browsers do. */
  private static final class WholeGzip extends GZIPInputStream {
    WholeGzip(InputStream in) throws IOException {
      super(in);
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      try {
        return super.read(to, offset, length);
      } catch (EOFException e) {
        if (inf.finished()) {
          return -1;
        }
        throw e;
      }
    }
  }

  /** Compressed bytes, which are in memory, and the right to have one decoder. */
  private static final class Windowed extends FilterInputStream {
    private final InputStream source;
    private final Body body;
    private final IOException end;
    private boolean isOpen = true;

    Windowed(InputStream in, int maxBytes) throws IOException {
      super(null);
      source = in;
      int most = (int) Math.min(Integer.MAX_VALUE - 8, maxBytes + (maxBytes >> 8) + LONGEST_BLOCK);
      IOException[] fault = {null};
      body = Body.read(remembering(in, fault), most, true, COMPRESSED, LONGEST_WAIT_MILLIS);
      end = fault[0];
      this.in = new ByteArrayInputStream(body.bytes);
      boolean isReady = false;
      try {
        if (NO_MEMORY.equals(body.cutReason)
            || !DECODERS.tryAcquire(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
          throw new NoMemoryException();
        }
        isReady = true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted before a body was decoded");
      } finally {
        if (!isReady) {
          body.close();
        }
      }
    }

    /**
     * Keeps the error that ended a body: the decoder's reader sees it after the bytes before it.
     */
    private static InputStream remembering(InputStream from, IOException[] fault) {
      return new FilterInputStream(from) {
        @Override
        public int read() throws IOException {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
          try {
            return super.read(to, offset, length);
          } catch (IOException e) {
            fault[0] = e;
            throw e;
          }
        }
      };
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      int count = super.read(to, offset, length);
      if (count < 0 && end != null) {
        throw end;
      }
      return count;
    }

    @Override
    public void close() {
      if (isOpen) {
        isOpen = false;
        DECODERS.release();
        body.close();
        Body.close(source);
      }
    }
  }

  /** Frees the memory of the decoders. The rest of the response, and errors in it, are ignored. */
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
    if (first == '<' && HttpProtocol.beginsAsPage(in)) {
      // Servers set the header for bodies that are not compressed; browsers show some of these.
      return in;
    }
    switch (coding) {
      case "gzip":
      case "x-gzip":
        return first == 0x1f && second == 0x8b ? new WholeGzip(in) : in;
      case "deflate":
        // RFC 9110 means the zlib format; some servers send a raw stream.
        boolean zlib = (first & 0x0f) == 8 && (first << 8 | second) % 31 == 0;
        return inflated(in, new Inflater(!zlib));
      case "br":
        return new BrotliInputStream(in);
      case "zstd":
        return new ZstdInputStreamNoFinalizer(in).setLongMax(ZSTD_WINDOW_LOG);
      case "":
      case "identity":
        return in;
      default:
        if (UNREADABLE.contains(coding)) {
          throw new IOException("unknown Content-Encoding " + coding);
        }
        // Servers write charsets ("utf-8"), "none" and the like, and send the page as it is.
        return in;
    }
  }

  /**
   * @param inflater is ended when the stream is closed: its memory is outside of the heap, and Java
   *     ends only inflaters that the stream made itself
   */
  static InputStream inflated(InputStream in, Inflater inflater) {
    return new InflaterInputStream(in, inflater) {
      @Override
      public void close() throws IOException {
        inf.end();
        super.close();
      }
    };
  }

  /**
   * Reads to the end or to the limit. All open bodies, each without its first 16 KiB, share an
   * eighth of the heap ({@link BodyMemory}). A body that waits longer than 30 seconds is cut. Close
   * the body when its bytes are stored.
   *
   * @param keepPartial whether to return what came before an error
   * @throws IOException if reading fails before the first byte, or at all without {@code
   *     keepPartial}
   */
  static Body read(InputStream in, int maxBytes, boolean keepPartial) throws IOException {
    return read(in, maxBytes, keepPartial, MEMORY, LONGEST_WAIT_MILLIS);
  }

  static Body read(
      InputStream in, int maxBytes, boolean keepPartial, BodyMemory memory, long waitMillis)
      throws IOException {
    BodyMemory.Share share = memory.share(maxBytes, waitMillis);
    boolean isRead = false;
    try {
      Body body = read(in, maxBytes, keepPartial, share);
      isRead = true;
      return body;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a body was read");
    } finally {
      if (!isRead) {
        share.release();
      }
    }
  }

  private static Body read(
      InputStream in, int maxBytes, boolean keepPartial, BodyMemory.Share share)
      throws IOException, InterruptedException {
    byte[] bytes = new byte[Math.min(maxBytes, FIRST_BYTES)];
    int size = 0;
    try {
      while (true) {
        int n = size == bytes.length ? 0 : in.read(bytes, size, bytes.length - size);
        int next = n == 0 ? in.read() : 0;
        if (n < 0 || next < 0) {
          return new Body(bytes, size, null, share);
        }
        size += n;
        if (n == 0) {
          if (size == maxBytes) {
            return new Body(bytes, size, "length", share);
          }
          int larger = (int) Math.min(maxBytes, bytes.length * 2L);
          if (!share.grow(larger)) {
            return new Body(bytes, size, NO_MEMORY, share);
          }
          bytes = Arrays.copyOf(bytes, larger);
          bytes[size++] = (byte) next;
        }
      }
    } catch (IOException e) {
      if (keepPartial && size > 0) {
        return new Body(
            bytes, size, e instanceof InterruptedIOException ? "time" : "disconnect", share);
      }
      throw e;
    }
  }

  /** Gives the share of memory back. */
  @Override
  public void close() {
    share.release();
  }
}
