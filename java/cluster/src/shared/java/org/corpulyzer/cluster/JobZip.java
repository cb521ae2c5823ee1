package org.corpulyzer.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** A job file that is being made. Of several entries of one name the first counts. */
public final class JobZip implements Closeable {

  private final ZipOutputStream zip;
  private final Set<String> names = new HashSet<>();

  /**
   * @param file to be made
   */
  public JobZip(Path file) throws IOException {
    zip = new ZipOutputStream(Files.newOutputStream(file));
    zip.setLevel(Deflater.BEST_SPEED);
  }

  /** Adds the entries of Nutch's jar at the root, but not its empty {@code nutch-site.xml}. */
  public void unpack(Path jar) throws IOException {
    try (InputStream in = Files.newInputStream(jar);
        ZipInputStream from = new ZipInputStream(in)) {
      for (ZipEntry entry = from.getNextEntry(); entry != null; entry = from.getNextEntry()) {
        if (!entry.isDirectory()
            && !entry.getName().startsWith("META-INF/")
            && !entry.getName().equals("nutch-site.xml")
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

  /** Adds the files below a folder, their names after a prefix. */
  public void addFolder(Path folder, String prefix) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files = walk.filter(Files::isRegularFile).collect(Collectors.toList());
    }
    for (Path file : files) {
      add(prefix + folder.relativize(file), Files.readAllBytes(file));
    }
  }

  /** Adds a file. */
  public void add(String name, byte[] content) throws IOException {
    if (names.add(name)) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(content);
      zip.closeEntry();
    }
  }

  /** Adds a configuration file. */
  public void add(String name, Configuration site) throws IOException {
    names.add(name);
    zip.putNextEntry(new ZipEntry(name));
    site.writeXml(zip);
    zip.closeEntry();
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }

  /** Runs the distribution's {@code bin/corpulyzer install} on it, as an operator does. */
  public static void install(Path file, String language) throws IOException, InterruptedException {
    Path log = file.resolveSibling("install.log");
    int exit =
        new ProcessBuilder(
                System.getProperty("corpulyzer.stage") + "/bin/corpulyzer",
                "install",
                "--job",
                file.toString(),
                "--language",
                language)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    if (exit != 0) {
      throw new AssertionError(
          "install ended with " + exit + ": " + new String(Files.readAllBytes(log), "UTF-8"));
    }
  }
}
