package org.corpulyzer.install;

import static org.corpulyzer.install.NutchHome.assertSame;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.corpulyzer.install.NutchHome.Answer;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Root installs and uninstalls in the home of an attacker, who tries to make root change files
 * elsewhere. No file outside of the home is read into it, written or deleted, or gets another owner
 * or mode. If the tests do not run as root, they do not check the owners.
 */
public class StrangersHomeTest {
  private static final boolean IS_ROOT = System.getProperty("user.name").equals("root");
  private static final String HASH = new String(new char[64]).replace('\0', '0');

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private NutchHome home;
  private Path outside;

  private interface Damage {
    void to(Path root) throws Exception;
  }

  @Before
  public void homeOfSomebodyElse() throws Exception {
    home =
        new NutchHome(
            folder.newFolder().toPath().resolve("nutch"), NutchHome.vector("stock.before.xml"));
    outside = folder.newFolder("outside").toPath().toRealPath();
    fillOutside();
    giveAway();
  }

  @Test
  public void a_configuration_that_nutch_reads_elsewhere_is_named_and_not_changed()
      throws Exception {
    Path conf = folder.newFolder("conf").toPath();
    Path elsewhere = folder.newFolder("elsewhere").toPath();
    Main.refuseOtherConfiguration(conf, null);
    Main.refuseOtherConfiguration(conf, "");
    Main.refuseOtherConfiguration(conf, conf.toString());
    Main.refuseOtherConfiguration(conf, conf + "/../conf");
    for (String other : new String[] {elsewhere.toString(), conf + "/missing"}) {
      InstallException refused =
          assertThrows(InstallException.class, () -> Main.refuseOtherConfiguration(conf, other));
      assertTrue(
          refused.getMessage(),
          refused.getMessage().startsWith("NUTCH_CONF_DIR is " + other + ", so Nutch reads"));
    }
  }

  @Test
  public void a_folder_that_is_a_symlink_out_of_the_home_is_refused_by_name() throws Exception {
    for (String link : new String[] {"bin", "conf", "lib", "plugins"}) {
      refusedInstall(
          link
              + " is a symlink to "
              + outside
              + "/"
              + link
              + ", outside of "
              + home.root.toRealPath()
              + ", and nothing was changed: if you trust it, add --follow "
              + outside
              + "/"
              + link
              + ", or replace the symlink",
          root -> {
            Files.move(root.resolve(link), outside.resolve(link));
            Files.createSymbolicLink(root.resolve(link), outside.resolve(link));
          });
    }
    for (String link : new String[] {"corpulyzer", "plugins/corpulyzer"}) {
      refusedInstall(
          link + " is a symlink to " + outside + "/corpulyzer, outside of ",
          root -> Files.createSymbolicLink(root.resolve(link), outside.resolve("corpulyzer")));
    }
  }

  @Test
  public void a_file_that_is_a_symlink_out_of_the_home_is_refused_by_name() throws Exception {
    for (String link :
        new String[] {
          "conf/nutch-site.xml",
          "conf/corpulyzer-default.xml",
          "lib/corpulyzer-jobs.jar",
          "bin/corpulyzer",
          "plugins/corpulyzer/plugin.xml",
          "corpulyzer/SHA256SUMS",
          "corpulyzer/nutch-site.before",
          "corpulyzer/nutch-site.after"
        }) {
      refusedInstall(
          link + " is a symlink to " + outside + "/victim, outside of ",
          root -> {
            Files.createDirectories(root.resolve(link).getParent());
            Files.deleteIfExists(root.resolve(link));
            Files.createSymbolicLink(root.resolve(link), outside.resolve("victim"));
          });
    }
    refusedInstall(
        "bin/nutch is a symlink to " + outside + "/nutch, outside of ",
        root -> {
          Files.delete(root.resolve("bin/nutch"));
          Files.createSymbolicLink(root.resolve("bin/nutch"), outside.resolve("nutch"));
        });
    refusedInstall(
        "conf/nutch-site.xml in " + home.root.getParent().toRealPath(),
        root -> {
          Files.delete(root.resolve("conf/nutch-site.xml"));
          Files.createSymbolicLink(
              root.resolve("conf/nutch-site.xml"), outside.resolve("not-there"));
        });
  }

  @Test
  public void uninstalling_deletes_no_file_that_a_symlink_leads_to() throws Exception {
    for (String link :
        new String[] {
          "lib/corpulyzer-jobs.jar", "corpulyzer/nutch-site.before", "corpulyzer/nutch-site.after"
        }) {
      refusedUninstall(
          link + " is a symlink to " + outside + "/victim, outside of ",
          root -> {
            Files.delete(root.resolve(link));
            Files.createSymbolicLink(root.resolve(link), outside.resolve("victim"));
          });
    }
    refusedUninstall(
        "corpulyzer is a symlink to ",
        root -> {
          Files.move(root.resolve("corpulyzer"), outside.resolve("moved"));
          Files.createSymbolicLink(root.resolve("corpulyzer"), outside.resolve("moved"));
        });
  }

  @Test
  public void a_list_with_a_path_that_is_not_ours_is_refused_and_nothing_is_deleted()
      throws Exception {
    for (String planted :
        new String[] {
          outside + "/victim",
          "../../outside/victim",
          "lib/../../../outside/victim",
          "lib/corpulyzer/../../../victim",
          "conf/nutch-default.xml",
          "plugins/nutch-extensionpoints/plugin.xml",
          "/etc/corpulyzer-there-is-none",
          "plugins/corpulyzer/../x",
          "bin/nutch"
        }) {
      Damage plant =
          root -> {
            Files.createDirectories(root.resolve("corpulyzer"));
            Path list = root.resolve(Distribution.SUMS);
            String known = Files.exists(list) ? text(list) : "";
            write(list, known + HASH + "  " + planted + "\n");
          };
      String sentence = "SHA256SUMS lists \"" + planted + "\", which is not a file of Corpulyzer, ";
      refusedInstall(sentence, plant);
      if (planted.contains("victim")) {
        refusedUninstall(sentence, plant);
      }
    }
  }

  @Test
  public void a_listed_path_through_a_symlink_is_refused() throws Exception {
    Damage plant =
        root -> {
          Files.createDirectories(root.resolve("plugins/corpulyzer"));
          Files.createDirectories(root.resolve("corpulyzer"));
          Files.createSymbolicLink(root.resolve("plugins/corpulyzer/deeper"), outside);
          write(root.resolve(Distribution.SUMS), HASH + "  plugins/corpulyzer/deeper/victim\n");
        };
    refusedInstall("plugins/corpulyzer/deeper is a symlink to " + outside + ", outside of ", plant);
    refusedUninstall(
        "plugins/corpulyzer/deeper is a symlink to " + outside + ", outside of ", plant);
  }

  @Test
  public void symlinks_where_temporary_files_could_be_expected_are_not_followed() throws Exception {
    for (String name :
        new String[] {
          "conf/nutch-site.xml.corpulyzer-new",
          "lib/corpulyzer-jobs.jar.corpulyzer-new",
          "corpulyzer/.corpulyzer-" + HASH.substring(32)
        }) {
      Files.createDirectories(home.root.resolve(name).getParent());
      Files.createSymbolicLink(
          home.root.resolve(name),
          name.startsWith("corpulyzer") ? outside : outside.resolve("victim"));
    }
    Path leftover = home.root.resolve("lib/.corpulyzer-" + HASH.substring(32));
    Files.createDirectories(leftover);
    Files.createSymbolicLink(leftover.resolve("victim"), outside.resolve("victim"));
    giveAway();
    Map<String, String> before = state(outside);
    Answer answer = run("install", "--language", "urd");
    assertEquals(answer.toString(), 0, answer.exit);
    assertEquals(before, state(outside));
    assertFalse(
        "what an interrupted run left is deleted",
        Files.exists(leftover, LinkOption.NOFOLLOW_LINKS));
    assertEquals(0, run("uninstall").exit);
    assertEquals(before, state(outside));
  }

  @Test
  public void new_files_belong_to_the_owner_of_the_home() throws Exception {
    Answer answer = run("install", "--language", "urd", "--alias-updatedb");
    assertEquals(answer.toString(), 0, answer.exit);
    for (String file :
        new String[] {
          "lib/corpulyzer-jobs.jar", "conf/nutch-site.xml", "bin/nutch", "bin/corpulyzer"
        }) {
      assertEquals(file, Files.getOwner(home.root), Files.getOwner(home.root.resolve(file)));
    }
    assertTrue(Files.isExecutable(home.root.resolve("bin/nutch")));
    try (Stream<Path> paths = Files.walk(home.root)) {
      assertEquals(
          0, paths.filter(path -> path.getFileName().toString().startsWith(".corpulyzer")).count());
    }
  }

  @Test
  public void symlinks_that_stay_in_the_home_and_a_home_that_is_a_symlink_are_as_good_as_the_files()
      throws Exception {
    Files.move(home.root.resolve("conf"), home.root.resolve("conf.prod"));
    Files.createSymbolicLink(
        home.root.resolve("conf"), home.root.getFileSystem().getPath("conf.prod"));
    Files.move(home.root.resolve("conf.prod/nutch-site.xml"), home.root.resolve("site.xml"));
    Files.createSymbolicLink(
        home.root.resolve("conf.prod/nutch-site.xml"), home.root.resolve("site.xml").toRealPath());
    Path current = folder.getRoot().toPath().resolve("current");
    Files.createSymbolicLink(current, home.root);
    Map<String, byte[]> before = NutchHome.contents(home.root);
    Answer answer =
        NutchHome.installer(
            NutchHome.STAGE, "install", "--nutch-home", current.toString(), "--language", "urd");
    assertEquals(answer.toString(), 0, answer.exit);
    assertTrue(Files.isSymbolicLink(home.root.resolve("conf.prod/nutch-site.xml")));
    assertArrayEquals(
        NutchHome.vector("stock.after.xml"), Files.readAllBytes(home.root.resolve("site.xml")));
    assertEquals(
        0,
        NutchHome.installer(NutchHome.STAGE, "uninstall", "--nutch-home", current.toString()).exit);
    assertSame(before, NutchHome.contents(home.root));
  }

  @Test
  public void a_farm_of_symlinks_names_the_real_home() throws Exception {
    NutchHome real =
        new NutchHome(
            folder.newFolder().toPath().resolve("nutch-2.4"), NutchHome.vector("stock.before.xml"));
    Path farm = folder.newFolder("farm").toPath();
    for (String part : new String[] {"bin", "conf", "lib", "plugins"}) {
      Files.createSymbolicLink(farm.resolve(part), real.root.resolve(part));
    }
    Answer answer =
        NutchHome.installer(NutchHome.STAGE, "install", "--nutch-home", farm.toString());
    assertRefused(
        ", or give the real home: --nutch-home " + real.root.toRealPath() + ", or replace", answer);
  }

  @Test
  public void only_the_folder_that_the_operator_names_may_be_led_to() throws Exception {
    Path etc = folder.newFolder("etc").toPath();
    Files.move(home.site(), etc.resolve("nutch-site.xml"));
    Files.createSymbolicLink(home.site(), etc.resolve("nutch-site.xml"));
    Map<String, String> before = state(outside);
    assertRefused("if you trust it, add --follow " + etc.toRealPath(), run("install"));
    assertRefused(
        "if you trust it, add --follow " + etc.toRealPath(),
        run("install", "--follow", outside.toString()));
    assertRefused(
        "--follow names " + etc + "/none, which is not a folder",
        run("install", "--follow", etc + "/none"));
    assertEquals(0, run("install", "--language", "urd", "--follow", etc.toString()).exit);
    assertArrayEquals(
        NutchHome.vector("stock.after.xml"), Files.readAllBytes(etc.resolve("nutch-site.xml")));
    assertEquals(before, state(outside));
    assertEquals(0, run("uninstall", "--follow", etc.toString()).exit);
    assertArrayEquals(
        NutchHome.vector("stock.before.xml"), Files.readAllBytes(etc.resolve("nutch-site.xml")));
    assertEquals(1, etc.toFile().list().length);
  }

  /** Between any two steps the owner of the home may replace a folder by a symlink. */
  @Test
  public void a_folder_that_becomes_a_symlink_meanwhile_is_not_followed() throws Exception {
    Path stolen = home.root.resolve("stolen");
    for (String victim : new String[] {"lib", "conf"}) {
      Path swapped = home.root.resolve(victim);
      for (String verb : new String[] {"install", "uninstall"}) {
        for (int before = 0; before < 40; before += 5) {
          homeAnew();
          assertEquals(0, verb.equals("install") ? 0 : run("install", "--language", "urd").exit);
          Nutch nutch = Nutch.home(home.root, Collections.emptyList());
          Installer installer = new Installer(nutch);
          List<Plan.Step> steps =
              (verb.equals("install")
                      ? installer.install(Distribution.at(NutchHome.STAGE), new Installer.Wishes())
                      : installer.uninstall())
                  .steps();
          Files.createDirectories(outside.resolve("lib"));
          write(outside.resolve("lib/corpulyzer-jobs.jar"), "of somebody else");
          write(outside.resolve("lib/nutch-site.xml"), "of somebody else");
          Map<String, String> outsideBefore = state(outside);
          boolean failed = false;
          for (int i = 0; i < steps.size(); i++) {
            if (i == before) {
              Files.move(swapped, stolen);
              Files.createSymbolicLink(swapped, outside.resolve("lib"));
            }
            try {
              steps.get(i).run();
            } catch (IOException refused) {
              failed = true;
            }
          }
          assertEquals(outsideBefore, state(outside));
          assertTrue(
              verb + " noticed before step " + before,
              failed || verb.equals("uninstall") || before > 20);
        }
      }
    }
  }

  @Test(timeout = 60_000)
  public void a_named_pipe_in_the_place_of_a_file_is_refused() throws Exception {
    Files.delete(home.site());
    assertEquals(0, NutchHome.command("mkfifo", home.site().toString()).exit);
    assertRefused(
        "/conf/nutch-site.xml is not a regular file where a file must be: move it away, then try"
            + " again.",
        run("install"));
  }

  @Test
  public void a_job_file_with_entries_that_leave_it_is_refused() throws Exception {
    for (String[] hostile :
        new String[][] {
          {"../evil", "a path with \"..\""},
          {"lib/../../evil", "a path with \"..\""},
          {"..\\evil", "a path with \"..\""},
          {"lib//evil", "a path with \"..\", \".\" or \"//\""},
          {"/etc/evil", "an absolute path"},
          {"C:\\evil", "an absolute path"}
        }) {
      Path job = folder.newFolder().toPath().resolve("apache-nutch.job");
      jobWith(job, hostile[0]);
      refusedJob(
          job, "apache-nutch.job has an entry \"" + hostile[0] + "\", which is " + hostile[1]);
    }
  }

  @Test
  public void a_job_file_with_two_entries_of_one_name_is_refused() throws Exception {
    Path job = folder.newFolder().toPath().resolve("apache-nutch.job");
    jobWith(job, "nutch-site.xmm");
    String archive = new String(Files.readAllBytes(job), StandardCharsets.ISO_8859_1);
    Files.write(
        job,
        archive.replace("nutch-site.xmm", "nutch-site.xml").getBytes(StandardCharsets.ISO_8859_1));
    refusedJob(
        job,
        "apache-nutch.job has an entry \"nutch-site.xml\", which is the path of another entry too");
    jobWith(job, "nutch-site.xml/");
    refusedJob(job, "which is the path of another entry too");
  }

  @Test
  public void the_script_beside_a_job_file_is_not_changed_through_a_symlink() throws Exception {
    Path deploy = folder.newFolder("deploy").toPath();
    Path job = home.job(deploy.resolve("apache-nutch.job"));
    Files.createDirectories(deploy.resolve("bin"));
    Files.createSymbolicLink(deploy.resolve("bin/nutch"), outside.resolve("nutch"));
    Map<String, String> before = state(outside);
    byte[] jobBefore = Files.readAllBytes(job);
    Answer answer =
        NutchHome.installer(
            NutchHome.STAGE, "install", "--job", job.toString(), "--alias-updatedb");
    assertRefused("bin/nutch is a symlink to " + outside + "/nutch, outside of ", answer);
    assertEquals(before, state(outside));
    assertArrayEquals(jobBefore, Files.readAllBytes(job));
    Answer trusted =
        NutchHome.installer(
            NutchHome.STAGE,
            "install",
            "--job",
            job.toString(),
            "--alias-updatedb",
            "--follow",
            outside.toString());
    assertEquals(trusted.toString(), 0, trusted.exit);
    assertTrue(NutchScript.isAdopted(Files.readAllBytes(outside.resolve("nutch")), Line.NUTCH2));
  }

  /** Packs the home, and one more entry of any name. */
  private void jobWith(Path job, String entry) throws IOException {
    home.job(job);
    Map<String, byte[]> contents;
    try (FileSystem zip = FileSystems.newFileSystem(job, (ClassLoader) null)) {
      contents = NutchHome.contents(zip.getPath("/"));
    }
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(job))) {
      for (Map.Entry<String, byte[]> file : contents.entrySet()) {
        if (!file.getKey().endsWith("/")) {
          zip.putNextEntry(new ZipEntry(file.getKey()));
          zip.write(file.getValue());
        }
      }
      zip.putNextEntry(new ZipEntry(entry));
    }
  }

  private void refusedJob(Path job, String sentence) throws IOException {
    byte[] before = Files.readAllBytes(job);
    for (String verb : new String[] {"install", "uninstall"}) {
      assertRefused(sentence, NutchHome.installer(NutchHome.STAGE, verb, "--job", job.toString()));
      assertArrayEquals(before, Files.readAllBytes(job));
      assertEquals(1, job.getParent().toFile().list().length);
    }
  }

  private void refusedInstall(String sentence, Damage damage) throws Exception {
    refused(sentence, damage, "install", "--language", "urd", "--alias-updatedb");
  }

  private void refusedUninstall(String sentence, Damage damage) throws Exception {
    Answer installed = run("install", "--language", "urd");
    assertEquals(installed.toString(), 0, installed.exit);
    refused(sentence, damage, "uninstall");
  }

  /** Runs the installer on a damaged home, which is replaced by a new one afterwards. */
  private void refused(String sentence, Damage damage, String verb, String... options)
      throws Exception {
    damage.to(home.root);
    giveAway();
    Map<String, String> before = state(folder.getRoot().toPath());
    Answer answer = run(verb, options);
    assertEquals(before, state(folder.getRoot().toPath()));
    assertRefused(sentence, answer);
    homeAnew();
  }

  private void homeAnew() throws Exception {
    NutchHome.delete(home.root);
    NutchHome.delete(outside);
    home = new NutchHome(home.root, NutchHome.vector("stock.before.xml"));
    Files.createDirectories(outside);
    fillOutside();
    giveAway();
  }

  private void fillOutside() throws Exception {
    write(outside.resolve("victim"), "<configuration/>");
    Files.copy(home.root.resolve("bin/nutch"), outside.resolve("nutch"));
    Files.setPosixFilePermissions(
        outside.resolve("victim"), PosixFilePermissions.fromString("rw-------"));
    Files.createDirectories(outside.resolve("corpulyzer"));
  }

  /** Gives the home to another user, if the tests run as root. */
  private void giveAway() throws Exception {
    if (IS_ROOT) {
      assertEquals(0, NutchHome.command("chown", "-hR", "65534:65534", home.root.toString()).exit);
    }
  }

  /** Type, owner, group, mode and content of all that is below a folder. */
  private static Map<String, String> state(Path folder) throws IOException {
    Map<String, String> state = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.collect(Collectors.toList())) {
        PosixFileAttributes found =
            Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        String content =
            found.isRegularFile()
                ? text(path)
                : found.isSymbolicLink() ? "to " + Files.readSymbolicLink(path) : "";
        state.put(
            folder.relativize(path).toString(),
            found.owner()
                + " "
                + found.group()
                + " "
                + PosixFilePermissions.toString(found.permissions())
                + " "
                + found.fileKey()
                + " "
                + content);
      }
    }
    return state;
  }

  private Answer run(String verb, String... options) throws IOException {
    String[] args = new String[3 + options.length];
    args[0] = verb;
    args[1] = "--nutch-home";
    args[2] = home.root.toString();
    System.arraycopy(options, 0, args, 3, options.length);
    return NutchHome.installer(NutchHome.STAGE, args);
  }

  private static void assertRefused(String sentence, Answer answer) {
    assertEquals(answer.toString(), 1, answer.exit);
    assertTrue(sentence + " in " + answer, answer.err.contains(sentence));
    assertEquals("one line: " + answer.err, answer.err.length() - 1, answer.err.indexOf('\n'));
  }

  private static void write(Path file, String content) throws IOException {
    Files.write(file, content.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
