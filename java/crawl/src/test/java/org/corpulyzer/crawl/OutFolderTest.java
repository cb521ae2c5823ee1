package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.corpulyzer.corpus.DocumentFormat;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The crawl touches no file that it did not write. */
public class OutFolderTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private final CrawlOptions options = CrawlFiles.options();

  @Before
  public void folders() {
    options.data = folder.getRoot().toPath().resolve("data");
    options.out = folder.getRoot().toPath().resolve("out");
  }

  @Test
  public void aFolderWithFilesOfSomebodyElseIsRefusedAndNotTouched() throws Exception {
    Path readme = write("README.md", "# My thesis\n");
    assertRefused("the crawl did not write " + readme, "name another folder (--out)");
    assertEquals("# My thesis\n", read(readme));
    assertEquals(1, options.out.toFile().list().length);
    Files.delete(readme);
    assertRefused(write("corpus.jsonl.zst", "mine").toString());
  }

  @Test
  public void anEmptyFolderIsTakenAndKnownAgain() throws Exception {
    Files.createDirectories(options.out);
    OutFolder.look(options).take("1", "urd");
    assertTrue(Files.exists(options.out.resolve(OutFolder.MARKER)));
    OutFolder out = OutFolder.look(options);
    Files.write(out.claim("README.md"), new byte[1]);
    OutFolder.look(options);
    // A file that the crawl never writes is in nobody's way.
    write("notes.txt", "mine");
    OutFolder.look(options);
    assertRefused(write("corpus.jsonl.zst", "mine").toString());
  }

  @Test
  public void theCorpusOfAnotherCrawlIsNotReplaced() throws Exception {
    OutFolder.look(options).requireOf(null, options);
    OutFolder out = OutFolder.look(options);
    out.take("1", "urd");
    OutFolder.look(options).requireOf("2", options); // There is no corpus yet.
    Files.write(out.claim("README.md"), new byte[1]);
    OutFolder.look(options).requireOf("1", options);
    for (String other : new String[] {null, "2"}) {
      try {
        OutFolder.look(options).requireOf(other, options);
        fail("the corpus of another crawl is replaced");
      } catch (CrawlException e) {
        assertEquals(CrawlException.USAGE, e.exitCode());
        assertTrue(e.getMessage(), e.getMessage().contains(", for urd;"));
        assertTrue(e.getMessage(), e.getMessage().contains("(--replace)"));
      }
    }
    options.replace = true;
    OutFolder next = OutFolder.look(options);
    next.requireOf("2", options);
    next.take("2", "skr");
    options.replace = false;
    OutFolder.look(options).requireOf("2", options);
    Files.write(OutFolder.look(options).claim("README.md"), new byte[1]);
  }

  @Test
  public void theFolderOfAnEarlierReleaseIsKnownByItsReadme() throws Exception {
    write("README.md", "# Web corpus: ur\n\nmore\n");
    write("corpus.jsonl.zst", "old");
    write("report/report.html", "old");
    write("report/yield.tsv", "old");
    OutFolder out = OutFolder.look(options);
    out.take("1", "urd");
    Path next = Files.createDirectories(out.nextReport());
    Files.write(next.resolve("report.html"), "new".getBytes(StandardCharsets.UTF_8));
    out.installReport(next);
    assertEquals("new", read(options.out.resolve("report/report.html")));
    assertFalse(Files.exists(options.out.resolve("report/yield.tsv")));
  }

  @Test
  public void aFileOfSomebodyElseInTheReportIsNeverDeleted() throws Exception {
    OutFolder out = OutFolder.look(options);
    out.take("1", "urd");
    Path next = Files.createDirectories(out.nextReport());
    Path mine = write("report/notes.txt", "mine");
    try {
      out.installReport(next);
      fail("the report is replaced");
    } catch (CrawlException e) {
      assertTrue(e.getMessage(), e.getMessage().contains(mine.toString()));
    }
    assertRefused(mine.toString(), "--out");
    assertEquals("mine", read(mine));
    options.noReport = true;
    OutFolder.look(options);
  }

  @Test
  public void aFileInPlaceOfTheFolderIsNamed() throws Exception {
    Path file = folder.newFile("afile").toPath();
    options.out = file;
    assertRefused(file + " is a file, not a folder; name a folder (--out)");
    options.out = file.resolve("below");
    assertRefused(file + " is a file, not a folder; name a folder (--out)");
    options.out = Paths.get("/proc/corpulyzer");
    try {
      OutFolder.look(options).take("1", "urd");
      fail("a folder that cannot be made is accepted");
    } catch (CrawlException e) {
      assertTrue(e.getMessage(), e.getMessage().contains("cannot be written"));
    }
  }

  @Test
  public void theCorpusOfAnotherFormatGoesIfTheCrawlWroteIt() throws Exception {
    OutFolder out = OutFolder.look(options);
    out.take("1", "urd");
    Files.write(out.claim(OutFolder.corpus(DocumentFormat.jsonl)), new byte[1]);
    Path mine = write(OutFolder.corpus(DocumentFormat.warc), "mine");
    Files.write(out.claim(OutFolder.corpus(DocumentFormat.text)), new byte[1]);
    out.deleteOtherCorpora(DocumentFormat.text);
    assertFalse(Files.exists(options.out.resolve(OutFolder.corpus(DocumentFormat.jsonl))));
    assertTrue(Files.exists(options.out.resolve(OutFolder.corpus(DocumentFormat.text))));
    assertEquals("mine", read(mine));
  }

  @Test
  public void aCrawlThatEndedBeforeItsMarkerIsNoObstacle() throws Exception {
    write("..corpulyzer-crawl.tmp", "");
    OutFolder.look(options).take("1", "urd");
    assertTrue(Files.exists(options.out.resolve(OutFolder.MARKER)));
  }

  /** A neighbour who may write to the folder plants it where the crawl has its temporary file. */
  @Test
  public void aSymlinkInPlaceOfATemporaryFileIsNotFollowed() throws Exception {
    Path precious = Files.write(folder.newFile("precious").toPath(), "mine".getBytes("UTF-8"));
    Files.createDirectories(options.out);
    Files.createSymbolicLink(options.out.resolve("..corpulyzer-crawl.tmp"), precious);
    OutFolder.look(options).take("1", "urd");
    assertEquals("mine", read(precious));
    Path next = LocalFiles.temporary(options.out.resolve("corpus.jsonl.zst"));
    Files.createSymbolicLink(next, precious);
    LocalFiles.create(next).close();
    assertEquals("mine", read(precious));
  }

  private void assertRefused(String... parts) {
    try {
      OutFolder.look(options);
      fail("the folder is accepted");
    } catch (CrawlException e) {
      assertEquals(CrawlException.USAGE, e.exitCode());
      for (String part : parts) {
        assertTrue(e.getMessage(), e.getMessage().contains(part));
      }
    }
  }

  private Path write(String name, String content) throws IOException {
    Path file = options.out.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, content.getBytes(StandardCharsets.UTF_8));
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
