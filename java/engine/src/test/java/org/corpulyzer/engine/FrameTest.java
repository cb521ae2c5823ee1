package org.corpulyzer.engine;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.Test;

public class FrameTest {

  @Test
  public void writesEveryGoldenFrameByteForByte() throws IOException {
    List<Path> golden = Vectors.files("frames", ".txt");
    assertFalse("no golden frames", golden.isEmpty());
    for (Path listing : golden) {
      Frame.Writer writer = Frame.writer();
      for (Map.Entry<Integer, byte[]> field : fields(listing)) {
        writer.bytes(field.getKey(), field.getValue());
      }
      assertArrayEquals(listing.toString(), frameBytes(listing), writer.toBytes());
    }
  }

  @Test
  public void readsEveryGoldenFrameFieldForField() throws IOException {
    for (Path listing : Vectors.files("frames", ".txt")) {
      Frame frame = Frame.read(frameBytes(listing));
      Map<Integer, Integer> seen = new HashMap<>();
      for (Map.Entry<Integer, byte[]> field : fields(listing)) {
        int nth = seen.merge(field.getKey(), 1, Integer::sum) - 1;
        assertArrayEquals(
            listing + " tag " + field.getKey(),
            field.getValue(),
            frame.all(field.getKey()).get(nth));
      }
      seen.forEach((tag, count) -> assertEquals(count.intValue(), frame.all(tag).size()));
    }
  }

  @Test
  public void rowOfTheWebTableIsTheGoldenFrame() throws IOException {
    byte[] signature = new byte[16];
    for (int i = 0; i < signature.length; i++) {
      signature[i] = (byte) i;
    }
    byte[] row =
        new CorpusSums.Row("http://h1.pk/a/1?q=2", "h1.pk")
            .round(1_700_000_000)
            .decision("keep 20 bytes of urd, 10 wanted")
            .languages("urd:20,eng:3")
            .signature(signature)
            .text("یہ اردو ہے۔\nweb".getBytes(StandardCharsets.UTF_8))
            .rawBytes(4000)
            .visibleBytes(90)
            .mainBytes(24)
            .fetchTime(1_700_000_000_123L)
            .contentType("application/pdf")
            .toBytes();
    assertArrayEquals(frameBytes(Vectors.folder("frames").resolve("row.txt")), row);
  }

  @Test
  public void recordHasEveryFieldOfAPageAnswer() throws IOException {
    PageRecord record = new PageRecord(Vectors.frame("page-ok"), false);
    assertEquals(PageRecord.Status.OK, record.status());
    assertEquals("", record.message());
    assertEquals("2 web-am/1 cld2/20140204", record.recordVersion());
    assertEquals("UTF-8", record.charset());
    assertEquals("خبریں", record.title());
    assertEquals("پہلا جملہ\nدوسرا 😀", record.mainText());
    assertEquals(5000, record.rawBytes());
    assertEquals(300, record.visibleBytes());
    assertEquals(record.mainText().getBytes(StandardCharsets.UTF_8).length, record.mainBytes());
    assertEquals("urd:28,und:4", record.languages());
    assertEquals(28, record.targetBytes());
    assertEquals("ur-PK", record.declaredLanguage());
    assertEquals("urd:88,und:12", record.languageSet());
    assertEquals("non-letters, 61.0 % of the characters, allowed are 50", record.junk());
    assertEquals("1/3", record.excerpts());
    assertEquals("junk", record.stage());
    assertFalse(record.isKept());
    assertTrue(record.isNoindex());
    assertTrue(record.isNofollow());
  }

  @Test
  public void recordOfAFailedPageHasOnlyStatusAndMessage() throws IOException {
    PageRecord record = new PageRecord(Vectors.frame("page-failed"), false);
    assertEquals(PageRecord.Status.FAILED, record.status());
    assertEquals("The engine panicked: index out of bounds.", record.message());
    assertEquals("", record.mainText());
    assertEquals(0, record.rawBytes());
    assertEquals("", record.languageSet() + record.junk() + record.excerpts() + record.stage());
    assertNull(record.declaredLanguage());
    assertFalse(record.isKept());
  }

  @Test
  public void frameCutAnywhereInsideAFieldIsRefused() throws IOException {
    byte[] whole = frameBytes(Vectors.folder("frames").resolve("page-ok.txt"));
    Frame.read(whole);
    int accepted = 0;
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      try {
        Frame.read(cut);
        accepted++;
      } catch (CorpulyzerException expected) {
        assertTrue(expected.getMessage(), expected.getMessage().endsWith("."));
      }
    }
    // A cut between two fields leaves a whole, shorter frame.
    assertEquals(fields(Vectors.folder("frames").resolve("page-ok.txt")).size(), accepted);
  }

  @Test
  public void noByteSequenceBreaksTheReader() throws IOException {
    Random random = new Random(20140204);
    byte[] whole = frameBytes(Vectors.folder("frames").resolve("page-ok.txt"));
    for (int round = 0; round < 20000; round++) {
      byte[] bytes = whole.clone();
      for (int flips = random.nextInt(8); flips >= 0; flips--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        new PageRecord(Frame.read(bytes), false);
      } catch (CorpulyzerException refused) {
        assertFalse(refused.getMessage().isEmpty());
      }
    }
  }

  @Test
  public void lengthAboveTwoGigabytesIsRefusedWithoutAllocation() {
    byte[] frame = Frame.writer().bytes(Tag.TITLE, new byte[] {1, 2, 3}).toBytes();
    frame[8] = (byte) 0xff;
    CorpulyzerException refused = assertThrows(CorpulyzerException.class, () -> Frame.read(frame));
    assertTrue(refused.getMessage(), refused.getMessage().contains("claims"));
  }

  @Test
  public void frameOfAnotherVersionIsRefusedByName() {
    byte[] frame = Frame.writer().toBytes();
    frame[5] = 2;
    CorpulyzerException refused = assertThrows(CorpulyzerException.class, () -> Frame.read(frame));
    assertEquals(
        "Frame version 2 found, 1 is allowed: the jars and the native library are of different"
            + " releases.",
        refused.getMessage());
  }

  @Test
  public void nullAnswerIsRefused() {
    assertThrows(CorpulyzerException.class, () -> Frame.read(null));
  }

  @Test
  public void numberOfTheWrongSizeIsRefused() {
    Frame frame = Frame.read(Frame.writer().u32(Tag.RAW_BYTES, 7).u64(Tag.ENGINE_ID, 7).toBytes());
    assertThrows(CorpulyzerException.class, () -> frame.u64(Tag.RAW_BYTES));
    assertThrows(CorpulyzerException.class, () -> frame.u32(Tag.ENGINE_ID));
  }

  @Test
  public void unsignedTagsAndNumbersSurviveARoundTrip() {
    Frame frame =
        Frame.read(
            Frame.writer()
                .u64(0xfffe, Long.MAX_VALUE)
                .u32(0x8000, -1)
                .text(7, "a\0b😀")
                .text(8, null)
                .toBytes());
    assertEquals(Long.MAX_VALUE, frame.u64(0xfffe));
    assertEquals(-1, frame.u32(0x8000));
    assertEquals("a\0b😀", frame.text(7));
    assertNull(frame.text(8));
    assertEquals(0, frame.u64(9));
  }

  private static byte[] frameBytes(Path listing) throws IOException {
    return Files.readAllBytes(Paths.get(listing.toString().replaceAll("\\.txt$", ".frame")));
  }

  private static List<Map.Entry<Integer, byte[]>> fields(Path listing) throws IOException {
    List<Map.Entry<Integer, byte[]>> fields = new ArrayList<>();
    for (String line : Files.readAllLines(listing, StandardCharsets.UTF_8)) {
      if (!line.startsWith("#")) {
        String[] parts = line.split(" ", -1);
        fields.add(new AbstractMap.SimpleEntry<>(Integer.valueOf(parts[0]), unhex(parts[1])));
      }
    }
    return fields;
  }

  private static byte[] unhex(String hex) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < hex.length(); i += 2) {
      out.write(Integer.parseInt(hex.substring(i, i + 2), 16));
    }
    return out.toByteArray();
  }

  @Test
  public void aLongTextIsReadAlikeAndTheFrameLetsGoOfIt() {
    StringBuilder text = new StringBuilder();
    while (text.length() < 1 << 20) {
      text.append("یہ اردو ہے۔ abc é 😀\n");
    }
    byte[] utf8 = text.toString().getBytes(StandardCharsets.UTF_8);
    Frame frame = Frame.read(Frame.writer().text(7, "a").bytes(8, utf8).toBytes());
    assertEquals("a", frame.lastText(7));
    assertEquals(text.toString(), frame.lastText(8));
    assertNull(frame.text(7));
    assertNull(frame.lastText(9));
    // Ill-formed: cut within a character, beginnings without ends, ends without beginnings.
    for (byte odd : new byte[] {(byte) 0x80, (byte) 0xC3, (byte) 0xF0, (byte) 0xFF}) {
      byte[] bytes = Arrays.copyOf(utf8, utf8.length + 5);
      Arrays.fill(bytes, utf8.length, bytes.length, odd);
      Frame broken = Frame.read(Frame.writer().bytes(8, bytes).toBytes());
      String expected = broken.text(8);
      assertEquals(expected, broken.lastText(8));
    }
  }
}
