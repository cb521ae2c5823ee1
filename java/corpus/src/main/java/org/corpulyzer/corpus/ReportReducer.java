package org.corpulyzer.corpus;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.corpulyzer.engine.CorpusSums;

/** Takes in the parts of all tasks ({@link PageSums}) and writes the report. */
public final class ReportReducer
    extends Reducer<NullWritable, BytesWritable, NullWritable, NullWritable> {

  /**
   * Makes a report from the results of a job's tasks: one reducer, which writes to a new folder.
   */
  public static void setOutput(Job job, Path out) {
    job.setReducerClass(ReportReducer.class);
    job.setNumReduceTasks(1);
    // The reducer writes the report's files by their names. Without this format, an empty part file
    // would appear beside them.
    LazyOutputFormat.setOutputFormatClass(job, TextOutputFormat.class);
    FileOutputFormat.setOutputPath(job, out);
    job.getConfiguration().setBoolean("mapreduce.fileoutputcommitter.marksuccessfuljobs", false);
    job.setSpeculativeExecution(false);
  }

  @Override
  public void run(Context context) throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    try (Scratch scratch = new Scratch();
        CorpusSums sums = ReportOptions.open(conf, scratch.folder())) {
      while (context.nextKey()) {
        for (BytesWritable part : context.getValues()) {
          sums.absorb(part.copyBytes());
        }
      }
      Heartbeat.during(context, () -> sums.report(ReportOptions.name(conf), scratch.folder()));
      // The committer moves this folder to its place when the task has ended well; no other attempt
      // sees it.
      Path folder = FileOutputFormat.getWorkOutputPath(context);
      try (FileSystem files = FileSystem.newInstance(folder.toUri(), conf);
          DirectoryStream<java.nio.file.Path> written =
              Files.newDirectoryStream(scratch.folder())) {
        // Prevents the checksum files of a local file system.
        files.setWriteChecksum(false);
        for (java.nio.file.Path file : written) {
          files.copyFromLocalFile(
              new Path(file.toUri()), new Path(folder, file.getFileName().toString()));
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      TaskFailure.note(conf, e);
      throw e;
    }
  }
}
