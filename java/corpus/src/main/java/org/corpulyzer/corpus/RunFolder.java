package org.corpulyzer.corpus;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Cluster;
import org.apache.hadoop.mapreduce.JobSubmissionFiles;

/**
 * Files of one run, deleted at its end. They are beside the files of its jobs, because everyone who
 * may submit a job may write there. This does not hold for hadoop.tmp.dir.
 */
public final class RunFolder implements Closeable {

  private final Path folder;
  private final FileSystem files;

  public RunFolder(Configuration conf) throws IOException, InterruptedException {
    Cluster cluster = new Cluster(conf);
    try {
      folder =
          new Path(
              JobSubmissionFiles.getStagingDir(cluster, conf), "corpulyzer-" + UUID.randomUUID());
    } finally {
      cluster.close();
    }
    files = folder.getFileSystem(conf);
    files.deleteOnExit(folder);
  }

  /**
   * @return the output folder of a job, which does not exist yet
   */
  public Path path(String name) {
    return new Path(folder, name);
  }

  /** Prints the text that a job wrote. */
  public void print(Path output, PrintStream out) throws IOException {
    for (FileStatus part : files.globStatus(new Path(output, "part-*"))) {
      try (BufferedReader in =
          new BufferedReader(
              new InputStreamReader(files.open(part.getPath()), StandardCharsets.UTF_8))) {
        in.lines().forEach(out::println);
      }
    }
  }

  @Override
  public void close() throws IOException {
    files.delete(folder, true);
  }
}
