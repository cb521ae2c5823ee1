package org.corpulyzer.corpus;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.EngineSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How every command here starts and ends. */
public final class Tools {

  private static final Logger LOG = LoggerFactory.getLogger(Tools.class);

  private Tools() {}

  /**
   * @param out where a command is to write
   * @throws CorpulyzerException if a file or folder exists; it stays as it is
   */
  public static Path newFolder(String out, Configuration conf) throws IOException {
    Path folder = new Path(out);
    FileSystem files = folder.getFileSystem(conf);
    if (files.exists(folder)) {
      if (files.isDirectory(folder)
          && files.exists(new Path(folder, FileOutputCommitter.PENDING_DIR_NAME))) {
        throw new CorpulyzerException(
            "The output "
                + out
                + " is of a job that runs or was killed: delete it when none runs, or name"
                + " another.");
      }
      throw new CorpulyzerException("The output " + out + " exists already: name a new folder.");
    }
    return folder;
  }

  /**
   * Runs a job that writes to a folder of {@link #newFolder}. If the job fails or is interrupted,
   * the folder is deleted, so that the next job can create it.
   *
   * @throws JobFailedException when a task failed
   */
  public static void run(Job job, Path folder)
      throws IOException, InterruptedException, ClassNotFoundException {
    boolean done = false;
    try {
      JobFailedException.runOrThrow(job, true);
      done = true;
    } finally {
      if (!done) {
        folder.getFileSystem(job.getConfiguration()).delete(folder, true);
      }
    }
  }

  /**
   * Runs a job whose output is in the folder of the run.
   *
   * @return its counters
   * @throws JobFailedException when a task failed
   */
  static Counters run(Job job) throws IOException, InterruptedException, ClassNotFoundException {
    JobFailedException.runOrThrow(job, true);
    return job.getCounters();
  }

  /**
   * Runs a command and ends the JVM: exit code 0 for success, 2 if the command line is wrong, 1
   * with one sentence on stderr otherwise.
   *
   * @param conf Nutch's configuration
   */
  public static void main(Configuration conf, Tool tool, String[] args) {
    int code;
    try {
      code = ToolRunner.run(conf, tool, args);
      // Nutch's own tools return -1, which a shell sees as 255.
      if (code != 0 && code != UsageException.EXIT_CODE) {
        code = 1;
      }
    } catch (Exception | EngineSource.StartFailure e) {
      if (e instanceof CorpulyzerException
          || e instanceof JobFailedException
          || e instanceof EngineSource.StartFailure) {
        // The sentence names the cause. Logs of Nutch 1.x go to the terminal too.
        LOG.error("{} failed: {}", tool.getClass().getSimpleName(), e.getMessage());
      } else {
        LOG.error("{} failed", tool.getClass().getSimpleName(), e);
      }
      System.err.println(
          tool.getClass().getSimpleName()
              + ": "
              + (e.getMessage() == null ? e.toString() : e.getMessage()));
      code = 1;
    }
    System.exit(code);
  }
}
