package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The archive of classes that the build makes. */
public class ClassArchiveTest {
  private static final Path ARCHIVE = Paths.get(System.getProperty("corpulyzer.archive"));

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test(timeout = 120_000)
  public void theClassesOfTheCrawlComeFromTheArchive() throws Exception {
    String output = start(ARCHIVE, "-Xshare:on", "-Xlog:class+load");
    assertTrue(
        output,
        output.contains("org.corpulyzer.crawl.CrawlOptions source: shared objects file (top)"));
  }

  @Test(timeout = 120_000)
  public void anArchiveThatCannotBeUsedChangesNothing() throws Exception {
    byte[] archive = Files.readAllBytes(ARCHIVE);
    String wanted = start(ARCHIVE);
    assertTrue(wanted, wanted.contains("--language"));
    Path other = folder.getRoot().toPath().resolve("other.jsa");
    assertEquals("missing", wanted, start(other));
    int name =
        new String(archive, 0, 4096, StandardCharsets.ISO_8859_1)
            .indexOf(System.getProperty("java.vm.name"));
    assertTrue("the name of the JVM is in the head", name > 0);
    archive[name] = 'x';
    Files.write(other, archive);
    assertEquals("of another JVM", wanted, start(other));
  }

  private String start(Path archive, String... options) throws Exception {
    List<String> all =
        new ArrayList<>(
            Arrays.asList(
                "-XX:+UseSerialGC",
                "-XX:SharedArchiveFile=" + archive,
                "-Xshare:auto",
                "-Xlog:cds=off",
                "-Xlog:cds+dynamic=off"));
    all.addAll(Arrays.asList(options));
    ChildCrawl crawl = ChildCrawl.start(folder.newFile().toPath(), all, "--help");
    assertEquals(crawl.output(), 0, crawl.exitCode(60));
    return crawl.output();
  }
}
