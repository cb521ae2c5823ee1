package org.corpulyzer.corpus;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.util.ReflectionUtils;
import org.corpulyzer.engine.CorpulyzerException;

/**
 * The reasons why tasks of this JVM failed. A cluster reports the reason with the task. Hadoop's
 * local runner only logs it, so this class wraps the mapper and the reducer of a job and stores the
 * reason here.
 */
final class LocalFailures {

  private static final String MAPPER = "crp.watched.mapper";
  private static final String REDUCER = "crp.watched.reducer";

  /** Number of jobs that are remembered: the newest. */
  private static final int KEPT = 64;

  /** Characters of a cause. */
  private static final int LONGEST = 600;

  /** The first cause of each job. */
  private static final Map<String, String> CAUSES =
      new LinkedHashMap<String, String>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > KEPT;
        }
      };

  private LocalFailures() {}

  /**
   * Runs the mapper of a job, and its reducer if it has one, in wrappers that record their
   * exceptions. The job must not have begun.
   */
  static void watch(Job job) throws ClassNotFoundException {
    Configuration conf = job.getConfiguration();
    if (conf.get(MAPPER) == null) {
      conf.setClass(MAPPER, job.getMapperClass(), Mapper.class);
      job.setMapperClass(WatchedMapper.class);
      if (job.getNumReduceTasks() > 0) {
        conf.setClass(REDUCER, job.getReducerClass(), Reducer.class);
        job.setReducerClass(WatchedReducer.class);
      }
    }
  }

  private static void note(JobID job, Throwable failure) {
    synchronized (CAUSES) {
      CAUSES.putIfAbsent(String.valueOf(job), describe(failure));
    }
  }

  /**
   * @return why a task of the job failed; null when that is not known in this JVM
   */
  static String of(JobID job) {
    synchronized (CAUSES) {
      return CAUSES.get(String.valueOf(job));
    }
  }

  /** The exception and, if it is wrapped, its root cause, on one line. */
  static String describe(Throwable failure) {
    Throwable root = failure;
    for (int depth = 0; root.getCause() != null && depth < 50; depth++) {
      root = root.getCause();
    }
    String text = oneLine(sentence(failure));
    String rootText = oneLine(sentence(root));
    return text.contains(rootText) ? text : text + " (cause: " + rootText + ")";
  }

  private static String sentence(Throwable failure) {
    return failure instanceof CorpulyzerException
        ? String.valueOf(failure.getMessage())
        : failure.toString();
  }

  /** The first line of a text, without a stack trace, at most {@link #LONGEST} characters. */
  static String oneLine(String text) {
    String line = text.trim().split("\\R", 2)[0].trim();
    return line.length() > LONGEST ? line.substring(0, LONGEST) + "..." : line;
  }

  /** Runs another mapper. */
  static final class WatchedMapper extends Mapper<Object, Object, Object, Object> {

    @Override
    @SuppressWarnings("unchecked")
    public void run(Context context) throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      try {
        ((Mapper<Object, Object, Object, Object>)
                ReflectionUtils.newInstance(conf.getClass(MAPPER, Mapper.class), conf))
            .run(context);
      } catch (Throwable e) {
        note(context.getJobID(), e);
        throw e;
      }
    }
  }

  /** Runs another reducer. */
  static final class WatchedReducer extends Reducer<Object, Object, Object, Object> {

    @Override
    @SuppressWarnings("unchecked")
    public void run(Context context) throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      try {
        ((Reducer<Object, Object, Object, Object>)
                ReflectionUtils.newInstance(conf.getClass(REDUCER, Reducer.class), conf))
            .run(context);
      } catch (Throwable e) {
        note(context.getJobID(), e);
        throw e;
      }
    }
  }
}
