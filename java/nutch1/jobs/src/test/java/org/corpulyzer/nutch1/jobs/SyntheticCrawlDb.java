package org.corpulyzer.nutch1.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.partition.HashPartitioner;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.engine.PageKeys;

/** A CrawlDb of any size, written without holding it: hosts in the order of their names, each with as many rows. */
final class SyntheticCrawlDb {

  private SyntheticCrawlDb() {
  }

  /** Writes rows of which a fifth is fetched, with three figures each and a signature. */
  static void write(Configuration conf, Path crawlDb, int rows, int hosts, int parts) throws IOException {
    HashPartitioner<Text, CrawlDatum> partitioner = new HashPartitioner<>();
    MapFile.Writer[] writers = new MapFile.Writer[parts];
    for (int i = 0; i < parts; i++) {
      writers[i] = new MapFile.Writer(conf, new Path(crawlDb, String.format("current/part-r-%05d", i)), MapFile.Writer.keyClass(Text.class),
          SequenceFile.Writer.valueClass(CrawlDatum.class));
    }
    for (int i = 0; i < rows; i++) {
      int host = (int) ((long) i * hosts / rows);
      Text url = new Text(String.format("http://www.host%07d.example/section/page-%09d.html", host, i));
      CrawlDatum row = new CrawlDatum(i % 5 == 0 ? CrawlDatum.STATUS_DB_FETCHED : CrawlDatum.STATUS_DB_UNFETCHED, 2592000, 0.5f);
      row.setFetchTime(1_700_000_000_000L);
      if (i % 5 == 0) {
        row.getMetaData().put(new Text(PageKeys.LANGUAGES), new Text("urd:" + i % 4001 + ",eng:133,und:20"));
        row.getMetaData().put(new Text(PageKeys.VERSION), new Text("2 web-am/1 lm/2-782253eb+cld2/20140204"));
        row.getMetaData().put(new Text(PageKeys.DECISION), new Text("keep enough bytes"));
        row.setSignature(new byte[16]);
      }
      writers[partitioner.getPartition(url, row, parts)].append(url, row);
    }
    for (MapFile.Writer writer : writers) {
      writer.close();
    }
  }
}
