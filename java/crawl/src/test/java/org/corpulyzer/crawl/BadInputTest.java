package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;
import static org.junit.Assume.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Errors are one sentence that names the thing and the fix; the exit code is not 0, and nothing is
 * left behind.
 */
public class BadInputTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private final Map<String, String> options = new LinkedHashMap<>();

  @Before
  public void aGoodCommandLine() throws IOException {
    options.put("--language", "ur");
    options.put("--seeds", file("seeds.txt", "http://example.org/\n").toString());
    options.put("--agent", "tester");
    options.put("--contact", "me@example.org");
    options.put("--data", data().toString());
    options.put("--out", folder.getRoot().toPath().resolve("out").toString());
  }

  @Test
  public void anOptionThatIsMissingIsNamedWithItsReason() throws Exception {
    Map<String, String> reasons = new LinkedHashMap<>();
    reasons.put("--language", "the language to keep");
    reasons.put("--seeds", "a file of URLs");
    reasons.put("--agent", "the name of this crawl in robots.txt");
    reasons.put("--contact", "where webmasters can reach you");
    reasons.put("--data", "a folder for the fetched pages");
    reasons.put("--out", "a folder for the corpus");
    for (Map.Entry<String, String> reason : reasons.entrySet()) {
      String value = options.remove(reason.getKey());
      assertRefused(2, reason.getKey() + " is missing", reason.getValue());
      options.put(reason.getKey(), value);
    }
  }

  @Test
  public void aDataFolderThatHadoopWouldReadAsSeveralIsRefused() throws Exception {
    for (String name : new String[] {"z,z", "*", "a?", "{a,b}", "[x]", "a\\b", "{/crawl"}) {
      String data = folder.getRoot() + "/" + name;
      assertRefusedWith("--data", data, 2, "--data is " + data, "makes it a list or a pattern");
      assertFalse(name, Files.exists(folder.getRoot().toPath().resolve(name)));
    }
  }

  @Test
  public void aValueThatCannotBeIsNamed() throws Exception {
    assertRefusedWith(
        "--language", "xx", 2, "--language: language code `xx` is unknown; allowed are ISO");
    assertRefusedWith("--language", "Urdo", 2, "--language: ", "those of `urd` (Urdu)");
    assertRefusedWith(
        "--language", "kv", 2, "--language: `kom` (Komi) has no model", "`kpv` (Komi-Zyrian)");
    assertRefusedWith(
        "--language", "arz", 2, "(Egyptian Arabic) has no model", "(Arabic), or use --pack seed");
    assertRefusedWith("--language", "Ghotuo", 2, "has no model; train one with `corpulyzer train`");
    assertRefusedWith(
        "--page-policy", "strict", 2, "--page-policy is 'strict'", "precision, recall");
    assertRefusedWith(
        "--score-policy",
        "mean+limit:0",
        2,
        "--score-policy is 'mean+limit:0'",
        "mean, explore, pages or pages:PERCENT, optionally followed by +barren:PAGES");
    assertRefusedWith(
        "--score-policy", "pages:101", 2, "--score-policy is 'pages:101'", "pages:PERCENT");
    assertRefusedWith(
        "--extractor",
        "boilerpipe",
        2,
        "--extractor is 'boilerpipe'",
        "best, web-am, web-am-literal, article, justext, w2c, text");
    assertRefusedWith("--comments", "no", 2, "--comments is 'no'", "keep, drop");
    assertRefusedWith("--headline", "no", 2, "--headline is 'no'", "keep, drop");
    assertRefusedWith("--min-bytes", "-1", 2, "--min-bytes is '-1'", "a whole number from 0");
    assertRefusedWith("--min-bytes", "many", 2, "--min-bytes is 'many'", "a whole number from 0");
    assertRefusedWith("--pack", folder.getRoot() + "/none.pack", 2, "--pack", "none.pack");
    assertRefusedWith("--agent", "my crawler", 2, "--agent is 'my crawler'", "letters");
    assertRefusedWith("--contact", "nobody", 2, "--contact is 'nobody'", "mail address");
    assertRefusedWith("--rounds", "0", 2, "--rounds is 0", "at least 1");
    assertRefusedWith("--rounds", "many", 2, "--rounds is 'many'; allowed is a whole number");
    assertRefusedWith("--delay", "slow", 2, "--delay is 'slow'; allowed is a number; see --help");
    assertRefusedWith("--render", " ", 2, "--render is empty");
    assertRefusedWith("--target-bytes", "0", 2, "--target-bytes is 0", "at least 1");
    assertRefusedWith(
        "--target-bytes", "10T", 2, "--target-bytes is '10T'; allowed is a number such as 500k");
    assertRefusedWith("--top", "-5", 2, "--top is -5", "at least 1");
    assertRefusedWith("--delay", "1", 2, "--delay is 1", "5.0 seconds");
    assertRefusedWith("--proxy", "somewhere", 2, "--proxy is 'somewhere'", "HOST:PORT");
    assertRefusedWith("--mode", "Q", 2, "--mode is 'Q'; allowed is one of J, S");
    assertRefusedWith(
        "--duplicates", "drop", 2, "--duplicates is 'drop'", "allowed is one of count, zero");
    assertRefusedWith(
        "--allow",
        "http://example.pk/a",
        2,
        "--allow has 'http://example.pk/a'",
        "write example.pk");
    assertRefusedWith("--allow", "*.example.pk", 2, "write example.pk, which includes");
    assertRefusedWith("--deny", "example.pk:8080", 2, "--deny has 'example.pk:8080'");
    assertRefusedWith("--deny", "bad_*.pk", 2, "--deny has 'bad_*.pk'");
    assertRefusedWith("--allow-private", "a b", 2, "--allow-private has 'a b'");
    assertRefusedWith(
        "--accept-language", "ur;q=2", 2, "--accept-language has 'ur;q=2'", "such as ur,en;q=0.3");
    assertRefusedWith("--accept-language", "urdu-language", 2, "--accept-language has");
    assertRefusedWith("--sede", "high", 2, "no option --sede; the nearest is --seeds; see --help");
  }

  @Test
  public void aSeedListThatCannotBeUsedIsNamed() throws Exception {
    Path none = folder.getRoot().toPath().resolve("none.txt");
    assertRefusedWith("--seeds", none.toString(), 2, "there is no seed list " + none, "--seeds");
    assertRefusedWith("--seeds", folder.getRoot().toString(), 2, "cannot be read", "--seeds");
    assertRefusedWith(
        "--seeds",
        file("empty.txt", "# nothing\n\n").toString(),
        2,
        "has no address",
        "one a line");
    assertRefusedWith(
        "--seeds",
        file("word.txt", "http://a.example/\nexample\n").toString(),
        2,
        "line 2",
        "'example', which is no address; write",
        "http://");
    assertRefusedWith(
        "--seeds",
        file("words.txt", "\ufeffa\r\n#b\r\nhttp://c.example/\r\nd\r\n\r\n\tlist\r\n").toString(),
        2,
        "line 1",
        "is 'a', which is no address, and so are lines 4, 6; write one");
    Path latin = folder.getRoot().toPath().resolve("latin.txt");
    Files.write(latin, new byte[] {'h', (byte) 0xe4});
    assertRefusedWith("--seeds", latin.toString(), 2, "is not UTF-8", "save it");
    Path escape = file("escape.txt", "example\u001b[2J\n");
    assertRefusedWith("--seeds", escape.toString(), 2, "line 1", "'example?[2J'");
    assertRefusedWith("--seeds", "/dev/zero", 2, "it is not a regular file", "--seeds");
    Path large = file("large.txt", "");
    try (FileChannel channel = FileChannel.open(large, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1), 64L << 20);
    }
    assertRefusedWith("--seeds", large.toString(), 2, "67108865 bytes", "at most 67108864");
  }

  @Test
  public void aDataFolderThatCannotBeWrittenIsNamed() throws Exception {
    String below = options.get("--seeds") + "/data";
    assertRefusedWith("--data", below, 1, "the data folder " + below + " cannot be written (Not a");
    String file = options.get("--seeds");
    assertRefusedWith("--data", file, 1, "(" + file + " is not a folder)");
    assertRefusedWith(
        "--data",
        "/proc/corpulyzer",
        1,
        "the data folder /proc/corpulyzer cannot be written",
        "--data");
    try {
      DataFolder.requireSpace(data(), 100L << 20);
      fail("a full disk is accepted");
    } catch (CrawlException e) {
      assertTrue(
          e.getMessage(),
          e.getMessage().contains("has 100 MiB left") && e.getMessage().contains("make room"));
    }
  }

  @Test
  public void aFolderForTheCorpusThatIsNotOursIsRefusedBeforeAnythingIsMade() throws Exception {
    Path mine = Files.createDirectory(folder.getRoot().toPath().resolve("mine"));
    Path readme =
        Files.write(mine.resolve("README.md"), "# Mine\n".getBytes(StandardCharsets.UTF_8));
    assertRefusedWith(
        "--out",
        mine.toString(),
        2,
        "the crawl did not write " + readme,
        "name another folder (--out)");
    assertRefusedWith(
        "--out", readme.toString(), 2, readme + " is a file, not a folder; name a folder (--out)");
  }

  @Test
  public void aDataFolderWithFilesOfSomebodyElseIsRefusedAndNotTouched() throws Exception {
    Path mine = Files.createDirectories(data().resolve("tmp")).resolve("mine.txt");
    Files.write(mine, new byte[1]);
    Files.setPosixFilePermissions(data(), PosixFilePermissions.fromString("rwxr-xr-x"));
    assertRefused(2, "the data folder " + data() + " holds tmp, which no crawl wrote", "--data");
    Files.write(
        data().resolve("state.properties"), "colour=blue\n".getBytes(StandardCharsets.UTF_8));
    assertRefused(2, "which no crawl wrote", "--data");
    assertTrue(Files.exists(mine));
    assertEquals("rwxr-xr-x", PosixFilePermissions.toString(Files.getPosixFilePermissions(data())));
    assertEquals(2, data().toFile().list().length);
  }

  @Test
  public void theSampleRefusesOptionsThatItDecidesItself() throws Exception {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    for (String option : new String[] {"--rounds=3", "--seeds=a.txt", "--replace"}) {
      int code =
          Crawl.run(
              System.out,
              new PrintStream(err, true, "UTF-8"),
              "--sample",
              "--min-bytes=200",
              option);
      assertEquals(2, code);
      String expected = option.replaceFirst("=.*", "") + " has no effect with --sample";
      assertTrue(err.toString("UTF-8"), err.toString("UTF-8").contains(expected));
    }
  }

  @Test
  public void aDataFolderOfAnotherUserIsRefusedAndNotTouched() throws Exception {
    assumeTrue(
        "skipped: no root, who may act as another user",
        System.getProperty("user.name").equals("root"));
    Path precious = file("precious.txt", "mine");
    // All that a crawl leaves, and symlinks where it writes.
    DataFolder.open(data()).close();
    Files.delete(data().resolve(".corpulyzer-data"));
    Files.createSymbolicLink(data().resolve(".corpulyzer-data"), precious);
    Files.setAttribute(data(), "unix:uid", 65534);
    assertRefused(2, "the data folder " + data() + " belongs to the user nobody", "--data");
    assertEquals("mine", new String(Files.readAllBytes(precious), StandardCharsets.UTF_8));
  }

  @Test
  public void aSymlinkInPlaceOfTheMarkerIsReplaced() throws Exception {
    Path precious = file("precious.txt", "mine");
    DataFolder.open(data()).close();
    for (String name : Arrays.asList(".corpulyzer-data", "..corpulyzer-data.tmp")) {
      Files.deleteIfExists(data().resolve(name));
      Files.createSymbolicLink(data().resolve(name), precious);
      DataFolder.open(data()).close();
      assertEquals("mine", new String(Files.readAllBytes(precious), StandardCharsets.UTF_8));
    }
  }

  @Test
  public void aDataFolderThatOthersMayReadIsClosedToThem() throws Exception {
    DataFolder.open(data()).close();
    Files.setPosixFilePermissions(data(), PosixFilePermissions.fromString("rwxrwxrwx"));
    DataFolder.open(data()).close();
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(data())));
  }

  /** On a full disk the marker is an empty file. */
  @Test
  public void aCrawlThatEndedBeforeItsMarkerIsNoObstacle() throws Exception {
    Files.createDirectory(data());
    Path marker = Files.createFile(data().resolve(".corpulyzer-data"));
    Files.createFile(data().resolve("..corpulyzer-data.tmp"));
    DataFolder.open(data()).close();
    assertTrue("the marker is written", Files.size(marker) > 0);
  }

  @Test
  public void aFolderTmpInTheDataFolderOfACrawlStays() throws Exception {
    DataFolder.open(data()).close();
    Path mine = Files.createDirectories(data().resolve("tmp")).resolve("mine.txt");
    Files.write(mine, new byte[1]);
    DataFolder.open(data()).close();
    assertTrue(Files.exists(mine));
  }

  @Test
  public void foldersThatAreInEachOtherAreRefused() throws Exception {
    assertRefusedWith(
        "--out", data().toString(), 2, "--out is " + data(), "name two folders apart");
    assertRefusedWith("--out", data() + "/corpus", 2, "name two folders apart");
    assertRefusedWith(
        "--out", folder.getRoot().getPath() + "/x/../data", 2, "name two folders apart");
    Path out = folder.getRoot().toPath().resolve("out");
    assertRefusedWith("--data", out + "/data", 2, "name two folders apart");
  }

  @Test
  public void aDataFolderInUseIsRefused() throws Exception {
    DataFolder held = DataFolder.open(data());
    try {
      assertRefused(1, "another crawl is running on " + data(), "--data");
    } finally {
      held.close();
    }
  }

  @Test
  public void aDataFolderOfTheReleaseThatRanHBaseIsRefusedAndNotTouched() throws Exception {
    Path table = Files.createDirectories(data().resolve("hbase").resolve("data"));
    Files.write(
        data().resolve("state.properties"), "crawl.language=ur\n".getBytes(StandardCharsets.UTF_8));
    assertRefused(
        1, "the data folder " + data() + " holds a crawl of an older release", "HBase", "--data");
    try (Stream<Path> all = Files.walk(data())) {
      assertEquals(
          new HashSet<>(
              Arrays.asList(
                  data(), data().resolve("hbase"), table, data().resolve("state.properties"))),
          all.collect(Collectors.toSet()));
    }
  }

  @Test(timeout = 60_000)
  public void aLibraryThatIsMissingIsNamed() throws Exception {
    List<String> javaOptions =
        Collections.singletonList("-Dcorpulyzer.native.path=/nonexistent/libcorpulyzer.so");
    ChildCrawl crawl =
        ChildCrawl.start(folder.getRoot().toPath().resolve("output.txt"), javaOptions, arguments());
    assertEquals(1, crawl.exitCode(50));
    assertTrue(crawl.output(), crawl.output().contains("/nonexistent/libcorpulyzer.so"));
    assertFalse(Files.exists(data()));
  }

  private void assertRefusedWith(String option, String value, int code, String... parts)
      throws Exception {
    String before = options.put(option, value);
    assertRefused(code, parts);
    if (before == null) {
      options.remove(option);
    } else {
      options.put(option, before);
    }
  }

  private void assertRefused(int code, String... parts) throws Exception {
    boolean hadData = Files.exists(data());
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int answer = Crawl.run(System.out, new PrintStream(err, true, "UTF-8"), arguments());
    String message = err.toString("UTF-8");
    for (String part : parts) {
      assertTrue(message, message.contains(part));
    }
    assertEquals("one line: " + message, 1, message.trim().split("\n").length);
    assertEquals(message, code, answer);
    assertEquals("nothing is left behind", hadData, Files.exists(data()));
  }

  private String[] arguments() {
    List<String> arguments = new ArrayList<>();
    options.forEach((name, value) -> arguments.addAll(Arrays.asList(name, value)));
    return arguments.toArray(new String[0]);
  }

  private Path data() {
    return folder.getRoot().toPath().resolve("data");
  }

  private Path file(String name, String content) throws IOException {
    return Files.write(
        folder.getRoot().toPath().resolve(name), content.getBytes(StandardCharsets.UTF_8));
  }
}
