package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.Test;

/** Values in the README of a corpus. */
public class CorpusReadmeTest {
  @Test
  public void oneDocumentIsSingular() {
    assertEquals("0 documents", CorpusReadme.documents(0));
    assertEquals("1 document", CorpusReadme.documents(1));
    assertEquals("2 documents", CorpusReadme.documents(2));
  }

  @Test
  public void aNameOfAValueInAValueIsText() {
    CrawlOptions options = CrawlFiles.options();
    options.contact = "{file} $1";
    byte[] bytes = new CorpusReadme(options, "c.jsonl.zst", new CorpusWriter.Summary()).bytes();
    String readme = new String(bytes, StandardCharsets.UTF_8);
    assertTrue(readme, readme.startsWith("# Web corpus: Urdu (ur)\n\n`c.jsonl.zst` has 0 "));
    assertTrue(readme, readme.contains("\n| crawler | tester, {file} $1 |\n\nOne JSON object"));
    assertTrue(readme, readme.contains(" write to {file} $1. Name its\n"));
    assertTrue(readme, readme.contains("\n| `id` | ") && readme.contains("\n| `source` | "));
  }

  @Test
  public void aSmallCorpusHasASize() {
    assertEquals("4.8 kB", CorpusReadme.size(4830));
    assertEquals("1.0 MB", CorpusReadme.size(1_000_000));
  }
}
