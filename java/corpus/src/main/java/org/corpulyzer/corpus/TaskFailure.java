package org.corpulyzer.corpus;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.corpulyzer.engine.CorpulyzerException;

/**
 * Why a task failed, for the command that started the job. Hadoop's client has the reason on a
 * cluster only, and among a stack trace; so the task writes a sentence to a file of the run.
 */
public final class TaskFailure {

  private static final String FILE = "crp.run.failure";
  private static final int MAX_CHARS = 2000;

  private TaskFailure() {}

  /** Names the file, before the job is submitted. */
  public static void noteIn(Configuration conf, Path file) {
    conf.set(FILE, file.toString());
  }

  /** Notes why this task fails. The last note of all tasks stays. */
  public static void note(Configuration conf, Throwable failure) {
    if (conf.get(FILE) == null) {
      return;
    }
    Path file = new Path(conf.get(FILE));
    boolean isSentence =
        failure.getMessage() != null
            && (failure instanceof CorpulyzerException || failure instanceof UnreadableException);
    String text = isSentence ? failure.getMessage() : failure.toString();
    try (DataOutputStream out = file.getFileSystem(conf).create(file, true)) {
      out.writeUTF(text.substring(0, Math.min(text.length(), MAX_CHARS)));
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * @return the note of a task; null if there is none
   */
  static String read(Configuration conf) {
    if (conf.get(FILE) == null) {
      return null;
    }
    Path file = new Path(conf.get(FILE));
    try {
      FileSystem files = file.getFileSystem(conf);
      if (!files.exists(file)) {
        return null;
      }
      try (DataInputStream in = files.open(file)) {
        return in.readUTF();
      }
    } catch (IOException e) {
      return null;
    }
  }
}
