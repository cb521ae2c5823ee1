package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.protocol.ProtocolStatus;
import org.corpulyzer.engine.HostTally;
import org.corpulyzer.engine.PageKeys;
import org.junit.Test;

public class RowBytesTest {

  private static final String[] KEYS = {
    PageKeys.LANGUAGES,
    PageKeys.VERSION,
    PageKeys.DECISION,
    PageKeys.INJECTED_MARK,
    PageKeys.FOUND_MARK,
    PageKeys.ELSEWHERE_MARK,
    PageKeys.LIST_MARK,
    PageKeys.ALTERNATE_MARK,
    PageKeys.RAW_BYTES,
    "_pst_",
    "Content-Type",
    "",
    "crp",
    "ключ"
  };

  @Test
  public void aRowOfBytesHasWhatItsObjectHas() throws IOException {
    Random random = new Random(2);
    RowBytes bytes = new RowBytes();
    int withFigures = 0;
    for (int i = 0; i < 20_000; i++) {
      CrawlDatum datum = random(random);
      byte[] stored = stored(datum);
      // Behind the row there is something else, as in a buffer.
      bytes.set(Arrays.copyOf(stored, stored.length + random.nextInt(9)), stored.length);
      PageRow expected = new PageRow().read(datum);
      PageRow found = new PageRow().read(bytes);
      assertEquals(describe(expected), describe(found));
      for (String key : KEYS) {
        Writable value = datum.getMetaData().get(new Text(key));
        assertEquals(key, value == null ? null : value.toString(), bytes.text(new Text(key)));
        assertEquals(key, value != null, bytes.has(new Text(key)));
      }
      withFigures += expected.languages() == null ? 0 : 1;
      CrawlDatum bare = new CrawlDatum();
      bytes.readBare(bare);
      assertEquals(describe(datum), describe(bytes.datum()));
      datum.getMetaData().clear();
      assertEquals(describe(datum), describe(bare));
    }
    assertTrue(withFigures > 1000);
  }

  @Test
  public void aScoreThatIsSetIsThatOfTheRow() throws IOException {
    Random random = new Random(3);
    for (int i = 0; i < 1000; i++) {
      CrawlDatum datum = random(random);
      RowBytes bytes = new RowBytes().set(stored(datum), stored(datum).length);
      float score = i % 100 == 0 ? Float.NaN : random.nextFloat() * 5000;
      bytes.setScore(score);
      datum.setScore(score);
      assertEquals(Float.floatToRawIntBits(score), Float.floatToRawIntBits(bytes.score()));
      assertEquals(
          describe(new PageRow().read(datum)), describe(new PageRow().read(bytes.datum())));
    }
  }

  @Test
  public void aRowOfAnOlderNutchIsBroughtToThePresentForm() throws IOException {
    CrawlDatum datum = new CrawlDatum(CrawlDatum.STATUS_DB_FETCHED, 77, 3f);
    byte[] stored = stored(datum);
    // Version 6 has another map behind the mark, and this row has none.
    stored[0] = 6;
    RowBytes bytes = new RowBytes().set(stored, stored.length);
    assertEquals(datum, bytes.datum());
    assertEquals(7, bytes.bytes()[0]);
  }

  @Test
  public void aRowThatIsCutOffIsRefused() {
    Random random = new Random(4);
    for (int i = 0; i < 20_000; i++) {
      byte[] stored;
      try {
        stored = stored(random(random));
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      stored = Arrays.copyOf(stored, random.nextInt(stored.length));
      try {
        RowBytes bytes = new RowBytes().set(stored, stored.length);
        describe(new PageRow().read(bytes));
      } catch (IOException | IllegalStateException e) {
        continue;
      }
      throw new AssertionError("read: " + Arrays.toString(stored));
    }
  }

  private static String describe(PageRow row) {
    return row.status()
        + " "
        + row.score()
        + " "
        + row.isFetched()
        + row.isInjected()
        + row.isFound()
        + row.isElsewhere()
        + row.isRead()
        + HostTally.mayProbe(row)
        + " "
        + row.decision()
        + " "
        + row.languages()
        + " "
        + row.version()
        + " "
        + row.rawBytesText()
        + " "
        + row.bytesIn("urd");
  }

  private static byte[] stored(CrawlDatum datum) throws IOException {
    DataOutputBuffer out = new DataOutputBuffer();
    datum.write(out);
    byte[] bytes = Arrays.copyOf(out.getData(), out.getLength());
    return bytes;
  }

  /**
   * ProtocolStatus has no hash, so CrawlDatum's own comparison says that no two of them are equal.
   */
  private static String describe(CrawlDatum datum) {
    Map<String, String> metadata = new TreeMap<>();
    datum
        .getMetaData()
        .forEach((key, value) -> metadata.put(key.toString(), value.getClass() + " " + value));
    return datum.getStatus()
        + " "
        + datum.getFetchTime()
        + " "
        + datum.getRetriesSinceFetch()
        + " "
        + datum.getFetchInterval()
        + " "
        + datum.getScore()
        + " "
        + datum.getModifiedTime()
        + " "
        + Arrays.toString(datum.getSignature())
        + " "
        + metadata;
  }

  private static CrawlDatum random(Random random) {
    CrawlDatum datum =
        new CrawlDatum(1 + random.nextInt(7), random.nextInt(), random.nextFloat() * 1000);
    datum.setFetchTime(random.nextLong());
    datum.setModifiedTime(random.nextLong());
    if (random.nextBoolean()) {
      datum.setSignature(new byte[1 + random.nextInt(32)]);
    }
    for (int i = random.nextInt(6); i > 0; i--) {
      Text key = new Text(KEYS[random.nextInt(KEYS.length)]);
      datum
          .getMetaData()
          .put(
              key, random.nextInt(12) > 0 ? new Text("urd:" + random.nextInt(300)) : other(random));
    }
    if (random.nextInt(3) == 0) {
      datum.getMetaData().put(new Text("_pst_"), new ProtocolStatus(1, new String[] {"message"}));
    }
    if (random.nextInt(30) == 0) {
      datum.getMetaData().put(new IntWritable(7), new Text("a key that is no text"));
    }
    return datum;
  }

  private static Writable other(Random random) {
    switch (random.nextInt(3)) {
      case 0:
        return new LongWritable(random.nextInt());
      case 1:
        return new ProtocolStatus(random.nextInt(20), new String[0]);
      default:
        MapWritable map = new MapWritable();
        map.put(new Text("a"), new Text("b"));
        return map;
    }
  }
}
