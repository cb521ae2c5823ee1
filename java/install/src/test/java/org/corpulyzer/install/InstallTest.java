package org.corpulyzer.install;

import static org.corpulyzer.install.NutchHome.assertSame;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.corpulyzer.install.NutchHome.Answer;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class InstallTest {
  private static final String[] SITES = {"stock", "grown", "twice", "final", "empty"};

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void installing_changes_two_values_of_nutch_site_and_no_other_byte() throws Exception {
    for (String site : SITES) {
      for (boolean crlf : new boolean[] {false, true}) {
        NutchHome home = home(lineEnds(NutchHome.vector(site + ".before.xml"), crlf));
        Answer answer = install(home, "--language", "urd");
        assertEquals(answer.toString(), 0, answer.exit);
        assertEquals(
            site,
            text(lineEnds(NutchHome.vector(site + ".after.xml"), crlf)),
            text(Files.readAllBytes(home.site())));
        assertTrue(answer.out, answer.out.contains("+++ conf/nutch-site.xml\n@@ "));
      }
    }
  }

  @Test
  public void installing_puts_every_file_of_the_distribution_in_its_place() throws Exception {
    NutchHome home = home(NutchHome.vector("stock.before.xml"));
    assertEquals(0, install(home).exit);
    Map<String, byte[]> there = NutchHome.contents(home.root);
    for (Map.Entry<String, byte[]> file : NutchHome.contents(NutchHome.STAGE).entrySet()) {
      String place = file.getKey().replaceFirst("^nutch2/", "");
      if (!file.getKey().startsWith("nutch1/")
          && !place.isEmpty()
          && !place.equals(Distribution.SUMS)) {
        assertTrue(place, there.containsKey(place));
        assertArrayEquals(place, file.getValue(), there.get(place));
      }
    }
    assertTrue(there.containsKey("plugins/corpulyzer/corpulyzer-engine.jar"));
    assertTrue(there.containsKey("lib/corpulyzer-jobs.jar"));
    assertTrue(Files.isExecutable(home.root.resolve("bin/corpulyzer")));
  }

  @Test
  public void uninstalling_leaves_every_byte_and_folder_as_it_was() throws Exception {
    for (String site : SITES) {
      NutchHome home = home(NutchHome.vector(site + ".before.xml"));
      Map<String, byte[]> before = NutchHome.contents(home.root);
      install(home, "--language", "urd");
      Answer answer = uninstall(home);
      assertEquals(answer.toString(), 0, answer.exit);
      assertSame(before, NutchHome.contents(home.root));
    }
  }

  @Test
  public void a_home_without_nutch_site_gets_one_and_loses_it_again() throws Exception {
    NutchHome home = home(null);
    Map<String, byte[]> before = NutchHome.contents(home.root);
    assertEquals(0, install(home).exit);
    assertTrue(text(Files.readAllBytes(home.site())).contains("|corpulyzer</value>"));
    assertEquals(0, uninstall(home).exit);
    assertSame(before, NutchHome.contents(home.root));
  }

  @Test
  public void the_second_run_has_nothing_to_do() throws Exception {
    NutchHome home = home(NutchHome.vector("grown.before.xml"));
    install(home, "--language", "urd");
    Map<String, byte[]> once = NutchHome.contents(home.root);
    Answer again = install(home, "--language", "urd");
    assertEquals("Nothing to do: Corpulyzer is installed in " + home.root + ".\n", again.out);
    assertEquals(0, again.exit);
    assertSame(once, NutchHome.contents(home.root));
    uninstall(home);
    assertEquals("Nothing to do: Corpulyzer is not in " + home.root + ".\n", uninstall(home).out);
  }

  @Test
  public void another_language_is_one_change_and_uninstalling_still_goes_back_to_the_start()
      throws Exception {
    NutchHome home = home(NutchHome.vector("stock.before.xml"));
    install(home, "--language", "urd");
    // The installer's own process has nothing but its jar and the engine's.
    Answer answer =
        NutchHome.command(
            NutchHome.STAGE.resolve("bin/corpulyzer").toString(),
            "install",
            "--nutch-home",
            home.root.toString(),
            "--language",
            "sin_Sinh");
    assertTrue(
        answer.out, answer.out.contains("-    <value>urd</value>\n+    <value>sin</value>\n"));
    uninstall(home);
    assertArrayEquals(NutchHome.vector("stock.before.xml"), Files.readAllBytes(home.site()));
  }

  @Test
  public void uninstalling_keeps_what_the_operator_changed_since() throws Exception {
    NutchHome home = home(NutchHome.vector("stock.before.xml"));
    install(home, "--language", "urd");
    String changed =
        text(Files.readAllBytes(home.site()))
            .replace(
                "</configuration>",
                "  <property><name>http.agent.name</name><value>probe</value></property>\n"
                    + "</configuration>")
            .replace("|corpulyzer", "|corpulyzer|index-more");
    Files.write(home.site(), changed.getBytes(StandardCharsets.UTF_8));
    assertEquals(0, uninstall(home).exit);
    SiteFile left = SiteFile.parse("nutch-site.xml", Files.readAllBytes(home.site()));
    assertEquals("probe", left.get("http.agent.name"));
    assertEquals(null, left.get("corpulyzer.language.target"));
    assertTrue(left.get("plugin.includes").endsWith("|index-more|scoring-opic"));
    assertFalse(left.get("plugin.includes").contains("corpulyzer"));
  }

  @Test
  public void a_dry_run_prints_the_same_and_changes_nothing() throws Exception {
    NutchHome home = home(NutchHome.vector("stock.before.xml"));
    Map<String, byte[]> before = NutchHome.contents(home.root);
    Answer dry = install(home, "--language", "urd", "--dry-run");
    assertSame(before, NutchHome.contents(home.root));
    Answer wet = install(home, "--language", "urd");
    int next = wet.out.lastIndexOf("Next, ");
    assertEquals(wet.out.substring(0, next) + "Dry run: nothing was changed.\n", dry.out);
    assertEquals(
        "Next, check the installation: "
            + NutchHome.STAGE.resolve("bin/corpulyzer")
            + " doctor --nutch-home "
            + home.root
            + "\n",
        wet.out.substring(next));
  }

  @Test
  public void a_new_version_takes_the_place_of_the_old_one() throws Exception {
    NutchHome home = home(NutchHome.vector("stock.before.xml"));
    install(home);
    Path list = home.root.resolve("corpulyzer/SHA256SUMS");
    byte[] installed = Files.readAllBytes(list);
    Files.write(home.root.resolve("lib/corpulyzer-gone.jar"), new byte[0]);
    Files.write(
        list,
        (text(Files.readAllBytes(list)) + String.format("%064x  lib/corpulyzer-gone.jar%n", 0))
            .getBytes(StandardCharsets.UTF_8));
    assertEquals(0, install(home).exit);
    assertFalse(Files.exists(home.root.resolve("lib/corpulyzer-gone.jar")));
    assertArrayEquals(installed, Files.readAllBytes(list));
  }

  @Test
  public void a_linked_nutch_site_is_changed_where_it_is() throws Exception {
    NutchHome home = home(null);
    Path real = folder.newFile("real-site.xml").toPath();
    Files.write(real, NutchHome.vector("stock.before.xml"));
    Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-rw----"));
    Files.createSymbolicLink(home.site(), real);
    assertEquals(
        0, install(home, "--language", "urd", "--follow", real.getParent().toString()).exit);
    assertTrue(Files.isSymbolicLink(home.site()));
    assertArrayEquals(NutchHome.vector("stock.after.xml"), Files.readAllBytes(real));
    assertEquals("rw-rw----", PosixFilePermissions.toString(Files.getPosixFilePermissions(real)));
  }

  @Test
  public void a_linked_conf_folder_is_changed_where_it_is() throws Exception {
    NutchHome home = home(null);
    Path real = folder.newFolder("etc-nutch").toPath();
    Files.write(real.resolve("nutch-site.xml"), NutchHome.vector("stock.before.xml"));
    NutchHome.delete(home.root.resolve("conf"));
    Files.createSymbolicLink(home.root.resolve("conf"), real);
    assertEquals(0, install(home, "--language", "urd", "--follow", real.toString()).exit);
    assertTrue(Files.isSymbolicLink(home.root.resolve("conf")));
    assertArrayEquals(
        NutchHome.vector("stock.after.xml"), Files.readAllBytes(real.resolve("nutch-site.xml")));
    Answer out =
        NutchHome.installer(
            NutchHome.STAGE,
            "uninstall",
            "--nutch-home",
            home.root.toString(),
            "--follow",
            real.toString());
    assertEquals(out.toString(), 0, out.exit);
    assertArrayEquals(
        NutchHome.vector("stock.before.xml"), Files.readAllBytes(real.resolve("nutch-site.xml")));
    assertEquals("nothing else is left in it", 1, real.toFile().list().length);
  }

  @Test
  public void a_byte_order_mark_a_doctype_and_entities_stay_as_they_are() throws Exception {
    String doctype =
        "<?xml version=\"1.0\"?>\n"
            + "<!DOCTYPE configuration [\n"
            + "<!ENTITY agent \"probe\">\n"
            + "]>\n"
            + "<!-- <property> in a comment -->\n"
            + "<configuration>\n"
            + "  <property><name>http.agent.name</name><value>&agent;</value></property>\n"
            + "</configuration>\n";
    for (String before :
        new String[] {
          "\ufeff" + text(NutchHome.vector("grown.before.xml")),
          doctype,
          "\ufeff" + doctype.replace("\n", "\r\n")
        }) {
      NutchHome home = home(before.getBytes(StandardCharsets.UTF_8));
      Answer answer = install(home, "--language", "urd");
      assertEquals(answer.toString(), 0, answer.exit);
      String after = text(Files.readAllBytes(home.site()));
      assertEquals(
          before.split("(?<=<configuration>)", 2)[0], after.split("(?<=<configuration>)", 2)[0]);
      SiteFile site = SiteFile.parse("nutch-site.xml", Files.readAllBytes(home.site()));
      assertEquals("urd", site.get("corpulyzer.language.target"));
      assertEquals(before.contains("&agent;"), after.contains("<value>&agent;</value>"));
      assertEquals(0, uninstall(home).exit);
      assertEquals(before, text(Files.readAllBytes(home.site())));
    }
  }

  @Test
  public void a_distribution_unpacked_over_the_home_of_an_older_version_names_what_is_left_of_that()
      throws Exception {
    NutchHome home = home(NutchHome.vector("stock.before.xml"));
    install(home, "--language", "urd");
    Files.write(home.root.resolve("lib/corpulyzer-gone.jar"), new byte[0]);
    Files.write(home.root.resolve("plugins/corpulyzer/corpulyzer-older.jar"), new byte[0]);
    Answer answer = install(home);
    assertEquals(answer.toString(), 1, answer.exit);
    assertEquals(
        "Another version of Corpulyzer is in "
            + home.root
            + " (lib/corpulyzer-gone.jar, plugins/corpulyzer/corpulyzer-older.jar): "
            + "remove it or uninstall it, then install again.\n",
        answer.err);
    Files.delete(home.root.resolve("lib/corpulyzer-gone.jar"));
    Files.delete(home.root.resolve("plugins/corpulyzer/corpulyzer-older.jar"));
    assertEquals(0, install(home).exit);
  }

  @Test
  public void a_job_file_is_changed_in_one_step_and_comes_back_with_the_same_entries()
      throws Exception {
    Path job =
        home(NutchHome.vector("stock.before.xml"))
            .job(folder.getRoot().toPath().resolve("apache-nutch-2.4.job"));
    Files.setPosixFilePermissions(job, PosixFilePermissions.fromString("rw-r-----"));
    Map<String, byte[]> before = entries(job);

    Answer answer =
        NutchHome.installer(
            NutchHome.STAGE, "install", "--job", job.toString(), "--language", "urd");
    assertEquals(answer.toString(), 0, answer.exit);
    Map<String, byte[]> installed = entries(job);
    Set<String> names = installed.keySet();
    for (String wanted :
        new String[] {
          "classes/plugins/corpulyzer/corpulyzer-plugin.jar",
          "classes/plugins/corpulyzer/corpulyzer-engine.jar",
          "lib/corpulyzer-jobs.jar",
          "lib/corpulyzer-engine.jar"
        }) {
      assertTrue(wanted + " in " + names, names.contains(wanted));
    }
    assertEquals(text(NutchHome.vector("stock.after.xml")), text(installed.get("nutch-site.xml")));
    assertFalse(names.contains("bin/corpulyzer"));

    byte[] once = Files.readAllBytes(job);
    Answer again =
        NutchHome.installer(
            NutchHome.STAGE, "install", "--job", job.toString(), "--language", "urd");
    assertEquals("Nothing to do: Corpulyzer is installed in " + job + ".\n", again.out);
    assertArrayEquals(once, Files.readAllBytes(job));

    assertEquals(
        0, NutchHome.installer(NutchHome.STAGE, "uninstall", "--job", job.toString()).exit);
    assertSame(before, entries(job));
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(job)));
    assertEquals(
        "no file is left beside the job",
        1,
        Files.list(job.getParent()).filter(path -> path.toString().contains(".job")).count());
  }

  @Test
  public void the_staged_script_installs_from_outside_and_from_within() throws Exception {
    NutchHome home = home(NutchHome.vector("stock.before.xml"));
    Answer outside =
        NutchHome.command(
            NutchHome.STAGE.resolve("bin/corpulyzer").toString(),
            "install",
            "--nutch-home",
            home.root.toString());
    assertEquals(outside.toString(), 0, outside.exit);
    Answer within =
        NutchHome.command(
            home.root.resolve("bin/corpulyzer").toString(), "install", "--language", "urd");
    assertEquals(within.toString(), 0, within.exit);
    assertArrayEquals(NutchHome.vector("stock.after.xml"), Files.readAllBytes(home.site()));
    Answer out = NutchHome.command(home.root.resolve("bin/corpulyzer").toString(), "uninstall");
    assertEquals(out.toString(), 0, out.exit);
    assertFalse(Files.exists(home.root.resolve("corpulyzer")));
  }

  private NutchHome home(byte[] site) throws IOException {
    return new NutchHome(folder.newFolder().toPath().resolve("nutch"), site);
  }

  private static Answer install(NutchHome home, String... options) throws IOException {
    String[] args =
        Arrays.copyOf(
            new String[] {"install", "--nutch-home", home.root.toString()}, 3 + options.length);
    System.arraycopy(options, 0, args, 3, options.length);
    return NutchHome.installer(NutchHome.STAGE, args);
  }

  private static Answer uninstall(NutchHome home) throws IOException {
    return NutchHome.installer(NutchHome.STAGE, "uninstall", "--nutch-home", home.root.toString());
  }

  private static Map<String, byte[]> entries(Path job) throws IOException {
    try (FileSystem zip = FileSystems.newFileSystem(job, (ClassLoader) null)) {
      return NutchHome.contents(zip.getPath("/"));
    }
  }

  private static byte[] lineEnds(byte[] content, boolean crlf) {
    return crlf ? text(content).replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8) : content;
  }

  private static String text(byte[] content) {
    return new String(content, StandardCharsets.UTF_8);
  }
}
