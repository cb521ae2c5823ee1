package org.corpulyzer.crawl;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.protocol.Content;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class JournalTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void aFileThatWasCutAnywhereGivesItsWholeRecordsAndTakesMore() throws Exception {
    Path file = folder.getRoot().toPath().resolve("journal");
    List<Long> ends = new ArrayList<>();
    try (Journal journal = new Journal(file)) {
      for (String url : Arrays.asList("http://b.test/", "http://a.test/", "http://c.test/")) {
        journal.add(
            new Text(url), new CrawlDatum(CrawlDatum.STATUS_FETCH_SUCCESS, 1), content(url));
        ends.add(Files.size(file));
      }
    }
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length <= whole.length; length++) {
      int cut = length;
      Files.write(file, Arrays.copyOf(whole, length));
      try (Journal journal = new Journal(file)) {
        assertEquals(
            "cut at " + cut,
            ends.stream().filter(end -> end <= cut).count(),
            journal.found().size());
        journal.add(
            new Text("http://0.test/"), new CrawlDatum(CrawlDatum.STATUS_FETCH_GONE, 1), null);
        List<String> order = new ArrayList<>();
        journal.inOrder(
            answer -> {
              order.add(answer.url.toString());
              if (answer.datum.getStatus() == CrawlDatum.STATUS_FETCH_GONE) {
                assertNull(answer.content);
              } else {
                assertArrayEquals(
                    answer.url.getBytes(),
                    Arrays.copyOf(answer.content.getContent(), answer.url.getBytes().length));
              }
            });
        assertEquals(order.stream().sorted().collect(Collectors.toList()), order);
        assertEquals("http://0.test/", order.get(0));
      }
    }
  }

  @Test
  public void aDamagedRecordEndsTheJournalBeforeIt() throws Exception {
    Path file = folder.getRoot().toPath().resolve("journal");
    long first;
    try (Journal journal = new Journal(file)) {
      journal.add(new Text("http://a.test/"), new CrawlDatum(), null);
      first = Files.size(file);
      journal.add(new Text("http://b.test/"), new CrawlDatum(), content("http://b.test/"));
    }
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 3] ^= 1;
    Files.write(file, bytes);
    try (Journal journal = new Journal(file)) {
      assertEquals(1, journal.found().size());
      assertEquals(first, Files.size(file));
    }
  }

  private static Content content(String url) {
    return new Content(
        url,
        url,
        url.getBytes(StandardCharsets.UTF_8),
        "text/html",
        new Metadata(),
        new Configuration());
  }
}
