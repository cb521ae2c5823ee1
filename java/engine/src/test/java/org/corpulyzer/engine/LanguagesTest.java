package org.corpulyzer.engine;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.junit.Test;

public class LanguagesTest {

  private static Engine engine(String code) {
    return Engine.of(Settings.from(Collections.singletonMap(Settings.LANGUAGE_TARGET, code)::get));
  }

  @Test
  public void theTableHasTheLanguagesThatTheLibraryCountsAndNoOther() {
    String refused = assertThrows(CorpulyzerException.class, () -> engine("aaa")).getMessage();
    String allowed =
        refused
            .substring(refused.indexOf("allowed are ") + "allowed are ".length())
            .replace(".", "");
    assertEquals(
        new TreeSet<>(Arrays.asList(allowed.split(" "))), new TreeSet<>(Languages.codes()));
  }

  @Test
  public void everyCodeNamesTheLanguageThatTheLibraryMeans() {
    for (String code : new String[] {"ur", "urd", "UR", "de", "sin", "zh", "fa", "arb", "khk"}) {
      assertTrue(code, Languages.isKnown(code));
      assertEquals(code, engine(code).target(), Languages.threeLetters(code));
    }
    assertFalse(Languages.isKnown("xx"));
    assertEquals("xqq", Languages.threeLetters("xqq"));
  }

  @Test
  public void namesAndTagsStandForTheirCodes() {
    assertEquals("skr", LanguageNames.codes(" saraiki ", false));
    assertEquals("sme", LanguageNames.codes("Northern Sami", false));
    assertEquals("skr,urd", LanguageNames.codes("urd_Arab,سرائیکی,ur", false));
    assertEquals("kaz", LanguageNames.codes("kk-Latn", true));
  }

  @Test
  public void anotherWordIsRefusedWithTheNearestNames() {
    for (String[] refused :
        new String[][] {
          {"Urdo", "; the nearest names are those of `urd` (Urdu)"},
          {"Mari", "ambiguous: `mhr` (Eastern Mari), `mrj` (Western Mari)"},
          {"kv", "`kom` (Komi) has no model; it is a macro-language"},
          {"kk-Latn", "use `kk` or `kk-Cyrl`"},
          {"", "is empty; allowed are ISO 639 codes and English names"}
        }) {
      String sentence =
          assertThrows(
                  CorpulyzerException.class, () -> LanguageNames.codes("fa," + refused[0], false))
              .getMessage();
      assertTrue(sentence, sentence.contains(refused[1]));
    }
  }

  @Test
  public void aLanguageWithoutAModelIsToldFromAWordThatIsNone() {
    assertTrue(noModel("kv").hasAdvice());
    assertFalse(noModel("Ghotuo").hasAdvice());
    assertThrows(LanguageNames.NoModel.class, () -> LanguageNames.codes("ur,aaa", false));
    assertEquals("aaa", LanguageNames.codes("Ghotuo", true));
    assertFalse(
        assertThrows(CorpulyzerException.class, () -> LanguageNames.codes("Urdo", false))
            instanceof LanguageNames.NoModel);
  }

  private static LanguageNames.NoModel noModel(String name) {
    return assertThrows(LanguageNames.NoModel.class, () -> LanguageNames.codes(name, false));
  }

  @Test
  public void anAlternateIsKnownByEveryTagOfTheLanguage() {
    Hreflang komi = new Hreflang(engine("kpv"));
    for (String tag : new String[] {"kpv", "kv", "kv-RU", "KOM_ru"}) {
      assertTrue(tag, komi.matches(tag));
    }
    for (String tag : new String[] {"ru", "koi", "", null}) {
      assertFalse(tag, komi.matches(tag));
    }
    assertTrue(new Hreflang(engine("ur,et")).matches("ekk"));
  }

  @Test
  public void typicalWordsAreCountedAsTheirLanguage() {
    List<String> wrong = new ArrayList<>();
    int languages = 0;
    // A tenth of the languages, since each engine holds tables of its own.
    for (String code : Languages.codes()) {
      String words = Languages.typicalWords(code);
      if (!words.isEmpty() && languages++ % 10 == 0) {
        PageRecord page =
            engine(code).page(words.getBytes(StandardCharsets.UTF_8), null, null, Engine.Kind.TEXT);
        if (page.languages() == null || !page.languages().startsWith(code + ":")) {
          wrong.add(code + " as " + page.languages());
        }
      }
    }
    assertTrue(languages + " languages", languages > 200);
    assertEquals(Collections.emptyList(), wrong);
  }

  @Test
  public void peopleReadNames() {
    assertEquals("Urdu, Saraiki, xqq", Languages.names("ur,skr, xqq"));
  }

  @Test
  public void changesAreCounted() {
    assertEquals(0, Nearest.changes("", ""));
    assertEquals(3, Nearest.changes("kitten", "sitting"));
    assertEquals(5, Nearest.changes("", "urdu-"));
    assertEquals(100_000, Nearest.changes(new String(new char[100_000]), "abc"));
  }
}
