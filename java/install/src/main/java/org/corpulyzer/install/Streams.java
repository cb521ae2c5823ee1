package org.corpulyzer.install;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

final class Streams {
  /**
   * Bound of a file that is read into memory, bytes. The largest one of a distribution, the
   * engine's jar, has less than a tenth of it.
   */
  static final int LARGEST = 256 << 20;

  private Streams() {}

  /** The bytes of a file of up to {@link #LARGEST} bytes. */
  static byte[] readFile(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return readAll(in, LARGEST);
    }
  }

  /**
   * Returns the rest of the stream. Java 8 has no method for it.
   *
   * @throws IOException also if that is more than {@code limit} bytes
   */
  static byte[] readAll(InputStream in, int limit) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      if (read > limit - out.size()) {
        throw new IOException("a file has more than " + limit + " bytes");
      }
      out.write(buffer, 0, read);
    }
    return out.toByteArray();
  }
}
