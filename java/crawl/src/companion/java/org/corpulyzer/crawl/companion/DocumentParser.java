package org.corpulyzer.crawl.companion;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.HtmlParseFilters;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.util.URLUtil;
import org.apache.xerces.dom.CoreDocumentImpl;

/**
 * Text of PDF, Word, PowerPoint, Excel, OpenDocument and RTF files, read by Tika in processes of
 * their own, one for each processor, at most {@value #MAX_PROCESSES}. The parse filters count its
 * languages. The documents of a host have a time in a round, see {@link DocumentTimes}.
 */
public final class DocumentParser extends Configured implements Parser {
  /** Megabytes of heap of the process that reads documents. Default 256. */
  public static final String HEAP = "corpulyzer.crawl.documents.heap";

  /** Most seconds for one document. Default 30. */
  public static final String SECONDS = "corpulyzer.crawl.documents.seconds";

  /** Most characters of a document's text. Default 4,000,000. */
  public static final String CHARACTERS = "corpulyzer.crawl.documents.characters";

  /** Most seconds for all documents of a host in a round. Default 60. */
  public static final String HOST_SECONDS = "corpulyzer.crawl.documents.host.seconds";

  private static final int MAX_PROCESSES = 4;

  private static final Pattern NOINDEX =
      Pattern.compile("(^|,)\\s*(noindex|none)\\s*(,|$)", Pattern.CASE_INSENSITIVE);

  /** The processes for all instances that Nutch makes. The first settings count. */
  private static LinkedBlockingDeque<DocumentProcess> shared;

  private static DocumentTimes sharedTimes;

  private LinkedBlockingDeque<DocumentProcess> processes;
  private DocumentTimes times;
  private HtmlParseFilters filters;
  private Set<String> agents;

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf != null) {
      processes = shared(conf);
      times = sharedTimes(conf);
      filters = new HtmlParseFilters(conf);
      agents = Agent.names(conf);
    }
  }

  private static synchronized LinkedBlockingDeque<DocumentProcess> shared(Configuration conf) {
    if (shared == null) {
      shared = new LinkedBlockingDeque<>();
      int count = Math.min(MAX_PROCESSES, Runtime.getRuntime().availableProcessors());
      for (int i = 0; i < count; i++) {
        // A process starts with its first document.
        shared.add(
            new DocumentProcess(
                conf.getInt(HEAP, 256),
                conf.getInt(CHARACTERS, 4_000_000),
                conf.getInt(SECONDS, 30) * 1000L));
      }
    }
    return shared;
  }

  private static synchronized DocumentTimes sharedTimes(Configuration conf) {
    if (sharedTimes == null) {
      sharedTimes = new DocumentTimes(conf.getInt(HOST_SECONDS, 60) * 1000L);
    }
    return sharedTimes;
  }

  /** Reads a document in the process that was used last, so that few start. */
  private DocumentProcess.Text read(Content content) throws IOException {
    String host = String.valueOf(URLUtil.getHost(content.getUrl()));
    String round = content.getMetadata().get(Nutch.SEGMENT_NAME_KEY);
    if (round != null && times.isOver(round, host)) {
      throw new IOException("the documents of " + host + " took all their time in this round");
    }
    DocumentProcess process;
    try {
      process = processes.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted before a document was read", e);
    }
    long began = System.nanoTime();
    try {
      return process.read(Types.of(content.getContentType()), content.getContent());
    } finally {
      processes.addFirst(process);
      if (round != null) {
        times.add(round, host, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
      }
    }
  }

  @Override
  public ParseResult getParse(Content content) {
    DocumentProcess.Text text;
    try {
      text = read(content);
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
    return filters.filter(
        content,
        ParseResult.createParseResult(content.getUrl(), new ParseImpl(text.text, data)),
        directives(content.getMetadata()),
        new CoreDocumentImpl().createDocumentFragment());
  }

  /** A document has no meta elements, so only its header can forbid to index it. */
  private HTMLMetaTags directives(Metadata headers) {
    HTMLMetaTags tags = new HTMLMetaTags();
    tags.reset();
    for (String directive : RobotsHeader.of(headers.getValues("X-Robots-Tag"), agents)) {
      if (NOINDEX.matcher(directive).find()) {
        tags.setNoIndex();
      }
    }
    return tags;
  }
}
