package org.corpulyzer.engine;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.Test;

public class TargetsTest {

  private static final Targets THREE = Targets.of("pnb,skr,urd");

  @Test
  public void textOfTargetsReadsBack() {
    assertEquals("urd", Targets.of("urd").toString());
    assertEquals("pnb=1.0,skr=1.0,urd=1.0", THREE.toString());
    Targets weighted = THREE.byQuota(code -> code.equals("urd") ? 30 : 0, 40);
    assertEquals(weighted, Targets.of(weighted.toString()));
    assertEquals(Arrays.asList("pnb", "skr", "urd"), weighted.codes());
    for (String wrong : new String[] {"", "urd,", "urd=", "urd=x", "urd=-1", "urd=2", "urd=NaN"}) {
      assertThrows(wrong, CorpulyzerException.class, () -> Targets.of(wrong));
    }
  }

  @Test
  public void languageWeighsByWhatItLacksOfTheOneThatLacksMost() {
    Map<String, Long> bytes = LanguageBytes.parse("urd:75,skr:100");
    Targets weighted = THREE.byQuota(code -> bytes.getOrDefault(code, 0L), 100);
    assertEquals("pnb=1.0,skr=0.0,urd=0.25", weighted.toString());
    assertEquals(1000 + 25, weighted.weighted(new long[] {1000, 5000, 100}));
    assertEquals("an enormous quota", THREE, THREE.byQuota(code -> 0, Long.MAX_VALUE));
  }

  @Test
  public void weightsAreThoseOfTheVectors() throws IOException {
    List<String> rows = Files.readAllLines(Vectors.folder("").resolve("weights.tsv"));
    assertEquals(7, rows.size());
    for (String row : rows.subList(1, rows.size())) {
      String[] cells = row.split("\t");
      String[] bytes = cells[0].split(",");
      Targets weighted =
          THREE.byQuota(
              code -> Long.parseLong(bytes[THREE.codes().indexOf(code)]), Long.parseLong(cells[1]));
      String[] weights = cells[2].split(",");
      String expected = "";
      for (int i = 0; i < weights.length; i++) {
        expected += "," + THREE.codes().get(i) + "=" + Double.parseDouble(weights[i]);
      }
      assertEquals(row, expected.substring(1), weighted.toString());
    }
  }

  @Test
  public void allLanguagesWeighTheSameIfNoneLacksText() {
    assertEquals(THREE, THREE.byQuota(code -> 100, 100));
    assertEquals(THREE, THREE.byQuota(code -> 101, 100));
    assertEquals(Targets.of("urd"), Targets.of("urd").byQuota(code -> 0, 5));
  }

  @Test
  public void sumsOfOtherLanguagesAreRefused() {
    assertThrows(CorpulyzerException.class, () -> THREE.weighted(new long[] {1, 2}));
    assertEquals(Long.MAX_VALUE, THREE.weighted(new long[] {Long.MAX_VALUE, Long.MAX_VALUE, 1}));
  }

  /** A fetched page with these bytes per language. */
  private static HostTally.Row page(String languages) {
    return page(languages, 0);
  }

  private static HostTally.Row page(String languages, long rawBytes) {
    return new HostTally.Row() {
      @Override
      public String key() {
        return "http://a.example/";
      }

      @Override
      public boolean isFetched() {
        return true;
      }

      @Override
      public boolean isRead() {
        return languages != null;
      }

      @Override
      public boolean isInjected() {
        return false;
      }

      @Override
      public boolean isFound() {
        return false;
      }

      @Override
      public boolean isElsewhere() {
        return false;
      }

      @Override
      public boolean isUntried() {
        return false;
      }

      @Override
      public long rawBytes() {
        return rawBytes;
      }

      @Override
      public long bytesIn(String language) {
        try {
          return LanguageBytes.targetBytes(languages, language);
        } catch (CorpulyzerException e) {
          return -1;
        }
      }
    };
  }

  @Test
  public void scoreIsTheWeightedSumOfTheMeans() {
    HostTally tally = new HostTally();
    assertTrue(tally.addPage(page("urd:300,eng:50"), THREE));
    assertTrue(tally.addPage(page("pnb:100,urd:20"), THREE));
    assertTrue(tally.addPage(page(null), THREE));
    assertFalse(tally.addPage(page("urd:?,pnb:9"), THREE));
    HostTally more = new HostTally();
    assertTrue(more.addPage(page("skr:7"), THREE));
    HostTally total = new HostTally();
    total.add(tally);
    total.add(more);
    assertArrayEquals(new long[] {100, 7, 320}, total.totals().byTarget());
    assertEquals(427, total.totals().targetBytes());
    assertEquals(5, total.totals().fetchedPages());
    assertEquals(2, total.totals().unreadPages());
    Targets weighted = Targets.of("pnb=1.0,skr=0.0,urd=0.5");
    assertEquals(260, total.totals().weighted(weighted).targetBytes());
    assertEquals(427, total.totals().weighted(THREE).targetBytes());
  }

  @Test
  public void oneTargetIsSummedAndWrittenAsBefore() throws IOException {
    HostTally old = new HostTally();
    HostTally now = new HostTally();
    for (String languages : new String[] {"urd:300,eng:50", "pnb:100", null, "urd:?"}) {
      assertEquals(
          old.addPage(page(languages), "urd"), now.addPage(page(languages), Targets.of("urd")));
    }
    assertEquals(old.totals(), now.totals());
    assertNull(now.totals().byTarget());
    assertEquals(now.totals(), now.totals().weighted(Targets.of("urd")));
    assertEquals(Arrays.asList(300L, 4L, 2L), written(now.totals()));
  }

  private static List<Long> written(HostTotals totals) throws IOException {
    List<Long> numbers = new ArrayList<>();
    totals.write(numbers::add);
    return numbers;
  }

  @Test
  public void downloadedBytesAreSummedOverThePagesWithFigures() throws IOException {
    for (Targets targets : Arrays.asList(Targets.of("urd"), THREE)) {
      HostTally tally = new HostTally();
      tally.addPage(page("urd:300", 5000), targets);
      tally.addPage(page(null, 70), targets);
      tally.addPage(page("urd:?", 600), targets);
      HostTally more = new HostTally();
      more.addPage(page("eng:1", 20_000), targets);
      tally.add(more);
      assertEquals(25_000, tally.totals().rawBytes());
      assertEquals(25_000, tally.totals().weighted(targets).rawBytes());
      Iterator<Long> numbers = written(tally.totals()).iterator();
      assertEquals(tally.totals(), HostTotals.read(numbers::next));
      assertFalse(numbers.hasNext());
      HostTally stored = new HostTally();
      stored.set(tally.totals(), "");
      assertEquals(tally.totals(), stored.totals());
      tally.clear();
      assertEquals(0, tally.totals().rawBytes());
    }
  }

  @Test
  public void sizesThatDoNotReadCountAsUnknown() {
    assertEquals(123, HostTally.bytes("123"));
    assertEquals(999_999_999_999_999_999L, HostTally.bytes("999999999999999999"));
    for (String size : new String[] {null, "", "-1", "1e3", "1234567890123456789", "\u0663"}) {
      assertEquals(0, HostTally.bytes(size));
    }
  }

  @Test
  public void writtenTotalsReadBack() throws IOException {
    HostTally tally = new HostTally();
    tally.addPage(page("urd:300,pnb:4"), THREE);
    HostTotals several = tally.totals();
    assertEquals(Arrays.asList(-3L, 4L, 0L, 300L, 304L, 1L, 0L), written(several));
    for (HostTotals totals : Arrays.asList(several, new HostTotals(5, 6, 7), HostTotals.NONE)) {
      Iterator<Long> numbers = written(totals).iterator();
      HostTotals read = HostTotals.read(numbers::next);
      assertEquals(totals, read);
      assertFalse(numbers.hasNext());
      HostTally stored = new HostTally();
      stored.set(read, "probe");
      assertEquals(totals, stored.totals());
    }
  }

  @Test
  public void decisionNamesTheLanguagesThatAPageIsKeptFor() {
    assertEquals(
        Arrays.asList("skr", "urd"),
        PageRecord.keptFor("keep for skr,urd: 812 bytes of urd, 256 wanted"));
    assertEquals(
        Collections.singletonList("urd"), PageRecord.keptFor("keep for urd: declared as urd"));
    for (String other :
        new String[] {
          null, "", "keep", "keep 812 bytes of urd, 256 wanted", "reject for urd: 9", "keep for"
        }) {
      assertNull(other, PageRecord.keptFor(other));
    }
  }
}
