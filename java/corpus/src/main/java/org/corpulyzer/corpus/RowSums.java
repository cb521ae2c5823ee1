package org.corpulyzer.corpus;

import org.corpulyzer.engine.Steering;
import org.corpulyzer.engine.SteeringBatch;

/** Adds up all rows for policy pages, and charges the results of the last choice. */
public final class RowSums {
  private final Steering steering;
  private final int round;
  private final SteeringBatch results = new SteeringBatch();
  private int lastRound;

  /**
   * @param round number of the last choice; 0 if there was none
   */
  public RowSums(Steering steering, int round) {
    this.steering = steering;
    this.round = round;
  }

  /**
   * Adds a row.
   *
   * @param chosenIn number of the choice that the row was chosen in; 0 if in none
   * @param hasResult whether the row was fetched after it
   */
  public void add(Steering.Row row, int chosenIn, boolean hasResult) {
    if (row.isFetched || !row.links.isEmpty()) {
      steering.add(row);
    }
    lastRound = Math.max(lastRound, chosenIn);
    if (round > 0 && chosenIn == round && hasResult) {
      results.add(row);
      if (results.isFull()) {
        steering.review(results.take());
      }
    }
  }

  /** Charges the results that are left; call it after the last row. */
  public void end() {
    steering.review(results.take());
  }

  /**
   * Returns the number of the next choice, which no row has. The rows may have a larger one than
   * the last state, because the host table was lost or is an old copy; with one number for two
   * choices, the rows of both would be charged.
   */
  public int nextRound() {
    return Math.max(round, lastRound) + 1;
  }
}
