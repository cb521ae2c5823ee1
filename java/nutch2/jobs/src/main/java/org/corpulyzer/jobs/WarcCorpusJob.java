package org.corpulyzer.jobs;

import org.apache.nutch.crawl.DbUpdaterJob;
import org.apache.nutch.util.NutchConfiguration;
import org.corpulyzer.corpus.ArchiveCorpus;
import org.corpulyzer.corpus.Tools;

/** Makes a corpus from WARC and WET files on Nutch's class path, see {@link ArchiveCorpus}. */
public class WarcCorpusJob extends ArchiveCorpus {

  /**
   * Creates the command. The jar of the job is Nutch's job file, which carries this jar in lib/.
   */
  public WarcCorpusJob() {
    super("WarcCorpusJob", DbUpdaterJob.class);
  }

  /** As {@link ArchiveCorpus}. */
  public static void main(String[] args) {
    Tools.main(NutchConfiguration.create(), new WarcCorpusJob(), args);
  }
}
