package org.corpulyzer.engine;

/**
 * The number of probes of unknown hosts that a task of the generator passes before the other rows.
 * The code that scores a row sees no other row, but a task of the generator has the size of the
 * batch ({@code -topN}) and the number of tasks. Rows come in the order of their keys, so a task
 * that runs again passes the same probes. Hosts with weak evidence get only a part of the places.
 * The other places are for hosts with strong evidence whose keys come later.
 *
 * <p>Nutch gives a plugin the configuration that its JVM had first. On a cluster, and on Nutch 2.4
 * under {@code bin/nutch}, this is the configuration of the task. If you run several jobs in one
 * JVM, set {@code generate.topN} from the start; without it the number of probes has no limit.
 * Nutch also keeps the scoring filters of such a JVM, so a budget serves one generate after the
 * other: it is full again when the keys go back.
 */
public final class ProbeBudget {

  /** Where both lines of Nutch have {@code -topN} while they generate. */
  private static final String TOP_N = "generate.topN";

  private final long all;
  private final long allForWeak;
  private long left;
  private long leftForWeak;

  /** Key of the last row. */
  private String last = "";

  /**
   * @param task the properties of the task; without {@code -topN} every row is generated, and there
   *     is no limit to divide
   */
  public ProbeBudget(Settings.PropertySource task) {
    long topN = number(task, TOP_N, Long.MAX_VALUE);
    boolean isLimited = topN != Long.MAX_VALUE;
    all = isLimited ? share(task, placesOf(topN)) : topN;
    allForWeak = isLimited ? share(task, percent(placesOf(topN), HostScore.WEAK_PERCENT)) : topN;
    left = all;
    leftForWeak = allForWeak;
  }

  /**
   * Goes to a row; call it with every row of the generator.
   *
   * @param key of the row
   */
  public synchronized void moveTo(String key) {
    if (key.compareTo(last) < 0) {
      left = all;
      leftForWeak = allForWeak;
    }
    last = key;
  }

  private static long percent(long number, int percent) {
    return number / 100 * percent + (number % 100 * percent + 99) / 100;
  }

  /**
   * @param topN size of a batch
   * @return places of probes in it
   */
  public static long placesOf(long topN) {
    return percent(topN, HostScore.PROBE_PERCENT);
  }

  /** The task's share of some places; the shares of all tasks add up to them. */
  private static long share(Settings.PropertySource task, long all) {
    long partition = number(task, "mapreduce.task.partition", -1);
    // Outside of a task this property has Hadoop's default, which is not the number of tasks.
    long tasks = partition < 0 ? 1 : Math.max(1, number(task, "mapreduce.job.maps", 1));
    return all / tasks + (Math.max(0, partition) < all % tasks ? 1 : 0);
  }

  /** These properties are Hadoop's and Nutch's own numbers. */
  private static long number(Settings.PropertySource task, String name, long otherwise) {
    String value = task.get(name);
    return value == null ? otherwise : Long.parseLong(value.trim());
  }

  /**
   * @param score score of a row
   * @param settings settings of the crawl
   * @return whether it is that of a probe ({@link HostScore#probe}), as far as the score tells
   */
  public static boolean isScoreOfProbe(float score, Settings settings) {
    float strong = settings.injectedScore() / 2;
    return score == strong || score == strong / 2;
  }

  /**
   * @param score score of a row that is a probe
   * @param settings settings of the crawl
   * @return the score by which the generator sorts it: that of unknown hosts if no place is left
   */
  public float sortValue(float score, Settings settings) {
    return take(score == settings.injectedScore() / 2) ? score : settings.unknownScore();
  }

  /**
   * Takes a place for a probe, if there is one left.
   *
   * @param strong whether the evidence for the host is strong
   */
  private synchronized boolean take(boolean strong) {
    if (left <= 0 || !strong && leftForWeak <= 0) {
      return false;
    }
    left--;
    leftForWeak -= strong ? 0 : 1;
    return true;
  }
}
