package org.corpulyzer.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
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
 * A scan over an HBase table, one split a region, rows in key order. HBase's own TableInputFormat is in hbase-server, which is not in
 * Nutch's lib folder (Gora brings hbase-client); Gora's input format loads whole map families into page objects.
 */
public final class RegionInputFormat extends InputFormat<NullWritable, Result> {

  private static final String TABLE = "crp.input.table";
  private static final String SCAN = "crp.input.scan";

  /** Makes a job read the table by this scan. */
  static void setInput(Job job, TableName table, Scan scan) throws IOException {
    job.setInputFormatClass(RegionInputFormat.class);
    job.getConfiguration().set(TABLE, table.getNameAsString());
    job.getConfiguration().set(SCAN, Base64.encodeBytes(ProtobufUtil.toScan(scan).toByteArray()));
  }

  private static TableName table(Configuration conf) {
    return TableName.valueOf(conf.get(TABLE));
  }

  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    Configuration conf = context.getConfiguration();
    List<InputSplit> splits = new ArrayList<>();
    try (Connection connection = HBase.connect(conf); RegionLocator regions = connection.getRegionLocator(table(conf))) {
      for (HRegionLocation region : regions.getAllRegionLocations()) {
        String host = region.getServerName() == null ? "" : region.getHostname();
        splits.add(new RegionSplit(region.getRegionInfo().getStartKey(), region.getRegionInfo().getEndKey(), host));
      }
    }
    return splits;
  }

  @Override
  public RecordReader<NullWritable, Result> createRecordReader(InputSplit split, TaskAttemptContext context) {
    return new RegionReader();
  }

  /** The rows from a start key (inclusive) to an end key (exclusive); an empty key is an open end. */
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
      return "rows [" + Bytes.toStringBinary(start) + ", " + Bytes.toStringBinary(end) + ") on " + host;
    }
  }

  private static final class RegionReader extends RecordReader<NullWritable, Result> {

    private Connection connection;
    private Table table;
    private ResumingScanner rows;
    private Result row;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
      Configuration conf = context.getConfiguration();
      Scan scan = ProtobufUtil.toScan(ClientProtos.Scan.parseFrom(Base64.decode(conf.get(SCAN))));
      scan.setStartRow(((RegionSplit) split).start);
      scan.setStopRow(((RegionSplit) split).end);
      connection = HBase.connect(conf);
      table = connection.getTable(table(conf));
      rows = new ResumingScanner(table, scan);
    }

    @Override
    public boolean nextKeyValue() throws IOException {
      row = rows.next();
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

    /** Nobody knows how many rows a region has. */
    @Override
    public float getProgress() {
      return 0;
    }

    @Override
    public void close() throws IOException {
      if (rows != null) {
        rows.close();
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
