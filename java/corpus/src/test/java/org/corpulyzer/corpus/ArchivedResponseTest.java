package org.corpulyzer.corpus;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import org.junit.Test;

public class ArchivedResponseTest {

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String repeated(String text, int times) {
    return String.join("", Collections.nCopies(times, text));
  }

  /** A response with these header lines and the body "body". */
  private static ArchivedResponse response(String... lines) {
    String head = "HTTP/1.1 200 OK\r\n" + String.join("\r\n", lines) + "\r\n\r\n";
    return ArchivedResponse.read(latin1(head + "body"));
  }

  @Test
  public void headersHaveNamesInLowerCaseAndValuesWithoutBlanksAround() {
    ArchivedResponse response =
        response(
            "Plain: a",
            "No-Blank:b",
            "Blanks \t: \t c \t d\t ",
            "Empty:",
            "Only-Blanks: \t ",
            "Colons: e:f: g",
            "Twice: 1",
            "twice: 2");
    assertEquals(200, response.status());
    assertEquals("a", response.header("plain"));
    assertEquals("b", response.header("no-blank"));
    assertEquals("c \t d", response.header("blanks"));
    assertEquals("", response.header("empty"));
    assertEquals("", response.header("only-blanks"));
    assertEquals("e:f: g", response.header("colons"));
    assertEquals(Arrays.asList("1", "2"), response.headers("twice"));
    assertNull(response.header("none"));
  }

  @Test
  public void linesThatAreNoHeaderAreIgnored() {
    ArchivedResponse response =
        response(
            "no colon",
            ": no name",
            " Leading: blank",
            "In side: the name",
            "Control: a\u0001b",
            "Delete: a\u007fb",
            "Return: a\rb",
            "Good: a");
    assertEquals("a", response.header("good"));
    for (String name : new String[] {"", "leading", "in side", "control", "delete", "return"}) {
      assertNull(name, response.header(name));
    }
  }

  /** Quadratic time would be hours. */
  @Test(timeout = 60_000)
  public void longRunsOfBlanksInHeadersAreReadInLinearTime() {
    String blanks = repeated(" ", 2_000_000);
    ArchivedResponse response =
        response(
            "Control:" + blanks + "\u0001",
            "Inside: a" + blanks + "b",
            "Behind: a" + blanks,
            "Name" + blanks + ": a",
            "No-Colon" + blanks,
            repeated("x", 2_000_000));
    assertNull(response.header("control"));
    assertEquals("a" + blanks + "b", response.header("inside"));
    assertEquals("a", response.header("behind"));
    assertEquals("a", response.header("name"));
    assertNull(response.header("no-colon"));
  }
}
