package org.corpulyzer.nutch1.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.engine.CorpulyzerException;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class WarcCorpusJobTest {

  private static final String[] URDU = {
    "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے اور نوجوان"
        + " شاعروں نے تازہ کلام سنایا۔",
    "آج صبح بازار میں دکانداروں نے نئی سڑک کی تعمیر پر خوشی کا اظہار کیا اور کہا کہ اس سے"
        + " کاروبار میں بہتری آئے گی۔",
    "اسکول جانے والے بچوں کے والدین نے مطالبہ کیا کہ سڑک کے دونوں طرف پیدل چلنے والوں کے لیے"
        + " راستہ بنایا جائے۔"
  };
  private static final String ENGLISH =
      "The river rose during the night and the ferry could not leave before noon, so the market"
          + " opened late.";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private Configuration conf;

  @Before
  public void configure() {
    conf = SegmentForTests.configuration(folder.getRoot());
  }

  private File file(String name) {
    return new File(folder.getRoot(), name);
  }

  private int run(String... args) throws Exception {
    WarcCorpusJob job = new WarcCorpusJob();
    job.setConf(conf);
    return job.run(args);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    Arrays.stream(parts).forEach(part -> all.write(part, 0, part.length));
    return all.toByteArray();
  }

  private static byte[] record(String type, String url, String contentType, byte[] block) {
    return record(type, url, contentType, "", block);
  }

  private static byte[] record(
      String type, String url, String contentType, String more, byte[] block) {
    return joined(
        utf8(
            "WARC/1.0\r\nWARC-Type: "
                + type
                + "\r\nWARC-Target-URI: "
                + url
                + "\r\nWARC-Date: 2026-03-01T10:11:12Z\r\nContent-Type: "
                + contentType
                + "\r\n"
                + more
                + "Content-Length: "
                + block.length
                + "\r\n\r\n"),
        block,
        utf8("\r\n\r\n"));
  }

  private static byte[] response(String url, String head, byte[] body) {
    return record(
        "response",
        url,
        "application/http; msgtype=response",
        joined(utf8("HTTP/1.1 200 OK\r\n" + head + "\r\n"), body));
  }

  private static byte[] page(String url, String head, String html) {
    return response(url, "Content-Type: text/html; charset=utf-8\r\n" + head, utf8(html));
  }

  private static String html(String head, String sentence) {
    StringBuilder html =
        new StringBuilder("<!doctype html><html><head><title>خبر</title>" + head + "</head><body>");
    for (int i = 0; i < 5; i++) {
      html.append("<p>").append(sentence).append(' ').append(sentence).append("</p>\n");
    }
    return html.append("</body></html>").toString();
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] deflated(byte[] bytes, boolean isRaw) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflate =
        new DeflaterOutputStream(out, new Deflater(Deflater.DEFAULT_COMPRESSION, isRaw))) {
      deflate.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] chunked(byte[] bytes) {
    int half = bytes.length / 2;
    return joined(
        utf8(Integer.toHexString(half) + ";x=y\r\n"),
        Arrays.copyOf(bytes, half),
        utf8("\r\n" + Integer.toHexString(bytes.length - half) + "\r\n"),
        Arrays.copyOfRange(bytes, half, bytes.length),
        utf8("\r\n0\r\n\r\n"));
  }

  private String write(String name, byte[]... records) throws IOException {
    Path path = file(name).toPath();
    Files.createDirectories(path.getParent());
    Files.write(path, joined(records));
    return path.toString();
  }

  /** Archives with pages of every kind, in two files of a folder and a WET file. */
  private String[] archives() throws IOException {
    String statements =
        "<meta property=article:published_time content=2025-12-24>"
            + "<meta name=license content=https://creativecommons.org/licenses/by/4.0/>"
            + "<meta name=tdm-policy content='https://a.example/\"&#x1F600;'>"
            + "<link rel=alternate hreflang=en href=/en>";
    byte[][] records = {
      record("warcinfo", "", "application/warc-fields", utf8("software: a test\r\n")),
      record("request", "http://a.example/", "application/http", utf8("GET / HTTP/1.1\r\n\r\n")),
      page(
          "http://a.example/",
          "TDM-Reservation: 1\r\nContent-Usage: train-ai=n\r\nX-Robots-Tag: bot: noindex\r\n"
              + "X-Robots-Tag: noai\r\n",
          html(statements, URDU[0])),
      record("metadata", "http://a.example/", "application/warc-fields", utf8("crp.d: reject\r\n")),
      page("http://b.example/x?y=%20z", "", html("", URDU[1])),
      page("http://b.example/english", "", html("", ENGLISH)),
      page("http://b.example/noindex", "", html("<meta name=robots content=noindex>", URDU[2])),
      page("http://b.example/header", "X-Robots-Tag: noindex\r\n", html("", URDU[2])),
      page(
          "http://b.example/away",
          "",
          html("<meta http-equiv=refresh content='0;url=/other'>", URDU[2])),
      page(
          "http://b.example/again",
          "",
          html("<meta http-equiv=refresh content='60;url=#top'>", URDU[2])),
      page("http://b.example/empty", "", "<p></p>"),
      response(
          "http://c.example/chunks",
          "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n",
          chunked(gzip(utf8(html("<meta charset=utf-8>", URDU[0]))))),
      response(
          "http://c.example/zlib",
          "Content-Type: text/html; charset=utf-8\r\nContent-Encoding: deflate\r\n",
          deflated(utf8(html("", URDU[1])), false)),
      response(
          "http://c.example/raw",
          "Content-Type: text/html; charset=utf-8\r\nContent-Encoding: deflate\r\n",
          deflated(utf8(html("", URDU[1])), true)),
      response(
          "http://c.example/decoded",
          "Content-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip\r\n"
              + "Transfer-Encoding: chunked\r\n",
          utf8(html("", URDU[2]))),
      response(
          "https://www.C.example:8443/arabic",
          "content-type : text/html; charset=windows-1256\r\nbad line\r\n",
          html("", URDU[0]).getBytes(Charset.forName("windows-1256"))),
      response("http://c.example/no-type", "", utf8(html("<meta charset=utf-8>", URDU[0]))),
      record(
          "response",
          "<http://c.example/identified>",
          "application/http",
          "WARC-Identified-Payload-Type: application/xhtml+xml\r\n",
          utf8("HTTP/1.0 200\r\nContent-Type: text/plain\r\n\r\n" + html("", URDU[1]))),
      response("http://c.example/picture", "Content-Type: image/png\r\n", new byte[] {1, 2}),
      response("http://c.example/robots.txt", "Content-Type: text/html\r\n", utf8("User-agent: *")),
      record(
          "response",
          "http://c.example/gone",
          "application/http",
          utf8("HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n" + html("", URDU[1]))),
      record("response", "http://c.example/broken", "application/http", utf8(html("", URDU[1]))),
      record("resource", "http://c.example/resource", "text/html", utf8(html("", URDU[2]))),
      utf8("no record\r\nat all\r\n"),
      utf8("WARC/1.0\r\nWARC-Type: response\r\nno length\r\n\r\nlost\r\n\r\n"),
      page("http://c.example/last", "", html("", URDU[2])),
      page("http://a.example/", "", html("", URDU[1])),
    };
    byte[][] members = {
      gzip(page("http://b.example/x?y=%20z", "", html("", URDU[2]))),
      gzip(page("http://b.example/english", "", html("", URDU[2]))),
      gzip(page("http://d.example/", "", html("", URDU[0]))),
    };
    byte[][] texts = {
      record(
          "conversion",
          "http://e.example/",
          "text/plain",
          utf8("سرخی\n" + String.join("\n", Collections.nCopies(4, URDU[0] + " " + URDU[1])))),
      record("conversion", "http://e.example/en", "text/plain", utf8(ENGLISH + "\n" + ENGLISH)),
      record("conversion", "http://a.example/", "text/plain", utf8(URDU[2] + URDU[1] + URDU[2])),
    };
    String first = write("in/1.warc", records);
    write("in/2.warc.gz", members);
    write("in/notes.txt", utf8("no archive"));
    String wet = write("3.warc.wet.gz", gzip(joined(texts)));
    return new String[] {new File(first).getParent(), wet};
  }

  /** The lines of the files of a job, sorted. */
  private List<String> written(String out, String ending) throws IOException {
    List<String> lines = new ArrayList<>();
    File[] files = file(out).listFiles((dir, name) -> name.endsWith(ending));
    for (File one : files) {
      lines.addAll(lines(new GZIPInputStream(Files.newInputStream(one.toPath()))));
    }
    Collections.sort(lines);
    return lines;
  }

  private static List<String> lines(InputStream in) throws IOException {
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      reader.lines().forEach(lines::add);
    }
    return lines;
  }

  /** The lines of the corpora that the command makes, sorted. */
  private List<String> collected(String out, List<String> files, String... more) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("corpulyzer.root") + "/target/release/corpulyzer");
    command.add("collect");
    command.addAll(files);
    command.addAll(Arrays.asList("--language", "ur", "--out", file(out).getPath()));
    command.addAll(Arrays.asList(more));
    File log = file(out + ".log");
    int code =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start().waitFor();
    assertEquals(Files.readString(log.toPath()), 0, code);
    List<String> lines = new ArrayList<>();
    for (File one : new File(file(out), "urd").listFiles((dir, name) -> name.endsWith(".zst"))) {
      lines.addAll(lines(new ZstdInputStream(Files.newInputStream(one.toPath()))));
    }
    Collections.sort(lines);
    return lines;
  }

  private static void assertSameLines(List<String> expected, List<String> found) {
    assertEquals(String.join("\n", expected), String.join("\n", found));
  }

  @Test
  public void corpusIsThatOfCollectOverTheSameFiles() throws Exception {
    String[] inputs = archives();
    List<String> files =
        Arrays.asList(file("in/1.warc").getPath(), file("in/2.warc.gz").getPath(), inputs[1]);
    String summary =
        SegmentForTests.output(
            () -> assertEquals(0, run(file("out").getPath(), inputs[0], inputs[1])));
    List<String> found = written("out", ".jsonl.gz");
    assertSameLines(collected("collected", files), found);
    assertEquals(15, found.size());
    String all = String.join("\n", found);
    assertTrue(
        all,
        all.contains(
            "\"published\":\"2025-12-24\",\"date_source\":\"meta\",\"license\":\"cc-by\""));
    assertTrue(summary, summary.contains("WarcCorpusJob: 15 pages of 3 archives in 1 files"));
    assertTrue(summary, summary.contains("3 pages with the URL of an earlier one"));
    assertTrue(summary, summary.contains("2 damaged records, which were skipped"));
    assertTrue(summary, summary.contains("1 responses without a proper HTTP head"));

    assertEquals(0, run("-all", "-minBytes", "1400", file("all").getPath(), inputs[0], inputs[1]));
    assertSameLines(
        collected("collected all", files, "--rejected", "--min-bytes", "1400", "--no-first-look"),
        written("all", ".jsonl.gz"));
  }

  @Test
  public void otherFormatsAndListsHaveTheSamePages() throws Exception {
    String[] inputs = archives();
    List<String> files =
        Arrays.asList(file("in/1.warc").getPath(), file("in/2.warc.gz").getPath(), inputs[1]);
    Files.write(file("list").toPath(), utf8(String.join("\n", files) + "\n"));
    assertEquals(
        0,
        run(
            "-format",
            "text",
            "-language",
            "urd",
            "-list",
            file("list").getPath(),
            file("text").getPath()));
    assertSameLines(collected("collected", files, "--format", "text"), written("text", ".txt.gz"));
    assertEquals(0, run("-format", "wet", file("wet").getPath(), inputs[0], inputs[1]));
    File wet = file("wet").listFiles((dir, name) -> name.endsWith(".warc.wet.gz"))[0];
    assertEquals(
        15,
        lines(new GZIPInputStream(Files.newInputStream(wet.toPath()))).stream()
            .filter("WARC-Type: conversion"::equals)
            .count());
  }

  @Test
  public void damagedFilesAreNamedAndTheRestIsWritten() throws Exception {
    byte[] whole = gzip(page("http://a.example/", "", html("", URDU[0])));
    byte[] lost = gzip(page("http://b.example/", "", html("", URDU[1])));
    String cut = write("in/cut.warc.gz", whole, Arrays.copyOf(lost, lost.length / 2));
    byte[] wrong = lost.clone();
    wrong[lost.length / 2] ^= 0x55;
    String damaged = write("in/damaged.warc.gz", whole, wrong, whole);
    byte[] longer = page("http://c.example/", "", html("", URDU[2]));
    String length =
        write(
            "in/length.warc",
            utf8(
                new String(longer, StandardCharsets.UTF_8)
                    .replaceFirst("Content-Length: [0-9]+", "Content-Length: 500")));
    String good = write("in/x.warc.gz", gzip(page("http://d.example/", "", html("", URDU[0]))));
    String errors =
        SegmentForTests.error(
            () -> assertEquals(1, run(file("out").getPath(), cut, damaged, length, good)));
    List<String> found = written("out", ".jsonl.gz");
    assertTrue(
        found.toString(),
        found.size() >= 2
            && found.stream().anyMatch(line -> line.contains("http://a.example/"))
            && found.stream().anyMatch(line -> line.contains("http://d.example/")));
    for (String name : new String[] {"cut.warc.gz", "damaged.warc.gz", "length.warc"}) {
      assertTrue(errors, errors.contains(name + " is damaged: "));
    }
    assertFalse(errors, errors.contains("x.warc.gz"));
    assertTrue(errors, errors.contains("the file ends within a gzip member"));
  }

  @Test
  public void impossibleInputsAreRefused() throws Exception {
    String good = write("in/x.warc", page("http://d.example/", "", html("", URDU[0])));
    String out = file("out").getPath();
    assertEquals(
        "The input " + good + "x does not exist: name a WARC or WET file, or a folder of them.",
        assertThrows(CorpulyzerException.class, () -> run(out, good + "x")).getMessage());
    folder.newFolder("empty");
    String empty = file("empty").getPath();
    assertEquals(
        "The folder "
            + empty
            + " has no WARC or WET file: names end with .warc, .warc.gz, .wet or .wet.gz.",
        assertThrows(CorpulyzerException.class, () -> run(out, empty)).getMessage());
    String zstd = write("x.warc.zst", new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, 0});
    Exception refused = assertThrows(Exception.class, () -> run(out, zstd));
    assertTrue(
        refused.getMessage(),
        refused.getMessage().contains("x.warc.zst: it is compressed by Zstandard"));
    assertFalse("a failed job leaves no folder", file("out").exists());
    for (String[] args :
        new String[][] {{}, {out}, {"-format", "warc", out, good}, {"-x", out, good}}) {
      String error = SegmentForTests.error(() -> assertEquals(-1, run(args)));
      assertTrue(error, error.contains("Usage: WarcCorpusJob "));
    }
    assertTrue(
        assertThrows(CorpulyzerException.class, () -> run("-language", "xx", out, good))
            .getMessage()
            .contains("xx"));
  }
}
