package org.corpulyzer.cluster;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;

/**
 * The job file that {@code ant job} makes of Nutch 2.4, from the jars of Maven Central: Nutch's classes and its conf folder at the root,
 * jars in lib, plugins under classes. Nutch's plugins are not on Maven Central; the one-machine crawl's stand in for them.
 */
final class JobFile {

  private static final Path PAPER = Paths.get(System.getProperty("corpulyzer.paper"));

  private JobFile() {
  }

  /**
   * @param cluster whose HBase the job file's {@code hbase-site.xml} names
   * @param file to be made
   */
  static void build(Cluster cluster, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file); ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.setLevel(Deflater.BEST_SPEED);
      Set<String> names = new HashSet<>();
      for (String jar : System.getProperty("corpulyzer.nutch.jars").split(File.pathSeparator)) {
        Path path = Paths.get(jar);
        if (path.getFileName().toString().startsWith("nutch-2.4")) {
          unpack(path, zip, names);
        } else {
          add(zip, names, "lib/" + path.getFileName(), Files.readAllBytes(path));
        }
      }
      for (String conf : new String[] {"gora.properties", "gora-hbase-mapping.xml", "parse-plugins.xml", "domain-suffixes.xml"}) {
        add(zip, names, conf, Files.readAllBytes(PAPER.resolve("conf").resolve(conf)));
      }
      put(zip, "nutch-site.xml", nutchSite());
      Configuration hbaseSite = new Configuration(false);
      cluster.setClient(hbaseSite);
      put(zip, "hbase-site.xml", hbaseSite);
      for (String plugin : new String[] {"nutch-extensionpoints", "nutch2-standin"}) {
        addFolder(zip, names, PAPER.resolve("plugins").resolve(plugin), "classes/plugins/" + plugin + "/");
      }
    }
  }

  /** What an operator sets before Corpulyzer is there. */
  private static Configuration nutchSite() {
    Configuration site = new Configuration(false);
    site.set("storage.data.store.class", "org.apache.gora.hbase.store.HBaseStore");
    site.set("plugin.includes", "nutch2-standin");
    site.set("http.agent.name", "test");
    site.set("parser.skip.truncated", "false");
    return site;
  }

  private static void unpack(Path jar, ZipOutputStream zip, Set<String> names) throws IOException {
    try (InputStream in = Files.newInputStream(jar); ZipInputStream from = new ZipInputStream(in)) {
      for (ZipEntry entry = from.getNextEntry(); entry != null; entry = from.getNextEntry()) {
        if (!entry.isDirectory() && !entry.getName().startsWith("META-INF/") && !entry.getName().equals("nutch-site.xml")
            && names.add(entry.getName())) {
          zip.putNextEntry(new ZipEntry(entry.getName()));
          byte[] buffer = new byte[1 << 16];
          for (int n = from.read(buffer); n > 0; n = from.read(buffer)) {
            zip.write(buffer, 0, n);
          }
          zip.closeEntry();
        }
      }
    }
  }

  private static void addFolder(ZipOutputStream zip, Set<String> names, Path folder, String prefix) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files = walk.filter(Files::isRegularFile).collect(Collectors.toList());
    }
    for (Path file : files) {
      add(zip, names, prefix + folder.relativize(file), Files.readAllBytes(file));
    }
  }

  private static void add(ZipOutputStream zip, Set<String> names, String name, byte[] content) throws IOException {
    if (names.add(name)) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(content);
      zip.closeEntry();
    }
  }

  private static void put(ZipOutputStream zip, String name, Configuration site) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    site.writeXml(zip);
    zip.closeEntry();
  }

  /** Runs the distribution's {@code bin/corpulyzer install} on it, as an operator does. */
  static void install(Path file, String language) throws IOException, InterruptedException {
    Path log = file.resolveSibling("install.log");
    int exit = new ProcessBuilder(System.getProperty("corpulyzer.stage") + "/bin/corpulyzer", "install", "--job", file.toString(), "--language",
        language).redirectErrorStream(true).redirectOutput(log.toFile()).start().waitFor();
    if (exit != 0) {
      throw new AssertionError("install ended with " + exit + ": " + new String(Files.readAllBytes(log), "UTF-8"));
    }
  }
}
