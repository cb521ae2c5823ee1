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
import org.corpulyzer.install.NutchHome.Answer;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code bin/nutch updatedb} that scores hosts: one word of the script, and back. */
public class AliasTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private NutchHome home;
  private Path script;

  @Before
  public void stockHome() throws IOException {
    home =
        new NutchHome(
            folder.newFolder().toPath().resolve("nutch"), NutchHome.vector("stock.before.xml"));
    script = home.root.resolve("bin/nutch");
  }

  @Test
  public void one_word_of_the_script_and_two_properties_change() throws Exception {
    String before = text(script);
    Answer answer = install();
    assertEquals(answer.toString(), 0, answer.exit);
    assertEquals(
        before.replace(
            "org.apache.nutch.crawl.DbUpdaterJob", "org.corpulyzer.jobs.LrlDbUpdaterJob"),
        text(script));
    assertTrue(Files.isExecutable(script));
    SiteFile site = SiteFile.parse("nutch-site.xml", Files.readAllBytes(home.site()));
    assertEquals("stored", site.get("corpulyzer.score.source"));
    assertEquals("pages", site.get("corpulyzer.score.policy"));
    assertTrue(
        answer.out,
        answer.out.contains(
            "-CLASS=org.apache.nutch.crawl.DbUpdaterJob\n"
                + "+CLASS=org.corpulyzer.jobs.LrlDbUpdaterJob\n"));
  }

  @Test
  public void the_number_of_urls_of_a_generate_is_that_of_the_choice() throws Exception {
    assertEquals(0, run("install", "--alias-updatedb", "--top", "200").exit);
    SiteFile site = SiteFile.parse("nutch-site.xml", Files.readAllBytes(home.site()));
    assertEquals("200", site.get("corpulyzer.score.topN"));
    assertEquals("10", site.get("generate.max.count"));
  }

  @Test
  public void a_second_time_there_is_nothing_to_do_and_without_the_option_it_stays()
      throws Exception {
    install();
    Map<String, byte[]> once = NutchHome.contents(home.root);
    assertTrue(install().out.startsWith("Nothing to do"));
    assertTrue(run("install").out.startsWith("Nothing to do"));
    assertSame(once, NutchHome.contents(home.root));
  }

  @Test
  public void uninstalling_gives_the_script_back_with_what_was_changed_in_it_since()
      throws Exception {
    Map<String, byte[]> before = NutchHome.contents(home.root);
    install();
    assertEquals(0, run("uninstall").exit);
    assertSame(before, NutchHome.contents(home.root));

    install();
    Files.write(
        script, text(script).replace("-Xmx1000m", "-Xmx8g").getBytes(StandardCharsets.UTF_8));
    assertEquals(0, run("uninstall").exit);
    assertEquals(
        new String(before.get("bin/nutch"), StandardCharsets.UTF_8).replace("-Xmx1000m", "-Xmx8g"),
        text(script));
  }

  @Test
  public void indentation_line_ends_quotes_and_other_bytes_stay() throws Exception {
    byte[] changed =
        text(script)
            .replace(
                "CLASS=org.apache.nutch.crawl.DbUpdaterJob",
                "  CLASS=\"org.apache.nutch.crawl.DbUpdaterJob\"  # \u00e9")
            .replace("\n", "\r\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    Files.write(script, changed);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x--x"));
    assertEquals(0, install().exit);
    String expected =
        new String(changed, StandardCharsets.ISO_8859_1)
            .replace("org.apache.nutch.crawl.DbUpdaterJob", "org.corpulyzer.jobs.LrlDbUpdaterJob");
    assertEquals(expected, new String(Files.readAllBytes(script), StandardCharsets.ISO_8859_1));
    assertEquals("rwxr-x--x", PosixFilePermissions.toString(Files.getPosixFilePermissions(script)));
    assertEquals(0, run("uninstall").exit);
    assertArrayEquals(changed, Files.readAllBytes(script));
  }

  @Test
  public void a_script_that_runs_something_else_is_refused_and_nothing_is_installed()
      throws Exception {
    String stock = text(script);
    String line = "CLASS=org.apache.nutch.crawl.DbUpdaterJob\n";
    for (String local :
        new String[] {
          "CLASS=com.example.OurDbUpdater\n", "echo updating\n" + line, "#" + line, ""
        }) {
      Files.write(script, stock.replace(line, local).getBytes(StandardCharsets.UTF_8));
      Map<String, byte[]> before = NutchHome.contents(home.root);
      Answer answer = install();
      assertEquals(answer.toString(), 1, answer.exit);
      assertTrue(
          answer.toString(),
          answer.err.contains(
              "/bin/nutch has been changed: it has not, once, a line"
                  + " CLASS=org.apache.nutch.crawl.DbUpdaterJob"));
      assertEquals(answer.err, answer.err.length() - 1, answer.err.indexOf('\n'));
      assertSame(before, NutchHome.contents(home.root));
    }
  }

  @Test
  public void the_source_of_scores_that_the_operator_set_stays() throws Exception {
    Files.write(
        home.site(),
        ("<configuration><property><name>corpulyzer.score.source</name><value>scan</value></property></configuration>")
            .getBytes(StandardCharsets.UTF_8));
    assertEquals(0, install().exit);
    assertEquals(
        "scan",
        SiteFile.parse("nutch-site.xml", Files.readAllBytes(home.site()))
            .get("corpulyzer.score.source"));
  }

  @Test
  public void the_script_that_starts_a_job_file_is_changed_beside_it() throws Exception {
    Path deploy = folder.newFolder("deploy").toPath();
    Path job = home.job(deploy.resolve("apache-nutch-2.4.job"));
    byte[] jobBefore = Files.readAllBytes(job);
    Answer lone =
        NutchHome.installer(
            NutchHome.STAGE, "install", "--job", job.toString(), "--alias-updatedb");
    assertEquals(lone.toString(), 1, lone.exit);
    assertTrue(
        lone.toString(),
        lone.err.startsWith("There is no " + deploy + "/bin/nutch that would start the job: "));
    assertArrayEquals(jobBefore, Files.readAllBytes(job));

    Files.createDirectories(deploy.resolve("bin"));
    Path launcher = deploy.resolve("bin/nutch");
    Files.copy(script, launcher, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
    byte[] stock = Files.readAllBytes(launcher);
    Answer answer =
        NutchHome.installer(
            NutchHome.STAGE, "install", "--job", job.toString(), "--alias-updatedb");
    assertEquals(answer.toString(), 0, answer.exit);
    assertTrue(answer.out, answer.out.contains("changed  " + launcher + "\n"));
    assertTrue(NutchScript.isAdopted(Files.readAllBytes(launcher), Line.NUTCH2));
    assertTrue(Files.isExecutable(launcher));
    assertTrue(
        NutchHome.installer(NutchHome.STAGE, "install", "--job", job.toString(), "--alias-updatedb")
            .out
            .startsWith("Nothing to do"));

    assertEquals(
        0, NutchHome.installer(NutchHome.STAGE, "uninstall", "--job", job.toString()).exit);
    assertArrayEquals(stock, Files.readAllBytes(launcher));
    assertTrue(Files.isExecutable(launcher));
  }

  private Answer install() throws IOException {
    return run("install", "--alias-updatedb");
  }

  private Answer run(String verb, String... options) throws IOException {
    String[] args = new String[3 + options.length];
    args[0] = verb;
    args[1] = "--nutch-home";
    args[2] = home.root.toString();
    System.arraycopy(options, 0, args, 3, options.length);
    return NutchHome.installer(NutchHome.STAGE, args);
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
