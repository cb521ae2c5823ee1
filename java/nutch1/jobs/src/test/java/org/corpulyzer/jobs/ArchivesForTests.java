package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
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
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** Archives, and the corpora that the command makes of them. */
public final class ArchivesForTests {

  static final String[] URDU = {
    "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے اور نوجوان"
        + " شاعروں نے تازہ کلام سنایا۔",
    "آج صبح بازار میں دکانداروں نے نئی سڑک کی تعمیر پر خوشی کا اظہار کیا اور کہا کہ اس سے"
        + " کاروبار میں بہتری آئے گی۔",
    "اسکول جانے والے بچوں کے والدین نے مطالبہ کیا کہ سڑک کے دونوں طرف پیدل چلنے والوں کے لیے"
        + " راستہ بنایا جائے۔"
  };
  static final String ENGLISH =
      "The river rose during the night and the ferry could not leave before noon, so the market"
          + " opened late.";

  private ArchivesForTests() {}

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] joined(byte[]... parts) {
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

  static byte[] page(String url, String head, String html) {
    return response(url, "Content-Type: text/html; charset=utf-8\r\n" + head, utf8(html));
  }

  static String html(String head, String sentence) {
    StringBuilder html =
        new StringBuilder("<!doctype html><html><head><title>خبر</title>" + head + "</head><body>");
    for (int i = 0; i < 5; i++) {
      html.append("<p>").append(sentence).append(' ').append(sentence).append("</p>\n");
    }
    return html.append("</body></html>").toString();
  }

  static byte[] gzip(byte[] bytes) throws IOException {
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

  /** A Zstandard frame with its checksum. */
  static byte[] zstd(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZstdOutputStream zstd = new ZstdOutputStream(out)) {
      zstd.setChecksum(true);
      zstd.write(bytes);
    }
    return out.toByteArray();
  }

  /**
   * Writes archives with pages of every kind: two files to its folder {@code in}, which also has a
   * file that is none, and a WET file.
   *
   * @return the archives, in order
   */
  public static List<Path> write(Path folder) throws IOException {
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
      response(
          "http://c.example/zstd",
          "Content-Type: text/html; charset=utf-8\r\nContent-Encoding: zstd\r\n",
          Zstd.compress(utf8(html("", URDU[0])))),
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
      record("response", "http://c.example/broken", "application/http", utf8("no head, no page")),
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
    String page = "HTTP/2 200\r\nContent-Type: text/html\r\n\r\n" + html("", URDU[0]);
    byte[][] arc = {
      utf8("filedesc://a.arc 0.0.0.0 20050102030405 text/plain 8\n1 0 Test\n\n"),
      utf8("http://g.example/ 192.0.2.1 20050102030405 text/html "),
      utf8(utf8(page).length + "\n" + page + "\n"),
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
    Path in = Files.createDirectories(folder.resolve("in"));
    Files.write(in.resolve("notes.txt"), utf8("no archive"));
    Files.write(in.resolve("1.warc"), joined(records));
    Files.write(in.resolve("2.warc.gz"), joined(members));
    Files.write(in.resolve("3.arc"), joined(arc));
    Path wet = folder.resolve("4.warc.wet.zst");
    Files.write(wet, zstd(joined(texts)));
    return Arrays.asList(in.resolve("1.warc"), in.resolve("2.warc.gz"), in.resolve("3.arc"), wet);
  }

  static List<String> lines(InputStream in) throws IOException {
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      reader.lines().forEach(lines::add);
    }
    return lines;
  }

  /**
   * Runs {@code corpulyzer collect}.
   *
   * @param out folder that is made, with a log beside it
   * @return the lines of the corpora by the code of the language, sorted
   */
  public static Map<String, List<String>> collected(
      Path out, List<Path> files, String languages, String... more) throws Exception {
    List<String> command = new ArrayList<>();
    command.add("collect");
    files.forEach(file -> command.add(file.toString()));
    command.addAll(Arrays.asList("--language", languages, "--out", out.toString()));
    command.addAll(Arrays.asList(more));
    runCommand(command, new File(out + ".log"));
    Map<String, List<String>> corpora = new TreeMap<>();
    for (File corpus : out.toFile().listFiles(File::isDirectory)) {
      List<String> lines = new ArrayList<>();
      for (File one : corpus.listFiles((dir, name) -> name.endsWith(".zst"))) {
        lines.addAll(lines(new ZstdInputStream(Files.newInputStream(one.toPath()))));
      }
      Collections.sort(lines);
      corpora.put(corpus.getName(), lines);
    }
    return corpora;
  }

  /**
   * Writes three files of JSON lines, each compressed in another way, with pages of which some are
   * copies with changed words, in one file or in several.
   *
   * @return the files, in order
   */
  public static List<Path> writeLines(Path folder) throws IOException {
    Random random = new Random(41);
    List<StringBuilder> files = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      files.add(new StringBuilder());
    }
    for (int page = 0; page < 120; page++) {
      List<String> words = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        words.add("w" + random.nextInt(100_000));
      }
      // Each version has two words that the one before lacks: far versions are joined by near ones.
      for (int version = 0; version < 1 + page % 6; version++) {
        words.set(random.nextInt(100), "x" + version);
        words.set(random.nextInt(100), "y" + version);
        String text = String.join(page % 2 == 0 ? " " : "\\n", words);
        String line = "{\"url\":\"http://a.example/" + page + "\",\"text\":\"" + text + "\"}\n";
        files.get(random.nextInt(3)).append(line);
      }
    }
    String text = String.join(" ", Collections.nCopies(9, "eins zwei drei"));
    files.get(0).insert(0, "{\"text\":\"" + text + "\",\"decision\":\"reject few bytes\"}\n");
    files.get(0).append("no JSON\n{\"text\":\"\"}\n{\"text\":\" - \"}\n");
    files.get(1).append("{\"minhash_cluster_id\":9,\"text\":\"" + text + "\",\"x\":1.50}\n");
    files.get(2).append("{\"text\":\"" + text + "\",\"gone\":true}\n");
    files.get(2).append("{\"text\":\"" + text + ".\",\"decision\":\"keep\"}");
    Path[] paths = {
      folder.resolve("1.jsonl"), folder.resolve("2.jsonl.gz"), folder.resolve("3.jsonl.zst")
    };
    Files.write(paths[0], utf8(files.get(0).toString()));
    Files.write(paths[1], gzip(utf8(files.get(1).toString())));
    Files.write(paths[2], zstd(utf8(files.get(2).toString())));
    return Arrays.asList(paths);
  }

  /**
   * Runs {@code corpulyzer deduplicate --clusters}.
   *
   * @param out file that is made, with a log beside it
   * @return its lines
   */
  public static List<String> clustered(Path out, List<Path> files, String... more)
      throws Exception {
    List<String> command = new ArrayList<>(Arrays.asList("deduplicate", "--clusters"));
    files.forEach(file -> command.add(file.toString()));
    command.addAll(Arrays.asList("--language", "ur", "--out", out.toString()));
    command.addAll(Arrays.asList(more));
    runCommand(command, new File(out + ".log"));
    return Files.readAllLines(out);
  }

  private static void runCommand(List<String> arguments, File log) throws Exception {
    List<String> command = new ArrayList<>(arguments);
    command.add(0, System.getProperty("corpulyzer.programs") + "/corpulyzer");
    int code =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start().waitFor();
    assertEquals(Files.readString(log.toPath()), 0, code);
  }
}
