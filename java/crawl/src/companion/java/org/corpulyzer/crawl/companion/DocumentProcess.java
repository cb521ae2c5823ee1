package org.corpulyzer.crawl.companion;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The other end of {@link DocumentWorker}: starts the process at the first document, and anew after
 * it has ended.
 */
final class DocumentProcess {
  /** Folder beside the plugin's jar with the jars that only the process needs. */
  private static final String JARS = "documents";

  /** A new process now and then, in case a library keeps memory. */
  private static final int MAX_DOCUMENTS = 1000;

  /** The process ends itself first. */
  private static final long GRACE_MILLIS = 5000;

  /** A character of UTF-16 has three bytes of UTF-8 at most. */
  private static final int MAX_BYTES_OF_CHARACTER = 3;

  private static final long START_MILLIS = 15_000;
  private static final ScheduledExecutorService TIMER =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "documents");
            thread.setDaemon(true);
            return thread;
          });

  private final Path jar;
  private final String heap;
  private final int maxCharacters;
  private final long maxMillis;
  private Process process;
  private Path temporary;
  private DataOutputStream to;
  private DataInputStream from;
  private int documents;

  /** The text of a document. */
  static final class Text {
    final String title;
    final String text;

    private Text(String title, String text) {
      this.title = title;
      this.text = text;
    }
  }

  /**
   * @param heapMegabytes heap of the process
   * @param maxCharacters most characters of a text; the rest is cut off
   * @param maxMillis most milliseconds of processor time for one document
   */
  DocumentProcess(int heapMegabytes, int maxCharacters, long maxMillis) {
    this(ownJar(), heapMegabytes, maxCharacters, maxMillis);
  }

  /** With a jar that has this class, and the folder of the parsers beside it. */
  DocumentProcess(Path jar, int heapMegabytes, int maxCharacters, long maxMillis) {
    this.jar = jar;
    heap = "-Xmx" + heapMegabytes + "m";
    this.maxCharacters = maxCharacters;
    this.maxMillis = maxMillis;
  }

  /**
   * @throws IOException with the reason in one sentence, if there is no text
   */
  synchronized Text read(String type, byte[] document) throws IOException {
    boolean isNew = process == null || !process.isAlive() || documents >= MAX_DOCUMENTS;
    if (isNew) {
      start();
    }
    documents++;
    Process running = process;
    ScheduledFuture<?> end =
        TIMER.schedule(
            running::destroyForcibly,
            DocumentWorker.CLOCK_TIMES * maxMillis + GRACE_MILLIS + (isNew ? START_MILLIS : 0),
            TimeUnit.MILLISECONDS);
    try {
      to.writeUTF(type);
      to.writeInt(document.length);
      to.write(document);
      to.flush();
      int status = from.readByte();
      String first = text(DocumentWorker.MAX_LINE);
      if (status == DocumentWorker.FAILED) {
        throw new Refused(first);
      }
      return new Text(first, text(maxCharacters + DocumentWorker.MAX_LINE));
    } catch (Refused e) {
      throw e;
    } catch (IOException e) {
      stop();
      throw new IOException(
          "the process that reads documents ended: it needed more than "
              + maxMillis
              + " ms of processor time, or out of memory ("
              + heap
              + ")",
          e);
    } finally {
      end.cancel(false);
    }
  }

  /** A document may have taken over the process: the lengths that it states are not trusted. */
  private String text(int maxCharacters) throws IOException {
    int length = from.readInt();
    if (length < 0 || length > MAX_BYTES_OF_CHARACTER * (long) maxCharacters) {
      throw new IOException("an answer of " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    from.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The jar of this class. */
  private static Path ownJar() {
    try {
      return Path.of(
          DocumentProcess.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private void start() throws IOException {
    stop();
    Path jars = jar.resolveSibling(JARS);
    if (!Files.isDirectory(jars)) {
      throw new IOException("no folder " + jars + " with the parsers of documents");
    }
    // A process that is ended leaves its temporary files, so they are in a folder that is deleted.
    temporary = Files.createTempDirectory("corpulyzer-documents-");
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-Xss1m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.awt.headless=true",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                jar + File.pathSeparator + jars.resolve("*"),
                DocumentWorker.class.getName(),
                Integer.toString(maxCharacters),
                Long.toString(maxMillis),
                temporary.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    to = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    from = new DataInputStream(process.getInputStream());
    documents = 0;
  }

  /** Ends the process. The next document starts another. */
  synchronized void stop() {
    if (process != null) {
      process.destroyForcibly();
      try {
        process.waitFor(GRACE_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      process = null;
      TemporaryFolder.delete(temporary);
    }
  }

  /** Folder for the temporary files of the process that runs or ran last. */
  synchronized Path temporary() {
    return temporary;
  }

  /** A document that the parser could not read. The process continues. */
  private static final class Refused extends IOException {
    Refused(String reason) {
      super(reason);
    }
  }
}
