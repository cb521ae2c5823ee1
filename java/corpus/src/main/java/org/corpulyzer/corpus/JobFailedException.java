package org.corpulyzer.corpus;

import java.io.IOException;
import org.apache.hadoop.mapreduce.Job;

/** A Hadoop job that ended without success. It names the cause if a task noted one ({@link TaskFailure}); the log has the rest. */
public final class JobFailedException extends IOException {

  public JobFailedException(Job job) {
    super(message(job, TaskFailure.read(job.getConfiguration())));
  }

  private static String message(Job job, String cause) {
    String failed = "Job '" + job.getJobName() + "' (" + job.getJobID() + ") failed";
    return cause == null ? failed + "; its log says why." : failed + ": " + cause;
  }
}
