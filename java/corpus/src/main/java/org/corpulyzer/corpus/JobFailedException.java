package org.corpulyzer.corpus;

import java.io.IOException;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;

/**
 * A Hadoop job that ended without success. The message has the cause: the one that a task noted
 * ({@link TaskFailure}), or else that of the first task that failed, if this JVM or the cluster has
 * it.
 */
public final class JobFailedException extends IOException {

  /** Events that are read at a time. */
  private static final int EVENTS = 100;

  public JobFailedException(Job job) {
    super(sentence(job));
  }

  /**
   * Runs a job to its end, so that the cause of a failure is known whether it runs on a cluster or
   * in this JVM.
   *
   * @param job one that has not begun
   * @param verbose whether Hadoop prints the progress
   * @throws JobFailedException with the cause when the job fails
   */
  public static void runOrThrow(Job job, boolean verbose)
      throws IOException, InterruptedException, ClassNotFoundException {
    LocalFailures.watch(job);
    // Nutch's own jobs throw a RuntimeException without a cause otherwise.
    job.getConfiguration().setBoolean("fail.on.job.failure", false);
    if (!job.waitForCompletion(verbose)) {
      throw new JobFailedException(job);
    }
  }

  private static String sentence(Job job) {
    String cause = cause(job);
    return "Job '"
        + job.getJobName()
        + "' ("
        + job.getJobID()
        + ") failed"
        + (cause == null ? "; see its log." : ": " + cause + (cause.endsWith(".") ? "" : "."));
  }

  private static String cause(Job job) {
    String noted = TaskFailure.read(job.getConfiguration());
    String local = noted == null ? LocalFailures.of(job.getJobID()) : noted;
    if (local != null) {
      return local;
    }
    try {
      String diagnostics = diagnostics(job);
      if (diagnostics != null) {
        return diagnostics;
      }
      String info = job.getStatus() == null ? null : job.getStatus().getFailureInfo();
      return info == null || info.trim().isEmpty() || info.equals("NA")
          ? null
          : LocalFailures.oneLine(info);
    } catch (IOException | InterruptedException | RuntimeException e) {
      // The cluster keeps no record of the job any more: the failure itself is the news.
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return null;
    }
  }

  /** The note of the first attempt that failed; null if there is none. */
  private static String diagnostics(Job job) throws IOException, InterruptedException {
    int from = 0;
    for (TaskCompletionEvent[] events = job.getTaskCompletionEvents(0, EVENTS);
        events.length > 0;
        events = job.getTaskCompletionEvents(from, EVENTS)) {
      for (TaskCompletionEvent event : events) {
        if (event.getStatus() == TaskCompletionEvent.Status.FAILED
            || event.getStatus() == TaskCompletionEvent.Status.TIPFAILED) {
          String text = first(job, event.getTaskAttemptId());
          if (text != null) {
            return text;
          }
        }
      }
      from += events.length;
    }
    return null;
  }

  private static String first(Job job, TaskAttemptID attempt)
      throws IOException, InterruptedException {
    for (String text : job.getTaskDiagnostics(attempt)) {
      if (text != null && !text.trim().isEmpty()) {
        return LocalFailures.oneLine(text.trim().replaceFirst("^Error: ", ""));
      }
    }
    return null;
  }
}
