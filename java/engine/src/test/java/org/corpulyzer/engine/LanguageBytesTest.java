package org.corpulyzer.engine;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import org.junit.Test;

public class LanguageBytesTest {

  @Test
  public void targetBytesAreThoseOfTheCodeAlone() {
    assertEquals(3140, LanguageBytes.targetBytes("urd:3140,eng:133,und:20", "urd"));
    assertEquals(20, LanguageBytes.targetBytes("urd:3140,eng:133,und:20", "und"));
    assertEquals(0, LanguageBytes.targetBytes("urd:3140", "ur"));
    assertEquals(0, LanguageBytes.targetBytes("", "urd"));
    assertEquals(0, LanguageBytes.targetBytes(null, "urd"));
  }

  @Test
  public void orderIsKept() {
    assertEquals("{urd=3140, eng=133}", LanguageBytes.parse("urd:3140,eng:133").toString());
  }

  @Test
  public void malformedEntryIsRefusedByName() {
    for (String wrong :
        new String[] {
          "urd", "urd:", ":5", "urd:-5", "urd:5,", "urd:x", "urd:9999999999999999999"
        }) {
      assertThrows(wrong, CorpulyzerException.class, () -> LanguageBytes.parse(wrong));
    }
    assertEquals(
        "'urd' found in crp.l, language:bytes is allowed.",
        assertThrows(CorpulyzerException.class, () -> LanguageBytes.parse("eng:1,urd"))
            .getMessage());
  }
}
