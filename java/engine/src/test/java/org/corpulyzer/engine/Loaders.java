package org.corpulyzer.engine;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Class loaders that share nothing but the JDK and slf4j, as Nutch's plugin class loaders do. */
final class Loaders {

  private Loaders() {}

  /** A probe from a loader of its own over a copy of our classes, with resources or without. */
  @SuppressWarnings("unchecked")
  static Function<String, String> probe(Path... places) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (Path place : places) {
      urls.add(place.toUri().toURL());
    }
    List<URL> slf4j = new ArrayList<>();
    for (String name : new String[] {"org.slf4j.Logger", "org.slf4j.impl.StaticLoggerBinder"}) {
      slf4j.add(Class.forName(name).getProtectionDomain().getCodeSource().getLocation());
    }
    ClassLoader loader =
        new URLClassLoader(
            urls.toArray(new URL[0]), new URLClassLoader(slf4j.toArray(new URL[0]), null));
    return (Function<String, String>)
        loader.loadClass(Probe.class.getName()).getConstructor().newInstance();
  }

  /** Copies our classes, the tests' among them, and the table of settings into one folder. */
  static Path classesIn(Path folder) throws Exception {
    for (Class<?> type : new Class<?>[] {Engine.class, Probe.class}) {
      Path from = Paths.get(type.getProtectionDomain().getCodeSource().getLocation().toURI());
      copy(from, folder);
    }
    try (InputStream table = PropertyTable.class.getResourceAsStream(PropertyTable.FILE)) {
      Files.copy(table, folder.resolve("org/corpulyzer/engine").resolve(PropertyTable.FILE));
    }
    return folder;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Path copy = to.resolve(from.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }
}
