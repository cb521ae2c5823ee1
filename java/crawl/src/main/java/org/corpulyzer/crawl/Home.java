package org.corpulyzer.crawl;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;

/**
 * The places of the crawl's own files: {@code lib}, {@code conf} and {@code plugins}, in the layout
 * of the build.
 */
final class Home {
  private static final String PROPERTY = "corpulyzer.home";

  /** The packs that come with the crawl. */
  static final List<String> PACKS = Arrays.asList("seed", "far");

  private Home() {}

  /** The folder of the plugins. */
  static Path plugins() throws CrawlException {
    Path plugins = folder().resolve("plugins");
    for (String plugin :
        new String[] {
          "nutch-extensionpoints", "corpulyzer", "corpulyzer-companion", "corpulyzer-link-score"
        }) {
      if (!Files.isRegularFile(plugins.resolve(plugin).resolve("plugin.xml"))) {
        throw CrawlException.failed(
            "the plugin "
                + plugin
                + " is missing in "
                + plugins
                + "; build again with bin/corpulyzer build");
      }
    }
    return plugins;
  }

  /**
   * The file of a language pack.
   *
   * @param given its path, or {@code seed} or {@code far} for a pack that comes with the crawl; a
   *     file of that name is preferred
   * @throws CrawlException if a pack that comes with the crawl is missing
   */
  static String pack(String given) throws CrawlException {
    if (!PACKS.contains(given) || Files.exists(Paths.get(given))) {
      return given;
    }
    Path pack = folder().resolve("packs").resolve(given + ".pack");
    if (!Files.isRegularFile(pack)) {
      throw CrawlException.failed(
          pack + " is missing; build again with bin/corpulyzer build, or give a pack by its path");
    }
    return pack.toString();
  }

  private static Path folder() throws CrawlException {
    String named = System.getProperty(PROPERTY);
    if (named != null) {
      return Paths.get(named).toAbsolutePath();
    }
    try {
      Path jar = Paths.get(Home.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return jar.getParent().getParent();
    } catch (URISyntaxException e) {
      throw CrawlException.failed(
          "the crawl cannot find its own folder; name it with -D" + PROPERTY, e);
    }
  }
}
