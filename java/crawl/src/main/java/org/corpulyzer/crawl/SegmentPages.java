package org.corpulyzer.crawl;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.protocol.Content;

/**
 * The pages that a round fetched, in the order of their addresses: the segment's files joined, one
 * page in memory.
 */
final class SegmentPages implements Closeable {
  private final SortedRecords<CrawlDatum> fetched;
  private final SortedRecords<ParseData> data;
  private final SortedRecords<ParseText> texts;
  private final SortedRecords<Content> contents;
  private final SegmentPage page;
  private final Text last = new Text();

  /**
   * @param withContent whether pages have the bytes as fetched and the header lines
   */
  SegmentPages(Configuration conf, Segment segment, boolean withContent) throws IOException {
    page = new SegmentPage(segment.round());
    fetched = new SortedRecords<>(conf, segment.data(CrawlDatum.FETCH_DIR_NAME), new CrawlDatum());
    data = new SortedRecords<>(conf, segment.data(ParseData.DIR_NAME), new ParseData());
    texts = new SortedRecords<>(conf, segment.data(ParseText.DIR_NAME), new ParseText());
    contents =
        withContent
            ? new SortedRecords<>(conf, segment.data(Content.DIR_NAME), new Content())
            : null;
  }

  /**
   * @return the next page, the same object for all; null after the last
   */
  SegmentPage next() throws IOException {
    while (fetched.next()) {
      // Redirects leave a second record under the address that they lead to.
      if (fetched.value().getStatus() == CrawlDatum.STATUS_FETCH_SUCCESS
          && !fetched.key().equals(last)) {
        Text url = fetched.key();
        last.set(url);
        boolean parsed = data.seek(url);
        page.set(
            url.toString(),
            fetched.value(),
            parsed ? data.value() : null,
            texts.seek(url) ? texts.value().getText() : "",
            contents != null && contents.seek(url) ? contents.value() : null);
        if (page.isValid()) {
          return page;
        }
      }
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    fetched.close();
    data.close();
    texts.close();
    if (contents != null) {
      contents.close();
    }
  }
}
