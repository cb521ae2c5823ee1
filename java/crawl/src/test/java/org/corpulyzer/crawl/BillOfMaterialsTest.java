package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.Test;

/**
 * The bills of materials, NOTICE and docs/dependencies.md beside what is really in the folders that
 * are shipped.
 */
public class BillOfMaterialsTest {
  private static final Path ROOT = Paths.get(System.getProperty("corpulyzer.root"));
  private static final Path HOME = Paths.get(System.getProperty("corpulyzer.home"));
  private static final Path STAGE = Paths.get(System.getProperty("corpulyzer.stage"));

  /** A jar's name, and its version from the first digit on. */
  private static final Pattern JAR = Pattern.compile("(.+?)-(\\d.*)\\.jar");

  /** A row of a table: group and name, version. */
  private static final Pattern NOTICE_ROW = Pattern.compile("(?m)^[\\w.-]+:([\\w.-]+) (\\S+) +\\S");

  private static final Pattern TABLE_ROW = Pattern.compile("(?m)^\\| `([\\w.-]+)` \\| (\\S+) \\|");

  @Test
  public void theBillOfTheCrawlListsEachFileWithItsSum() throws Exception {
    JsonObject bill = bill(HOME.resolve("sbom.cdx.json"));
    assertEquals(sums(HOME, "sbom.cdx.json"), listed(bill));
    for (JsonElement it : bill.getAsJsonArray("components")) {
      JsonObject part = it.getAsJsonObject();
      String name = part.get("name").getAsString();
      if (part.has("purl"))
        assertTrue(name + " has no licence", part.getAsJsonArray("licenses").size() > 0);
      else if (part.get("type").getAsString().equals("file"))
        assertFalse(
            name + " is another's",
            JAR.matcher(Paths.get(name).getFileName().toString()).matches());
    }
  }

  @Test
  public void theBillOfTheZipListsEachFileWithItsSum() throws Exception {
    Map<String, String> sums = sums(STAGE, "corpulyzer/sbom.cdx.json");
    sums.remove("corpulyzer/SHA256SUMS");
    assertTrue(sums.toString(), sums.containsKey("corpulyzer/NOTICE"));
    assertEquals(sums, listed(bill(STAGE.resolve("corpulyzer/sbom.cdx.json"))));
  }

  @Test
  public void theBillsListEachCrateThatTheLibraryNames() throws Exception {
    // Panics name the file that they happen in. The crates inside the standard library are in
    // /rust/deps, and belong to its entry.
    Pattern source =
        Pattern.compile("(?<!/rust/deps)/([a-z0-9_-]+)-(\\d+\\.\\d+\\.\\d+[0-9a-z.+-]*)/src/");
    String library;
    try (ZipFile jar = new ZipFile(STAGE.resolve("lib/corpulyzer-engine.jar").toFile());
        InputStream in =
            jar.getInputStream(
                jar.stream().filter(it -> it.getName().endsWith(".so")).findFirst().get())) {
      library = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
    Set<String> found = new TreeSet<>();
    for (Matcher match = source.matcher(library); match.find(); )
      found.add("pkg:cargo/" + match.group(1) + "@" + match.group(2));
    assertTrue("only " + found, found.size() > 10);
    for (Path file :
        new Path[] {HOME.resolve("sbom.cdx.json"), STAGE.resolve("corpulyzer/sbom.cdx.json")}) {
      Set<String> missing = new TreeSet<>(found);
      for (JsonElement it : bill(file).getAsJsonArray("components")) {
        if (it.getAsJsonObject().has("purl"))
          missing.remove(it.getAsJsonObject().get("purl").getAsString());
      }
      assertEquals(file.toString(), new TreeSet<>(), missing);
    }
  }

  @Test
  public void noticeAndTheTableOfDependenciesNameTheJarsOfTheCrawlAndNoOthers() throws IOException {
    Set<String> jars = new TreeSet<>();
    try (Stream<Path> files = Files.walk(HOME)) {
      for (Path file : files.collect(Collectors.toList())) {
        Matcher name = JAR.matcher(file.getFileName().toString());
        if (name.matches()) jars.add(name.group(1) + " " + name.group(2));
      }
    }
    assertTrue(jars.size() > 30);
    assertEquals("NOTICE is old: run `gradle notice`", jars, rows(NOTICE_ROW, "NOTICE"));
    assertEquals("docs/dependencies.md is old", jars, rows(TABLE_ROW, "docs/dependencies.md"));
  }

  @Test
  public void thePluginNamesTheJarsOfItsFolder() throws IOException {
    Path folder = HOME.resolve("plugins/corpulyzer-companion");
    Set<String> named = new TreeSet<>();
    Matcher library =
        Pattern.compile("<library name=\"([^\"]+\\.jar)\"")
            .matcher(Files.readString(folder.resolve("plugin.xml")));
    while (library.find()) named.add(library.group(1));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(
          files
              .map(it -> it.getFileName().toString())
              .filter(it -> it.endsWith(".jar"))
              .collect(Collectors.toCollection(TreeSet::new)),
          named);
    }
  }

  @Test
  public void noJarOfTestsAndNoneThatWasLeftOutIsOnTheClassPath() throws IOException {
    for (String folder : new String[] {"lib", "plugins/corpulyzer-companion"}) {
      try (Stream<Path> files = Files.list(HOME.resolve(folder))) {
        Set<String> wrong =
            files
                .map(it -> it.getFileName().toString())
                .filter(
                    it ->
                        it.matches(
                            "(?i).*(tests?|junit|mock|annotations|jsr305|log4j|netty|jackson|beanutils|hbase|snappy|xml-apis|icu4j).*"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(folder, new TreeSet<>(), wrong);
      }
    }
  }

  private static JsonObject bill(Path file) throws IOException {
    JsonObject bill = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    assertEquals("CycloneDX", bill.get("bomFormat").getAsString());
    assertEquals("1.5", bill.get("specVersion").getAsString());
    Set<String> references = new TreeSet<>();
    for (JsonElement it : bill.getAsJsonArray("components")) {
      assertTrue(
          it + " is there twice",
          references.add(it.getAsJsonObject().get("bom-ref").getAsString()));
    }
    for (JsonElement it :
        bill.getAsJsonArray("dependencies").get(0).getAsJsonObject().getAsJsonArray("dependsOn")) {
      assertTrue("nothing is " + it, references.contains(it.getAsString()));
    }
    return bill;
  }

  /** The sums that a bill has of files, by path. */
  private static Map<String, String> listed(JsonObject bill) {
    Map<String, String> found = new TreeMap<>();
    for (JsonElement it : bill.getAsJsonArray("components")) {
      JsonObject property =
          it.getAsJsonObject().getAsJsonArray("properties").get(0).getAsJsonObject();
      if (!property.get("name").getAsString().equals("corpulyzer:file")) continue;
      JsonObject hash = it.getAsJsonObject().getAsJsonArray("hashes").get(0).getAsJsonObject();
      assertEquals("SHA-256", hash.get("alg").getAsString());
      found.put(property.get("value").getAsString(), hash.get("content").getAsString());
    }
    return found;
  }

  private static Map<String, String> sums(Path folder, String bill) throws Exception {
    Map<String, String> sums = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).collect(Collectors.toList())) {
        StringBuilder hex = new StringBuilder();
        for (byte it : MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)))
          hex.append(String.format("%02x", it));
        sums.put(folder.relativize(file).toString(), hex.toString());
      }
    }
    assertTrue(bill + " is missing", sums.remove(bill) != null);
    return sums;
  }

  private static Set<String> rows(Pattern pattern, String file) throws IOException {
    Set<String> rows = new TreeSet<>();
    String text = Files.readString(ROOT.resolve(file));
    // Crates are in a table before the jars.
    String jars = text.substring(text.indexOf("Jars\n"));
    for (Matcher row = pattern.matcher(jars); row.find(); )
      rows.add(row.group(1) + " " + row.group(2));
    return rows;
  }
}
