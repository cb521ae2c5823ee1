package org.corpulyzer.engine;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Sums over the pages of a crawl, on the native side. A task adds pages, another merges the sums of
 * tasks, and one makes a report. Their memory is outside of the heap; further data goes to
 * temporary files. Not thread-safe.
 */
public final class CorpusSums implements Closeable {

  /** Takes parts of the sums. */
  public interface PartConsumer {
    /**
     * @param part a state by itself, of some 1 MB at most
     */
    void accept(byte[] part) throws IOException, InterruptedException;
  }

  /** The fields of a fetched page. A field that is not set is unknown. */
  public static final class Row {
    private final Frame.Writer frame = Frame.writer();

    /**
     * @param host as URLs have it
     */
    public Row(String url, String host) {
      frame.text(Tag.URL, url).text(Tag.HOST, host);
    }

    /**
     * @param round its number, from 1, or the time at which it began in seconds since 1970
     */
    public Row round(long round) {
      frame.u64(Tag.ROUND, round);
      return this;
    }

    /**
     * @param millis time of the fetch in milliseconds since 1970; 0 or less if it is unknown
     */
    public Row fetchTime(long millis) {
      if (millis > 0) {
        frame.u64(Tag.FETCH_TIME, millis);
      }
      return this;
    }

    /** The server no longer has the page. */
    public Row gone() {
      frame.bytes(Tag.GONE, new byte[0]);
      return this;
    }

    /**
     * @param decision a {@link PageKeys#DECISION}, or null for a page that was not parsed
     */
    public Row decision(String decision) {
      frame.text(Tag.DECISION, decision);
      return this;
    }

    /**
     * @param bytes of the page as fetched
     */
    public Row rawBytes(long bytes) {
      frame.u64(Tag.RAW_BYTES, bytes);
      return this;
    }

    /**
     * @param bytes of visible text
     */
    public Row visibleBytes(long bytes) {
      frame.u64(Tag.VISIBLE_BYTES, bytes);
      return this;
    }

    /**
     * @param bytes of main text
     */
    public Row mainBytes(long bytes) {
      frame.u64(Tag.MAIN_BYTES, bytes);
      return this;
    }

    /**
     * @param languages {@link PageKeys#LANGUAGES}, or null
     */
    public Row languages(String languages) {
      frame.text(Tag.LANGUAGES, languages);
      return this;
    }

    /**
     * @param md5 of the page as fetched, 16 bytes, or null; others are passed over
     */
    public Row signature(byte[] md5) {
      frame.bytes(Tag.SIGNATURE, md5);
      return this;
    }

    /**
     * @param type MIME type of the page, by which a document is known
     */
    public Row contentType(String type) {
      frame.text(Tag.CONTENT_TYPE, type);
      return this;
    }

    /**
     * @param text main text in UTF-8, blocks joined by line feeds, or null
     */
    public Row text(byte[] text) {
      frame.bytes(Tag.MAIN_TEXT, text);
      return this;
    }

    byte[] toBytes() {
      return frame.toBytes();
    }
  }

  private final int id;

  private CorpusSums(int id) {
    this.id = id;
  }

  /**
   * @param engine for the language, and the bytes of it from which on a page is one of the target
   * @param folder for temporary files, which have no name there
   * @param memory bytes for counting
   * @param words whether words are read: vocabulary, Zipf's law, near duplicates and what else
   *     needs them
   */
  public static CorpusSums open(Engine engine, Path folder, long memory, boolean words) {
    return open(engine, null, folder, memory, words);
  }

  /**
   * @param language the one of several target languages that the sums are of, ISO 639-3; null if
   *     the engine has one
   */
  public static CorpusSums open(
      Engine engine, String language, Path folder, long memory, boolean words) {
    Frame.Writer options =
        Frame.writer()
            .text(Tag.FOLDER, folder.toString())
            .u64(Tag.MEMORY, memory)
            .text(Tag.CORPUS_TARGET, language);
    if (!words) {
      options.bytes(Tag.NO_WORDS, new byte[0]);
    }
    return new CorpusSums(
        Engine.accepted(Native.corpus(engine.id(), options.toBytes())).u32(Tag.CORPUS_ID));
  }

  /** Adds a page. Figures of it that do not read are counted as a problem of the input. */
  public void add(Row row) {
    Engine.accepted(Native.corpusAdd(id, row.toBytes()));
  }

  /** Takes in a part of other sums. */
  public void absorb(byte[] part) {
    Engine.accepted(Native.corpusAbsorb(id, part));
  }

  /**
   * Writes the sums to a file for {@link #readParts}, and ends them.
   *
   * @param others rows that were read too, but are not pages
   */
  public void writeParts(Path file, long others) {
    Engine.accepted(
        Native.corpusParts(
            id,
            Frame.writer()
                .text(Tag.FILE, file.toString())
                .u64(Tag.OTHER_RECORDS, others)
                .toBytes()));
  }

  /** Gives the parts in a file one after the other. */
  public static void readParts(Path file, PartConsumer consumer)
      throws IOException, InterruptedException {
    long left = Files.size(file);
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      while (left > 0) {
        byte[] part = new byte[in.readInt()];
        in.readFully(part);
        consumer.accept(part);
        left -= Integer.BYTES + part.length;
      }
    }
  }

  /**
   * Writes {@code report.json}, {@code report.html} and the tables, and ends the sums.
   *
   * @param name of the corpus
   * @param folder one that is there
   * @return the words of the kept pages
   */
  public Words report(String name, Path folder) {
    return new Words(
        Engine.accepted(
            Native.corpusReport(
                id,
                Frame.writer()
                    .text(Tag.FOLDER, folder.toString())
                    .text(Tag.NAME, name)
                    .toBytes())));
  }

  /** The words of the kept pages, 0 if they were not counted. */
  public static final class Words {
    private final long all;
    private final long own;

    private Words(Frame answer) {
      all = answer.u64(Tag.WORDS);
      own = answer.u64(Tag.OWN_WORDS);
    }

    /**
     * @return all of them
     */
    public long all() {
      return all;
    }

    /**
     * @return those in letters of the language
     */
    public long own() {
      return own;
    }
  }

  /** Ends the sums, if they have not ended yet. */
  @Override
  public void close() {
    Engine.accepted(Native.corpusClose(id));
  }
}
