package org.corpulyzer.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.partition.HashPartitioner;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.engine.PageKeys;

/**
 * A CrawlDb of any size, written without holding it: hosts in the order of their names, each with
 * as many rows; and a segment with pages of it.
 */
public final class SyntheticCrawlDb {

  private SyntheticCrawlDb() {}

  /** Writes rows of which a fifth is fetched, with three figures each and a signature. */
  public static void write(Configuration conf, Path crawlDb, int rows, int hosts, int parts)
      throws IOException {
    HashPartitioner<Text, CrawlDatum> partitioner = new HashPartitioner<>();
    MapFile.Writer[] writers = new MapFile.Writer[parts];
    for (int i = 0; i < parts; i++) {
      writers[i] =
          new MapFile.Writer(
              conf,
              new Path(crawlDb, String.format("current/part-r-%05d", i)),
              MapFile.Writer.keyClass(Text.class),
              SequenceFile.Writer.valueClass(CrawlDatum.class));
    }
    for (int i = 0; i < rows; i++) {
      Text url = url(i, rows, hosts);
      CrawlDatum row =
          new CrawlDatum(
              i % 5 == 0 ? CrawlDatum.STATUS_DB_FETCHED : CrawlDatum.STATUS_DB_UNFETCHED,
              2592000,
              0.5f);
      row.setFetchTime(1_700_000_000_000L);
      if (i % 5 == 0) {
        row.getMetaData()
            .put(new Text(PageKeys.LANGUAGES), new Text("urd:" + i % 4001 + ",eng:133,und:20"));
        row.getMetaData()
            .put(new Text(PageKeys.VERSION), new Text("3 best/30 lm/15-6e220090+cld2/20140204"));
        row.getMetaData().put(new Text(PageKeys.DECISION), new Text("keep enough bytes"));
        row.setSignature(new byte[16]);
      }
      writers[partitioner.getPartition(url, row, parts)].append(url, row);
    }
    for (MapFile.Writer writer : writers) {
      writer.close();
    }
  }

  /**
   * Writes a segment with fetched and parsed pages of the first hosts.
   *
   * @param pages their number
   * @param rows of the CrawlDb
   * @param hosts of the CrawlDb
   */
  public static void writeSegment(Configuration conf, Path segment, int pages, int rows, int hosts)
      throws IOException {
    try (MapFile.Writer fetch =
            new MapFile.Writer(
                conf,
                new Path(segment, CrawlDatum.FETCH_DIR_NAME + "/part-r-00000"),
                MapFile.Writer.keyClass(Text.class),
                SequenceFile.Writer.valueClass(CrawlDatum.class));
        SequenceFile.Writer parse =
            SequenceFile.createWriter(
                conf,
                SequenceFile.Writer.file(
                    new Path(segment, CrawlDatum.PARSE_DIR_NAME + "/part-r-00000")),
                SequenceFile.Writer.keyClass(Text.class),
                SequenceFile.Writer.valueClass(CrawlDatum.class))) {
      for (int i = 0; i < pages; i++) {
        Text url = url(i, rows, hosts);
        CrawlDatum fetched = new CrawlDatum(CrawlDatum.STATUS_FETCH_SUCCESS, 2592000, 0);
        fetched.setFetchTime(1_710_000_000_000L);
        fetch.append(url, fetched);
        CrawlDatum figures = new CrawlDatum(CrawlDatum.STATUS_PARSE_META, 0, 0);
        figures.getMetaData().put(new Text(PageKeys.LANGUAGES), new Text("urd:900"));
        figures.getMetaData().put(new Text(PageKeys.DECISION), new Text("keep enough bytes"));
        parse.append(url, figures);
      }
    }
  }

  private static Text url(int row, int rows, int hosts) {
    int host = (int) ((long) row * hosts / rows);
    return new Text(String.format("http://www.host%07d.example/section/page-%09d.html", host, row));
  }
}
