package org.corpulyzer.engine;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds language packs, files that {@code corpulyzer train} made. An absolute path is taken as it
 * is. Another name is looked for
 *
 * <ol>
 *   <li>in the folder of this class's jar: the plugin's, where a pack travels with the plugin,
 *   <li>in {@code plugins/corpulyzer} on the class path: the same folder for a job whose jar lies
 *       in {@code lib}, in a Nutch home or in an unpacked job file,
 *   <li>in the working folder.
 * </ol>
 */
final class LanguagePacks {
  private static final String PLUGIN_FOLDER = "plugins/corpulyzer/";

  /** Characters that JSON requires to be escaped. */
  private static final Pattern UNSPEAKABLE = Pattern.compile("[\"\\\\\\p{Cntrl}]");

  private LanguagePacks() {}

  /**
   * @param names value of {@code corpulyzer.language.packs}: names with commas between them,
   *     perhaps empty
   * @return an absolute path for each
   * @throws CorpulyzerException naming the first pack that is not there and where it was looked for
   */
  static List<String> find(String names) {
    List<String> found = new ArrayList<>();
    for (String name : names.split(",")) {
      if (!name.trim().isEmpty()) {
        found.add(findOne(name.trim()));
      }
    }
    return found;
  }

  private static String findOne(String name) {
    Set<Path> places = new LinkedHashSet<>();
    try {
      Path path = Paths.get(name);
      Path jar = NativeLibrary.jarFolder();
      if (!path.isAbsolute() && jar != null) {
        places.add(jar.resolve(path).normalize());
      }
      if (!path.isAbsolute()) {
        for (ClassLoader loader :
            Arrays.asList(
                Thread.currentThread().getContextClassLoader(),
                LanguagePacks.class.getClassLoader())) {
          URL resource = loader == null ? null : loader.getResource(PLUGIN_FOLDER + name);
          if (resource != null && resource.getProtocol().equals("file")) {
            places.add(Paths.get(resource.toURI()));
          }
        }
      }
      places.add(path.toAbsolutePath().normalize());
    } catch (InvalidPathException | URISyntaxException e) {
      throw wrong(name, "a name of a file", e);
    }
    for (Path place : places) {
      if (Files.isRegularFile(place)) {
        if (UNSPEAKABLE.matcher(place.toString()).find()) {
          throw wrong(name, "a path without quotes, backslashes and control characters", null);
        }
        return place.toString();
      }
    }
    StringBuilder looked = new StringBuilder();
    places.forEach(place -> looked.append(looked.length() == 0 ? "" : ", ").append(place));
    throw wrong(
        name,
        "the name of a language pack in the plugin's folder or its path (looked for "
            + looked
            + ")",
        null);
  }

  private static CorpulyzerException wrong(String name, String allowed, Throwable cause) {
    return new CorpulyzerException(
        "Property " + Settings.LANGUAGE_PACKS + " has '" + name + "'; allowed is " + allowed + ".",
        cause);
  }
}
