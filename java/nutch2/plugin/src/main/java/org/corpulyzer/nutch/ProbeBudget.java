package org.corpulyzer.nutch;

import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.GeneratorJob;
import org.corpulyzer.engine.HostScore;

/**
 * How many probes of unknown hosts a task of the generator lets before the other rows. Who scores a row knows nothing of the others; the
 * generator's tasks know how many rows the batch will have ({@code -topN}) and how many tasks they are. Rows come in the order of their
 * keys, so a task that runs again lets the same ones through.
 *
 * <p>Nutch gives a plugin the configuration that its JVM had first. That is the task's on a cluster and under {@code bin/nutch}; who runs
 * several jobs in one JVM sets {@code generate.topN} from the start, or nothing bounds the probes.
 */
final class ProbeBudget {

  private long left;

  /** @param conf the task's; without {@code -topN} every row is generated, and there is nothing to divide */
  ProbeBudget(Configuration conf) {
    long topN = conf.getLong(GeneratorJob.GENERATOR_TOP_N, Long.MAX_VALUE);
    left = topN == Long.MAX_VALUE ? topN : share(conf, topN);
  }

  /** The task's share of a percentage of the batch, rounded up; the shares of all tasks add up to that. */
  private static long share(Configuration conf, long topN) {
    long all = topN / 100 * HostScore.PROBE_PERCENT + (topN % 100 * HostScore.PROBE_PERCENT + 99) / 100;
    int task = conf.getInt("mapreduce.task.partition", -1);
    // Outside of a task Hadoop's default stands there, which is no count of anything.
    long tasks = task < 0 ? 1 : Math.max(1, conf.getInt("mapreduce.job.maps", 1));
    return all / tasks + (Math.max(0, task) < all % tasks ? 1 : 0);
  }

  /** Takes a place for a probe, if there is one left. */
  boolean take() {
    if (left <= 0) {
      return false;
    }
    left--;
    return true;
  }
}
