package org.corpulyzer.install;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A Nutch home of the stock layout, built from the jars of Maven Central, and the job file that
 * Nutch's build makes of it. Nutch 2.4 by default.
 */
final class NutchHome {
  /** The unpacked distribution that the build has staged. */
  static final Path STAGE = Paths.get(System.getProperty("corpulyzer.stage"));

  private static final Path STANDIN = Paths.get(System.getProperty("corpulyzer.standin"));

  /** The plugins of the one-machine crawl that stand in for those that Nutch ships as source. */
  private static final Path COMPANION = Paths.get(System.getProperty("corpulyzer.companion"));

  /**
   * The releases of Nutch that homes are built of: the property that lists their jars, the script,
   * the extension points.
   */
  enum Release {
    NUTCH_2_4("corpulyzer.nutch.jars", "nutch", "nutch-extensionpoints.xml"),
    NUTCH_1_20("corpulyzer.nutch120.jars", "nutch1", "nutch1-extensionpoints.xml"),
    NUTCH_1_22("corpulyzer.nutch122.jars", "nutch1", "nutch1-extensionpoints.xml");

    final String jars;
    final String script;
    final String points;

    Release(String jars, String script, String points) {
      this.jars = jars;
      this.script = script;
      this.points = points;
    }
  }

  final Path root;

  /**
   * @param root a folder that does not exist yet
   */
  NutchHome(Path root, byte[] site) throws IOException {
    this(root, site, Release.NUTCH_2_4);
  }

  NutchHome(Path root, byte[] site, Release release) throws IOException {
    this.root = root;
    for (String folder : new String[] {"bin", "conf", "lib", "plugins/nutch-extensionpoints"}) {
      Files.createDirectories(root.resolve(folder));
    }
    resource(release.script, root.resolve("bin/nutch"));
    root.resolve("bin/nutch").toFile().setExecutable(true);
    resource(release.points, root.resolve("plugins/nutch-extensionpoints/plugin.xml"));
    crawlPlugins(release);
    for (String jar : System.getProperty(release.jars).split(":")) {
      Files.createSymbolicLink(
          root.resolve("lib").resolve(Paths.get(jar).getFileName()), Paths.get(jar));
    }
    if (site != null) {
      Files.write(site(), site);
    }
  }

  /** A fetcher of pages, and the parser and the normalizer of the one-machine crawl. */
  private void crawlPlugins(Release release) throws IOException {
    String companion = text(COMPANION.resolve("plugin.xml"));
    String runtime =
        companion.substring(companion.indexOf("<runtime>"), companion.indexOf("</runtime>"))
            + "  <library name=\"install-standin.jar\"><export name=\"*\"/></library>\n"
            + "  </runtime>";
    resource("parse-plugins.xml", root.resolve("conf/parse-plugins.xml"));
    Files.createFile(root.resolve("conf/host-protocol-mapping.txt"));
    for (String plugin : new String[] {"protocol-http", "parse-html", "urlnormalizer-basic"}) {
      Path place = Files.createDirectories(root.resolve("plugins").resolve(plugin));
      Path descriptor = place.resolve("plugin.xml");
      resource(plugin + ".xml", descriptor);
      Files.write(
          descriptor,
          text(descriptor).replace("@RUNTIME@", runtime).getBytes(StandardCharsets.UTF_8));
      Files.createSymbolicLink(place.resolve(STANDIN.getFileName()), STANDIN);
      // Those classes are for Nutch 1.x, and the doctor of 2.4 starts no plugin but ours.
      try (Stream<Path> jars =
          release == Release.NUTCH_2_4 ? Stream.empty() : Files.list(COMPANION)) {
        for (Path jar :
            jars.filter(path -> path.toString().endsWith(".jar")).toArray(Path[]::new)) {
          Files.createSymbolicLink(place.resolve(jar.getFileName()), jar);
        }
      }
    }
  }

  /** Adds a plugin scoring-depth of Nutch 1.x. */
  void addDepthScoring() throws IOException {
    Path place = Files.createDirectories(root.resolve("plugins/scoring-depth"));
    resource("scoring-depth.xml", place.resolve("plugin.xml"));
    Files.createSymbolicLink(place.resolve(STANDIN.getFileName()), STANDIN);
  }

  Path site() {
    return root.resolve("conf/nutch-site.xml");
  }

  /**
   * Packs the home as Nutch's build does: configuration at the root, jars in lib, plugins under
   * classes.
   */
  Path job(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> entry : contents(root).entrySet()) {
        String path = entry.getKey();
        if (!path.endsWith("/") && path.startsWith("conf/")
            || path.startsWith("plugins/")
            || path.startsWith("lib/nutch-")) {
          zip.putNextEntry(
              new ZipEntry(
                  path.startsWith("conf/")
                      ? path.substring(5)
                      : path.startsWith("lib/") ? path : "classes/" + path));
          zip.write(entry.getValue());
          zip.closeEntry();
        }
      }
    }
    return file;
  }

  /** Every file below the folder; folders too, as their path with a slash. */
  static Map<String, byte[]> contents(Path folder) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(folder)) {
      paths.forEach(
          path -> {
            try {
              String name = folder.relativize(path).toString();
              contents.put(
                  Files.isDirectory(path) ? name + "/" : name,
                  Files.isDirectory(path) ? new byte[0] : Files.readAllBytes(path));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
    return contents;
  }

  static void assertSame(Map<String, byte[]> expected, Map<String, byte[]> found) {
    assertEquals(expected.keySet(), found.keySet());
    for (Map.Entry<String, byte[]> entry : expected.entrySet()) {
      assertArrayEquals(entry.getKey(), entry.getValue(), found.get(entry.getKey()));
    }
  }

  /** Copies a folder with all that is below it, modes too. */
  static void copy(Path from, Path to) throws IOException {
    for (String name : contents(from).keySet()) {
      if (name.endsWith("/")) {
        Files.createDirectories(to.resolve(name));
      }
    }
    for (String name : contents(from).keySet()) {
      if (!name.endsWith("/")) {
        Files.copy(from.resolve(name), to.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /** Deletes a folder with all that is below it. */
  static void delete(Path folder) throws IOException {
    List<Path> paths;
    try (Stream<Path> below = Files.walk(folder)) {
      paths = below.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
    }
    for (Path path : paths) {
      Files.delete(path);
    }
  }

  static byte[] vector(String name) throws IOException {
    try {
      return Files.readAllBytes(Paths.get(NutchHome.class.getResource("/site/" + name).toURI()));
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  private static void resource(String name, Path to) throws IOException {
    Files.copy(NutchHome.class.getResourceAsStream("/home/" + name), to);
  }

  /** The result of a run of the installer. */
  static final class Answer {
    final int exit;
    final String out;
    final String err;

    Answer(int exit, String out, String err) {
      this.exit = exit;
      this.out = out;
      this.err = err;
    }

    @Override
    public String toString() {
      return "exit " + exit + "\n" + out + err;
    }
  }

  /** Runs the installer in this process. */
  static Answer installer(Path distribution, String... args) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        Main.run(
            args,
            distribution,
            new PrintStream(out, true, "UTF-8"),
            new PrintStream(err, true, "UTF-8"));
    return new Answer(exit, out.toString("UTF-8"), err.toString("UTF-8"));
  }

  /** Runs a command to its end. */
  static Answer command(String... command) throws IOException, InterruptedException {
    Path out = Files.createTempFile("corpulyzer", ".out");
    Path err = Files.createTempFile("corpulyzer", ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      builder.environment().put("NUTCH_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
      int exit = builder.start().waitFor();
      return new Answer(
          exit,
          new String(Files.readAllBytes(out), StandardCharsets.UTF_8),
          new String(Files.readAllBytes(err), StandardCharsets.UTF_8));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }
}
