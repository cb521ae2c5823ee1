package org.corpulyzer.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * The target languages of a crawl, and the weight of each in the score of a host. Without quota all
 * weights are 1. With a quota a language weighs by what it lacks: a language with enough text
 * weighs 0, the one that lacks most weighs 1.
 */
public final class Targets {

  private final List<String> codes;
  private final double[] weights;

  private Targets(List<String> codes, double[] weights) {
    this.codes = Collections.unmodifiableList(codes);
    this.weights = weights;
  }

  /**
   * @param text ISO 639-3 codes, separated by commas, as {@link Engine#target()} returns them; or
   *     what {@link #toString()} returned
   * @throws CorpulyzerException if it does not read
   */
  public static Targets of(String text) {
    String[] entries = text.split(",", -1);
    List<String> codes = new ArrayList<>();
    double[] weights = new double[entries.length];
    for (int i = 0; i < entries.length; i++) {
      String[] parts = entries[i].split("=", 2);
      codes.add(parts[0]);
      try {
        weights[i] = parts.length == 1 ? 1 : Double.parseDouble(parts[1]);
      } catch (NumberFormatException e) {
        weights[i] = -1;
      }
      if (parts[0].isEmpty() || !(weights[i] >= 0 && weights[i] <= 1)) {
        throw new CorpulyzerException(
            "'" + entries[i] + "' is not a target language: allowed is a code, or code=weight.");
      }
    }
    return new Targets(codes, weights);
  }

  /**
   * Weighs each language by what it lacks, in proportion to the language that lacks most. If no
   * language lacks text, all weigh 1.
   *
   * @param bytes the bytes that the crawl has of a language
   * @param quota the bytes that it wants of each
   */
  public Targets byQuota(ToLongFunction<String> bytes, long quota) {
    long[] lacks =
        codes.stream().mapToLong(code -> Math.max(0, quota - bytes.applyAsLong(code))).toArray();
    double most = Arrays.stream(lacks).max().orElse(0);
    double[] byNeed = new double[lacks.length];
    for (int i = 0; i < lacks.length; i++) {
      byNeed[i] = most == 0 ? 1 : lacks[i] / most;
    }
    return new Targets(codes, byNeed);
  }

  /**
   * @return ISO 639-3 codes, sorted
   */
  public List<String> codes() {
    return codes;
  }

  /**
   * @return whether there is more than one
   */
  public boolean areSeveral() {
    return codes.size() > 1;
  }

  /**
   * @param index place in {@link #codes}
   * @return from 0 to 1
   */
  public double weight(int index) {
    return weights[index];
  }

  /**
   * @param bytes by place in {@link #codes}
   * @return the sum of the weighted bytes, rounded down; at most the largest number
   */
  public long weighted(long[] bytes) {
    if (bytes.length != weights.length) {
      throw new CorpulyzerException(
          "There are sums of "
              + bytes.length
              + " target languages, and "
              + codes
              + " are configured: run LrlScoreJob to sum them up again.");
    }
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += weights[i] * bytes[i];
    }
    return (long) sum;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Targets
        && ((Targets) other).codes.equals(codes)
        && Arrays.equals(((Targets) other).weights, weights);
  }

  @Override
  public int hashCode() {
    return Objects.hash(codes, Arrays.hashCode(weights));
  }

  /** {@code skr=0.25,urd=1.0}; the code alone if there is one. */
  @Override
  public String toString() {
    if (!areSeveral()) {
      return codes.get(0);
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < weights.length; i++) {
      text.append(i == 0 ? "" : ",").append(codes.get(i)).append('=').append(weights[i]);
    }
    return text.toString();
  }
}
