package org.corpulyzer.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.apache.hadoop.conf.Configuration;

/**
 * The job file that {@code ant job} makes of Nutch 2.4, from the jars of Maven Central: Nutch's
 * classes and its conf folder at the root, jars in lib, plugins under classes. Nutch's plugins are
 * not on Maven Central; the one-machine crawl's stand in for them.
 */
final class JobFile {

  private static final Path PAPER = Paths.get(System.getProperty("corpulyzer.paper"));

  private JobFile() {}

  /**
   * @param cluster whose HBase the job file's {@code hbase-site.xml} names
   * @param file to be made
   */
  static void build(Cluster cluster, Path file) throws IOException {
    try (JobZip zip = new JobZip(file)) {
      for (String jar : System.getProperty("corpulyzer.nutch.jars").split(File.pathSeparator)) {
        Path path = Paths.get(jar);
        if (path.getFileName().toString().startsWith("nutch-2.4")) {
          zip.unpack(path);
        } else {
          zip.add("lib/" + path.getFileName(), Files.readAllBytes(path));
        }
      }
      for (String conf :
          new String[] {
            "gora.properties", "gora-hbase-mapping.xml", "parse-plugins.xml", "domain-suffixes.xml"
          }) {
        zip.add(conf, Files.readAllBytes(PAPER.resolve("conf").resolve(conf)));
      }
      zip.add("nutch-site.xml", nutchSite());
      Configuration hbaseSite = new Configuration(false);
      cluster.setClient(hbaseSite);
      zip.add("hbase-site.xml", hbaseSite);
      for (String plugin : new String[] {"nutch-extensionpoints", "nutch2-standin"}) {
        zip.addFolder(PAPER.resolve("plugins").resolve(plugin), "classes/plugins/" + plugin + "/");
      }
    }
  }

  /** Returns the settings of an operator before Corpulyzer is installed. */
  private static Configuration nutchSite() {
    Configuration site = new Configuration(false);
    site.set("storage.data.store.class", "org.apache.gora.hbase.store.HBaseStore");
    site.set("plugin.includes", "nutch2-standin");
    site.set("http.agent.name", "test");
    site.set("parser.skip.truncated", "false");
    return site;
  }
}
