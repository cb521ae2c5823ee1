package org.corpulyzer.corpus;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.corpulyzer.engine.Steering;
import org.corpulyzer.engine.SteeringBatch;

/**
 * The rows that a round may fetch, in the order of their keys, as {@link Steering} takes them. They
 * can be predicted only when all rows were added up, and are in a file until then, so that no row
 * is decoded twice. Closing deletes the file.
 */
public final class DueRows implements Closeable {
  /** Takes packed rows. */
  public interface Sink {
    /**
     * @param rows see {@link SteeringBatch#take}
     */
    void accept(byte[] rows) throws IOException;
  }

  private final Path file;
  private final DataOutputStream out;
  private final SteeringBatch batch = new SteeringBatch();
  private boolean isWhole;

  /**
   * @param file that is made anew; a killed process may have left one
   */
  public DueRows(Path file) throws IOException {
    this.file = file;
    out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)));
  }

  /** Adds a row. */
  public void add(Steering.Row row) throws IOException {
    batch.add(row);
    if (batch.isFull()) {
      write();
    }
  }

  private void write() throws IOException {
    byte[] rows = batch.take();
    out.writeInt(rows.length);
    out.write(rows);
  }

  /** Gives all rows to the sink in batches, each time. No row can be added afterwards. */
  public void read(Sink sink) throws IOException {
    if (!isWhole) {
      write();
      out.writeInt(-1);
      out.close();
      isWhole = true;
    }
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      for (int length = in.readInt(); length >= 0; length = in.readInt()) {
        byte[] rows = new byte[length];
        in.readFully(rows);
        sink.accept(rows);
      }
    }
  }

  /**
   * @return whether the condition holds for the URL of any chosen row
   */
  public boolean anyChosen(Steering.Choice choice, Predicate<String> condition) throws IOException {
    Set<Integer> chosen = Arrays.stream(choice.rows()).boxed().collect(Collectors.toSet());
    boolean[] any = {false};
    read(rows -> any[0] |= SteeringBatch.urls(rows, chosen).stream().anyMatch(condition));
    return any[0];
  }

  @Override
  public void close() throws IOException {
    out.close();
    Files.deleteIfExists(file);
  }
}
