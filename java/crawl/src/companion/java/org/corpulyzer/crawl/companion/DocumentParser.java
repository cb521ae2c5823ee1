package org.corpulyzer.crawl.companion;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.HtmlParseFilters;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.protocol.Content;
import org.apache.xerces.dom.CoreDocumentImpl;

/**
 * Text of PDF, Word, PowerPoint, Excel, OpenDocument and RTF files, read by Tika in a process of
 * its own. The parse filters count its languages.
 */
public final class DocumentParser extends Configured implements Parser {
  /** Megabytes of heap of the process that reads documents. Default 256. */
  public static final String HEAP = "corpulyzer.crawl.documents.heap";

  /** Most seconds for one document. Default 30. */
  public static final String SECONDS = "corpulyzer.crawl.documents.seconds";

  /** Most characters of a document's text. Default 4,000,000. */
  public static final String CHARACTERS = "corpulyzer.crawl.documents.characters";

  private static DocumentProcess shared;

  private DocumentProcess process;
  private HtmlParseFilters filters;

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf != null) {
      process = shared(conf);
      filters = new HtmlParseFilters(conf);
    }
  }

  /** One process for all instances that Nutch makes. The first settings count. */
  private static synchronized DocumentProcess shared(Configuration conf) {
    if (shared == null) {
      shared =
          new DocumentProcess(
              conf.getInt(HEAP, 256),
              conf.getInt(CHARACTERS, 4_000_000),
              conf.getInt(SECONDS, 30) * 1000L);
    }
    return shared;
  }

  @Override
  public ParseResult getParse(Content content) {
    DocumentProcess.Text text;
    try {
      text = process.read(Types.of(content.getContentType()), content.getContent());
    } catch (IOException e) {
      return new ParseStatus(ParseStatus.FAILED, ParseStatus.FAILED_EXCEPTION, e.getMessage())
          .getEmptyParseResult(content.getUrl(), getConf());
    }
    ParseData data =
        new ParseData(
            new ParseStatus(ParseStatus.SUCCESS),
            text.title,
            new Outlink[0],
            content.getMetadata(),
            new Metadata());
    HTMLMetaTags none = new HTMLMetaTags();
    none.reset();
    return filters.filter(
        content,
        ParseResult.createParseResult(content.getUrl(), new ParseImpl(text.text, data)),
        none,
        new CoreDocumentImpl().createDocumentFragment());
  }
}
