package org.corpulyzer.engine;

/** A host's score: mean target-language bytes of its fetched pages, or what the settings give a host that is not known yet. */
public final class HostScore {

  private final float rows;
  private final float injected;

  HostScore(float rows, float injected) {
    this.rows = rows;
    this.injected = injected;
  }

  /** @return score of the host's rows, never NaN */
  public float rows() {
    return rows;
  }

  /** @return score of the host's injected seeds, never NaN; differs from {@link #rows()} while nothing is fetched */
  public float injected() {
    return injected;
  }

  @Override
  public String toString() {
    return rows + " (injected " + injected + ")";
  }
}
