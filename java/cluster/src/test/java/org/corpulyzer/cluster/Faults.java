package org.corpulyzer.cluster;

import java.util.List;
import java.util.regex.Pattern;

/** The faults of a cluster. */
final class Faults {

  private Faults() {}

  /**
   * Kills the container of a running task attempt, as an operating system short of memory does.
   *
   * @param kind {@code m} for a map task, {@code r} for a reduce task
   */
  static void killTask(char kind) throws Exception {
    // The shell that starts the JVM has the same words in its command line; it ends with it.
    List<Integer> tasks =
        Processes.descendants(
            Pattern.compile(
                "^\\S*java .* org\\.apache\\.hadoop\\.mapred\\.YarnChild .*_" + kind + "_"));
    if (tasks.isEmpty()) {
      throw new IllegalStateException("no task runs");
    }
    Processes.signal("KILL", tasks.get(0));
  }
}
