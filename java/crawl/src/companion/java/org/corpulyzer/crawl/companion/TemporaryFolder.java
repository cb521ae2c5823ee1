package org.corpulyzer.crawl.companion;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Deletes the temporary files of the process that reads documents. Both ends use it, so it needs no
 * class of a parser.
 */
final class TemporaryFolder {
  private TemporaryFolder() {}

  /** Deletes a folder, as far as that is possible. Symlinks are not followed. */
  static void delete(Path root) {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
    } catch (IOException | UncheckedIOException e) {
      return; // The other end deleted it.
    }
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        // A file that cannot be deleted stays in the system's temporary folder.
        continue;
      }
    }
  }
}
