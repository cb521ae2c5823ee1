package org.corpulyzer.corpus;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import org.junit.Test;

public class ArgumentsTest {

  private static Arguments read(int paths, String... args) {
    return new Arguments()
        .flag("-all")
        .option("-name")
        .option("-size", Arguments.whole(1, 9))
        .option("-kind", Arguments.words("a", "b"))
        .read(args, paths);
  }

  @Test
  public void optionsAndPathsStandInAnyOrder() {
    Arguments read = read(2, "in", "-size", "9", "-all", "out", "-name", "-x");
    assertEquals(Arrays.asList("in", "out"), read.paths());
    assertEquals("9", read.get("-size"));
    assertEquals("-x", read.get("-name"));
    assertTrue(read.has("-all"));
    assertNull(read(0).get("-name"));
  }

  @Test
  public void anOptionMayBeGivenSeveralTimes() {
    Arguments read = read(0, "-name", "a", "-name", "b");
    assertEquals(Arrays.asList("a", "b"), read.all("-name"));
    assertEquals("b", read.get("-name"));
    assertTrue(read.all("-all").isEmpty());
  }

  @Test
  public void whatIsMissingIsNamed() {
    assertEquals("in", read(1, "in").path(0, "in"));
    assertEquals(
        "<out> is missing.",
        assertThrows(UsageException.class, () -> read(2, "in").path(1, "out")).getMessage());
    for (String[] wrong : new String[][] {{}, {"-name", "a", "-size", "1"}}) {
      assertEquals(
          "Exactly one of -name and -size is needed.",
          assertThrows(UsageException.class, () -> read(0, wrong).requireOneOf("-name", "-size"))
              .getMessage());
    }
    read(0, "-name", "a").requireOneOf("-name", "-size");
  }

  @Test
  public void theFirstWrongArgumentIsNamedWithWhatIsAllowed() {
    refused("-size is '0'; allowed is a whole number from 1 to 9.", "-size", "0");
    refused("-size is '10'; allowed is a whole number from 1 to 9.", "-size", "10");
    refused("-size has no value; allowed is a whole number from 1 to 9.", "-size");
    refused("-name has no value; allowed is any text.", "-name", "");
    refused("-kind is 'c'; allowed is one of a, b.", "-kind", "c");
    refused("There is no option -what.", "-what", "x");
    refused("'b' is one path too many.", "a", "b");
    refused("'' is no path.", "");
  }

  private static void refused(String sentence, String... args) {
    assertEquals(sentence, assertThrows(UsageException.class, () -> read(1, args)).getMessage());
  }
}
