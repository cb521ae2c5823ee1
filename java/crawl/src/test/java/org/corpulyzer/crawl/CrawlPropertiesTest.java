package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.engine.Settings;
import org.junit.Test;

public class CrawlPropertiesTest {

  private static final Path SOURCES =
      Paths.get(System.getProperty("corpulyzer.root"), "java", "crawl", "src");
  private static final Pattern NAME = Pattern.compile("\"(corpulyzer\\.crawl\\.[a-z.]+)\"");

  /** {@code String URLS = "corpulyzer.crawl.sitemaps.urls";} */
  private static final Pattern CONSTANT =
      Pattern.compile("String (\\w+) = \"(corpulyzer\\.crawl\\.[a-z.]+)\"");

  /** {@code conf.getInt(URLS, 5000)}. */
  private static final Pattern READ =
      Pattern.compile(
          "conf\\.get(?:Int|Float|Boolean)\\((?:(\\w+\\.)?(\\w+)|\"(corpulyzer\\.[a-z.]+)\"),"
              + "\\s*([\\w.]+)\\)");

  @Test
  public void theCodeReadsThePropertiesOfTheFileAndNoOthers() throws IOException {
    Set<String> read = new TreeSet<>();
    for (String source : sources().values()) {
      Matcher name = NAME.matcher(source);
      while (name.find()) {
        read.add(name.group(1));
      }
    }
    Set<String> documented = new TreeSet<>();
    // Hadoop would leave out properties without a value.
    String text =
        new String(
            Files.readAllBytes(SOURCES.resolve("conf/crawl-default.xml")), StandardCharsets.UTF_8);
    Matcher name = Pattern.compile("<name>(corpulyzer\\.crawl\\.[a-z.]+)</name>").matcher(text);
    while (name.find()) {
      documented.add(name.group(1));
    }
    assertEquals(documented, read);
    for (String property : documented) {
      assertNull(property, Settings.properties().get(property));
    }
  }

  /** Nutch may load a plugin of the crawl without the file. */
  @Test
  public void defaultsInTheCodeAreThoseOfTheFile() throws IOException {
    Map<String, String> constants = new TreeMap<>();
    sources()
        .forEach(
            (type, source) -> {
              Matcher constant = CONSTANT.matcher(source);
              while (constant.find()) {
                constants.put(type + "." + constant.group(1), constant.group(2));
              }
            });
    Configuration file = file();
    int compared = 0;
    for (Map.Entry<String, String> source : sources().entrySet()) {
      Matcher read = READ.matcher(source.getValue());
      while (read.find()) {
        String type = read.group(1) == null ? source.getKey() + "." : read.group(1);
        String key = read.group(3) == null ? constants.get(type + read.group(2)) : read.group(3);
        if (key != null) {
          String value = read.group(4).replace("_", "").replaceFirst("(?<=[0-9])f$", "");
          assertEquals(key, file.get(key), value);
          compared++;
        }
      }
    }
    assertTrue(compared + " properties that code reads with a default", compared >= 12);
  }

  private static Configuration file() {
    Configuration conf = new Configuration(false);
    conf.addResource(
        new org.apache.hadoop.fs.Path(SOURCES.resolve("conf/crawl-default.xml").toString()));
    return conf;
  }

  /** The sources of the crawl by their types. */
  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new TreeMap<>();
    for (String folder : new String[] {"main", "companion"}) {
      try (Stream<Path> files = Files.walk(SOURCES.resolve(folder))) {
        for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
          String type = file.getFileName().toString().replace(".java", "");
          sources.put(type, new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        }
      }
    }
    return sources;
  }
}
