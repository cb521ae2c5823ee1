package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Runs of LrlScoreJob in a JVM of their own. */
public class ProcessTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Configuration conf;
  private CrawlDbForTests db;

  @Before
  public void configure() {
    conf = CrawlDbForTests.conf(temporary.getRoot());
    db = new CrawlDbForTests(new File(temporary.getRoot(), "crawldb"));
  }

  private Process start(String heap) throws Exception {
    return start(heap, LrlScoreJob.class, db.folder.getPath());
  }

  private Process start(String heap, Class<?> program, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            Arrays.asList(
                System.getProperty("java.home") + "/bin/java",
                heap,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                "-Dcorpulyzer.native.path=" + System.getProperty("corpulyzer.native.path"),
                program.getName()));
    for (String key :
        new String[] {
          "plugin.folders",
          "plugin.includes",
          "hadoop.tmp.dir",
          "mapreduce.cluster.local.dir",
          "mapreduce.task.io.sort.mb",
          "mapreduce.jobtracker.staging.root.dir",
          "mapreduce.client.progressmonitor.pollinterval",
          "db.parsemeta.to.crawldb",
          "corpulyzer.language.target"
        }) {
      command.add("-D" + key + "=" + conf.get(key));
    }
    command.addAll(Arrays.asList(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(new File(temporary.getRoot(), "log"))
        .start();
  }

  private String log() throws Exception {
    return Files.readString(new File(temporary.getRoot(), "log").toPath());
  }

  @Test
  public void whatCannotRunEndsWithOneSentenceAndAnExitCode() throws Exception {
    SyntheticCrawlDb.write(conf, new Path(db.folder.getPath()), 10, 2, 1);
    conf.set("corpulyzer.language.target", "xx");
    for (Class<?> program :
        new Class<?>[] {LrlCrawlDb.class, LrlScoreJob.class, HostReader.class}) {
      String[] options =
          program == HostReader.class
              ? new String[] {"-host", "a.example"}
              : program == LrlCrawlDb.class ? new String[] {"segment"} : new String[0];
      List<String> arguments = new ArrayList<>(Arrays.asList(db.folder.getPath()));
      arguments.addAll(Arrays.asList(options));
      Process job = start("-Xmx256m", program, arguments.toArray(new String[0]));
      assertEquals(log(), 1, job.waitFor());
      assertFalse("a stack trace: " + log(), log().contains("\tat "));
      assertEquals(
          log(),
          1,
          log()
              .lines()
              .filter(
                  line ->
                      line.startsWith(
                          program.getSimpleName()
                              + ": Property corpulyzer.language.target is 'xx'"))
              .count());
      Process usage = start("-Xmx256m", program);
      // LrlCrawlDb reads its arguments with Nutch's own code.
      assertEquals(log(), program == LrlCrawlDb.class ? 1 : 2, usage.waitFor());
      assertTrue(log(), log().contains("Usage: "));
    }
  }

  @Test
  public void memoryDoesNotGrowWithTheCrawl() throws Exception {
    // 300,000 rows on 60,000 hosts: the rows are 60 MB of objects, and a table of all hosts would
    // be 20 MB.
    SyntheticCrawlDb.write(conf, new Path(db.folder.getPath()), 300_000, 60_000, 2);
    Process job = start("-Xmx48m");
    int code = job.waitFor();
    assertEquals(log(), 0, code);
    assertTrue(
        log(),
        log()
            .contains(
                "300000 pages, 60000 fetched (60000 keep, 0 reject, 0 undecided; 0 stale, 0 with"
                    + " malformed figures); 60000 hosts scored; 300000 rows written, 0 unchanged"));
  }

  @Test
  public void aRunThatIsKilledInEitherPassLeavesCrawlDbWhole() throws Exception {
    SyntheticCrawlDb.write(conf, new Path(db.folder.getPath()), 100_000, 1_000, 2);
    Map<String, Integer> before = crawlDbFiles();
    for (String pass : new String[] {"hosts", "current"}) {
      Process job = start("-Xmx256m");
      while (job.isAlive() && !isWriting(pass)) {
        Thread.sleep(1);
      }
      job.destroyForcibly().waitFor();
      assertNotEquals("killed before its end: " + log(), 0, job.exitValue());
      assertEquals("killed in the pass that writes " + pass, before, crawlDbFiles());
      assertTrue(new File(db.folder, ".locked").delete());
    }
    assertTrue("there is something to delete", new File(db.folder, "corpulyzer").list().length > 0);
    assertEquals(0, ToolRunner.run(conf, new LrlScoreJob(), new String[] {db.folder.getPath()}));
    assertEquals(Arrays.asList("hosts"), Arrays.asList(new File(db.folder, "corpulyzer").list()));
    assertFalse(new File(db.folder, ".locked").exists());
    Map<String, CrawlDatum> rows = db.rows(conf);
    assertEquals(100_000, rows.size());
    assertTrue(rows.values().stream().allMatch(row -> row.getScore() > 1));
  }

  private Map<String, Integer> crawlDbFiles() throws Exception {
    Map<String, Integer> files = db.files();
    files.keySet().removeIf(name -> name.startsWith("corpulyzer") || name.equals(".locked"));
    return files;
  }

  /**
   * @return whether a run has begun to write this output
   */
  private boolean isWriting(String output) {
    File[] runs = new File(db.folder, "corpulyzer").listFiles();
    for (File run : runs == null ? new File[0] : runs) {
      if (new File(run, output).exists()) {
        return true;
      }
    }
    return false;
  }
}
