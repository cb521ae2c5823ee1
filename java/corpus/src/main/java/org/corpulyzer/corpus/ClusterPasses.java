package org.corpulyzer.corpus;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.corpulyzer.engine.ArchiveRecord;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.NativeLibrary;
import org.corpulyzer.engine.Settings;

/**
 * The mappers and reducers of {@link ClusterCorpus}. A task holds one record, or two numbers of
 * pages, at a time. A page is named by its file and its place among the pages of the file; the
 * order of these names is that of the inputs.
 */
final class ClusterPasses {

  /** Bits of the place of a page in its file. */
  private static final int PLACE_BITS = 40;

  /** Folder with the number of pages of each file. */
  static final String PAGES = "crp.clusters.pages";

  /** File with the pages before each file, see {@link ClusterCorpus}. */
  static final String OFFSETS = "crp.clusters.offsets";

  /** Folder with the clusters of pages, sorted in parts by file. */
  static final String PLACES = "crp.clusters.places";

  /** Number of these parts. */
  static final String PARTS = "crp.clusters.parts";

  /** Whether only the first page of a cluster is written. */
  static final String FIRST_ONLY = "crp.clusters.firstOnly";

  private ClusterPasses() {}

  /** Reads the lines of a file, and counts its pages. */
  private abstract static class LineMapper<K, V> extends Mapper<LongWritable, ArchiveRecord, K, V> {

    /** Pages that were read. */
    private long pages;

    private String damage;

    @Override
    public final void run(Context context) throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      ArchiveInput.Split file = (ArchiveInput.Split) context.getInputSplit();
      try {
        begin(context, file.number());
        while (context.nextKeyValue()) {
          add(context, file.number(), context.getCurrentValue());
        }
        end(context, file, pages, damage);
      } catch (IOException | RuntimeException | Error e) {
        TaskFailure.note(conf, e);
        throw e;
      }
    }

    private void add(Context context, long file, ArchiveRecord record)
        throws IOException, InterruptedException {
      if (record.kind() == ArchiveRecord.Kind.PROBLEM) {
        if (!record.problem().isLoss()) {
          count(context, ClusterCounter.BAD_LINES);
        } else if (damage == null) {
          damage = record.message();
        }
        return;
      }
      long[] bands = record.bands();
      line(context, record, bands, bands == null ? -1 : file << PLACE_BITS | pages++);
    }

    final void count(Context context, ClusterCounter counter) {
      context.getCounter(counter).increment(1);
    }

    abstract void begin(Context context, long file) throws IOException, InterruptedException;

    /**
     * @param bands null if the record has no text in the corpus
     * @param page its name, if it has
     */
    abstract void line(Context context, ArchiveRecord record, long[] bands, long page)
        throws IOException, InterruptedException;

    abstract void end(Context context, ArchiveInput.Split file, long pages, String damage)
        throws IOException;
  }

  /** Lines to pairs of a band and a page. */
  static final class BandMapper extends LineMapper<PagePair, NullWritable> {
    private final PagePair pair = new PagePair();

    @Override
    void begin(Context context, long file) {}

    @Override
    void line(Context context, ArchiveRecord record, long[] bands, long page)
        throws IOException, InterruptedException {
      count(context, ClusterCounter.RECORDS);
      if (bands != null) {
        count(context, ClusterCounter.PAGES);
        for (long band : bands) {
          context.write(pair.set(band, page), NullWritable.get());
        }
      }
    }

    @Override
    void end(Context context, ArchiveInput.Split file, long pages, String damage)
        throws IOException {
      Configuration conf = context.getConfiguration();
      Path count = pagesOf(conf, file.number());
      try (DataOutputStream out = count.getFileSystem(conf).create(count, true)) {
        out.writeLong(pages);
      }
      if (damage != null) {
        count(context, ClusterCounter.DAMAGED_FILES);
        DamageNotes.note(conf, file, damage);
      }
    }
  }

  private static Path pagesOf(Configuration conf, long file) {
    return new Path(conf.get(PAGES), Long.toString(file));
  }

  /** Writes the numbers of pages before each file, and at its end the number of all pages. */
  static void writeOffsets(Configuration conf, long files) throws IOException {
    Path offsets = new Path(conf.get(OFFSETS));
    try (DataOutputStream out = offsets.getFileSystem(conf).create(offsets, true)) {
      long before = 0;
      for (long file = 0; file < files; file++) {
        out.writeLong(before);
        Path pages = pagesOf(conf, file);
        try (DataInputStream in = pages.getFileSystem(conf).open(pages)) {
          before += in.readLong();
        }
      }
      out.writeLong(before);
    }
  }

  /** Takes each neighbour of a page once, in ascending order. */
  private abstract static class NeighbourReducer
      extends Reducer<PagePair, NullWritable, PagePair, NullWritable> {
    private final PagePair edge = new PagePair();

    @Override
    protected final void reduce(PagePair key, Iterable<NullWritable> values, Context context)
        throws IOException, InterruptedException {
      long page = key.first();
      long first = key.second();
      long last = first;
      long count = 0;
      for (NullWritable value : values) {
        // Hadoop reads the key of each value into the same object.
        long neighbour = key.second();
        if (count == 0 || neighbour != last) {
          count++;
          last = neighbour;
          neighbour(context, page, first, neighbour);
        }
      }
      end(context, page, first, count);
    }

    final void write(Context context, long page, long earlier)
        throws IOException, InterruptedException {
      context.write(edge.set(page, earlier), NullWritable.get());
    }

    abstract void neighbour(Context context, long page, long first, long neighbour)
        throws IOException, InterruptedException;

    void end(Context context, long page, long first, long count) {}
  }

  /** Pages of a band to edges from each to the first of them. */
  static final class BandReducer extends NeighbourReducer {
    @Override
    void neighbour(Context context, long band, long first, long page)
        throws IOException, InterruptedException {
      if (page != first) {
        write(context, page, first);
      }
    }
  }

  /** Edges in both directions. */
  static final class BothMapper extends Mapper<PagePair, NullWritable, PagePair, NullWritable> {
    private final PagePair back = new PagePair();

    @Override
    protected void map(PagePair edge, NullWritable value, Context context)
        throws IOException, InterruptedException {
      context.write(edge, value);
      context.write(back.set(edge.second(), edge.first()), value);
    }
  }

  /** Large-star: later neighbours of a page are joined to the first page among it and them. */
  static final class LargeStar extends NeighbourReducer {
    @Override
    void neighbour(Context context, long page, long first, long neighbour)
        throws IOException, InterruptedException {
      if (neighbour > page) {
        write(context, neighbour, Math.min(first, page));
      }
    }

    @Override
    void end(Context context, long page, long first, long count) {
      if (first < page && count > 1) {
        context.getCounter(ClusterCounter.UNFINISHED).increment(1);
      }
    }
  }

  /** Small-star: a page and its earlier neighbours are joined to the first of these. */
  static final class SmallStar extends NeighbourReducer {
    @Override
    void neighbour(Context context, long page, long first, long neighbour)
        throws IOException, InterruptedException {
      write(context, neighbour == first ? page : neighbour, first);
    }
  }

  /**
   * Edges of stars to members of clusters. The first pair of a cluster has its size: no member has
   * the number 0, because all are later than their first page.
   */
  static final class SizeMapper extends Mapper<PagePair, NullWritable, PagePair, LongWritable> {
    private static final LongWritable ZERO = new LongWritable(0);
    private static final LongWritable ONE = new LongWritable(1);

    private final PagePair pair = new PagePair();

    @Override
    protected void map(PagePair edge, NullWritable value, Context context)
        throws IOException, InterruptedException {
      context.write(pair.set(edge.second(), 0), ONE);
      context.write(pair.set(edge.second(), edge.first()), ZERO);
    }
  }

  /** Members of a cluster to pages with their clusters: first page and size. */
  static final class SizeReducer extends Reducer<PagePair, LongWritable, LongWritable, PagePair> {
    private final LongWritable page = new LongWritable();
    private final PagePair place = new PagePair();

    @Override
    protected void reduce(PagePair key, Iterable<LongWritable> values, Context context)
        throws IOException, InterruptedException {
      long first = key.first();
      long size = 1;
      boolean isCounted = false;
      for (LongWritable value : values) {
        if (key.second() == 0) {
          size += value.get();
          continue;
        }
        if (!isCounted) {
          isCounted = true;
          context.getCounter(ClusterCounter.CLUSTERS).increment(1);
          context.getCounter(ClusterCounter.CLUSTERED).increment(size);
          write(context, first, first, size);
        }
        write(context, key.second(), first, size);
      }
    }

    private void write(Context context, long member, long first, long size)
        throws IOException, InterruptedException {
      page.set(member);
      context.write(page, place.set(first, size));
    }
  }

  /** Gives the pages of a file to one reducer. */
  static final class ByFile extends Partitioner<LongWritable, PagePair> {
    @Override
    public int getPartition(LongWritable page, PagePair place, int parts) {
      return part(page.get() >>> PLACE_BITS, parts);
    }
  }

  private static int part(long file, int parts) {
    return (int) (file % parts);
  }

  /** Lines to lines with the clusters of their pages, in a file for each input. */
  static final class MarkMapper extends LineMapper<NullWritable, NullWritable> {
    private final LongWritable next = new LongWritable(-1);
    private final PagePair place = new PagePair();
    private boolean isFirstOnly;
    private boolean isPast;
    private long[] offsets;
    private MapFile.Reader places;
    private OutputStream out;

    @Override
    void begin(Context context, long file) throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      NativeLibrary.load(conf.get(Settings.NATIVE_PATH, ""));
      isFirstOnly = conf.getBoolean(FIRST_ONLY, false);
      offsets = offsets(conf);
      int part = part(file, conf.getInt(PARTS, 1));
      Path sorted = new Path(conf.get(PLACES), String.format(Locale.ROOT, "part-r-%05d", part));
      places = new MapFile.Reader(sorted, conf);
      LongWritable found =
          (LongWritable) places.getClosest(new LongWritable(file << PLACE_BITS), place);
      isPast = found == null;
      next.set(isPast ? 0 : found.get());
      Path path =
          new Path(
              FileOutputFormat.getWorkOutputPath(context),
              String.format(Locale.ROOT, "clusters-%05d.jsonl.gz", file));
      out = new GZIPOutputStream(path.getFileSystem(conf).create(path, false), 1 << 16);
    }

    private static long[] offsets(Configuration conf) throws IOException {
      Path path = new Path(conf.get(OFFSETS));
      long length = path.getFileSystem(conf).getFileStatus(path).getLen();
      long[] offsets = new long[(int) (length / Long.BYTES)];
      try (DataInputStream in = new DataInputStream(path.getFileSystem(conf).open(path))) {
        for (int i = 0; i < offsets.length; i++) {
          offsets[i] = in.readLong();
        }
      }
      return offsets;
    }

    @Override
    void line(Context context, ArchiveRecord record, long[] bands, long page) throws IOException {
      if (bands == null) {
        write(record.content());
        return;
      }
      while (!isPast && next.get() < page) {
        isPast = !places.next(next, place);
      }
      boolean isIn = !isPast && next.get() == page;
      long first = isIn ? place.first() : page;
      if (isFirstOnly && first != page) {
        count(context, ClusterCounter.REMOVED);
        return;
      }
      long number = offsets[(int) (first >>> PLACE_BITS)] + (first & (1L << PLACE_BITS) - 1);
      write(record.marked(number, isIn ? place.second() : 1));
    }

    private void write(byte[] line) throws IOException {
      out.write(line);
      out.write('\n');
    }

    @Override
    void end(Context context, ArchiveInput.Split file, long pages, String damage)
        throws IOException {
      int number = (int) file.number();
      if (pages != offsets[number + 1] - offsets[number]) {
        throw new CorpulyzerException(
            "The file " + file.path() + " changed between its two readings: run the job again.");
      }
      places.close();
      // Not after a failure: a file that is closed looks whole.
      out.close();
    }
  }
}
