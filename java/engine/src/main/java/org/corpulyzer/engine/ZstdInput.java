package org.corpulyzer.engine;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The content of the Zstandard frames of a stream, one after the other. The native library
 * decompresses it. {@link Engine#zstd} creates it, because the library must be loaded.
 */
final class ZstdInput extends InputStream {

  private final InputStream in;
  private final int stream;

  /** Compressed bytes that are not read yet. */
  private final byte[] input = new byte[1 << 16];

  private int at;
  private int end;

  private byte[] output = new byte[0];
  private int next;
  private boolean isWhole;

  /**
   * @param in compressed bytes; closed with this stream
   */
  ZstdInput(InputStream in) {
    this.in = in;
    stream = Engine.accepted(Native.stream()).u32(Frame.STREAM);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  /**
   * @throws DamagedDataException if the data is damaged or cut
   * @throws IOException if the compressed bytes cannot be read
   */
  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (next == output.length) {
      if (!decompress() && !fill()) {
        if (isWhole) {
          return -1;
        }
        throw new DamagedDataException("the file ends within a Zstandard frame");
      }
    }
    int count = Math.min(length, output.length - next);
    System.arraycopy(output, next, to, offset, count);
    next += count;
    return count;
  }

  /** Returns false if more compressed bytes are needed. */
  private boolean decompress() throws IOException {
    Frame read;
    try {
      read = Engine.accepted(Native.streamRead(stream, Arrays.copyOfRange(input, at, end)));
    } catch (CorpulyzerException e) {
      throw new DamagedDataException(e.getMessage());
    }
    int consumed = (int) read.u64(Frame.CONSUMED);
    at += consumed;
    output = read.bytes(Frame.CONTENT);
    next = 0;
    isWhole = read.bytes(Frame.WHOLE) != null;
    return consumed > 0 || output.length > 0;
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(input, 0, input.length));
    return end > 0;
  }

  @Override
  public void close() throws IOException {
    Engine.accepted(Native.streamClose(stream));
    in.close();
  }
}
