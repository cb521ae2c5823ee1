package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The score jobs in a JVM of their own, as bin/nutch runs them. */
public class ExitCodeTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  @Test
  public void aBadTargetEndsInOneSentenceAndExitCode1() throws Exception {
    assertSentence(LrlDbUpdaterJob.class, "-all");
    assertSentence(LrlScoreJob.class);
  }

  private void assertSentence(Class<?> job, String... arguments) throws Exception {
    File log = temporary.newFile();
    List<String> command =
        new ArrayList<>(
            Arrays.asList(
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                job.getName(),
                "-Dcorpulyzer.language.target=urdu!",
                "-Dhadoop.tmp.dir=" + temporary.getRoot()));
    command.addAll(Arrays.asList(arguments));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
    int code = process.waitFor();
    String said = new String(Files.readAllBytes(log.toPath()), StandardCharsets.UTF_8);
    assertEquals(said, 1, code);
    assertFalse("a stack trace: " + said, said.contains("\tat "));
    assertEquals(
        said,
        1,
        Arrays.stream(said.split("\n"))
            .filter(
                line ->
                    line.startsWith(
                        job.getSimpleName() + ": Property corpulyzer.language.target is 'urdu!'"))
            .count());
  }
}
