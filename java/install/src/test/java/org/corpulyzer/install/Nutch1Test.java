package org.corpulyzer.install;

import static org.corpulyzer.install.NutchHome.assertSame;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.corpulyzer.install.NutchHome.Answer;
import org.corpulyzer.install.NutchHome.Release;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Homes and job files of Nutch 1.x, from the same distribution as those of Nutch 2.4. */
public class Nutch1Test {
  private static final Release[] RELEASES = {Release.NUTCH_1_20, Release.NUTCH_1_22};
  private static final String OURS = "crp.v,crp.l,crp.d";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void a_home_gets_the_files_of_its_line_and_no_other() throws Exception {
    for (Release release : RELEASES) {
      NutchHome home = home(release, "stock.before.xml");
      assertEquals(0, install(home).exit);
      for (String[] file :
          new String[][] {
            {"plugins/corpulyzer/plugin.xml", "nutch1/plugins/corpulyzer/plugin.xml"},
            {
              "plugins/corpulyzer/corpulyzer-plugin.jar",
              "nutch1/plugins/corpulyzer/corpulyzer-plugin.jar"
            },
            {"plugins/corpulyzer/corpulyzer-engine.jar", "lib/corpulyzer-engine.jar"},
            {"lib/corpulyzer-engine.jar", "lib/corpulyzer-engine.jar"},
            {"lib/corpulyzer-jobs.jar", "nutch1/lib/corpulyzer-jobs.jar"},
            {"lib/corpulyzer-corpus.jar", "lib/corpulyzer-corpus.jar"},
            {"corpulyzer/nutch-site-lrl.xml", "nutch1/corpulyzer/nutch-site-lrl.xml"}
          }) {
        assertArrayEquals(
            file[0],
            Files.readAllBytes(NutchHome.STAGE.resolve(file[1])),
            Files.readAllBytes(home.root.resolve(file[0])));
      }
      assertFalse(Files.exists(home.root.resolve("nutch1")));
      assertFalse(Files.exists(home.root.resolve("nutch2")));
      assertTrue(
          text(home.root.resolve("plugins/corpulyzer/plugin.xml"))
              .contains("org.apache.nutch.parse.HtmlParseFilter"));
    }
  }

  @Test
  public void plugin_includes_begins_with_the_default_of_the_release() throws Exception {
    NutchHome home = home(Release.NUTCH_1_22, "empty.before.xml");
    install(home);
    assertEquals(
        "protocol-http|urlfilter-regex|parse-(html|tika)|index-(basic|anchor)|indexer-solr|urlnormalizer-(pass|regex|basic)|corpulyzer",
        site(home).get("plugin.includes"));
    assertEquals(OURS, site(home).get("db.parsemeta.to.crawldb"));
  }

  @Test
  public void the_keys_that_the_operator_copies_to_crawldb_stay_and_come_back() throws Exception {
    for (String[] keys :
        new String[][] {
          {"lang", "lang," + OURS},
          {" lang , crp.l", "lang , crp.l,crp.v,crp.d"},
          {"a,", "a," + OURS},
          {"", OURS}
        }) {
      NutchHome home =
          new NutchHome(
              folder.newFolder().toPath().resolve("nutch"),
              siteWith("db.parsemeta.to.crawldb", keys[0]),
              Release.NUTCH_1_20);
      byte[] before = Files.readAllBytes(home.site());
      install(home);
      assertEquals(keys[1], site(home).get("db.parsemeta.to.crawldb"));
      assertTrue(install(home).out.startsWith("Nothing to do"));
      uninstall(home);
      assertArrayEquals(before, Files.readAllBytes(home.site()));
    }
    NutchHome home =
        new NutchHome(
            folder.newFolder().toPath().resolve("nutch"),
            siteWith("db.parsemeta.to.crawldb", "lang,crp.d"),
            Release.NUTCH_1_20);
    install(home);
    Files.write(
        home.site(),
        site(home).with("db.parsemeta.to.crawldb", "lang,crp.d,crp.v,later,crp.l").bytes());
    uninstall(home);
    assertEquals("lang,crp.d,later", site(home).get("db.parsemeta.to.crawldb"));
  }

  @Test
  public void names_of_our_classes_in_earlier_versions_are_replaced_and_come_back()
      throws Exception {
    NutchHome home =
        new NutchHome(
            folder.newFolder().toPath().resolve("nutch"),
            siteWith(
                "htmlparsefilter.order",
                "org.example.Filter org.corpulyzer.nutch1.WebAmParseFilter"
                    + " org.corpulyzer.nutch1.jobs.Doctor org.corpulyzer.nutch12.Other"),
            Release.NUTCH_1_22);
    byte[] before = Files.readAllBytes(home.site());
    byte[] stock = Files.readAllBytes(home.root.resolve("bin/nutch"));
    Answer answer = install(home);
    assertEquals(
        "org.example.Filter org.corpulyzer.nutch.WebAmParseFilter"
            + " org.corpulyzer.jobs.Doctor org.corpulyzer.nutch12.Other",
        site(home).get("htmlparsefilter.order"));
    assertTrue(answer.out, answer.out.contains("org.corpulyzer.nutch.WebAmParseFilter"));
    assertTrue(install(home).out.startsWith("Nothing to do"));

    byte[] older =
        new String(stock, StandardCharsets.UTF_8)
            .replace(
                "CLASS=org.apache.nutch.crawl.CrawlDb\n",
                "CLASS=org.corpulyzer.nutch1.jobs.LrlCrawlDb\n")
            .getBytes(StandardCharsets.UTF_8);
    assertFalse(Arrays.equals(stock, older));
    Files.write(home.root.resolve("bin/nutch"), older);
    answer = install(home, "--alias-updatedb");
    assertEquals(answer.toString(), 0, answer.exit);
    assertTrue(
        text(home.root.resolve("bin/nutch")).contains("CLASS=org.corpulyzer.jobs.LrlCrawlDb\n"));

    Files.write(home.root.resolve("bin/nutch"), older);
    uninstall(home);
    assertArrayEquals(stock, Files.readAllBytes(home.root.resolve("bin/nutch")));
    assertArrayEquals(before, Files.readAllBytes(home.site()));
  }

  @Test
  public void the_alias_is_one_word_of_bin_nutch_and_uninstalling_leaves_every_byte_as_it_was()
      throws Exception {
    for (Release release : RELEASES) {
      NutchHome home = home(release, "grown.before.xml");
      Map<String, byte[]> before = NutchHome.contents(home.root);
      Answer answer = install(home, "--alias-updatedb", "--recommended");
      assertEquals(answer.toString(), 0, answer.exit);
      assertEquals(
          new String(before.get("bin/nutch"), StandardCharsets.UTF_8)
              .replace(
                  "CLASS=org.apache.nutch.crawl.CrawlDb\n",
                  "CLASS=org.corpulyzer.jobs.LrlCrawlDb\n"),
          text(home.root.resolve("bin/nutch")));
      assertEquals("stored", site(home).get("corpulyzer.score.source"));
      assertEquals(0, uninstall(home).exit);
      assertSame(before, NutchHome.contents(home.root));
    }
  }

  @Test
  public void pages_are_ordered_from_the_first_installation_that_scores_in_updatedb()
      throws Exception {
    NutchHome home = home(Release.NUTCH_1_22, "stock.before.xml");
    Map<String, byte[]> before = NutchHome.contents(home.root);
    install(home);
    assertNull(site(home).get("corpulyzer.score.policy"));
    install(home, "--alias-updatedb", "--top", "200", "--recommended");
    assertEquals("pages", site(home).get("corpulyzer.score.policy"));
    assertEquals("200", site(home).get("corpulyzer.score.topN"));
    assertEquals("10", site(home).get("generate.max.count"));
    assertTrue(install(home, "--alias-updatedb").out.startsWith("Nothing to do"));
    assertEquals(0, uninstall(home).exit);
    assertSame(before, NutchHome.contents(home.root));
  }

  @Test
  public void a_policy_that_the_operator_chose_or_a_crawl_has_stays() throws Exception {
    for (String[] setting :
        new String[][] {
          {"corpulyzer.score.policy", "explore"},
          {"corpulyzer.profile", "paper"},
          {"corpulyzer.links.policy", "soft"},
          {"corpulyzer.score.source", "hostdb"}
        }) {
      NutchHome home =
          new NutchHome(
              folder.newFolder().toPath().resolve("nutch"),
              siteWith(setting[0], setting[1]),
              Release.NUTCH_1_22);
      install(home, "--alias-updatedb");
      String policy = site(home).get("corpulyzer.score.policy");
      assertEquals(setting[1].equals("explore") ? "explore" : null, policy);
    }
    NutchHome home = home(Release.NUTCH_1_22, "stock.before.xml");
    install(home, "--alias-updatedb");
    Files.write(home.site(), site(home).without("corpulyzer.score.policy").bytes());
    install(home, "--alias-updatedb", "--top", "5");
    assertNull(site(home).get("corpulyzer.score.policy"));
    assertEquals("1", site(home).get("generate.max.count"));
  }

  @Test
  public void rounds_that_are_no_number_of_pages_are_refused() throws Exception {
    NutchHome home = home(Release.NUTCH_1_22, "stock.before.xml");
    for (String top : new String[] {"0", "-5", "many", "5000000000"}) {
      Answer answer = install(home, "--top", top);
      assertEquals(2, answer.exit);
      assertTrue(answer.err, answer.err.matches("--top is " + top + "; allowed are whole .*\n"));
    }
  }

  @Test
  public void a_stock_script_that_somebody_put_back_is_aliased_again() throws Exception {
    NutchHome home = home(Release.NUTCH_1_22, "stock.before.xml");
    byte[] stock = Files.readAllBytes(home.root.resolve("bin/nutch"));
    install(home, "--alias-updatedb");
    byte[] aliased = Files.readAllBytes(home.root.resolve("bin/nutch"));
    Files.write(home.root.resolve("bin/nutch"), stock);
    Files.write(
        home.site(), site(home).with("plugin.includes", "protocol-http|parse-html").bytes());
    assertEquals(0, install(home).exit);
    assertArrayEquals(aliased, Files.readAllBytes(home.root.resolve("bin/nutch")));
    assertEquals("protocol-http|parse-html|corpulyzer", site(home).get("plugin.includes"));
  }

  @Test
  public void recommended_settings_are_set_and_those_of_the_operator_stay() throws Exception {
    NutchHome home =
        new NutchHome(
            folder.newFolder().toPath().resolve("nutch"),
            siteWith("generate.max.count", "7"),
            Release.NUTCH_1_22);
    Answer answer = install(home, "--recommended");
    assertEquals(answer.toString(), 0, answer.exit);
    assertEquals("7", site(home).get("generate.max.count"));
    assertEquals("8388608", site(home).get("http.content.limit"));
    assertEquals("false", site(home).get("parser.skip.truncated"));
    assertEquals("urd", site(home).get("corpulyzer.language.target"));
    assertEquals("the operator's to choose", null, site(home).get("http.agent.name"));
  }

  @Test
  public void a_release_before_1_20_is_refused_with_the_reason_and_nothing_is_installed()
      throws Exception {
    for (String[] named :
        new String[][] {
          {"Nutch-1.19", "nutch-core.jar", "1.19"},
          {null, "apache-nutch-1.18.jar", "1.18"},
          {null, "nutch.jar", "1.x before 1.20"}
        }) {
      NutchHome home = home(Release.NUTCH_1_20, "stock.before.xml");
      Files.delete(home.root.resolve("lib/nutch-1.20.jar"));
      try (OutputStream out = Files.newOutputStream(home.root.resolve("lib").resolve(named[1]));
          ZipOutputStream zip = new ZipOutputStream(out)) {
        zip.putNextEntry(new ZipEntry("org/apache/nutch/crawl/CrawlDatum.class"));
        if (named[0] != null) {
          zip.putNextEntry(new ZipEntry("nutch-default.xml"));
          zip.write(siteWith("http.agent.version", named[0]));
        }
      }
      Map<String, byte[]> before = NutchHome.contents(home.root);
      Answer answer = install(home);
      assertEquals(answer.toString(), 1, answer.exit);
      assertTrue(
          answer.toString(),
          answer.err.contains(
              " is a Nutch home of Nutch "
                  + named[2]
                  + ": Corpulyzer needs 1.20 or newer, because "));
      assertSame(before, NutchHome.contents(home.root));
    }
  }

  @Test
  public void a_job_file_gets_the_same_with_the_script_beside_it_and_loses_it_again()
      throws Exception {
    for (Release release : RELEASES) {
      NutchHome home = home(release, "stock.before.xml");
      Path deploy = folder.newFolder().toPath();
      Path job = home.job(deploy.resolve("apache-nutch.job"));
      Files.createDirectories(deploy.resolve("bin"));
      Path script = deploy.resolve("bin/nutch");
      Files.copy(home.root.resolve("bin/nutch"), script);
      byte[] stock = Files.readAllBytes(script);
      Map<String, byte[]> before = entries(job);
      Answer answer =
          NutchHome.installer(
              NutchHome.STAGE,
              "install",
              "--job",
              job.toString(),
              "--language",
              "ur",
              "--alias-updatedb");
      assertEquals(answer.toString(), 0, answer.exit);
      assertTrue(answer.out, answer.out.endsWith(" doctor --job " + job + "\n"));
      assertTrue(NutchScript.isAdopted(Files.readAllBytes(script), Line.NUTCH1));
      Map<String, byte[]> after = entries(job);
      assertArrayEquals(
          Files.readAllBytes(NutchHome.STAGE.resolve("nutch1/lib/corpulyzer-jobs.jar")),
          after.get("lib/corpulyzer-jobs.jar"));
      assertTrue(after.containsKey("classes/plugins/corpulyzer/corpulyzer-engine.jar"));
      SiteFile site = SiteFile.parse("nutch-site.xml", after.get("nutch-site.xml"));
      assertEquals(OURS, site.get("db.parsemeta.to.crawldb"));
      assertEquals(
          0, NutchHome.installer(NutchHome.STAGE, "uninstall", "--job", job.toString()).exit);
      assertSame(before, entries(job));
      assertArrayEquals(stock, Files.readAllBytes(script));
    }
  }

  @Test
  public void an_installed_home_installs_into_its_own_line_only() throws Exception {
    NutchHome one = home(Release.NUTCH_1_22, "stock.before.xml");
    install(one);
    NutchHome same = home(Release.NUTCH_1_20, "stock.before.xml");
    assertEquals(
        0,
        NutchHome.installer(
                one.root, "install", "--nutch-home", same.root.toString(), "--language", "urd")
            .exit);
    assertSame(installed(one), installed(same));
    NutchHome other =
        new NutchHome(
            folder.newFolder().toPath().resolve("nutch"), NutchHome.vector("stock.before.xml"));
    Answer answer =
        NutchHome.installer(
            one.root, "install", "--nutch-home", other.root.toString(), "--language", "urd");
    assertEquals(
        "This copy of Corpulyzer has no plugin for Nutch 2.x: run bin/corpulyzer of the unpacked"
            + " zip.\n",
        answer.err);
  }

  @Test
  public void a_zip_that_is_unpacked_over_the_home_leaves_nothing_of_the_other_line()
      throws Exception {
    NutchHome home = home(Release.NUTCH_1_22, "stock.before.xml");
    Map<String, byte[]> before = NutchHome.contents(home.root);
    NutchHome.copy(NutchHome.STAGE, home.root);
    assertEquals(
        0,
        NutchHome.installer(
                home.root, "install", "--nutch-home", home.root.toString(), "--language", "urd")
            .exit);
    NutchHome apart = home(Release.NUTCH_1_22, "stock.before.xml");
    install(apart);
    assertSame(NutchHome.contents(apart.root), NutchHome.contents(home.root));
    assertEquals(
        0, NutchHome.installer(home.root, "uninstall", "--nutch-home", home.root.toString()).exit);
    assertSame(before, NutchHome.contents(home.root));
  }

  private static Map<String, byte[]> installed(NutchHome home) throws IOException {
    Map<String, byte[]> ours = NutchHome.contents(home.root);
    ours.keySet().removeIf(file -> !file.contains("corpulyzer"));
    return ours;
  }

  private static Map<String, byte[]> entries(Path job) throws IOException {
    try (FileSystem zip = FileSystems.newFileSystem(job, (ClassLoader) null)) {
      return NutchHome.contents(zip.getPath("/"));
    }
  }

  private NutchHome home(Release release, String site) throws IOException {
    return new NutchHome(
        folder.newFolder().toPath().resolve("nutch"), NutchHome.vector(site), release);
  }

  private static byte[] siteWith(String key, String value) {
    return ("<configuration>\n  <property><name>"
            + key
            + "</name><value>"
            + value
            + "</value></property>\n</configuration>\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static SiteFile site(NutchHome home) throws Exception {
    return SiteFile.parse("nutch-site.xml", Files.readAllBytes(home.site()));
  }

  private static Answer install(NutchHome home, String... options) throws IOException {
    String[] args = new String[5 + options.length];
    System.arraycopy(
        new String[] {"install", "--nutch-home", home.root.toString(), "--language", "urd"},
        0,
        args,
        0,
        5);
    System.arraycopy(options, 0, args, 5, options.length);
    return NutchHome.installer(NutchHome.STAGE, args);
  }

  private static Answer uninstall(NutchHome home) throws IOException {
    return NutchHome.installer(NutchHome.STAGE, "uninstall", "--nutch-home", home.root.toString());
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
