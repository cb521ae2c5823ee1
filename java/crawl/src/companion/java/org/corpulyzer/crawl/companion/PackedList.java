package org.corpulyzer.crawl.companion;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterInputStream;

/**
 * A sitemap or feed as a gzip file, compressed while it is read. sitemaps.org permits 50 MB a file;
 * compressed, it takes a tenth of that in memory and in the segment.
 */
final class PackedList extends FilterInputStream {
  private static final byte[] HEAD = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

  /** Each compressor holds 256 KB outside the heap. */
  private static final Semaphore COMPRESSORS = new Semaphore(64);

  private static final long LONGEST_WAIT_SECONDS = 10;

  private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
  private boolean isOpen = true;

  private PackedList(InputStream plain) {
    super(null);
    Counted counted = new Counted(plain);
    CheckedInputStream checked = new CheckedInputStream(counted, new CRC32());
    Supplier<InputStream> tail =
        () ->
            new ByteArrayInputStream(
                ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt((int) checked.getChecksum().getValue())
                    .putInt((int) counted.bytes)
                    .array());
    in =
        new SequenceInputStream(
            inTurn(
                List.of(
                    () -> new ByteArrayInputStream(HEAD),
                    () -> new DeflaterInputStream(checked, deflater),
                    tail)));
  }

  /**
   * Returns a stream of the same list in gzip.
   *
   * @return null if too many others are being compressed now
   */
  static PackedList of(InputStream plain) throws InterruptedIOException {
    try {
      return COMPRESSORS.tryAcquire(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)
          ? new PackedList(plain)
          : null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before a list was read");
    }
  }

  /** Returns whether a body begins as a gzip file. */
  static boolean isPacked(BufferedInputStream in) throws IOException {
    in.mark(2);
    byte[] first = in.readNBytes(2);
    in.reset();
    return Arrays.equals(first, Arrays.copyOf(HEAD, 2));
  }

  /** Each stream is made when those before it are at their end. */
  private static Enumeration<InputStream> inTurn(List<Supplier<InputStream>> streams) {
    Iterator<Supplier<InputStream>> left = streams.iterator();
    return new Enumeration<>() {
      @Override
      public boolean hasMoreElements() {
        return left.hasNext();
      }

      @Override
      public InputStream nextElement() {
        return left.next().get();
      }
    };
  }

  /** Does not close what it reads from. */
  @Override
  public void close() {
    if (isOpen) {
      isOpen = false;
      deflater.end();
      COMPRESSORS.release();
    }
  }

  /** Counts what was read, and ends at the limit of sitemaps.org. */
  private static final class Counted extends FilterInputStream {
    private long bytes;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      int n =
          bytes >= SitemapParser.MAX_BYTES
              ? -1
              : in.read(to, from, (int) Math.min(length, SitemapParser.MAX_BYTES - bytes));
      bytes += Math.max(0, n);
      return n;
    }
  }
}
