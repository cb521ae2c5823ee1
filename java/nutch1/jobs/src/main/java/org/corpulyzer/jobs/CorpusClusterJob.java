package org.corpulyzer.jobs;

import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.corpus.ClusterCorpus;
import org.corpulyzer.corpus.Tools;

/** Marks near duplicates of a corpus on Nutch's class path, see {@link ClusterCorpus}. */
public class CorpusClusterJob extends ClusterCorpus {

  /**
   * Creates the command. The jar of the jobs is Nutch's job file, which carries this jar in lib/.
   */
  public CorpusClusterJob() {
    super("CorpusClusterJob", CrawlDb.class);
  }

  /** As {@link ClusterCorpus}. */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new CorpusClusterJob(), args);
  }
}
