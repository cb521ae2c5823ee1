package org.corpulyzer.install;

import static org.corpulyzer.install.NutchHome.assertSame;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.corpulyzer.install.NutchHome.Answer;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Every refusal is one sentence that names the thing and the fix, and nothing has changed after it.
 */
public class BadInputTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private interface Damage {
    void to(Path root) throws IOException;
  }

  @Test
  public void a_damaged_home_is_refused() throws Exception {
    refused(
        "/nutch is not a Nutch home: it has no bin/nutch, no plugins.",
        home -> {
          Files.delete(home.resolve("bin/nutch"));
          NutchHome.delete(home.resolve("plugins"));
        });
    refused(
        "/nutch is not a Nutch home: no lib/*nutch*.jar has org/apache/nutch/crawl/CrawlDatum.class"
            + " (Nutch 1.x) or org/apache/nutch/storage/WebPage.class (Nutch 2.x).",
        home -> Files.delete(home.resolve("lib/nutch-2.4.jar")));
    refused(
        "it has no bin/nutch: for a deploy runtime use --job ",
        home -> {
          Files.delete(home.resolve("bin/nutch"));
          Files.createFile(home.resolve("apache-nutch-2.4.job"));
        });
    refused(
        "it has no bin/nutch: try ",
        home -> {
          Files.delete(home.resolve("bin/nutch"));
          Files.createDirectories(home.resolve("runtime/local/lib"));
        });
  }

  @Test
  public void a_home_that_cannot_be_written_in_full_keeps_nothing_of_us() throws Exception {
    refused(
        "/conf/nutch-site.xml is a folder where a file must be: move it away, then try again.",
        home -> {
          Files.delete(home.resolve("conf/nutch-site.xml"));
          Files.createDirectories(home.resolve("conf/nutch-site.xml"));
        });
  }

  @Test
  public void a_second_version_is_refused() throws Exception {
    refused(
        "Another version of Corpulyzer is in ",
        home -> Files.createFile(home.resolve("lib/corpulyzer-jobs-0.0.9.jar")));
    refused(
        "(plugins/corpulyzer-old): remove it or uninstall it, then install again.",
        home -> {
          Files.createDirectories(home.resolve("plugins/corpulyzer-old"));
          write(
              home.resolve("plugins/corpulyzer-old/plugin.xml"),
              "<plugin\n id=\"corpulyzer\" name=\"x\"/>");
        });
    refused(
        "(plugins/corpulyzer/corpulyzer-0.0.9.jar)",
        home -> {
          Files.createDirectories(home.resolve("plugins/corpulyzer"));
          Files.createFile(home.resolve("plugins/corpulyzer/corpulyzer-0.0.9.jar"));
        });
  }

  @Test
  public void a_nutch_site_that_cannot_be_changed_is_refused() throws Exception {
    refused(
        "conf/nutch-site.xml is broken XML at line 3, column ",
        site("<configuration>\n<property>\n</configuration>\n"));
    refused("conf/nutch-site.xml is broken XML at line 1", site(""));
    refused(
        "conf/nutch-site.xml is not a Nutch configuration: its root element is <properties>",
        site("<properties/>"));
    refused(
        "plugin.includes in nutch-site.xml is not a regular expression (",
        site(
            "<configuration><property><name>plugin.includes</name><value>a|(b</value></property></configuration>"));
    refused(
        "conf/nutch-site.xml is not written in UTF-8",
        home ->
            Files.write(
                home.resolve("conf/nutch-site.xml"),
                "<configuration/>".getBytes(StandardCharsets.UTF_16)));
    refused(
        "conf/nutch-site.xml is written in a way that cannot be changed as text",
        site(
            "<!DOCTYPE configuration [<!ENTITY p '<property><name>a</name></property>'>]>\n"
                + "<configuration>&p;</configuration>"));
  }

  @Test
  public void a_file_in_place_of_a_folder_is_refused() throws Exception {
    refused(
        "/plugins/corpulyzer is a file where a folder must be: move it away, then try again.",
        home -> Files.createFile(home.resolve("plugins/corpulyzer")));
  }

  @Test
  public void a_damaged_distribution_is_refused() throws Exception {
    Path distribution = folder.newFolder().toPath();
    NutchHome.copy(NutchHome.STAGE, distribution);
    NutchHome home = home();
    Map<String, byte[]> before = NutchHome.contents(home.root);
    Files.write(distribution.resolve("lib/corpulyzer-engine.jar"), new byte[] {1});
    assertRefused(
        "/lib/corpulyzer-engine.jar is damaged: unpack the zip again.",
        install(distribution, home));
    Files.delete(distribution.resolve("lib/corpulyzer-engine.jar"));
    assertRefused(
        "/lib/corpulyzer-engine.jar is missing: unpack the zip again.",
        install(distribution, home));
    Files.delete(distribution.resolve("corpulyzer/SHA256SUMS"));
    assertRefused(
        "there is no corpulyzer/SHA256SUMS; unpack the zip again.", install(distribution, home));
    assertSame(before, NutchHome.contents(home.root));
  }

  @Test
  public void a_file_that_is_no_job_is_refused() throws Exception {
    Path job = folder.newFile("some.job").toPath();
    assertRefused("some.job is not a job file: it is not a zip archive.", job(job));
    write(job, "PK\3\4 and then nothing of the kind");
    assertRefused("some.job is not a job file: it is not a zip archive.", job(job));
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(job))) {
      zip.putNextEntry(new ZipEntry("nutch-site.xml"));
    }
    byte[] before = Files.readAllBytes(job);
    assertRefused("some.job is not a Nutch job file: it has no classes/plugins.", job(job));
    assertArrayEquals(before, Files.readAllBytes(job));
    assertRefused("is not a job file: there is no such file.", job(job.resolveSibling("none.job")));
    assertRefused("is not a job file: it is a folder.", job(folder.getRoot().toPath()));
  }

  @Test
  public void a_language_that_is_no_code_is_refused() throws Exception {
    NutchHome home = home();
    Map<String, byte[]> before = NutchHome.contents(home.root);
    for (String[] refused :
        new String[][] {
          {"Urdo", "language code `Urdo` is unknown; ", "those of `urd` (Urdu)."},
          {"xx", "language code `xx` is unknown; ", "`corpulyzer languages` lists all."},
          {
            "kv",
            "`kom` (Komi) has no model; ",
            "members, `koi` (Komi-Permyak), `kpv` (Komi-Zyrian)"
          },
          {"", "a code in `` is empty; ", "English names."}
        }) {
      Answer answer =
          NutchHome.installer(
              NutchHome.STAGE,
              "install",
              "--nutch-home",
              home.root.toString(),
              "--language",
              refused[0]);
      assertRefused(2, "--language: " + refused[1], answer);
      assertTrue(answer.toString(), answer.err.contains(refused[2]));
    }
    assertSame(before, NutchHome.contents(home.root));
  }

  @Test
  public void wrong_arguments_are_named_before_the_usage() throws Exception {
    String home = home().root.toString();
    for (String[] wrong :
        new String[][] {
          {"", "The verb is missing."},
          {"install", "Give a Nutch home (--nutch-home DIR) or a job file (--job FILE.job)."},
          {"instal --nutch-home " + home, "Unknown verb instal."},
          {"install --nutch-home", "The argument --nutch-home has no value."},
          {"install --nutch-home " + home + " --job x", "Give --nutch-home or --job, not both."},
          {
            "uninstall --nutch-home " + home + " --language urd",
            "Unknown argument --language of uninstall."
          },
          {
            "install --nutch-home " + home + " --langauge ur",
            "Unknown argument --langauge of install."
          }
        }) {
      Answer answer = NutchHome.installer(NutchHome.STAGE, wrong[0].split(" "));
      assertEquals(wrong[0], 2, answer.exit);
      assertTrue(answer.toString(), answer.err.startsWith(wrong[1] + "\nusage: "));
    }
  }

  /** Root may write everywhere, so the installer runs as somebody else. */
  @Test
  public void a_home_of_somebody_else_is_refused_and_names_the_owner() throws Exception {
    NutchHome home = home();
    Path distribution = folder.newFolder().toPath();
    NutchHome.copy(NutchHome.STAGE, distribution);
    for (Path passage = distribution;
        passage.startsWith(folder.getRoot().toPath());
        passage = passage.getParent()) {
      Files.setPosixFilePermissions(passage, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    Files.setPosixFilePermissions(
        home.root.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
    // The jar that the link points to may lie where others may not read.
    Path nutch = home.root.resolve("lib/nutch-2.4.jar");
    byte[] jar = Files.readAllBytes(nutch);
    Files.delete(nutch);
    Files.write(nutch, jar);
    boolean isRoot = System.getProperty("user.name").equals("root");
    if (!isRoot) {
      Files.setPosixFilePermissions(
          home.root.resolve("plugins"), PosixFilePermissions.fromString("r-xr-xr-x"));
    }
    Map<String, byte[]> before = NutchHome.contents(home.root);
    String installer = distribution.resolve("bin/corpulyzer").toString();
    Answer answer =
        isRoot
            ? NutchHome.command(
                "setpriv",
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                installer,
                "install",
                "--nutch-home",
                home.root.toString())
            : NutchHome.command(installer, "install", "--nutch-home", home.root.toString());
    assertRefused(
        isRoot
            ? "is not writable for nobody: it belongs to root, so run this as root."
            : " is not writable for ",
        answer);
    assertSame(before, NutchHome.contents(home.root));
  }

  private Damage site(String content) {
    return home -> write(home.resolve("conf/nutch-site.xml"), content);
  }

  private void refused(String sentence, Damage damage) throws IOException {
    NutchHome home = home();
    damage.to(home.root);
    Map<String, byte[]> before = NutchHome.contents(home.root);
    assertRefused(sentence, install(NutchHome.STAGE, home));
    assertSame(before, NutchHome.contents(home.root));
  }

  private static void assertRefused(String sentence, Answer answer) {
    assertRefused(1, sentence, answer);
  }

  private static void assertRefused(int exit, String sentence, Answer answer) {
    assertEquals(answer.toString(), exit, answer.exit);
    assertTrue(sentence + " in " + answer, answer.err.contains(sentence));
    assertEquals("one line: " + answer.err, answer.err.length() - 1, answer.err.indexOf('\n'));
  }

  private static Answer install(Path distribution, NutchHome home) throws IOException {
    return NutchHome.installer(
        distribution, "install", "--nutch-home", home.root.toString(), "--language", "urd");
  }

  private static Answer job(Path job) throws IOException {
    return NutchHome.installer(NutchHome.STAGE, "install", "--job", job.toString());
  }

  private NutchHome home() throws IOException {
    return new NutchHome(
        folder.newFolder().toPath().resolve("nutch"), NutchHome.vector("stock.before.xml"));
  }

  private static void write(Path file, String content) throws IOException {
    Files.write(file, content.getBytes(StandardCharsets.UTF_8));
  }
}
