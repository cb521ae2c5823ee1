package org.corpulyzer.install;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.ProviderNotFoundException;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipError;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Opens a job file, which is a zip archive that Hadoop unpacks. */
final class JobFile {
  private JobFile() {}

  /**
   * Opens the archive as a file system, after a look at the names of its entries: Hadoop would
   * unpack some outside of its folder, and of two entries with one name each reader takes another.
   *
   * @param name the job file as the operator wrote it, for messages
   * @param file the archive, where nobody else can change it
   */
  static FileSystem open(Path name, Path file) throws InstallException, IOException {
    try {
      requirePlainNames(name, file);
      return FileSystems.newFileSystem(file, (ClassLoader) null);
    } catch (ProviderNotFoundException | ZipException | ZipError | IllegalArgumentException e) {
      throw new InstallException(name + " is not a job file: it is not a zip archive.");
    }
  }

  private static void requirePlainNames(Path job, Path file) throws InstallException, IOException {
    Set<String> files = new HashSet<>();
    Set<String> folders = new HashSet<>();
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
        String entry = entries.nextElement().getName();
        String path = entry.endsWith("/") ? entry.substring(0, entry.length() - 1) : entry;
        List<String> names = Arrays.asList(path.split("[/\\\\]", -1));
        if (path.isEmpty()
            || path.startsWith("/")
            || path.startsWith("\\")
            || path.matches("[A-Za-z]:.*")) {
          throw refused(job, entry, "an absolute path");
        }
        if (names.contains("..") || names.contains(".") || names.contains("")) {
          throw refused(job, entry, "a path with \"..\", \".\" or \"//\" in it");
        }
        boolean isFolder = entry.endsWith("/");
        // A folder may be listed again: that means the same to each reader.
        if ((isFolder ? files : folders).contains(path)
            || !(isFolder ? folders : files).add(path) && !isFolder) {
          throw refused(job, entry, "the path of another entry too");
        }
      }
    }
  }

  private static InstallException refused(Path job, String entry, String fault) {
    String shown = entry.replaceAll("[^\\x20-\\x7e]", "?");
    return new InstallException(
        job
            + " has an entry \""
            + (shown.length() > 200 ? shown.substring(0, 200) + "..." : shown)
            + "\", which is "
            + fault
            + ", so it is damaged or forged, and nothing was changed: build the job file again.");
  }
}
