package org.corpulyzer.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;

/** What {@link Files} has not. */
final class LocalFiles {
  private LocalFiles() {}

  /** Deletes a folder and everything in it; nothing happens when there is none. */
  static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(root)) {
      tree.sorted(Comparator.reverseOrder()).forEach(path -> {
        try {
          Files.delete(path);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Replaces a file in one step: whoever reads sees the old content or the new one. */
  static void replace(Path file, byte[] content) throws IOException {
    Path next = file.resolveSibling("." + file.getFileName() + ".tmp");
    Files.write(next, content);
    replace(next, file);
  }

  /** Puts a finished file in another's place in one step, after its content has reached the disk. */
  static void replace(Path finished, Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(finished, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(finished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
