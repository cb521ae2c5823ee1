package org.corpulyzer.corpus;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A local folder of a task, deleted when the task ends. On YARN it is in the container's folder,
 * which YARN deletes with the container.
 */
final class Scratch implements Closeable {

  private final Path folder;

  Scratch() throws IOException {
    folder = Files.createTempDirectory("corpulyzer-report-");
  }

  Path folder() {
    return folder;
  }

  @Override
  public void close() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
