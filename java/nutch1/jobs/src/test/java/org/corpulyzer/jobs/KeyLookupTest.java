package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.corpulyzer.corpus.HostSums;
import org.corpulyzer.engine.HostScore;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class KeyLookupTest {
  private static final int HOSTS = 20_000;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = new Configuration(false);
  private final TreeMap<String, Float> hosts = new TreeMap<>();
  private Path file;

  @Before
  public void writeTable() throws IOException {
    for (int i = 0; i < HOSTS; i++) {
      hosts.put(String.format("h%06d.test", 2 * i), (float) i);
    }
    file = new Path(folder.getRoot().toURI().getPath(), "part-r-00000");
    try (MapFile.Writer out =
        new MapFile.Writer(
            conf,
            file,
            MapFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(HostRecord.class))) {
      for (String host : hosts.keySet()) {
        float score = hosts.get(host);
        out.append(
            new Text(host), new HostRecord(new HostSums(), new HostScore(score, 1, score, 1)));
      }
    }
  }

  @Test
  public void findsTheSameHostsInAnyOrder() throws IOException {
    Random random = new Random(5);
    try (MapFile.Reader part = new MapFile.Reader(file, conf)) {
      KeyLookup<HostRecord> lookup = new KeyLookup<>(part, HostRecord::new);
      int place = 0;
      for (int i = 0; i < 10_000; i++) {
        // On in small steps, now and then anywhere, also before the first and behind the last one.
        place =
            random.nextInt(50) == 0
                ? random.nextInt(2 * HOSTS + 20) - 10
                : place + random.nextInt(6) * random.nextInt(60);
        String host = place < 0 ? "a" + place : String.format("h%06d.test", place);
        HostRecord found = lookup.find(new Text(host));
        Float expected = hosts.get(host);
        if (expected == null) {
          assertNull(host, found);
        } else {
          assertEquals(host, expected, found.score().rows(), 0);
        }
      }
    }
  }

  @Test
  public void aRecordStaysAsItIsWhenTheNextHostIsLookedUp() throws IOException {
    try (MapFile.Reader part = new MapFile.Reader(file, conf)) {
      KeyLookup<HostRecord> lookup = new KeyLookup<>(part, HostRecord::new);
      List<HostRecord> found = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        found.add(lookup.find(new Text(String.format("h%06d.test", 2 * i))));
      }
      for (int i = 0; i < found.size(); i++) {
        assertEquals(i, found.get(i).score().rows(), 0);
      }
    }
  }

  @Test
  public void hostsInTheirOrderReadTheFileOnce() throws IOException {
    long size = FileSystem.get(conf).getFileStatus(new Path(file, MapFile.DATA_FILE_NAME)).getLen();
    try (MapFile.Reader part = new MapFile.Reader(file, conf)) {
      KeyLookup<HostRecord> lookup = new KeyLookup<>(part, HostRecord::new);
      long before = bytesRead();
      for (int i = 0; i < 2 * HOSTS; i++) {
        lookup.find(new Text(String.format("h%06d.test", i)));
      }
      long read = bytesRead() - before;
      assertTrue(read + " of " + size, read > size * 9 / 10 && read < size * 11 / 10);
    }
  }

  private static long bytesRead() {
    return FileSystem.getGlobalStorageStatistics().get("file").getLong("bytesRead");
  }
}
