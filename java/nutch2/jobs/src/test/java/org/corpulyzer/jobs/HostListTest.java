package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class HostListTest {

  private static final byte[] OPEN = {};

  @Rule public final TemporaryFolder folder = new TemporaryFolder(new File("."));

  private HostList write(List<TreeSet<String>> files) throws IOException {
    Configuration conf = new Configuration();
    Path list =
        new Path(folder.getRoot().getAbsolutePath(), "list" + folder.getRoot().list().length);
    for (TreeSet<String> hosts : files) {
      // An entry of the index for every other host, so that a few hosts reach beyond one block.
      conf.setInt("io.map.index.interval", 2);
      try (MapFile.Writer out =
          new MapFile.Writer(
              conf,
              new Path(list, "part-" + files.indexOf(hosts)),
              MapFile.Writer.keyClass(Text.class),
              MapFile.Writer.valueClass(NullWritable.class))) {
        for (String key : hosts) {
          out.append(HostList.key(key.substring(0, key.length() - 1)), NullWritable.get());
        }
      }
    }
    return new HostList(list, conf);
  }

  private static List<String> ranges(HostList list, byte[] start, byte[] end) throws IOException {
    List<String> found = new ArrayList<>();
    list.seek(start, end);
    for (RowRange range = list.next(); range != null; range = list.next()) {
      found.add(Bytes.toString(range.getStartRow()) + " " + Bytes.toString(range.getStopRow()));
    }
    return found;
  }

  /** Returns the list by its definition: every host's range, cut to the region. */
  private static List<String> wanted(TreeSet<String> hosts, String start, String end) {
    List<String> found = new ArrayList<>();
    for (String key : hosts) {
      String last = key.substring(0, key.length() - 1) + ';';
      String from = key.compareTo(start) < 0 ? start : key;
      String to = !end.isEmpty() && end.compareTo(last) < 0 ? end : last;
      if (from.compareTo(to) < 0) {
        found.add(from + " " + to);
      }
    }
    return found;
  }

  @Test
  public void regionsGetTheirHostsInTheOrderOfTheWebTable() throws Exception {
    Random random = new Random(3);
    String[] labels = {"foo", "foo-bar", "foo.bar", "fooa", "a", "b1", "b-1", "[2001"};
    for (int round = 0; round < 30; round++) {
      TreeSet<String> all = new TreeSet<>();
      List<TreeSet<String>> files =
          new ArrayList<>(Arrays.asList(new TreeSet<>(), new TreeSet<>(), new TreeSet<>()));
      for (int i = random.nextInt(40); i > 0; i--) {
        String key =
            "com."
                + labels[random.nextInt(labels.length)]
                + (random.nextBoolean() ? "" : "." + random.nextInt(20))
                + ":";
        if (all.add(key)) {
          files.get(random.nextInt(files.size())).add(key);
        }
      }
      try (HostList list = write(files)) {
        assertEquals(wanted(all, "", ""), ranges(list, OPEN, OPEN));
        for (int i = 0; i < 40; i++) {
          String[] ends = {key(random, labels), key(random, labels)};
          Arrays.sort(ends);
          if (!ends[0].equals(ends[1])) {
            assertEquals(
                wanted(all, ends[0], ends[1]),
                ranges(list, HBase.utf8(ends[0]), HBase.utf8(ends[1])));
          }
          assertEquals(wanted(all, ends[0], ""), ranges(list, HBase.utf8(ends[0]), OPEN));
          assertEquals(wanted(all, "", ends[1]), ranges(list, OPEN, HBase.utf8(ends[1])));
        }
      }
    }
  }

  private static String key(Random random, String[] labels) {
    String host =
        "com."
            + labels[random.nextInt(labels.length)]
            + (random.nextBoolean() ? "" : "." + random.nextInt(20));
    return host + new String[] {"", ":", ":http/p/5", ";", ".z"}[random.nextInt(5)];
  }
}
