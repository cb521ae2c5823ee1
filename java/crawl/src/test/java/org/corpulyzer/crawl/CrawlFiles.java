package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.util.NutchConfiguration;

/** Reads what a crawl has in its data folder. */
final class CrawlFiles {
  private static final Configuration CONF = NutchConfiguration.create();

  private CrawlFiles() {}

  /** Returns options with the required values only. */
  static CrawlOptions options() {
    CrawlOptions options = new CrawlOptions();
    options.language = "ur";
    options.agent = "tester";
    options.contact = "me@example.org";
    options.proxy = "127.0.0.1:9";
    return options;
  }

  /** The rows of CrawlDb by address. */
  static Map<String, CrawlDatum> rows(Path data) throws IOException {
    return records(
        data.resolve("crawldb").resolve("current").resolve(Segment.PART).resolve("data"),
        CrawlDatum::new);
  }

  /** Makes every row due, as if the time to its next fetch had passed. */
  static void makeDue(Path data) throws IOException {
    Path part = data.resolve("crawldb").resolve("current").resolve(Segment.PART);
    Map<String, CrawlDatum> rows = rows(data);
    LocalFiles.deleteTree(part);
    try (MapFile.Writer out =
        new MapFile.Writer(
            CONF,
            new org.apache.hadoop.fs.Path(part.toUri()),
            MapFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(CrawlDatum.class),
            SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE))) {
      for (Map.Entry<String, CrawlDatum> row : rows.entrySet()) {
        row.getValue().setFetchTime(System.currentTimeMillis() - 1000);
        out.append(new Text(row.getKey()), row.getValue());
      }
    }
  }

  /** Returns the values of the newest segment that has a record of the address, by address. */
  static <V extends Writable> Map<String, V> newest(Path data, String folder, Supplier<V> holders)
      throws IOException {
    Map<String, V> all = new TreeMap<>();
    List<Path> segments;
    try (Stream<Path> entries = Files.list(data.resolve("segments"))) {
      segments = entries.sorted().collect(Collectors.toList());
    }
    for (Path segment : segments) {
      Path file = segment.resolve(folder).resolve(Segment.PART);
      all.putAll(records(Files.isDirectory(file) ? file.resolve("data") : file, holders));
    }
    return all;
  }

  /** The last record of each key. */
  static <V extends Writable> Map<String, V> records(Path file, Supplier<V> holders)
      throws IOException {
    Map<String, V> all = new TreeMap<>();
    try (SortedRecords<V> records =
        SortedRecords.each(CONF, new org.apache.hadoop.fs.Path(file.toUri()), holders)) {
      while (records.next()) {
        all.put(records.key().toString(), records.value());
      }
    }
    return all;
  }
}
