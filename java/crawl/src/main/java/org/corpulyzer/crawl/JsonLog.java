package org.corpulyzer.crawl;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of a crawl as JSON lines, appended to a file. Each line is written in one piece when
 * the event occurs. The schema is in docs/crawler.md.
 */
final class JsonLog implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(JsonLog.class);

  private final BufferedWriter out;
  private boolean hasFailed;

  /** Opens a file for more lines. */
  JsonLog(Path file) throws IOException {
    out =
        Files.newBufferedWriter(
            file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** An event: its members in their order. */
  static final class Event {
    private final StringBuilder line = new StringBuilder("{");

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
        name(name);
        quote(value, line);
      }
      return this;
    }

    /** Adds a number; a negative one is unknown and left out. */
    Event number(String name, long value) {
      if (value >= 0) {
        name(name).append(value);
      }
      return this;
    }

    /** Adds seconds or another decimal number; a negative one or none is left out. */
    Event decimal(String name, double value) {
      if (value >= 0 && !Double.isInfinite(value)) {
        name(name).append(Math.round(value * 1000) / 1000.0);
      }
      return this;
    }

    private StringBuilder name(String name) {
      line.append(line.length() == 1 ? "" : ",");
      quote(name, line);
      return line.append(':');
    }

    @Override
    public String toString() {
      return line + "}";
    }
  }

  private static void quote(String text, StringBuilder into) {
    into.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isHalf =
          Character.isSurrogate(c)
              && !(Character.isHighSurrogate(c)
                  && i + 1 < text.length()
                  && Character.isLowSurrogate(text.charAt(i + 1)))
              && !(Character.isLowSurrogate(c)
                  && i > 0
                  && Character.isHighSurrogate(text.charAt(i - 1)));
      if (c == '"' || c == '\\') {
        into.append('\\').append(c);
      } else if (c < ' ' || c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029 || isHalf) {
        into.append(String.format("\\u%04x", (int) c));
      } else {
        into.append(c);
      }
    }
    into.append('"');
  }

  /** Appends an event. A log that cannot be written does not end the crawl. */
  synchronized void add(Event event) {
    try {
      out.write(event + "\n");
      out.flush();
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
