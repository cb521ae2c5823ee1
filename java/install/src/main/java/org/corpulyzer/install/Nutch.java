package org.corpulyzer.install;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * A Nutch that Corpulyzer can live in: a home of the stock layout, or an opened job file, which has
 * the same things elsewhere.
 */
final class Nutch {
  private static final String NUTCH_DEFAULT = "nutch-default.xml";

  /** A class that came with Nutch 1.20 and that every release since has. */
  private static final String CLASS_OF_1_20 =
      "org/apache/nutch/metadata/CaseInsensitiveMetadata.class";

  /**
   * {@code Nutch-1.22} in nutch-default.xml, {@code apache-nutch-1.22.jar} and {@code
   * nutch-1.22.jar} in lib.
   */
  private static final Pattern RELEASE = Pattern.compile("(?i)nutch-(\\d{1,4}\\.\\d{1,4})(?!\\d)");

  /** The path as the operator wrote it, for messages. */
  final String name;

  private final Path root;
  private final Places places;
  private final boolean isJob;
  private Line line;

  private Nutch(String name, Places places, boolean isJob) {
    this.name = name;
    this.root = places.home().root;
    this.places = places;
    this.isJob = isJob;
  }

  /**
   * A runtime such as Nutch's own build leaves in {@code runtime/local}.
   *
   * @param followed folders outside of it that symlinks in it may lead to
   */
  static Nutch home(Path folder, List<Path> followed) throws InstallException, IOException {
    if (!Files.isDirectory(folder)) {
      String found = Files.exists(folder) ? "it is a file" : "there is no such folder";
      throw new InstallException(
          folder + " is not a Nutch home: " + found + "; name the folder that has bin/nutch.");
    }
    List<String> missing = missing(folder);
    if (!missing.isEmpty()) {
      String hint = "";
      if (Files.isDirectory(folder.resolve("runtime/local/lib"))) {
        hint = ": try " + folder.resolve("runtime/local");
      } else if (!list(folder, "*.job").isEmpty()) {
        hint = ": for a deploy runtime use --job " + list(folder, "*.job").get(0);
      }
      throw new InstallException(
          folder + " is not a Nutch home: it has no " + String.join(", no ", missing) + hint + ".");
    }
    Nutch home = new Nutch(folder.toString(), new Places(folder, followed), false);
    home.findLine("a Nutch home");
    return home;
  }

  /** Files of a home that a folder lacks. */
  static List<String> missing(Path folder) {
    List<String> missing = new ArrayList<>();
    for (String part : new String[] {"bin/nutch", "conf", "lib", "plugins"}) {
      if (!Files.exists(folder.resolve(part))) {
        missing.add(part);
      }
    }
    return missing;
  }

  /**
   * @param root the root folder inside the job file, opened as a file system
   */
  static Nutch job(Path file, Path root) throws InstallException, IOException {
    Nutch job = new Nutch(file.toString(), new Places(root, Collections.emptyList()), true);
    if (!Files.isDirectory(root.resolve("classes/plugins"))) {
      throw new InstallException(file + " is not a Nutch job file: it has no classes/plugins.");
    }
    job.findLine("a Nutch job file");
    return job;
  }

  /** The line of Nutch's releases. Classes identify it, because jars are renamed and patched. */
  Line line() {
    return line;
  }

  private void findLine(String what) throws InstallException, IOException {
    // 2.x first, as its users had it before 1.x was served.
    line = has(Line.NUTCH2.marker) ? Line.NUTCH2 : has(Line.NUTCH1.marker) ? Line.NUTCH1 : null;
    if (line == null) {
      throw new InstallException(
          name
              + " is not "
              + what
              + ": no lib/*nutch*.jar has "
              + Line.NUTCH1.marker
              + " (Nutch 1.x) or "
              + Line.NUTCH2.marker
              + " (Nutch 2.x).");
    }
    if (line == Line.NUTCH1 && !has(CLASS_OF_1_20)) {
      String release = release();
      throw new InstallException(
          name
              + " is "
              + what
              + " of Nutch "
              + (release == null ? "1.x before 1.20" : release)
              + ": Corpulyzer needs 1.20 or newer, because older releases have other plugin"
              + " interfaces and another Hadoop; install a newer Nutch.");
    }
  }

  /** Whether Nutch has a class: a job file may have it unpacked at its root. */
  private boolean has(String classFile) throws IOException {
    if (isJob && Files.exists(root.resolve(classFile))) {
      return true;
    }
    for (Path jar : list(root.resolve("lib"), "*nutch*.jar")) {
      if (read(jar, classFile) != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * The release as Nutch's own configuration or its jar's name has it, e.g. {@code 1.22}; null if
   * neither does.
   */
  String release() throws InstallException, IOException {
    byte[] stock = stockFile();
    Matcher configured =
        RELEASE.matcher(
            String.valueOf(
                stock == null
                    ? null
                    : SiteFile.parse(NUTCH_DEFAULT, stock).get("http.agent.version")));
    if (configured.find()) {
      return configured.group(1);
    }
    for (Path jar : list(root.resolve("lib"), "*nutch*.jar")) {
      Matcher named = RELEASE.matcher(jar.getFileName().toString());
      if (named.find()) {
        return named.group(1);
      }
    }
    return null;
  }

  /**
   * The place of a file of the distribution, relative to the root; null if it has no place in a job
   * file.
   */
  String place(String file) {
    if (!isJob) {
      return file;
    }
    if (file.startsWith("plugins/")) {
      return "classes/" + file;
    }
    if (file.startsWith("conf/")) {
      return file.substring("conf/".length());
    }
    return file.startsWith("lib/") ? file : null;
  }

  /** The bytes of a file, or null if there is none. */
  byte[] read(String file) throws InstallException, IOException {
    Places.Place place = places.of(file, true);
    return place.tree.read(place.path);
  }

  /** The real path of a file; see {@link Places#of}. */
  Places.Place find(String file, boolean followLast) throws InstallException, IOException {
    return places.of(file, followLast);
  }

  /** The configuration that Nutch ships, from the conf folder or from Nutch's own jar. */
  SiteFile stockConfiguration() throws InstallException, IOException {
    byte[] found = stockFile();
    if (found == null) {
      throw new InstallException(
          name
              + " has no stock configuration, neither as "
              + place("conf/" + NUTCH_DEFAULT)
              + " nor in lib/*nutch*.jar, to take the "
              + "default of "
              + PluginIncludes.KEY
              + " from: set "
              + PluginIncludes.KEY
              + " in nutch-site.xml, then install again.");
    }
    return SiteFile.parse(NUTCH_DEFAULT, found);
  }

  /** {@code nutch-default.xml}, or null if there is none. */
  private byte[] stockFile() throws IOException {
    Path stock = root.resolve(place("conf/" + NUTCH_DEFAULT));
    // Read and not changed, so it may be a symlink to anywhere, as the jars may.
    byte[] found = Files.isRegularFile(stock) ? Streams.readFile(stock) : null;
    for (Path jar : list(root.resolve("lib"), "*nutch*.jar")) {
      if (found == null) {
        found = read(jar, NUTCH_DEFAULT);
      }
    }
    return found;
  }

  /**
   * Refuses when files of Corpulyzer lie around that are not in {@code own}, the places of the
   * files that belong there.
   */
  void refuseStrangers(Iterable<String> own) throws InstallException, IOException {
    List<Path> suspects = new ArrayList<>(list(root.resolve(place("lib/")), "corpulyzer*.jar"));
    for (Path plugin : list(root.resolve(place("plugins/")), "*")) {
      Path manifest = plugin.resolve("plugin.xml");
      if (plugin.getFileName().toString().replace("/", "").equals(PluginIncludes.CORPULYZER)) {
        suspects.addAll(list(plugin, "*.jar"));
      } else if (Files.isRegularFile(manifest)
          && new String(Streams.readFile(manifest), StandardCharsets.ISO_8859_1)
              .matches("(?s).*<plugin\\s[^>]*\\bid\\s*=\\s*\"corpulyzer\".*")) {
        suspects.add(plugin);
      }
    }
    for (String file : own) {
      suspects.remove(root.resolve(file));
    }
    if (!suspects.isEmpty()) {
      List<String> names = new ArrayList<>();
      suspects.forEach(suspect -> names.add(root.relativize(suspect).toString()));
      throw new InstallException(
          "Another version of Corpulyzer is in "
              + name
              + " ("
              + String.join(", ", names)
              + "): remove it or uninstall it, then install again.");
    }
  }

  /**
   * Folders that an installation which was interrupted left, with files that had not come to their
   * places.
   */
  List<String> unfinished() throws InstallException, IOException {
    List<String> found = new ArrayList<>();
    if (!isJob) {
      for (String folder :
          new String[] {"bin/", "conf/", "lib/", "plugins/corpulyzer/", "corpulyzer/"}) {
        Places.Place place = places.of(folder + "nothing", false);
        place.tree.leftovers(place.path).forEach(leftover -> found.add(folder + leftover));
      }
    }
    return found;
  }

  private static List<Path> list(Path folder, String glob) throws IOException {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
        for (Path entry : entries) {
          found.add(entry);
        }
      }
    }
    found.sort(null);
    return found;
  }

  /**
   * An entry of a jar, which may itself lie inside a job file; null if the jar has no such entry.
   */
  private static byte[] read(Path jar, String name) throws IOException {
    if (!Files.isRegularFile(jar)) {
      return null;
    }
    try (InputStream in = Files.newInputStream(jar);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().equals(name)) {
          return Streams.readAll(zip, Streams.LARGEST);
        }
      }
    }
    return null;
  }
}
