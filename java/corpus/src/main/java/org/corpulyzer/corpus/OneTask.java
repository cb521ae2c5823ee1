package org.corpulyzer.corpus;

import java.io.DataInput;
import java.io.DataOutput;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** No input, for a job of one task that opens everything itself. */
public final class OneTask extends InputFormat<NullWritable, NullWritable> {

  @Override
  public List<InputSplit> getSplits(JobContext context) {
    return Collections.singletonList(new Everything());
  }

  @Override
  public RecordReader<NullWritable, NullWritable> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new Nothing();
  }

  /** The split of the one task. */
  public static final class Everything extends InputSplit implements Writable {

    @Override
    public long getLength() {
      return 0;
    }

    @Override
    public String[] getLocations() {
      return new String[0];
    }

    @Override
    public void write(DataOutput out) {}

    @Override
    public void readFields(DataInput in) {}
  }

  private static final class Nothing extends RecordReader<NullWritable, NullWritable> {

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {}

    @Override
    public boolean nextKeyValue() {
      return false;
    }

    @Override
    public NullWritable getCurrentKey() {
      return null;
    }

    @Override
    public NullWritable getCurrentValue() {
      return null;
    }

    @Override
    public float getProgress() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
