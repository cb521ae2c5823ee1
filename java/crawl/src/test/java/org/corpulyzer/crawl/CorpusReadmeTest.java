package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** Numbers in the README of a corpus. */
public class CorpusReadmeTest {
  @Test
  public void oneDocumentIsSingular() {
    assertEquals("0 documents", CorpusReadme.documents(0));
    assertEquals("1 document", CorpusReadme.documents(1));
    assertEquals("2 documents", CorpusReadme.documents(2));
  }

  @Test
  public void aSmallCorpusHasASize() {
    assertEquals("4.8 kB", CorpusReadme.size(4830));
    assertEquals("1.0 MB", CorpusReadme.size(1_000_000));
  }
}
