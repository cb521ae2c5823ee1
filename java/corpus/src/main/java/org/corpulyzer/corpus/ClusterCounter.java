package org.corpulyzer.corpus;

/** Counters of CorpusClusterJob. The names are what operators see in Hadoop's counters. */
public enum ClusterCounter {
  /** Lines of all files. */
  RECORDS,
  /** Records with text in the corpus. */
  PAGES,
  /** Lines that are not pages in JSON, or are too long. */
  BAD_LINES,
  /** Files of which records are lost. */
  DAMAGED_FILES,
  /** Pages that are joined to an earlier page and to another one too: another round is needed. */
  UNFINISHED,
  /** Clusters of at least two pages. */
  CLUSTERS,
  /** Pages of these clusters. */
  CLUSTERED,
  /** Pages that are left out, because they are not the first of their cluster. */
  REMOVED
}
