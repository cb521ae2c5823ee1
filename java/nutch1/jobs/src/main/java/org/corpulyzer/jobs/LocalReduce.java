package org.corpulyzer.jobs;

import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.StatusReporter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.reduce.WrappedReducer;
import org.apache.hadoop.mapreduce.task.ReduceContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.Progress;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Runs the reducer of a job in this thread, over files that it sorts. Hadoop's local runner reads
 * all configuration files again for each job, makes an object of each record to write it again, and
 * copies what it has sorted: for a round of some hundred pages this takes more time than the
 * reducer. Records are sorted as bytes, with at most {@value #SORT_BYTES} bytes of them in memory.
 */
public final class LocalReduce {
  private static final int SORT_BYTES = 32 << 20;

  private LocalReduce() {}

  /**
   * @param job with a mapper that would pass the records on as they are, and one reduce task. Its
   *     combiner is left out.
   * @param inputs sequence files of the job's keys and values
   * @param temporary a folder for files that are gone afterwards; it does not exist
   * @param <K> the keys of the inputs; the job alone names the types, so callers need not
   * @param <V> the values of the inputs
   * @param <L> the keys of the output
   * @param <W> the values of the output
   * @return the counters of the reducer
   */
  public static <K, V, L, W> Counters run(Job job, Path[] inputs, Path temporary)
      throws IOException, InterruptedException, ClassNotFoundException {
    Configuration conf = job.getConfiguration();
    TaskAttemptID id = new TaskAttemptID(new TaskID(new JobID("local", 1), TaskType.REDUCE, 0), 0);
    TaskAttemptContextImpl task = new TaskAttemptContextImpl(conf, id);
    @SuppressWarnings("unchecked")
    OutputFormat<L, W> format =
        (OutputFormat<L, W>) ReflectionUtils.newInstance(job.getOutputFormatClass(), conf);
    OutputCommitter committer = format.getOutputCommitter(task);
    committer.setupJob(task);
    committer.setupTask(task);
    Reporter reporter = new Reporter();
    Counter keys = reporter.getCounter("local", "keys");
    Counter values = reporter.getCounter("local", "values");
    try (Sorted sorted = new Sorted(job, inputs, temporary)) {
      RecordWriter<L, W> writer = format.getRecordWriter(task);
      try {
        @SuppressWarnings("unchecked")
        Class<K> keyClass = (Class<K>) job.getMapOutputKeyClass();
        @SuppressWarnings("unchecked")
        Class<V> valueClass = (Class<V>) job.getMapOutputValueClass();
        @SuppressWarnings("unchecked")
        Reducer<K, V, L, W> reducer =
            (Reducer<K, V, L, W>) ReflectionUtils.newInstance(job.getReducerClass(), conf);
        @SuppressWarnings("unchecked")
        org.apache.hadoop.io.RawComparator<K> comparator =
            (org.apache.hadoop.io.RawComparator<K>) job.getSortComparator();
        reducer.run(
            new WrappedReducer<K, V, L, W>()
                .getReducerContext(
                    new ReduceContextImpl<>(
                        conf,
                        id,
                        sorted,
                        keys,
                        values,
                        writer,
                        committer,
                        reporter,
                        comparator,
                        keyClass,
                        valueClass)));
      } finally {
        writer.close(task);
      }
    }
    committer.commitTask(task);
    committer.commitJob(task);
    return reporter.counters;
  }

  /** The records of some files in the order of their keys. */
  private static final class Sorted implements RawKeyValueIterator, AutoCloseable {
    private final Path temporary;
    private final Configuration conf;
    private final DataInputBuffer key = new DataInputBuffer();
    private final DataInputBuffer value = new DataInputBuffer();
    private final DataOutputBuffer bytes = new DataOutputBuffer();
    private final DataOutputStream out = new DataOutputStream(bytes);

    /** Null if there is no record. */
    private final SequenceFile.Sorter.RawKeyValueIterator records;

    Sorted(Job job, Path[] inputs, Path temporary) throws IOException {
      conf = job.getConfiguration();
      this.temporary = temporary;
      SequenceFile.Sorter sorter =
          new SequenceFile.Sorter(
              temporary.getFileSystem(conf),
              job.getSortComparator(),
              job.getMapOutputKeyClass(),
              job.getMapOutputValueClass(),
              conf);
      sorter.setMemory(SORT_BYTES);
      Path all = new Path(temporary, "all");
      copy(job, inputs, all);
      records = sorter.sortAndIterate(new Path[] {all}, new Path(temporary, "runs"), true);
    }

    /** The sorter damages records of files that are compressed in different ways. */
    private void copy(Job job, Path[] inputs, Path all) throws IOException {
      DataOutputBuffer record = new DataOutputBuffer();
      try (SequenceFile.Writer writer =
          SequenceFile.createWriter(
              conf,
              SequenceFile.Writer.file(all),
              SequenceFile.Writer.keyClass(job.getMapOutputKeyClass()),
              SequenceFile.Writer.valueClass(job.getMapOutputValueClass()),
              SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE))) {
        for (Path input : inputs) {
          try (SequenceFile.Reader reader =
              new SequenceFile.Reader(conf, SequenceFile.Reader.file(input))) {
            SequenceFile.ValueBytes value = reader.createValueBytes();
            record.reset();
            while (reader.nextRaw(record, value) >= 0) {
              bytes.reset();
              value.writeUncompressedBytes(out);
              writer.appendRaw(record.getData(), 0, record.getLength(), new Plain(bytes));
              record.reset();
            }
          }
        }
      }
    }

    @Override
    public DataInputBuffer getKey() throws IOException {
      DataOutputBuffer found = records.getKey();
      key.reset(found.getData(), found.getLength());
      return key;
    }

    @Override
    public DataInputBuffer getValue() throws IOException {
      bytes.reset();
      records.getValue().writeUncompressedBytes(out);
      value.reset(bytes.getData(), bytes.getLength());
      return value;
    }

    @Override
    public boolean next() throws IOException {
      return records != null && records.next();
    }

    @Override
    public Progress getProgress() {
      return records == null ? new Progress() : records.getProgress();
    }

    @Override
    public void close() throws IOException {
      if (records != null) {
        records.close();
      }
      temporary.getFileSystem(conf).delete(temporary, true);
    }
  }

  /** A value that is not compressed. */
  private static final class Plain implements SequenceFile.ValueBytes {
    private final DataOutputBuffer bytes;

    Plain(DataOutputBuffer bytes) {
      this.bytes = bytes;
    }

    @Override
    public void writeUncompressedBytes(DataOutputStream out) throws IOException {
      out.write(bytes.getData(), 0, bytes.getLength());
    }

    @Override
    public void writeCompressedBytes(DataOutputStream out) {
      throw new UnsupportedOperationException("a record is not compressed");
    }

    @Override
    public int getSize() {
      return bytes.getLength();
    }
  }

  private static final class Reporter extends StatusReporter {
    private final Counters counters = new Counters();

    @Override
    public Counter getCounter(Enum<?> name) {
      return counters.findCounter(name);
    }

    @Override
    public Counter getCounter(String group, String name) {
      return counters.findCounter(group, name);
    }

    @Override
    public void progress() {
      // Nobody ends a task of this thread for its silence.
    }

    @Override
    public float getProgress() {
      return 0;
    }

    @Override
    public void setStatus(String status) {
      // Nobody reads it.
    }
  }
}
