package org.corpulyzer.install;

import static org.corpulyzer.install.NutchHome.assertSame;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.corpulyzer.install.NutchHome.Answer;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Whatever the step at which an installation dies, the next one finishes it, and taking it out
 * leaves nothing.
 */
public class InterruptionTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private Path older;
  private Path newer;

  private interface Planning {
    Plan plan(Nutch nutch) throws InstallException, IOException;
  }

  @Test
  public void a_first_installation_that_dies_at_any_step_is_mended_or_taken_back()
      throws Exception {
    everyDeath(home -> {}, nutch -> new Installer(nutch).install(Distribution.at(newer), wishes()));
  }

  @Test
  public void an_upgrade_that_dies_at_any_step_is_mended_or_taken_back() throws Exception {
    everyDeath(
        home -> run(home, older, "install"),
        nutch -> new Installer(nutch).install(Distribution.at(newer), wishes()));
  }

  @Test
  public void taking_out_that_dies_at_any_step_is_mended_or_taken_back() throws Exception {
    everyDeath(home -> run(home, newer, "install"), nutch -> new Installer(nutch).uninstall());
  }

  /** A file of such a size cannot be written, as on a full disk. */
  @Test
  public void a_disk_without_room_leaves_the_home_as_it_was() throws Exception {
    NutchHome home = home();
    Map<String, byte[]> before = NutchHome.contents(home.root);
    Answer answer =
        NutchHome.command(
            "bash",
            "-c",
            "trap '' XFSZ; ulimit -f 1024; exec \"$0\" \"$@\"",
            NutchHome.STAGE.resolve("bin/corpulyzer").toString(),
            "install",
            "--nutch-home",
            home.root.toString(),
            "--alias-updatedb");
    assertEquals(answer.toString(), 1, answer.exit);
    assertTrue(answer.toString(), answer.err.contains("nothing was changed"));
    assertSame(before, NutchHome.contents(home.root));
  }

  @Test
  public void while_one_run_changes_a_home_another_is_refused() throws Exception {
    NutchHome home = home();
    Map<String, byte[]> before = NutchHome.contents(home.root);
    for (String verb : new String[] {"install", "uninstall"}) {
      Answer answer =
          NutchHome.command(
              "flock",
              home.root.toString(),
              NutchHome.STAGE.resolve("bin/corpulyzer").toString(),
              verb,
              "--nutch-home",
              home.root.toString());
      assertEquals(answer.toString(), 1, answer.exit);
      assertTrue(answer.toString(), answer.err.contains("Another install or uninstall"));
    }
    assertSame(before, NutchHome.contents(home.root));
  }

  private interface Preparation {
    void of(NutchHome home) throws Exception;
  }

  private void everyDeath(Preparation preparation, Planning planning) throws Exception {
    versions();
    NutchHome whole = home();
    Map<String, byte[]> before = NutchHome.contents(whole.root);
    run(whole, newer, "install");
    Map<String, byte[]> after = NutchHome.contents(whole.root);
    int steps = 1;
    for (int deadly = 0; deadly < steps; deadly++) {
      for (String next : new String[] {"install", "uninstall"}) {
        NutchHome home = home();
        preparation.of(home);
        Nutch nutch = Nutch.home(home.root, Collections.emptyList());
        List<Plan.Step> all = planning.plan(nutch).steps();
        steps = all.size();
        for (Plan.Step step : all.subList(0, deadly)) {
          step.run();
        }
        Answer answer = run(home, newer, next);
        assertEquals(next + " after step " + deadly + ": " + answer, 0, answer.exit);
        assertSame(next.equals("install") ? after : before, NutchHome.contents(home.root));
        NutchHome.delete(home.root);
      }
    }
    assertTrue(steps + " steps", steps > 10);
  }

  private static Installer.Wishes wishes() {
    Installer.Wishes wishes = new Installer.Wishes();
    wishes.language = "urd";
    wishes.aliases = true;
    return wishes;
  }

  private static Answer run(NutchHome home, Path distribution, String verb) throws IOException {
    return verb.equals("install")
        ? NutchHome.installer(
            distribution,
            verb,
            "--nutch-home",
            home.root.toString(),
            "--language",
            "urd",
            "--alias-updatedb")
        : NutchHome.installer(distribution, verb, "--nutch-home", home.root.toString());
  }

  /** Without the jars that nobody looks at here: it is made, read and deleted a hundred times. */
  private NutchHome home() throws IOException {
    NutchHome home =
        new NutchHome(
            folder.newFolder().toPath().resolve("nutch"), NutchHome.vector("grown.before.xml"));
    for (File jar : home.root.resolve("lib").toFile().listFiles()) {
      if (!jar.getName().startsWith("nutch-")) {
        Files.delete(jar.toPath());
      }
    }
    return home;
  }

  /** Two small distributions, of which either has a file that the other has not. */
  private void versions() throws Exception {
    older =
        distribution(
            "0.0.9",
            "lib/corpulyzer-jobs.jar",
            "lib/corpulyzer-engine.jar",
            "lib/corpulyzer-gone.jar",
            "nutch2/plugins/corpulyzer/plugin.xml",
            "plugins/corpulyzer/corpulyzer-gone.jar",
            "bin/corpulyzer");
    newer =
        distribution(
            "0.1.0",
            "lib/corpulyzer-jobs.jar",
            "lib/corpulyzer-engine.jar",
            "nutch2/plugins/corpulyzer/plugin.xml",
            "nutch1/plugins/corpulyzer/plugin.xml",
            "bin/corpulyzer",
            "conf/corpulyzer-default.xml",
            "corpulyzer/LICENSE");
    assertFalse(older.equals(newer));
  }

  private Path distribution(String version, String... files) throws Exception {
    Path root = folder.newFolder().toPath();
    Map<String, String> sums = new TreeMap<>();
    for (String file : files) {
      byte[] content = (version + " " + file).getBytes(StandardCharsets.UTF_8);
      Files.createDirectories(root.resolve(file).getParent());
      Files.write(root.resolve(file), content);
      StringBuilder hex = new StringBuilder();
      for (byte b : MessageDigest.getInstance("SHA-256").digest(content)) {
        hex.append(String.format("%02x", b));
      }
      sums.put(file, hex + "  " + file + "\n");
    }
    Files.createDirectories(root.resolve("corpulyzer"));
    Files.write(
        root.resolve(Distribution.SUMS),
        String.join("", sums.values()).getBytes(StandardCharsets.UTF_8));
    return root;
  }
}
