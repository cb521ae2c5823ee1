package org.corpulyzer.corpus;

import static org.junit.Assert.assertEquals;

import java.io.File;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.EngineSource;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ToolsTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  /** A command that ends with the result in its argument. */
  static final class Command extends Configured implements Tool {

    @Override
    public int run(String[] args) {
      switch (args[0]) {
        case "sentence":
          throw new CorpulyzerException("Something is wrong; do this.");
        case "start":
          throw new EngineSource.StartFailure(
              new CorpulyzerException("The engine does not start; do this."));
        default:
          return Integer.parseInt(args[0]);
      }
    }

    public static void main(String[] args) {
      Tools.main(new Configuration(false), new Command(), args);
    }
  }

  private List<String> stderrOf(String argument, int code) throws Exception {
    File err = new File(temporary.getRoot(), argument);
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                Command.class.getName(),
                argument)
            .redirectError(err)
            .redirectOutput(new File(temporary.getRoot(), "out"))
            .start();
    assertEquals(argument, code, process.waitFor());
    List<String> lines = Files.readAllLines(err.toPath());
    lines.removeIf(line -> !line.startsWith("Command: ") && !line.startsWith("\tat "));
    return lines;
  }

  @Test
  public void everyFailureIsExitCode1AndASentenceWithoutAStackTrace() throws Exception {
    assertEquals(Arrays.asList("Command: Something is wrong; do this."), stderrOf("sentence", 1));
    assertEquals(
        Arrays.asList("Command: The engine does not start; do this."), stderrOf("start", 1));
    assertEquals(Arrays.asList(), stderrOf("-1", 1));
    assertEquals(Arrays.asList(), stderrOf("7", 1));
    assertEquals(Arrays.asList(), stderrOf("0", 0));
  }
}
