package org.corpulyzer.nutch;

import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.GeneratorJob;
import org.corpulyzer.engine.HostScore;

/**
 * The number of probes of unknown hosts that a task of the generator passes before the other rows.
 * The code that scores a row sees no other row, but a task of the generator has the size of the
 * batch ({@code -topN}) and the number of tasks. Rows come in the order of their keys, so a task
 * that runs again passes the same probes. Hosts with weak evidence get only a part of the places.
 * The other places are for hosts with strong evidence whose keys come later.
 *
 * <p>Nutch gives a plugin the configuration that its JVM had first. On a cluster and under {@code
 * bin/nutch}, this is the configuration of the task. If you run several jobs in one JVM, set {@code
 * generate.topN} from the start; without it the number of probes has no limit.
 */
final class ProbeBudget {

  private long left;
  private long leftForWeak;

  /**
   * @param conf the configuration of the task; without {@code -topN} every row is generated, and
   *     there is no limit to divide
   */
  ProbeBudget(Configuration conf) {
    long topN = conf.getLong(GeneratorJob.GENERATOR_TOP_N, Long.MAX_VALUE);
    boolean isLimited = topN != Long.MAX_VALUE;
    left = isLimited ? share(conf, percent(topN, HostScore.PROBE_PERCENT)) : topN;
    leftForWeak =
        isLimited
            ? share(conf, percent(percent(topN, HostScore.PROBE_PERCENT), HostScore.WEAK_PERCENT))
            : topN;
  }

  private static long percent(long number, int percent) {
    return number / 100 * percent + (number % 100 * percent + 99) / 100;
  }

  /** The task's share of some places; the shares of all tasks add up to them. */
  private static long share(Configuration conf, long all) {
    int task = conf.getInt("mapreduce.task.partition", -1);
    // Outside of a task this property has Hadoop's default, which is not the number of tasks.
    long tasks = task < 0 ? 1 : Math.max(1, conf.getInt("mapreduce.job.maps", 1));
    return all / tasks + (Math.max(0, task) < all % tasks ? 1 : 0);
  }

  /**
   * Takes a place for a probe, if there is one left.
   *
   * @param strong whether the evidence for the host is strong
   */
  synchronized boolean take(boolean strong) {
    if (left <= 0 || !strong && leftForWeak <= 0) {
      return false;
    }
    left--;
    leftForWeak -= strong ? 0 : 1;
    return true;
  }
}
