package org.corpulyzer.engine;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The records of an archive, or of a file of JSON lines: a WARC, WET, ARC or JSONL file, plain or
 * in gzip, Zstandard, XZ or bzip2. The native library reads it as it reads files for the command,
 * so that the jobs and the command find the same pages. Not thread-safe.
 */
public final class Archive implements Closeable {

  /** Bytes that are read from the file at a time. */
  private static final int PIECE = 1 << 18;

  private final InputStream in;
  private final int id;
  private final byte[] piece = new byte[PIECE];

  /**
   * Begins to read a file. The library must be loaded ({@link NativeLibrary#load}).
   *
   * @param in an archive, or a file of JSON lines; closed with this reader
   * @param name its name in messages
   * @param maxBytes longest record that is read, in bytes
   * @param shape the rule by which the bands of pages of JSON lines are computed; null for archives
   */
  public Archive(InputStream in, String name, long maxBytes, MinHash shape) {
    this.in = in;
    byte[] options =
        Frame.writer()
            .text(Tag.NAME, name)
            .u64(Tag.MAX_BYTES, maxBytes)
            .bytes(Tag.SHAPE, shape == null ? null : shape.toBytes())
            .toBytes();
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
