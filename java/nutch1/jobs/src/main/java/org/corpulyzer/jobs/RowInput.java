package org.corpulyzer.jobs;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;

/** The rows of a CrawlDb as bytes. Key and row are the same objects for all rows of a split. */
class RowInput extends SequenceFileInputFormat<Text, RowBytes> {

  /** The parts of a CrawlDb, one split each. */
  static final class WholeParts extends RowInput {

    @Override
    protected boolean isSplitable(JobContext context, Path file) {
      return false;
    }

    /**
     * @return the name of the part that a split reads, such as {@code part-r-00000}
     */
    static String name(InputSplit split) {
      Path file = ((FileSplit) split).getPath();
      return file.getName().equals(MapFile.DATA_FILE_NAME)
          ? file.getParent().getName()
          : file.getName();
    }
  }

  @Override
  public RecordReader<Text, RowBytes> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new Rows();
  }

  private static final class Rows extends RecordReader<Text, RowBytes> {
    private RawRows rows;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
      FileSplit part = (FileSplit) split;
      rows =
          new RawRows(
              context.getConfiguration(),
              part.getPath(),
              part.getStart(),
              part.getStart() + part.getLength());
    }

    @Override
    public boolean nextKeyValue() throws IOException {
      return rows.next();
    }

    @Override
    public Text getCurrentKey() {
      return rows.key();
    }

    @Override
    public RowBytes getCurrentValue() {
      return rows.row();
    }

    @Override
    public float getProgress() throws IOException {
      return rows.progress();
    }

    @Override
    public void close() throws IOException {
      if (rows != null) {
        rows.close();
      }
    }
  }
}
