package org.corpulyzer.install;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Copies one entry out of a zip archive: {@code Entry ARCHIVE ENTRY FILE}. For the script, since
 * not every machine has unzip.
 */
public final class Entry {

  private Entry() {}

  /** Exits with 1 when the archive cannot be read or has no such entry. */
  public static void main(String[] args) {
    try (ZipFile zip = new ZipFile(args[0])) {
      ZipEntry entry = zip.getEntry(args[1]);
      if (entry != null) {
        try (InputStream in = zip.getInputStream(entry)) {
          Files.copy(in, Paths.get(args[2]));
          return;
        }
      }
    } catch (IOException e) {
      System.err.println(args[0] + " cannot be read (" + e.getMessage() + ").");
    }
    System.exit(1);
  }
}
