package org.corpulyzer.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.util.Base64;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * A scan over an HBase table, or over the rows of listed hosts, one split a region, rows in key
 * order. HBase's own TableInputFormat is in hbase-server, which is not in Nutch's lib folder (Gora
 * brings hbase-client); Gora's input format loads whole map families into page objects.
 */
public final class RegionInputFormat extends InputFormat<NullWritable, Result> {

  private static final String TABLE = "crp.input.table";
  private static final String SCAN = "crp.input.scan";
  private static final String HOSTS = "crp.input.hosts";

  /**
   * Hosts that one scanner reads: opening one for each would cost more than the rows of most hosts.
   */
  private static final int HOSTS_PER_SCAN = 256;

  /**
   * Makes a job read the table by this scan.
   *
   * @param hosts a folder with a {@link HostList}, to read the rows of these hosts only; or null
   */
  static void setInput(Job job, TableName table, Scan scan, Path hosts) throws IOException {
    if (hosts != null) {
      job.getConfiguration().set(HOSTS, hosts.toString());
    }
    job.setInputFormatClass(RegionInputFormat.class);
    job.getConfiguration().set(TABLE, table.getNameAsString());
    job.getConfiguration().set(SCAN, Base64.encodeBytes(ProtobufUtil.toScan(scan).toByteArray()));
  }

  private static TableName table(Configuration conf) {
    return TableName.valueOf(conf.get(TABLE));
  }

  /**
   * @return the list of hosts that the job is limited to, or null
   */
  private static HostList hosts(Configuration conf) throws IOException {
    String folder = conf.get(HOSTS);
    return folder == null ? null : new HostList(new Path(folder), conf);
  }

  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    Configuration conf = context.getConfiguration();
    List<InputSplit> splits = new ArrayList<>();
    try (Connection connection = HBase.connect(conf);
        RegionLocator regions = connection.getRegionLocator(table(conf));
        HostList hosts = hosts(conf)) {
      for (HRegionLocation region : regions.getAllRegionLocations()) {
        byte[] start = region.getRegionInfo().getStartKey();
        byte[] end = region.getRegionInfo().getEndKey();
        if (hosts == null || hosts.seek(start, end).next() != null) {
          splits.add(
              new RegionSplit(
                  start, end, region.getServerName() == null ? "" : region.getHostname()));
        }
      }
    }
    return splits;
  }

  @Override
  public RecordReader<NullWritable, Result> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new RegionReader();
  }

  /**
   * The rows from a start key (inclusive) to an end key (exclusive); an empty key is an open end.
   */
  public static final class RegionSplit extends InputSplit implements Writable {

    private byte[] start;
    private byte[] end;
    private String host;

    /** For Hadoop, which then reads the fields. */
    public RegionSplit() {
      this(new byte[0], new byte[0], "");
    }

    RegionSplit(byte[] start, byte[] end, String host) {
      this.start = start;
      this.end = end;
      this.host = host;
    }

    @Override
    public long getLength() {
      return 0;
    }

    @Override
    public String[] getLocations() {
      return host.isEmpty() ? new String[0] : new String[] {host};
    }

    @Override
    public void write(DataOutput out) throws IOException {
      Bytes.writeByteArray(out, start);
      Bytes.writeByteArray(out, end);
      out.writeUTF(host);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      start = Bytes.readByteArray(in);
      end = Bytes.readByteArray(in);
      host = in.readUTF();
    }

    @Override
    public String toString() {
      return "rows ["
          + Bytes.toStringBinary(start)
          + ", "
          + Bytes.toStringBinary(end)
          + ") on "
          + host;
    }
  }

  private static final class RegionReader extends RecordReader<NullWritable, Result> {

    private RegionSplit split;
    private Scan scan;

    /** Null for all hosts. */
    private HostList hosts;

    private Connection connection;
    private Table table;

    /** Null between two scans. */
    private ResumingScanner rows;

    private Result row;

    @Override
    public void initialize(InputSplit region, TaskAttemptContext context) throws IOException {
      Configuration conf = context.getConfiguration();
      split = (RegionSplit) region;
      scan = ProtobufUtil.toScan(ClientProtos.Scan.parseFrom(Base64.decode(conf.get(SCAN))));
      hosts = hosts(conf);
      connection = HBase.connect(conf);
      table = connection.getTable(table(conf));
      if (hosts == null) {
        rows =
            new ResumingScanner(
                table, new Scan(scan).setStartRow(split.start).setStopRow(split.end));
      } else {
        hosts.seek(split.start, split.end);
        nextScan();
      }
    }

    private void nextScan() throws IOException {
      if (rows != null) {
        rows.close();
        rows = null;
      }
      List<RowRange> ranges = new ArrayList<>();
      while (hosts != null && ranges.size() < HOSTS_PER_SCAN) {
        RowRange range = hosts.next();
        if (range == null) {
          break;
        }
        ranges.add(range);
      }
      if (!ranges.isEmpty()) {
        Scan some =
            new Scan(scan)
                .setStartRow(ranges.get(0).getStartRow())
                .setStopRow(ranges.get(ranges.size() - 1).getStopRow());
        if (ranges.size() > 1) {
          some.setFilter(new MultiRowRangeFilter(ranges));
        }
        rows = new ResumingScanner(table, some);
      }
    }

    @Override
    public boolean nextKeyValue() throws IOException {
      row = null;
      while (rows != null && (row = rows.next()) == null) {
        nextScan();
      }
      return row != null;
    }

    @Override
    public NullWritable getCurrentKey() {
      return NullWritable.get();
    }

    @Override
    public Result getCurrentValue() {
      return row;
    }

    /** The number of rows of a region is not known. */
    @Override
    public float getProgress() {
      return 0;
    }

    @Override
    public void close() throws IOException {
      if (rows != null) {
        rows.close();
      }
      if (hosts != null) {
        hosts.close();
      }
      if (table != null) {
        table.close();
      }
      if (connection != null) {
        connection.close();
      }
    }
  }
}
