package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/** What {@link Files} has not. */
final class LocalFiles {
  private LocalFiles() {}

  /** Deletes a folder and everything in it; nothing happens when there is none, nor when another thread deletes some of it too. */
  static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(root, new SimpleFileVisitor<Path>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        Files.deleteIfExists(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFileFailed(Path file, IOException error) throws IOException {
        if (error instanceof NoSuchFileException) {
          return FileVisitResult.CONTINUE;
        }
        throw error;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path folder, IOException error) throws IOException {
        if (error != null && !(error instanceof NoSuchFileException)) {
          throw error;
        }
        Files.deleteIfExists(folder);
        return FileVisitResult.CONTINUE;
      }
    });
  }

  /** Makes a folder, and those above it that are missing, for the owner alone. */
  static Path createPrivate(Path folder) throws IOException {
    return Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
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
