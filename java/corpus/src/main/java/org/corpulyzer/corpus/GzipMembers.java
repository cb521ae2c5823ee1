package org.corpulyzer.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The content of all members of a gzip file (RFC 1952), one after the other. Java's own stream ends
 * silently where a file system has no bytes at hand or where a member is damaged, so that the rest
 * of an archive would be lost without a word.
 */
final class GzipMembers extends InputStream {

  private static final int HEAD_CRC = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int RESERVED = 0xe0;

  private final InputStream in;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final byte[] buffer = new byte[1 << 16];
  private int at;
  private int end;
  private boolean inMember;

  GzipMembers(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    while (length > 0) {
      if (!inMember && !begin()) {
        return -1;
      }
      int count;
      long before = inflater.getBytesWritten();
      try {
        count = inflater.inflate(to, offset, length);
      } catch (DataFormatException e) {
        // The bytes before the damage. The next call fails again.
        count = (int) (inflater.getBytesWritten() - before);
        if (count == 0) {
          throw new DamagedArchiveException("the gzip data is damaged");
        }
      }
      if (count > 0) {
        crc.update(to, offset, count);
        return count;
      }
      if (inflater.finished()) {
        finish();
      } else if (inflater.needsDictionary()) {
        throw new DamagedArchiveException("the gzip data is damaged");
      } else {
        if (at == end && !fill()) {
          throw cut();
        }
        inflater.setInput(buffer, at, end - at);
        at = end;
      }
    }
    return 0;
  }

  /** Returns false at the end of the file. */
  private boolean begin() throws IOException {
    if (at == end && !fill()) {
      return false;
    }
    if (next() != 0x1f || next() != 0x8b || next() != 8) {
      throw new DamagedArchiveException("bytes between gzip members are none");
    }
    int flags = next();
    if ((flags & RESERVED) != 0) {
      throw new DamagedArchiveException("the gzip header has unknown flags");
    }
    skip(6);
    if ((flags & EXTRA) != 0) {
      skip(next() | next() << 8);
    }
    for (int text : new int[] {NAME, COMMENT}) {
      if ((flags & text) != 0) {
        while (next() != 0) {
          // The text is not needed.
        }
      }
    }
    skip((flags & HEAD_CRC) != 0 ? 2 : 0);
    inflater.reset();
    crc.reset();
    inMember = true;
    return true;
  }

  private void finish() throws IOException {
    at = end - inflater.getRemaining();
    if (number() != crc.getValue() || number() != (inflater.getBytesWritten() & 0xFFFFFFFFL)) {
      throw new DamagedArchiveException("the gzip data is damaged");
    }
    inMember = false;
  }

  private long number() throws IOException {
    long number = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      number |= (long) next() << shift;
    }
    return number;
  }

  private void skip(int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      next();
    }
  }

  private int next() throws IOException {
    if (at == end && !fill()) {
      throw cut();
    }
    return buffer[at++] & 0xFF;
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(buffer, 0, buffer.length));
    return end > 0;
  }

  private static DamagedArchiveException cut() {
    return new DamagedArchiveException("the file ends within a gzip member");
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    in.close();
  }
}
