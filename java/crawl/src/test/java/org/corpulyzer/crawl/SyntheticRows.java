package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.engine.PageKeys;

/**
 * Adds rows to the CrawlDb of a crawl, so that it is as large as after many rounds: hosts with
 * {@link #ROWS_OF_HOST} rows each, every fifth row fetched, with the metadata of a fetched row of
 * this crawl and a signature of its own. The hosts have few bytes of the language, so the rounds
 * that follow fetch other pages, and the rows have the scores that follow from their figures, so an
 * update changes none of them.
 */
final class SyntheticRows {
  static final int ROWS_OF_HOST = 50;
  private static final int ROWS_OF_A_FETCHED_ONE = 5;

  /** Bytes of the language on the pages of a host, at most. */
  private static final int MAX_BYTES = 40;

  private SyntheticRows() {}

  /**
   * @param rows how many rows CrawlDb has afterwards, if it has fewer
   */
  static void add(Path data, long rows) throws IOException {
    Configuration conf = NutchConfiguration.create();
    Path part = data.resolve("crawldb").resolve(CrawlDb.CURRENT_NAME).resolve(Segment.PART);
    Path next = data.resolve("rows");
    CrawlDatum template = null;
    long present = 0;
    try (SortedRecords<CrawlDatum> own = rows(conf, part)) {
      while (own.next()) {
        present++;
        template =
            template == null && own.value().getStatus() == CrawlDatum.STATUS_DB_FETCHED
                ? own.value()
                : template;
      }
    }
    try (SortedRecords<CrawlDatum> own = rows(conf, part);
        MapFile.Writer out =
            new MapFile.Writer(
                conf,
                new org.apache.hadoop.fs.Path(next.toUri()),
                MapFile.Writer.keyClass(Text.class),
                SequenceFile.Writer.valueClass(CrawlDatum.class),
                SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE))) {
      boolean has = own.next();
      for (long i = 0; i < rows - present; i++) {
        Text url =
            new Text(
                String.format(
                    Locale.ROOT,
                    "http://www.host%07d.example/section/page-%09d.html",
                    i / ROWS_OF_HOST,
                    i));
        for (; has && own.key().compareTo(url) < 0; has = own.next()) {
          out.append(own.key(), own.value());
        }
        out.append(url, row(template, i));
      }
      for (; has; has = own.next()) {
        out.append(own.key(), own.value());
      }
    }
    LocalFiles.deleteTree(part);
    Files.move(next, part);
  }

  private static SortedRecords<CrawlDatum> rows(Configuration conf, Path part) throws IOException {
    return SortedRecords.each(
        conf,
        new org.apache.hadoop.fs.Path(part.resolve(MapFile.DATA_FILE_NAME).toUri()),
        CrawlDatum::new);
  }

  private static CrawlDatum row(CrawlDatum template, long number) {
    long bytes = number / ROWS_OF_HOST % MAX_BYTES;
    CrawlDatum row = new CrawlDatum();
    if (number % ROWS_OF_A_FETCHED_ONE == 0) {
      row.set(template);
      row.setSignature(ByteBuffer.allocate(16).putLong(number).array());
      row.getMetaData()
          .put(
              new Text(PageKeys.LANGUAGES),
              new Text("eng:" + (1000 + number % 4001) + ",urd:" + bytes + ",und:20"));
    } else {
      row.setStatus(CrawlDatum.STATUS_DB_UNFETCHED);
      row.setFetchInterval(template.getFetchInterval());
      row.setFetchTime(System.currentTimeMillis() - 60_000 - number % 1000);
    }
    row.setScore(bytes);
    return row;
  }
}
