package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.SequenceFile.CompressionType;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.nutch.crawl.CrawlDatum;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Reading rows of CrawlDb as bytes, and writing them. */
public class RowInputTest {

  private static final int ROWS = 20_000;

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private static String url(int row) {
    return String.format("http://host.example/%06d", row);
  }

  @Test
  public void everyRowIsInOneSplitWhateverTheCompressionIs() throws Exception {
    for (CompressionType type : CompressionType.values()) {
      Configuration conf = CrawlDbForTests.conf(temporary.newFolder());
      Path folder = new Path(temporary.newFolder(type.toString()).toURI());
      try (MapFile.Writer out =
          new MapFile.Writer(
              conf,
              new Path(folder, "part-r-00000"),
              MapFile.Writer.keyClass(Text.class),
              SequenceFile.Writer.valueClass(CrawlDatum.class),
              SequenceFile.Writer.compression(type))) {
        for (int row = 0; row < ROWS; row++) {
          out.append(
              new Text(url(row)),
              CrawlDbForTests.row(CrawlDatum.STATUS_DB_UNFETCHED, row, "key", "value " + row));
        }
      }
      Job job = Job.getInstance(conf);
      FileInputFormat.addInputPath(job, folder);
      FileInputFormat.setMaxInputSplitSize(job, 30_000);
      RowInput input = new RowInput();
      List<InputSplit> splits = input.getSplits(job);
      assertTrue(type + " " + splits.size(), splits.size() > 1);
      List<String> found = new ArrayList<>();
      TaskAttemptContextImpl task =
          new TaskAttemptContextImpl(job.getConfiguration(), new TaskAttemptID());
      for (InputSplit split : splits) {
        try (RecordReader<Text, RowBytes> rows = input.createRecordReader(split, task)) {
          rows.initialize(split, task);
          while (rows.nextKeyValue()) {
            assertEquals(found.size(), rows.getCurrentValue().score(), 0);
            found.add(rows.getCurrentKey().toString());
            assertTrue(rows.getProgress() >= 0 && rows.getProgress() <= 1);
          }
          assertEquals(1, rows.getProgress(), 0);
        }
      }
      assertEquals(type.toString(), ROWS, found.size());
      for (int row = 0; row < ROWS; row++) {
        assertEquals(url(row), found.get(row));
      }
    }
  }

  @Test
  public void compressedPartsHaveTheSameRowsAsOthers() throws Exception {
    for (String type : new String[] {"RECORD", "BLOCK"}) {
      Configuration conf = CrawlDbForTests.conf(temporary.newFolder());
      CrawlDbForTests plain = database(conf, "plain-" + type);
      plain.score(conf);
      conf.setBoolean("mapreduce.output.fileoutputformat.compress", true);
      conf.set("mapreduce.output.fileoutputformat.compress.type", type);
      CrawlDbForTests compressed = database(conf, "compressed-" + type);
      compressed.score(conf);
      assertEquals(450f, compressed.score(conf, url(7)), 0);
      assertEquals(plain.rows(conf), compressed.rows(conf));
    }
  }

  private CrawlDbForTests database(Configuration conf, String name) throws Exception {
    CrawlDbForTests db = new CrawlDbForTests(temporary.newFolder(name));
    db.put(url(0), CrawlDbForTests.fetched("urd:900"));
    db.put(url(1), CrawlDbForTests.fetched("eng:900"));
    for (int row = 2; row < 600; row++) {
      db.put(url(row), CrawlDbForTests.row(CrawlDatum.STATUS_DB_UNFETCHED, 256, "key", "" + row));
    }
    return db.write(conf, 2);
  }
}
