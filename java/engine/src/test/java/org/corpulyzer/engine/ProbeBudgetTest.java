package org.corpulyzer.engine;

import static org.junit.Assert.assertEquals;

import java.util.Collections;
import org.junit.Test;

public class ProbeBudgetTest {

  /** Probes that a generate of 100 rows passes, of those with these keys. */
  private static int passed(ProbeBudget budget, Settings settings, int first, int rows) {
    float strong = settings.injectedScore() / 2;
    int passed = 0;
    for (int row = first; row < first + rows; row++) {
      budget.moveTo(String.format("http://h%03d.example/", row));
      passed += budget.sortValue(strong, settings) == strong ? 1 : 0;
    }
    return passed;
  }

  @Test
  public void eachGenerateOfAJvmHasItsOwnProbes() {
    Settings settings =
        Settings.from(Collections.singletonMap(Settings.LANGUAGE_TARGET, "urd")::get);
    ProbeBudget budget = new ProbeBudget(Collections.singletonMap("generate.topN", "100")::get);
    assertEquals(8, passed(budget, settings, 0, 20));
    assertEquals("a later part of the same rows", 0, passed(budget, settings, 20, 20));
    assertEquals(8, passed(budget, settings, 0, 40));
  }
}
