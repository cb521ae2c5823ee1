package org.corpulyzer.jobs;

import org.apache.hadoop.conf.Configuration;

/** Which run of the score passes made a host record. */
final class ScoreRun {

  private static final String BATCH = "crp.run.batch";
  private static final String TIME = "crp.run.time";

  private final String batch;
  private final long time;

  /**
   * @param batch id of the batch that updatedb took in, {@code -all}, or {@code -} for a run
   *     without updatedb
   * @param time start of the run, milliseconds since 1970
   */
  ScoreRun(String batch, long time) {
    this.batch = batch;
    this.time = time;
  }

  /**
   * @return the run that {@link #store} put into a job's configuration
   */
  static ScoreRun of(Configuration conf) {
    return new ScoreRun(conf.get(BATCH), conf.getLong(TIME, 0));
  }

  void store(Configuration conf) {
    conf.set(BATCH, batch);
    conf.setLong(TIME, time);
  }

  String batch() {
    return batch;
  }

  long time() {
    return time;
  }
}
