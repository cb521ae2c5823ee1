package org.corpulyzer.corpus;

import java.io.IOException;
import org.apache.hadoop.mapreduce.Job;

/** A Hadoop job that ended without success. What went wrong is in its log. */
public final class JobFailedException extends IOException {

  public JobFailedException(Job job) {
    super("Job '" + job.getJobName() + "' (" + job.getJobID() + ") failed; its log says why.");
  }
}
