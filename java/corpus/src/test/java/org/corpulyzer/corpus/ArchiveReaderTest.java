package org.corpulyzer.corpus;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.Test;

public class ArchiveReaderTest {

  private static String repeated(String text, int times) {
    return String.join("", Collections.nCopies(times, text));
  }

  /** A record with these header lines and the content "body". */
  private static String record(String... lines) {
    return "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 4\r\n"
        + String.join("\r\n", lines)
        + "\r\n\r\nbody\r\n\r\n";
  }

  private static ArchiveReader reader(String archive) throws IOException {
    byte[] bytes = archive.getBytes(StandardCharsets.ISO_8859_1);
    return new ArchiveReader(new ByteArrayInputStream(bytes), 1 << 20, null);
  }

  @Test
  public void fieldsOfARecordHaveNoWhiteSpaceAround() throws IOException {
    String archive =
        record(
            "Plain: a",
            "Name \t:b",
            "Around: \t c \t d\t\u000b\f ",
            "Folded: e",
            "  f ",
            "\tg",
            "Twice: 1",
            "Twice: 2",
            " 3");
    try (ArchiveReader reader = reader(archive)) {
      ArchiveReader.Record record = reader.next();
      assertNull(record.problem());
      assertEquals("a", record.field("plain"));
      assertEquals("b", record.field("name"));
      assertEquals("c \t d", record.field("around"));
      assertEquals("e  f\tg", record.field("folded"));
      assertEquals("1", record.field("twice"));
      assertEquals("", record.field("none"));
      assertEquals("body", new String(record.block(), StandardCharsets.UTF_8));
      assertNull(reader.next());
    }
  }

  private static void assertRecordsAreRead(String record, int count) throws IOException {
    try (ArchiveReader reader = reader(repeated(record, count))) {
      for (int i = 0; i < count; i++) {
        assertNull(reader.next().problem());
      }
      assertNull(reader.next());
    }
  }

  /** Quadratic time would be an hour. */
  @Test(timeout = 60_000)
  public void longRunsOfBlanksInFieldsAreReadInLinearTime() throws IOException {
    String blanks = repeated(" ", 65_000);
    assertRecordsAreRead(record("Value: a" + blanks + "b"), 50);
    assertRecordsAreRead(record("Name" + blanks + "x: a"), 50);
  }

  /** Quadratic time would be minutes. */
  @Test(timeout = 60_000)
  public void manyFoldedLinesAreReadInLinearTime() throws IOException {
    assertRecordsAreRead(record("Folded: a" + repeated("\n b", 21_000)), 1000);
  }
}
