package org.corpulyzer.engine;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The records of an archive: a WARC, WET or ARC file, plain or in gzip, Zstandard, XZ or bzip2. The
 * native library reads it as it reads archives for {@code corpulyzer collect}, so that the jobs and
 * the command find the same pages. {@link Engine#archive} creates it. Not thread-safe.
 */
public final class Archive implements Closeable {

  /** Bytes that are read from the file at a time. */
  private static final int PIECE = 1 << 18;

  private final InputStream in;
  private final int id;
  private final byte[] piece = new byte[PIECE];

  Archive(InputStream in, String name, long maxBytes) {
    this.in = in;
    byte[] options = Frame.writer().text(Tag.NAME, name).u64(Tag.MAX_BYTES, maxBytes).toBytes();
    id = Engine.accepted(Native.archive(options)).u32(Tag.ARCHIVE_ID);
  }

  /**
   * @return the next record, possibly one with a {@link ArchiveRecord.Kind#PROBLEM}, behind which
   *     reading continues; null at the end of the file
   * @throws IOException if the file cannot be read
   * @throws CorpulyzerException if the native library fails
   */
  public ArchiveRecord next() throws IOException {
    byte[] passed = new byte[0];
    while (true) {
      Frame frame = Engine.accepted(Native.archiveNext(id, passed));
      switch (frame.text(Tag.STEP)) {
        case "hungry":
          int count = in.read(piece, 0, piece.length);
          passed = Arrays.copyOf(piece, Math.max(0, count));
          break;
        case "end":
          return null;
        default:
          return new ArchiveRecord(frame);
      }
    }
  }

  @Override
  public void close() throws IOException {
    Engine.accepted(Native.archiveClose(id));
    in.close();
  }
}
