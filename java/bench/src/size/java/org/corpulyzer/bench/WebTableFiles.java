package org.corpulyzer.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HColumnDescriptor;
import org.apache.hadoop.hbase.HTableDescriptor;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.mapreduce.LoadIncrementalHFiles;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.corpulyzer.bench.SyntheticWeb.Host;

/** Fills a new web table with store files, one a region and family, as after a major compaction. */
final class WebTableFiles {

  private static final String[] FAMILIES = {"f", "h", "il", "mk", "mtdt", "ol", "p", "s", "stm"};

  private WebTableFiles() {}

  /**
   * @param conf where HBase is
   * @param folder for the files, on the same disk as HBase's; they are moved
   * @param regions the table's regions, with about as many rows each; hosts may span them
   */
  static void fill(
      Configuration conf, TableName name, SyntheticWeb web, int rows, int regions, Path folder)
      throws Exception {
    List<byte[]> splits = splits(web, rows, regions);
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      HTableDescriptor table = new HTableDescriptor(name);
      for (String family : FAMILIES) {
        table.addFamily(new HColumnDescriptor(family).setMaxVersions(1));
      }
      admin.createTable(table, splits.toArray(new byte[0][]));
      write(conf, web, splits, folder);
      try (Table filled = connection.getTable(name);
          RegionLocator locator = connection.getRegionLocator(name)) {
        new LoadIncrementalHFiles(conf).doBulkLoad(folder, admin, filled, locator);
      }
    }
    FileSystem.getLocal(conf).delete(folder, true);
  }

  private static List<byte[]> splits(SyntheticWeb web, int rows, int regions) {
    List<byte[]> splits = new ArrayList<>();
    long row = 0;
    for (Host host : web.hosts()) {
      while (splits.size() < regions - 1
          && row + host.pages() > (splits.size() + 1L) * rows / regions) {
        splits.add(SyntheticWeb.rowKey(host, (int) ((splits.size() + 1L) * rows / regions - row)));
      }
      row += host.pages();
    }
    return splits;
  }

  private static void write(Configuration conf, SyntheticWeb web, List<byte[]> splits, Path folder)
      throws IOException {
    try (Writers writers = new Writers(conf, folder)) {
      int region = 0;
      for (Host host : web.hosts()) {
        for (int page = 0; page < host.pages(); page++) {
          if (region < splits.size()
              && Bytes.compareTo(SyntheticWeb.rowKey(host, page), splits.get(region)) >= 0) {
            writers.closeFiles();
            region++;
          }
          for (KeyValue cell : web.row(host, page)) {
            writers
                .of(
                    Bytes.toString(
                        cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength()))
                .append(cell);
          }
        }
      }
    }
  }

  /** Store files of one region. */
  private static final class Writers implements AutoCloseable {
    private final Configuration conf;
    private final Path folder;
    private final FileSystem files;
    private final Map<String, StoreFile.Writer> open = new HashMap<>();

    Writers(Configuration conf, Path folder) throws IOException {
      this.conf = conf;
      this.folder = folder;
      this.files = FileSystem.getLocal(conf);
      files.setWriteChecksum(false);
    }

    StoreFile.Writer of(String family) throws IOException {
      StoreFile.Writer writer = open.get(family);
      if (writer == null) {
        writer =
            new StoreFile.WriterBuilder(conf, new CacheConfig(conf), files)
                .withOutputDir(new Path(folder, family))
                .withBloomType(BloomType.ROW)
                .withFileContext(new HFileContextBuilder().withBlockSize(65536).build())
                .build();
        open.put(family, writer);
      }
      return writer;
    }

    @Override
    public void close() throws IOException {
      closeFiles();
    }

    void closeFiles() throws IOException {
      for (StoreFile.Writer writer : open.values()) {
        writer.appendFileInfo(
            StoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(System.currentTimeMillis()));
        writer.appendFileInfo(StoreFile.MAJOR_COMPACTION_KEY, Bytes.toBytes(true));
        writer.appendTrackedTimestampsToMetadata();
        writer.close();
      }
      open.clear();
    }
  }
}
