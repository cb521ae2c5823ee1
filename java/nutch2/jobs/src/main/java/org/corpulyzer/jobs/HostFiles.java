package org.corpulyzer.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.lib.output.MapFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.partition.HashPartitioner;
import org.corpulyzer.engine.RowKeys;

/** The records of the hosts whose rows the second pass writes, in the files of the first. */
final class HostFiles implements HostScores {

  private final MapFile.Reader[] files;

  /** The one that the first pass used. */
  private final Partitioner<Text, HostRecord> partitioner = new HashPartitioner<>();

  HostFiles(Path folder, Configuration conf) throws IOException {
    files = MapFileOutputFormat.getReaders(folder, conf);
  }

  @Override
  public HostRecord find(String host) throws IOException {
    HostRecord record = new HostRecord();
    return MapFileOutputFormat.getEntry(
                files, partitioner, new Text(RowKeys.startKey(host)), record)
            == null
        ? null
        : record;
  }

  @Override
  public void close() {
    IOUtils.cleanup(null, files);
  }
}
