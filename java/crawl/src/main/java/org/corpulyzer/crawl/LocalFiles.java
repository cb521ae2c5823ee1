package org.corpulyzer.crawl;

import java.io.IOException;
import java.io.OutputStream;
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

/** File operations that {@link Files} lacks. */
final class LocalFiles {
  private LocalFiles() {}

  /**
   * Deletes a folder and everything in it; does not fail if the folder does not exist, or if
   * another thread deletes parts of it too.
   */
  static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
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
          public FileVisitResult postVisitDirectory(Path folder, IOException error)
              throws IOException {
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
    return Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** The file beside another one that holds its next content until it is complete. */
  static Path temporary(Path file) {
    return file.resolveSibling("." + file.getFileName() + ".tmp");
  }

  /**
   * Opens a new file. What a killed run left in its place is deleted; a symlink that somebody
   * planted there is not followed.
   */
  static OutputStream create(Path file) throws IOException {
    Files.deleteIfExists(file);
    return Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Replaces a file in one step: readers see the old content or the new one. */
  static void replace(Path file, byte[] content) throws IOException {
    Path next = temporary(file);
    try (OutputStream out = create(next)) {
      out.write(content);
    }
    replace(next, file);
  }

  /**
   * Puts a finished file in another's place in one step, after its content has reached the disk.
   */
  static void replace(Path finished, Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(finished, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(finished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
