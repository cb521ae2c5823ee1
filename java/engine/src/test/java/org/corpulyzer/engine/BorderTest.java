package org.corpulyzer.engine;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeFalse;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.Test;

/**
 * Tests of the data that crosses the JNI border, and of input that must not end the JVM.
 * CheckedJniTest runs these tests again under -Xcheck:jni.
 */
public class BorderTest {

  private static final byte[] NO_HINTS = Frame.writer().toBytes();
  private final Map<String, String> properties = new HashMap<>();

  public BorderTest() {
    properties.put(Settings.LANGUAGE_TARGET, "ur");
    properties.put(Settings.PAGE_EXTRACTOR, "text");
  }

  private Engine engine() {
    return Engine.of(Settings.from(properties::get));
  }

  private PageRecord page(byte[] content) {
    return engine().page(content, "http://a.example/", null, Engine.Kind.HTML);
  }

  private PageRecord page(String html) {
    return page(html.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  public void panicBecomesAnAnswerAndTheLibraryGoesOn() {
    engine();
    for (int i = 0; i < 3; i++) {
      Frame answer = Frame.read(Native.probe("panic".getBytes(StandardCharsets.UTF_8)));
      assertEquals("failed", answer.text(Tag.STATUS));
      assertTrue(answer.text(Tag.MESSAGE), answer.text(Tag.MESSAGE).contains("panicked"));
      assertEquals(PageRecord.Status.OK, page("<p>" + Pages.URDU).status());
    }
  }

  @Test
  public void everyByteComesBackAsItWent() {
    engine();
    byte[] bytes = new byte[256];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    byte[] echo = Arrays.copyOf("echo:".getBytes(StandardCharsets.UTF_8), 5 + bytes.length);
    System.arraycopy(bytes, 0, echo, 5, bytes.length);
    assertArrayEquals(bytes, Frame.read(Native.probe(echo)).bytes(Tag.MESSAGE));
  }

  @Test
  public void nullAndUnknownArgumentsAreAnsweredWithFailed() {
    engine();
    byte[] empty = new byte[0];
    byte[][] answers = {
      Native.configure(null),
      Native.page(0, null, NO_HINTS),
      Native.page(0, empty, null),
      Native.look(0, null, NO_HINTS),
      Native.look(-1, empty, NO_HINTS),
      Native.archiveNext(0, empty),
      Native.archiveNext(-1, null),
      Native.archive(null),
      Native.scores(0, null),
      Native.probe(null),
      Native.probe(empty),
      Native.configure(empty),
      Native.page(-1, empty, NO_HINTS),
      Native.page(Integer.MAX_VALUE, empty, NO_HINTS),
      Native.scores(Integer.MIN_VALUE, NO_HINTS),
      Native.scores(0, empty),
      Native.page(0, empty, new byte[] {1, 2, 3})
    };
    for (int i = 0; i < answers.length; i++) {
      Frame answer = Frame.read(answers[i]);
      assertEquals("answer " + i, "failed", answer.text(Tag.STATUS));
      assertTrue("answer " + i, answer.text(Tag.MESSAGE).length() > 10);
    }
  }

  @Test
  public void refusedLanguageIsNamedByItsProperty() {
    properties.put(Settings.LANGUAGE_TARGET, "qqq");
    CorpulyzerException refused = assertThrows(CorpulyzerException.class, this::engine);
    assertTrue(
        refused.getMessage(),
        refused.getMessage().startsWith("Property corpulyzer.language.target is 'qqq': "));
    assertTrue(refused.getMessage(), refused.getMessage().endsWith("."));
  }

  @Test
  public void languageAliasesMeanOneLanguage() {
    for (String code : new String[] {"ur", "urd", "UR", " urd "}) {
      properties.put(Settings.LANGUAGE_TARGET, code);
      assertEquals("urd", engine().target());
    }
    properties.put(Settings.LANGUAGE_TARGET, "iw");
    assertEquals("a code of CLD2 alone", "heb", engine().target());
  }

  @Test
  public void sameSettingsAreOneEngine() {
    Engine engine = engine();
    properties.put(Settings.SCORE_SCAN_MAX_ROWS, "5");
    assertSame("a setting that the native side does not know", engine, engine());
  }

  @Test
  public void recordVersionNamesTheExtractor() {
    assertTrue(engine().recordVersion(), engine().recordVersion().contains(" text/"));
    properties.put(Settings.PAGE_EXTRACTOR, "web-am");
    assertTrue(engine().recordVersion(), engine().recordVersion().contains(" web-am/"));
    properties.put(Settings.PAGE_EXTRACTOR, "best");
    String kept = engine().recordVersion();
    properties.put(Settings.PAGE_COMMENTS, "drop");
    assertEquals(kept.replaceFirst("( best/\\d+)", "$1+no-comments/1"), engine().recordVersion());
    assertNotEquals(kept, engine().recordVersion());
    assertEquals(engine().recordVersion(), page("<p>x").recordVersion());
    assertTrue(engine().libraryVersion(), engine().libraryVersion().matches("\\d+\\.\\d+\\.\\d+"));
  }

  @Test
  public void textBeyondTheBasicPlaneSurvives() {
    PageRecord record =
        page("<title>😀</title><p>a😀b \uD83D\uDC69\u200D\uD83D\uDCBB " + Pages.URDU);
    assertEquals("😀", record.title());
    assertTrue(
        record.mainText(), record.mainText().startsWith("a😀b \uD83D\uDC69\u200D\uD83D\uDCBB "));
    assertEquals(record.mainText().getBytes(StandardCharsets.UTF_8).length, record.mainBytes());
  }

  @Test
  public void emptyPageHasNoContent() {
    PageRecord record = page(new byte[0]);
    assertEquals(PageRecord.Status.NO_CONTENT, record.status());
    assertEquals(0, record.rawBytes());
    assertEquals("", record.languages());
  }

  @Test
  public void brokenTextIsReadAsFarAsItGoes() {
    byte[] urdu = ("<p>" + Pages.URDU + "</p>").getBytes(StandardCharsets.UTF_8);
    List<byte[]> broken = new ArrayList<>();
    broken.add(Arrays.copyOf(urdu, urdu.length - 8));
    broken.add(
        join(
            urdu,
            new byte[] {
              (byte) 0xff,
              (byte) 0xfe,
              (byte) 0xc0,
              (byte) 0x80,
              (byte) 0xed,
              (byte) 0xa0,
              (byte) 0x80
            },
            urdu));
    broken.add(join(urdu, new byte[] {0, 0, 0, '<', 0, 'p', 0, '>'}, urdu));
    broken.add(join(new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf}, urdu));
    for (byte[] page : broken) {
      PageRecord record = engine().page(page, null, "text/html; charset=utf-8", Engine.Kind.HTML);
      assertEquals(PageRecord.Status.OK, record.status());
      assertTrue(record.languages(), LanguageBytes.targetBytes(record.languages(), "urd") > 100);
    }
  }

  @Test
  public void randomBytesNeverFailTheEngine() {
    Random random = new Random(7);
    String[] pieces = {
      "<p>",
      "</p>",
      "<!--",
      "-->",
      "<script>",
      "</script>",
      "&#x1F600;",
      "&amp",
      "<a href='",
      "\0",
      Pages.URDU,
      "]]>",
      "<svg>"
    };
    for (int round = 0; round < 300; round++) {
      StringBuilder page = new StringBuilder();
      for (int n = random.nextInt(40); n >= 0; n--) {
        page.append(pieces[random.nextInt(pieces.length)]);
      }
      byte[] bytes = page.toString().getBytes(StandardCharsets.UTF_8);
      for (int flips = random.nextInt(20); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      PageRecord record = page(bytes);
      assertTrue(record.message(), record.status() != PageRecord.Status.FAILED);
      assertEquals(bytes.length, record.rawBytes());
    }
  }

  @Test
  public void randomFramesAreRefusedOrRead() throws Exception {
    engine();
    Random random = new Random(11);
    for (String name : new String[] {"hints", "totals"}) {
      byte[] golden = Files.readAllBytes(Vectors.folder("frames").resolve(name + ".frame"));
      for (int round = 0; round < 500; round++) {
        byte[] bytes = Arrays.copyOf(golden, random.nextInt(golden.length + 1));
        if (bytes.length > 0) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        assertNotNull(
            Frame.read(
                    name.equals("hints")
                        ? Native.page(0, new byte[] {'x'}, bytes)
                        : Native.scores(0, bytes))
                .text(Tag.STATUS));
      }
    }
  }

  @Test
  public void pageAboveTheLimitIsNotRead() {
    PageRecord record = page(new byte[50 << 20]);
    assertEquals(PageRecord.Status.TOO_LARGE, record.status());
    assertEquals(50 << 20, record.rawBytes());
    assertTrue(record.decision(), record.decision().startsWith("reject"));
  }

  @Test(timeout = 60_000)
  public void fiftyMegabytesAreReadWithinTheTimeGiven() {
    assumeFalse(
        "skipped: an emulator is too slow for this time limit",
        Boolean.getBoolean("corpulyzer.emulator"));
    properties.put(Settings.PAGE_MAX_BYTES, Integer.toString(64 << 20));
    properties.put(Settings.PAGE_MAX_MILLIS, "2000");
    StringBuilder page = new StringBuilder("<title>long</title>");
    while (page.length() < 32 << 20) {
      page.append("<p>").append(Pages.URDU).append("</p>\n");
    }
    byte[] bytes = page.toString().getBytes(StandardCharsets.UTF_8);
    assertTrue(bytes.length > 50_000_000);
    engine();
    long began = System.nanoTime();
    PageRecord record = page(bytes);
    long millis = (System.nanoTime() - began) / 1_000_000;
    assertTrue(millis + " ms", millis < 20_000);
    assertTrue(
        record.message(),
        record.status() == PageRecord.Status.OK || record.status() == PageRecord.Status.LIMIT_HIT);
    assertTrue(record.message(), record.visibleBytes() > 0);
  }

  @Test(timeout = 60_000)
  public void millionNestedTagsFitASmallStack() throws Exception {
    byte[] deep = new byte[5_000_000];
    for (int i = 0; i < deep.length; i += 5) {
      System.arraycopy("<div>".getBytes(StandardCharsets.UTF_8), 0, deep, i, 5);
    }
    Engine engine = engine();
    AtomicReference<PageRecord> record = new AtomicReference<>();
    Thread thread =
        new Thread(
            null,
            () -> record.set(engine.page(deep, null, null, Engine.Kind.HTML)),
            "small stack",
            256 << 10);
    thread.start();
    thread.join();
    assertNotNull("the thread died", record.get());
    assertTrue(record.get().message(), record.get().status() != PageRecord.Status.FAILED);
  }

  @Test
  public void everyCharsetOfTheHeaderIsFollowed() {
    for (String charset : new String[] {"UTF-16LE", "UTF-16BE", "UTF-8"}) {
      PageRecord record =
          engine()
              .page(
                  ("<p>" + Pages.URDU).getBytes(Charset.forName(charset)),
                  null,
                  "text/html; charset=" + charset,
                  Engine.Kind.HTML);
      assertEquals(charset, Pages.URDU, record.mainText());
      assertTrue(record.charset(), charset.equalsIgnoreCase(record.charset()));
    }
  }

  @Test
  public void plainTextIsCountedAndNotParsed() {
    PageRecord record =
        engine()
            .page(
                ("<p>" + Pages.ENGLISH).getBytes(StandardCharsets.UTF_8),
                null,
                null,
                Engine.Kind.TEXT);
    assertTrue(record.mainText(), record.mainText().contains("<p>"));
    assertTrue(record.languages(), record.languages().startsWith("eng:"));
  }

  @Test
  public void scoresAreThoseOfTheGoldenFrame() throws Exception {
    engine();
    assertArrayEquals(
        Vectors.frame("scores").bytes(Tag.SCORES),
        Frame.read(
                Native.scores(
                    Frame.read(
                            Native.configure(
                                "{\"target\":\"urd\"}".getBytes(StandardCharsets.UTF_8)))
                        .u32(Tag.ENGINE_ID),
                    Files.readAllBytes(Vectors.folder("frames").resolve("totals.frame"))))
            .bytes(Tag.SCORES));
  }

  @Test
  public void scoresComeInTheOrderOfTheHostsHoweverMany() {
    assertEquals(0, engine().scores().length);
    HostTotals[] hosts = new HostTotals[100_000];
    for (int i = 0; i < hosts.length; i++) {
      hosts[i] = i % 3 == 0 ? HostTotals.NONE : new HostTotals(1000L * i, i);
    }
    HostScore[] scores = engine().scores(hosts);
    for (int i = 0; i < hosts.length; i++) {
      assertEquals(i % 3 == 0 ? 256f : 1000f, scores[i].rows(), 0);
      assertEquals(i % 3 == 0 ? 1e9f : 1000f, scores[i].injected(), 0);
    }
  }

  @Test
  public void exploringTellsTheRowsOfAHostApart() {
    Map<String, String> properties = new HashMap<>();
    properties.put(Settings.LANGUAGE_TARGET, "ur");
    properties.put(Settings.NATIVE_PATH, System.getProperty(Settings.NATIVE_PATH));
    HostTotals[] hosts = {HostTotals.NONE, new HostTotals(4000, 2)};
    HostScore[] mean = Engine.of(Settings.from(properties::get)).scores(hosts);
    properties.put(Settings.SCORE_POLICY, "explore");
    HostScore[] explore = Engine.of(Settings.from(properties::get)).scores(hosts);
    float[][] expected = {{256f, 1e9f, 25.6f, 5e8f}, {2000f, 2000f, 200f, 2000f}};
    for (int i = 0; i < hosts.length; i++) {
      assertArrayEquals(
          expected[i],
          new float[] {
            explore[i].rows(), explore[i].injected(), explore[i].other(), explore[i].probe()
          },
          0);
      assertArrayEquals(
          new float[] {expected[i][0], expected[i][1], expected[i][0], expected[i][0]},
          new float[] {mean[i].rows(), mean[i].injected(), mean[i].other(), mean[i].probe()},
          0);
    }
  }

  @Test
  public void hostsOfLowByteYieldAreStoppedUnderTheirPolicyOnly() {
    Map<String, String> properties = new HashMap<>();
    properties.put(Settings.LANGUAGE_TARGET, "ur");
    properties.put(Settings.NATIVE_PATH, System.getProperty(Settings.NATIVE_PATH));
    // 100 pages, so the threshold is a byte yield of 1 %.
    HostTotals[] hosts = {
      new HostTotals(10_001, 100).withRawBytes(1_000_000),
      new HostTotals(9_999, 100).withRawBytes(1_000_000),
      new HostTotals(9_999, 100)
    };
    properties.put(Settings.SCORE_POLICY, "mean+limit:1000+rising:0.01");
    Settings settings = Settings.from(properties::get);
    assertTrue(settings.stopsHosts() && settings.stopsLowYields());
    HostScore[] scores = Engine.of(settings).scores(hosts);
    assertEquals(null, scores[0].stop());
    assertEquals(HostScore.Stop.LOW_YIELD, scores[1].stop());
    assertEquals(-3, scores[1].injected(), 0);
    assertEquals(null, scores[2].stop());
    properties.put(Settings.SCORE_POLICY, "mean+limit:1000");
    settings = Settings.from(properties::get);
    assertFalse(settings.stopsLowYields());
    assertEquals(99.99f, Engine.of(settings).scores(hosts)[1].rows(), 0);
  }

  @Test
  public void hostsThatAreGivenUpScoreBelowNutchsThresholdAndSayWhy() {
    Map<String, String> properties = new HashMap<>();
    properties.put(Settings.LANGUAGE_TARGET, "ur");
    properties.put(Settings.NATIVE_PATH, System.getProperty(Settings.NATIVE_PATH));
    HostTotals[] hosts = {
      HostTotals.NONE, new HostTotals(0, 40), new HostTotals(0, 40, 1), new HostTotals(80_000, 1000)
    };
    for (String policy : new String[] {"mean", "explore"}) {
      properties.put(Settings.SCORE_POLICY, policy);
      HostScore[] without = Engine.of(Settings.from(properties::get)).scores(hosts);
      properties.put(Settings.SCORE_POLICY, policy + "+limit:1000+barren:40");
      HostScore[] with = Engine.of(Settings.from(properties::get)).scores(hosts);
      HostScore.Stop[] stops = {null, HostScore.Stop.BARREN, null, HostScore.Stop.LIMIT};
      for (int i = 0; i < hosts.length; i++) {
        assertEquals(stops[i], with[i].stop());
        assertEquals(null, without[i].stop());
        HostScore rows = without[i];
        float[] wanted = {rows.rows(), rows.injected(), rows.other(), rows.probe()};
        if (stops[i] != null) {
          Arrays.fill(wanted, stops[i].score());
          assertTrue(stops[i].score() < 0);
        }
        assertArrayEquals(
            wanted,
            new float[] {with[i].rows(), with[i].injected(), with[i].other(), with[i].probe()},
            0);
      }
    }
  }

  @Test
  public void eightThreadsAnswerAsOne() throws Exception {
    List<String> pages =
        Arrays.asList(
            "<p>" + Pages.URDU,
            "<p>" + Pages.ENGLISH,
            "",
            "<p>" + Pages.URDU + "<p>" + Pages.ENGLISH);
    List<String> expected = new ArrayList<>();
    for (String html : pages) {
      expected.add(page(html).languages());
    }
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Void>> work = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        work.add(
            () -> {
              for (int round = 0; round < 200; round++) {
                assertEquals(expected.get(round % 4), page(pages.get(round % 4)).languages());
              }
              return null;
            });
      }
      for (Future<Void> done : pool.invokeAll(work)) {
        done.get();
      }
    } finally {
      pool.shutdown();
    }
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.write(part, 0, part.length);
    }
    return out.toByteArray();
  }
}
