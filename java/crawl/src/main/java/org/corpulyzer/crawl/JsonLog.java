package org.corpulyzer.crawl;

import com.google.gson.JsonObject;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of a crawl as JSON lines, appended to a file. Each line is written in one piece when
 * the event occurs. The schema is in docs/crawler.md.
 */
final class JsonLog implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(JsonLog.class);

  /** Halves of surrogate pairs, which have no form in UTF-8, and what terminals obey. */
  private static final Pattern HALF_OR_CONTROL = Pattern.compile("[\\p{Cs}\\x7f-\\x9f]");

  private final OutputStream out;
  private boolean hasFailed;

  /** Returns whether a file that begins so has events. */
  static boolean isOne(String head) {
    return head.startsWith("{\"time\":\"");
  }

  /** Opens a file for more lines. */
  JsonLog(Path file) throws IOException {
    out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** An event: its members in their order. */
  static final class Event {
    private final JsonObject members = new JsonObject();

    /**
     * @param name of the event
     */
    Event(String name) {
      text("time", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
      text("event", name);
    }

    /** Adds a text; null is left out. */
    Event text(String name, String value) {
      if (value != null) {
        members.addProperty(name, value);
      }
      return this;
    }

    /** Adds a number; a negative one is unknown and left out. */
    Event number(String name, long value) {
      if (value >= 0) {
        members.addProperty(name, value);
      }
      return this;
    }

    /** Adds seconds or another decimal number; a negative one or none is left out. */
    Event decimal(String name, double value) {
      if (value >= 0 && !Double.isInfinite(value)) {
        members.addProperty(name, Math.round(value * 1000) / 1000.0);
      }
      return this;
    }

    @Override
    public String toString() {
      return HALF_OR_CONTROL
          .matcher(members.toString())
          .replaceAll(found -> String.format("\\\\u%04x", (int) found.group().charAt(0)));
    }
  }

  /** Appends an event. A log that cannot be written does not end the crawl. */
  synchronized void add(Event event) {
    try {
      out.write((event + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      if (!hasFailed) {
        LOG.warn("the JSON log cannot be written: {}", e.toString());
      }
      hasFailed = true;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    out.close();
  }
}
