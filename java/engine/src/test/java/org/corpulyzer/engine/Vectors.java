package org.corpulyzer.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The vectors that Rust and Java share. */
final class Vectors {

  private Vectors() {}

  static Path folder(String name) {
    return Paths.get(System.getProperty("corpulyzer.root"), "tests", "vectors", name);
  }

  static List<Path> files(String folder, String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder(folder))) {
      return files
          .filter(file -> file.toString().endsWith(ending))
          .sorted()
          .collect(Collectors.toList());
    }
  }

  static Frame frame(String name) throws IOException {
    return Frame.read(Files.readAllBytes(folder("frames").resolve(name + ".frame")));
  }
}
