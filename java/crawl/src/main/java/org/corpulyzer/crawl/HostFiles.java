package org.corpulyzer.crawl;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.net.protocols.Response;
import org.apache.nutch.protocol.Content;
import org.corpulyzer.engine.UsageRules;

/**
 * The files of hosts with rules on the use of their pages, robots.txt and tdmrep.json, that a round
 * fetched. They are in the folder {@code content} of the segment, without a row of their own.
 */
final class HostFiles implements Closeable {
  /** Key of the content's metadata; a server cannot set it. */
  static final String MARK = "_corpulyzer.host.file_";

  private static final String[] PATHS = {UsageRules.ROBOTS_PATH, UsageRules.TDM_PATH};

  private final SortedRecords<Content> contents;
  private final SegmentPage page;

  HostFiles(Configuration conf, Segment segment) throws IOException {
    contents = SortedRecords.each(conf, segment.data(Content.DIR_NAME), Content::new);
    page = new SegmentPage(segment.round());
  }

  /** Returns the datum of a file in the journal, which asks for no row. */
  static CrawlDatum datum() {
    return new CrawlDatum(CrawlDatum.STATUS_LINKED, 0);
  }

  /** Returns whether a stored content is a file of a host; null is none. */
  static boolean is(Content content) {
    return content != null && content.getMetadata().get(MARK) != null;
  }

  /**
   * @return the next file, the same object for all; null after the last
   */
  SegmentPage next() throws IOException {
    while (contents.nextEndingWith(PATHS)) {
      Content file = contents.value();
      if (is(file)) {
        CrawlDatum datum = datum();
        datum.setFetchTime(millis(file.getMetadata()));
        datum.getMetaData().put(new Text(Metadata.CONTENT_TYPE), new Text(file.getContentType()));
        page.set(contents.key().toString(), datum, null, "", file);
        return page;
      }
    }
    return null;
  }

  private static long millis(Metadata metadata) {
    String time = metadata.get(Response.FETCH_TIME);
    return time != null && time.matches("[0-9]{1,18}") ? Long.parseLong(time) : 0;
  }

  @Override
  public void close() throws IOException {
    contents.close();
  }
}
