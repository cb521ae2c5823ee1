package org.corpulyzer.install;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.corpulyzer.install.NutchHome.Answer;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The doctor in a Nutch home of its own, started by the installed script as an operator starts it.
 */
public class DoctorTest {
  /** There is none in these tests. */
  private static final String NO_HBASE =
      "fail  HBase does not answer (no ZooKeeper at localhost:1: ";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private NutchHome home;

  /** A home with the settings that we recommend, merged by hand as the operator does it. */
  @Before
  public void healthyHome() throws Exception {
    String snippet =
        text(
            Paths.get(
                System.getProperty("corpulyzer.root"),
                "nutch-conf",
                "nutch2",
                "nutch-site-lrl.xml"));
    SiteFile site =
        SiteFile.parse("nutch-site.xml", snippet.getBytes(StandardCharsets.UTF_8))
            .with("http.agent.name", "probe")
            .with("storage.data.store.class", "org.apache.gora.hbase.store.HBaseStore")
            .with("hbase.zookeeper.property.clientPort", "1");
    home = new NutchHome(folder.newFolder().toPath().resolve("nutch"), site.bytes());
    Files.write(
        home.root.resolve("conf/gora-hbase-mapping.xml"),
        "<gora-otd/>".getBytes(StandardCharsets.UTF_8));
    Answer answer =
        NutchHome.installer(NutchHome.STAGE, "install", "--nutch-home", home.root.toString());
    assertEquals(answer.toString(), 0, answer.exit);
  }

  @Test
  public void finds_nothing_wrong_with_the_settings_that_we_recommend() throws Exception {
    long start = System.nanoTime();
    Answer answer = doctor();
    assertTrue("seconds", System.nanoTime() - start < 120_000_000_000L);
    for (String line : answer.out.split("\n")) {
      assertTrue(answer.toString(), line.startsWith("ok    ") || line.startsWith(NO_HBASE));
    }
    String fix = "Fix: start HBase, or set hbase.zookeeper.quorum in conf/hbase-site.xml.";
    assertTrue(answer.toString(), answer.out.contains(fix));
    for (String line :
        new String[] {
          "the settings are valid, the language is ur",
          "the native library loads as the plugin loads it",
          "a panic in the library stays there and is reported",
          "a page in the language urd parses to urd:",
          "scoring-opic is not active",
          "the store is HBase",
          "bin/nutch updatedb is Nutch's own, and the generator adds hosts up itself."
        }) {
      assertTrue(line + " in " + answer, answer.out.contains("ok    " + line));
    }
  }

  @Test
  public void says_what_updatedb_does_and_whether_the_source_of_scores_fits() throws Exception {
    Answer answer =
        NutchHome.installer(
            NutchHome.STAGE, "install", "--nutch-home", home.root.toString(), "--alias-updatedb");
    assertEquals(answer.toString(), 0, answer.exit);
    byte[] script = Files.readAllBytes(home.root.resolve("bin/nutch"));
    Files.write(home.root.resolve("bin/nutch"), NutchScript.release(script));
    says(
        "fail  corpulyzer.score.source is stored and the installation made bin/nutch updatedb score"
            + " hosts, but ",
        " is Nutch's own again: the crawl has no scores. Fix: run corpulyzer install.");
    assertEquals(
        0,
        NutchHome.installer(NutchHome.STAGE, "install", "--nutch-home", home.root.toString()).exit);
    finds("ok    bin/nutch updatedb scores every host, and the generator reads these scores.");
  }

  @Test
  public void warns_of_scores_by_hand_and_accepts_stopped_hosts_and_another_language()
      throws Exception {
    set("corpulyzer.score.source", "stored");
    set("corpulyzer.score.policy", "mean+barren:40");
    set("corpulyzer.language.target", "de");
    finds(
        "warn  corpulyzer.score.source is stored, but bin/nutch updatedb writes no scores of hosts."
            + " Fix: install with --alias-updatedb, ",
        "ok    the generator skips hosts that corpulyzer.score.policy stops",
        "ok    a page in the language deu parses to deu:");
  }

  @Test
  public void names_settings_under_which_policy_pages_has_no_effect_or_finds_fewer_hosts()
      throws Exception {
    set("corpulyzer.score.policy", "pages");
    // A language without a page to try.
    set("corpulyzer.language.target", "aa");
    finds(
        "ok    a page in the language eng (Corpulyzer has no trial page in the language aar) parses"
            + " to eng:",
        "warn  policy pages chooses 50000 URLs for each generate, because corpulyzer.score.topN is"
            + " not set; with a smaller -topN it finds fewer new hosts. Fix: install again with"
            + " --top N");
    set("corpulyzer.score.source", "scan");
    says(
        "fail  Property corpulyzer.score.policy is 'pages' and corpulyzer.score.source is 'scan',",
        "");
  }

  @Test
  public void names_a_property_with_a_typing_error_and_the_nearest_one() throws Exception {
    String fault =
        " is not a property of Corpulyzer. Fix: rename it to corpulyzer.page.minBytes if that is"
            + " meant, ";
    List<String> findings = new ArrayList<>();
    for (String wrong :
        new String[] {
          "corpulyzer.page.minBites",
          "corpulizer.page.minBytes",
          "Corpulyzer.Page.MinBytes",
          "corpulyze.page.minBytes"
        }) {
      set(wrong, "300");
      findings.add("fail  " + wrong + fault);
    }
    set("corpulyzer.language.target", "sin");
    findings.add("ok    a page in the language sin parses to sin:");
    says(findings.toArray(new String[0]));
  }

  @Test
  public void says_what_the_stock_settings_lack() throws Exception {
    Files.write(home.site(), NutchHome.vector("stock.before.xml"));
    says(
        "fail  Property corpulyzer.language.target is not set; allowed is",
        "fail  plugin.includes does not include corpulyzer (it is protocol-http|",
        "fail  scoring-opic is active and overwrites the score of the language. Fix: run corpulyzer"
            + " install,",
        "fail  storage.data.store.class is MemStore, which loses all data when a command ends."
            + " Fix: ",
        "fail  http.agent.name is not set",
        "warn  http.content.limit is 65536 bytes, ",
        "warn  parser.skip.truncated is true",
        "warn  generate.max.count is not set");
  }

  @Test
  public void says_which_settings_work_against_the_plugin() throws Exception {
    set("htmlparsefilter.order", "org.example.Other");
    set("scoring.filter.order", "org.example.Other");
    set("http.content.limit", "-1");
    set("sitemap.parser.timeout", "5");
    set("corpulyzer.page.extractor", "magic");
    says(
        "fail  Property corpulyzer.page.extractor is 'magic'; allowed is one of ",
        "fail  htmlparsefilter.order does not name org.corpulyzer.nutch.WebAmParseFilter",
        "fail  scoring.filter.order does not name org.corpulyzer.nutch.LrlScoringFilter",
        "warn  http.content.limit is -1, and HBase refuses cells above 10 MiB",
        "warn  parser.timeout is 60 s, but Nutch 2.4 has swapped its keys: sitemap.parser.timeout"
            + " (5 s) bounds pages");
  }

  @Test
  public void says_when_the_generator_would_take_hosts_that_are_given_up() throws Exception {
    set("corpulyzer.score.policy", "mean+barren:40");
    set("generate.min.score", "-5");
    says(
        "fail  generate.min.score is -5.0, so the generator takes hosts that"
            + " corpulyzer.score.policy stops (they score -1 to -3). Fix: ");
  }

  @Test
  public void names_a_language_that_cannot_be_counted() throws Exception {
    set("corpulyzer.language.target", "xqq");
    set("sitemap.parser.timeout", "9");
    says(
        "fail  Property corpulyzer.language.target is 'xqq'",
        "warn  sitemap.parser.timeout, which limits the time for parsing a page, is not above");
  }

  @Test
  public void names_a_lost_plugin_folder() throws Exception {
    Files.move(home.root.resolve("plugins/corpulyzer"), home.root.resolve("corpulyzer-folder"));
    says("holds no folder corpulyzer with a plugin.xml");
  }

  @Test
  public void names_a_library_that_is_not_there() throws Exception {
    set("corpulyzer.native.path", "/nowhere/libcorpulyzer.so");
    says(
        "fail  The native library of Corpulyzer did not load on ",
        "/nowhere/libcorpulyzer.so): no such file; ");
    set("corpulyzer.native.path", folder.getRoot().toString());
    says(folder.getRoot() + " is a folder; set corpulyzer.native.path to the library's file");
  }

  @Test
  public void names_a_library_for_another_architecture() throws Exception {
    byte[] library = Files.readAllBytes(Paths.get(System.getProperty("corpulyzer.native.path")));
    // e_machine of the ELF header: SPARC, for which no test machine takes it.
    library[18] = 2;
    Path foreign = folder.newFile("libcorpulyzer.so").toPath();
    Files.write(foreign, library);
    set("corpulyzer.native.path", foreign.toString());
    says(
        "fail  The native library of Corpulyzer did not load on ",
        "Fix: put the library that is built for this architecture in its place.");
  }

  @Test
  public void names_two_versions_and_a_lost_jobs_jar() throws Exception {
    Files.write(
        home.root.resolve("plugins/corpulyzer/corpulyzer-engine.jar"),
        Files.readAllBytes(home.root.resolve("lib/corpulyzer-engine.jar")));
    Path engine = home.root.resolve("lib/corpulyzer-engine.jar");
    byte[] jar = Files.readAllBytes(engine);
    // A byte behind the archive changes the file and not what Java reads from it.
    Files.write(engine, Arrays.copyOf(jar, jar.length + 1));
    says("corpulyzer-engine.jar in lib is another one than in ");
    Files.delete(home.root.resolve("lib/corpulyzer-jobs.jar"));
    Answer answer = doctor();
    assertEquals(answer.toString(), 1, answer.exit);
    assertTrue(
        answer.toString(),
        answer.err.startsWith(
            "fail  lib/corpulyzer-jobs.jar or lib/corpulyzer-engine.jar is not in "));
  }

  @Test
  public void names_a_broken_configuration_a_cut_library_and_one_of_somebody_else()
      throws Exception {
    byte[] good = Files.readAllBytes(home.site());
    Files.write(home.site(), "<configuration>".getBytes(StandardCharsets.UTF_8));
    Answer answer = doctor();
    assertEquals(answer.toString(), 1, answer.exit);
    assertTrue(
        answer.toString(),
        answer.out.startsWith("fail  Nutch cannot read its configuration (")
            && answer.out.contains("nutch-site.xml"));
    Files.write(home.site(), good);
    byte[] library = Files.readAllBytes(Paths.get(System.getProperty("corpulyzer.native.path")));
    Path cut = folder.newFile("libcorpulyzer.so").toPath();
    Files.write(cut, Arrays.copyOf(library, library.length / 2));
    set("corpulyzer.native.path", cut.toString());
    says("libcorpulyzer.so is cut short: it has " + library.length / 2 + " bytes");
    Path strange = Paths.get(System.getProperty("java.home"), "lib", "libjava.so");
    set("corpulyzer.native.path", strange.toString());
    says("fail  the library that was loaded is not Corpulyzer's, or of another version (");
  }

  @Test
  public void names_damaged_jars() throws Exception {
    Path plugin = home.root.resolve("plugins/corpulyzer/corpulyzer-plugin.jar");
    Files.write(plugin, Arrays.copyOf(Files.readAllBytes(plugin), 1000));
    Answer answer = doctor();
    assertEquals(answer.toString(), 1, answer.exit);
    assertTrue(
        answer.toString(),
        answer.out.contains(
            "fail  plugins/corpulyzer/corpulyzer-plugin.jar is damaged or of another version. Fix:"
                + " run corpulyzer install."));
    assertTrue(
        answer.toString(), answer.out.contains("fail  a filter of the plugin cannot be made ("));
  }

  /** Hadoop's own class runs the job file, as the command hadoop does. */
  @Test
  public void examines_a_job_file_with_hadoop() throws Exception {
    assertEquals(
        0,
        NutchHome.installer(NutchHome.STAGE, "uninstall", "--nutch-home", home.root.toString())
            .exit);
    Path job = home.job(folder.newFolder("deploy").toPath().resolve("apache-nutch.job"));
    Answer missing = jobDoctor(job);
    assertEquals(missing.toString(), 1, missing.exit);
    assertEquals(
        "fail  "
            + job
            + " has no lib/corpulyzer-jobs.jar: run `corpulyzer install --job "
            + job
            + "`.\n",
        missing.err);

    assertEquals(
        0,
        NutchHome.installer(NutchHome.STAGE, "install", "--job", job.toString(), "--language", "ur")
            .exit);
    Answer answer = jobDoctor(job);
    for (String line :
        new String[] {
          "ok    the plugin is in ",
          "ok    a page in the language urd parses to urd:",
          "ok    scoring-opic is not active"
        }) {
      assertTrue(line + " in " + answer, answer.out.contains(line));
    }
    assertFalse(answer.toString(), answer.err.contains("unbound"));
    assertEquals("none but HBase: " + answer, 1, answer.out.split("fail  ", -1).length - 1);
    Answer without =
        NutchHome.command(
            "env",
            "-i",
            "PATH=/usr/bin:/bin",
            "JAVA_HOME=" + System.getProperty("java.home"),
            NutchHome.STAGE.resolve("bin/corpulyzer").toString(),
            "doctor",
            "--job",
            job.toString());
    assertEquals(without.toString(), 2, without.exit);
    assertTrue(
        without.toString(),
        without.err.startsWith("The doctor of a job file needs the command hadoop in PATH"));
  }

  private Answer jobDoctor(Path job) throws Exception {
    Path tools = folder.newFolder().toPath();
    StringBuilder jars = new StringBuilder();
    for (String jar : System.getProperty("corpulyzer.nutch.jars").split(":")) {
      jars.append(Paths.get(jar).getFileName().toString().startsWith("nutch-") ? "" : jar + ":");
    }
    Path hadoop = tools.resolve("hadoop");
    Files.write(
        hadoop,
        ("#!/usr/bin/env bash\nshift\nexec '"
                + System.getProperty("java.home")
                + "/bin/java' -Djava.io.tmpdir='"
                + tools
                + "' -cp '"
                + jars
                + "' org.apache.hadoop.util.RunJar \"$@\"\n")
            .getBytes(StandardCharsets.UTF_8));
    assertTrue(hadoop.toFile().setExecutable(true));
    return NutchHome.command(
        "env",
        "PATH=" + tools + ":" + System.getenv("PATH"),
        NutchHome.STAGE.resolve("bin/corpulyzer").toString(),
        "doctor",
        "--job",
        job.toString());
  }

  private void set(String key, String value) throws Exception {
    Files.write(
        home.site(),
        SiteFile.parse("nutch-site.xml", Files.readAllBytes(home.site())).with(key, value).bytes());
  }

  private void says(String... findings) throws Exception {
    Answer answer = doctor();
    assertEquals(answer.toString(), 1, answer.exit);
    for (String finding : findings) {
      assertTrue(finding + "\nin " + answer, answer.out.contains(finding));
    }
    assertFalse(answer.toString(), answer.out.contains("Exception"));
  }

  /** The findings, and no failure but that of HBase. */
  private void finds(String... findings) throws Exception {
    Answer answer = doctor();
    assertFalse(answer.toString(), answer.out.replace(NO_HBASE, "").contains("fail  "));
    for (String finding : findings) {
      assertTrue(finding + "\nin " + answer, answer.out.contains(finding));
    }
  }

  private Answer doctor() throws IOException, InterruptedException {
    return NutchHome.command(
        home.root.resolve("bin/corpulyzer").toString(),
        "doctor",
        "--nutch-home",
        home.root.toString());
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
