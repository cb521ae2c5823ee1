package org.corpulyzer.engine;

import java.util.Locale;

/**
 * The prediction of a row that a round has chosen, as rows have it: {@link PageKeys#PREDICTION}.
 * Immutable.
 */
public final class RowPrediction {

  private final int round;
  private final Steering.Prediction prediction;

  /**
   * @param round the number of the choice, from 1 on
   */
  public RowPrediction(int round, Steering.Prediction prediction) {
    this.round = round;
    this.prediction = prediction;
  }

  /**
   * @param text of {@link #toString}, or null
   * @return null if there is none, or another tool wrote it: nothing is learned from such a row
   */
  public static RowPrediction parse(String text) {
    String[] numbers = text == null ? new String[0] : text.split(" ");
    if (numbers.length != 4) {
      return null;
    }
    try {
      return new RowPrediction(
          Integer.parseInt(numbers[0]),
          new Steering.Prediction(
              Integer.parseInt(numbers[1]),
              Float.parseFloat(numbers[2]),
              Float.parseFloat(numbers[3]),
              0));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /**
   * @return the number of the choice
   */
  public int round() {
    return round;
  }

  /**
   * @return the prediction, without its score
   */
  public Steering.Prediction prediction() {
    return prediction;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d %d %.3f %.4f",
        round,
        prediction.level(),
        prediction.section(),
        prediction.probability());
  }
}
