package org.corpulyzer.crawl;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.protocol.Content;

/**
 * The responses of a round in order of time, in a file that outlives the process: a killed fetch
 * phase continues after the last complete record. A record has its length, its CRC-32, URL, datum
 * and optional content. Only the position of each record is in memory.
 */
final class Journal implements Closeable {
  private static final int HEAD = Integer.BYTES + Long.BYTES;
  private static final int MAX_RECORD = 1 << 30;

  /** Position of a record. */
  private static final class Place {
    private final Text url;
    private final long at;

    Place(Text url, long at) {
      this.url = url;
      this.at = at;
    }
  }

  /** A record that was read. */
  static final class Answer {
    final Text url = new Text();
    final CrawlDatum datum = new CrawlDatum();

    /** null if the response had none. */
    Content content;
  }

  /** Receives responses. */
  interface Consumer {
    void accept(Answer answer) throws IOException, InterruptedException;
  }

  /** Larger buffers are not kept for the next record. */
  private static final int KEPT_BYTES = 1 << 20;

  private final FileChannel channel;

  /**
   * Shared: for an array, Java keeps a direct buffer of the record's size for each thread that ever
   * wrote one.
   */
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);

  private DataOutputBuffer out = new DataOutputBuffer();
  private final List<Place> places = new ArrayList<>();
  private final List<Answer> found = new ArrayList<>();
  private long end;

  /** Opens or makes the file, and reads its records. */
  Journal(Path file) throws IOException {
    channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      byte[] record;
      while ((record = record(end)) != null) {
        Answer answer = parse(record, false);
        places.add(new Place(answer.url, end));
        found.add(answer);
        end += HEAD + record.length;
      }
      // Cut off a record that a killed process left half written.
      channel.truncate(end);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * @return the responses of an earlier process, without content; only at the first call
   */
  List<Answer> found() {
    List<Answer> answers = new ArrayList<>(found);
    found.clear();
    return answers;
  }

  synchronized void add(Text url, CrawlDatum datum, Content content) throws IOException {
    if (out.getData().length > KEPT_BYTES) {
      out = new DataOutputBuffer();
    }
    out.reset();
    url.write(out);
    datum.write(out);
    out.writeBoolean(content != null);
    if (content != null) {
      content.write(out);
    }
    CRC32 sum = new CRC32();
    sum.update(out.getData(), 0, out.getLength());
    channel.position(end);
    buffer.clear();
    buffer.putInt(out.getLength()).putLong(sum.getValue());
    for (int from = 0; from < out.getLength(); ) {
      int n = Math.min(buffer.remaining(), out.getLength() - from);
      buffer.put(out.getData(), from, n);
      from += n;
      buffer.flip();
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      buffer.clear();
    }
    places.add(new Place(new Text(url), end));
    end += HEAD + out.getLength();
  }

  synchronized int size() {
    return places.size();
  }

  /** Passes on every response in the order of URLs. Responses of one URL are in order of time. */
  void inOrder(Consumer consumer) throws IOException, InterruptedException {
    places.sort(
        Comparator.<Place, Text>comparing(place -> place.url).thenComparingLong(place -> place.at));
    for (Place place : places) {
      byte[] record = record(place.at);
      if (record == null) {
        throw new IOException("the journal of the fetch phase is damaged at byte " + place.at);
      }
      consumer.accept(parse(record, true));
    }
  }

  /**
   * @return null when there is no whole record
   */
  private byte[] record(long at) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEAD);
    if (!fill(head, at)) {
      return null;
    }
    int length = head.getInt();
    long sum = head.getLong();
    if (length < 0 || length > MAX_RECORD || at + HEAD + length > channel.size()) {
      return null;
    }
    ByteBuffer body = ByteBuffer.allocate(length);
    if (!fill(body, at + HEAD)) {
      return null;
    }
    CRC32 found = new CRC32();
    found.update(body.array());
    return found.getValue() == sum ? body.array() : null;
  }

  private boolean fill(ByteBuffer buffer, long at) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, at + buffer.position()) < 0) {
        return false;
      }
    }
    buffer.flip();
    return true;
  }

  private static Answer parse(byte[] record, boolean withContent) throws IOException {
    Answer answer = new Answer();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(record))) {
      answer.url.readFields(in);
      answer.datum.readFields(in);
      if (in.readBoolean() && withContent) {
        answer.content = Content.read(in);
      }
      return answer;
    } catch (EOFException e) {
      throw new IOException("the journal of the fetch phase is damaged", e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
