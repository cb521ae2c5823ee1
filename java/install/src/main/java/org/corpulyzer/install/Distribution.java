package org.corpulyzer.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The unpacked distribution: the files that {@link #SUMS} lists, and the list itself. The zip has a
 * folder for each {@link Line} of Nutch, with the files that only this line needs. A home that
 * Corpulyzer is installed in is a distribution for its line, without such folders.
 */
final class Distribution {
  /**
   * Name of the list of files with checksums, in the format of {@code sha256sum}. It is written
   * when the distribution is packed, and after the installation it lists our files.
   */
  static final String SUMS = "corpulyzer/SHA256SUMS";

  private static final String ENGINE = "corpulyzer-engine.jar";
  private static final String PLUGIN = "plugins/corpulyzer/";
  private static final String DESCRIPTOR = PLUGIN + "plugin.xml";

  /** The paths that a distribution or an installation has. */
  private static final Pattern OURS =
      Pattern.compile(
          "(?:nutch[12]/)?(?:bin/corpulyzer|(?:conf|lib)/corpulyzer[\\w.-]*|(?:plugins/)?corpulyzer/[\\w./-]*[\\w-])");

  /** Path to content. The list comes last. */
  final SortedMap<String, byte[]> files = new TreeMap<>();

  /** Reads and verifies every file. */
  static Distribution at(Path root) throws InstallException, IOException {
    Path sums = root.resolve(SUMS);
    if (!Files.isRegularFile(sums)) {
      throw new InstallException(
          root
              + " has no distribution of Corpulyzer: there is no "
              + SUMS
              + "; unpack the zip again.");
    }
    Distribution distribution = new Distribution();
    byte[] list = Streams.readFile(sums);
    for (String line : lines(sums.toString(), list)) {
      String file = line.substring(66);
      Path path = root.resolve(file);
      byte[] content = Files.isRegularFile(path) ? Streams.readFile(path) : null;
      if (content == null || !sha256(content).equals(line.substring(0, 64))) {
        throw new InstallException(
            path + (content == null ? " is missing" : " is damaged") + ": unpack the zip again.");
      }
      distribution.files.put(file, content);
    }
    distribution.files.put(SUMS, list);
    return distribution;
  }

  /**
   * The files that are installed into a Nutch of this line, by their paths in a home: the files of
   * the line and those that both lines share. The zip contains the engine once. It is installed for
   * the jobs and for the plugin, which has a class loader of its own.
   */
  SortedMap<String, byte[]> of(Line line) throws InstallException {
    SortedMap<String, byte[]> wanted = new TreeMap<>();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Line owner = owner(file.getKey());
      if (owner == null) {
        wanted.put(file.getKey(), file.getValue());
      } else if (owner == line) {
        wanted.put(file.getKey().substring(line.tree.length()), file.getValue());
      }
    }
    byte[] descriptor = wanted.get(DESCRIPTOR);
    // The extension point of 1.x; that of 2.4 is ParseFilter.
    boolean isOf1 =
        descriptor != null
            && new String(descriptor, StandardCharsets.UTF_8).contains("HtmlParseFilter");
    if (descriptor == null || isOf1 != (line == Line.NUTCH1)) {
      throw new InstallException(
          "This copy of Corpulyzer has no plugin for "
              + line.title
              + ": run bin/corpulyzer of the unpacked zip.");
    }
    if (wanted.containsKey("lib/" + ENGINE)) {
      wanted.put(PLUGIN + ENGINE, wanted.get("lib/" + ENGINE));
    }
    wanted.remove(SUMS);
    StringBuilder list = new StringBuilder();
    wanted.forEach(
        (path, content) -> list.append(sha256(content)).append("  ").append(path).append('\n'));
    wanted.put(SUMS, list.toString().getBytes(StandardCharsets.UTF_8));
    return wanted;
  }

  /** The line that a file is for; null if it is for both. */
  private static Line owner(String file) {
    for (Line line : Line.values()) {
      if (file.startsWith(line.tree)) {
        return line;
      }
    }
    return null;
  }

  /**
   * The paths in a list; nothing for null.
   *
   * @param where the list's name, for messages
   */
  static List<String> paths(String where, byte[] list) throws InstallException {
    List<String> paths = new ArrayList<>();
    if (list != null) {
      lines(where, list).forEach(line -> paths.add(line.substring(66)));
      paths.add(SUMS);
    }
    return paths;
  }

  /** A list with the files of both; {@code older} may be null. */
  static byte[] join(byte[] newer, byte[] older) throws InstallException {
    List<String> known = paths(SUMS, newer);
    StringBuilder both = new StringBuilder(new String(newer, StandardCharsets.UTF_8));
    for (String line : lines(SUMS, older == null ? new byte[0] : older)) {
      if (!known.contains(line.substring(66))) {
        both.append(line).append('\n');
      }
    }
    return both.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> lines(String where, byte[] list) throws InstallException {
    List<String> lines = new ArrayList<>();
    for (String line : new String(list, StandardCharsets.UTF_8).split("\n")) {
      // Another line than `<64 hex digits>  <path>` is damage.
      if (line.matches("[0-9a-f]{64}  [^\\n]+")) {
        requireOurs(where, line.substring(66));
        lines.add(line);
      }
    }
    return lines;
  }

  /**
   * Refuses a path that no distribution has, because the files in a list are read, replaced and
   * deleted, also by root.
   */
  private static void requireOurs(String where, String path) throws InstallException {
    if (!OURS.matcher(path).matches() || Arrays.asList(path.split("/", -1)).contains("..")) {
      String shown = path.replaceAll("[^\\x20-\\x7e]", "?");
      throw new InstallException(
          where
              + " lists \""
              + (shown.length() > 200 ? shown.substring(0, 200) + "..." : shown)
              + "\", which is not a file of Corpulyzer, so the list is damaged or forged, and"
              + " nothing was changed: remove the list, then install again.");
    }
  }

  private static String sha256(byte[] content) {
    try {
      StringBuilder hex = new StringBuilder();
      for (byte b : MessageDigest.getInstance("SHA-256").digest(content)) {
        hex.append(String.format("%02x", b));
      }
      return hex.toString();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
