package org.corpulyzer.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.protocol.Content;

/** The data of a URL in one folder of a segment, or in the CrawlDb. */
public final class PagePart implements Writable {

  /** Which folder it is from. */
  enum Kind {
    CRAWLDB,
    FETCH,
    CONTENT,
    /** A file of the host with rules on the use of its pages. */
    HOST_FILE,
    /** The needed part of a ParseData, without its links. */
    PARSE,
    TEXT;

    private Writable empty() {
      switch (this) {
        case CONTENT:
        case HOST_FILE:
          return new Content();
        case PARSE:
          return new Metadata();
        case TEXT:
          return new ParseText();
        default:
          return new CrawlDatum();
      }
    }
  }

  private static final Kind[] KINDS = Kind.values();

  private Kind kind;
  private int segment;
  private Writable value;

  /** Makes an empty part, for Hadoop to read into. */
  public PagePart() {}

  void set(Kind newKind, int newSegment, Writable newValue) {
    kind = newKind;
    segment = newSegment;
    value = newValue;
  }

  Kind kind() {
    return kind;
  }

  /**
   * @return the segment's number; -1 for the CrawlDb
   */
  int segment() {
    return segment;
  }

  /**
   * @return the value, which is not used again by the next one read
   */
  Writable value() {
    return value;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeByte(kind.ordinal());
    out.writeInt(segment);
    value.write(out);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    kind = KINDS[in.readByte()];
    segment = in.readInt();
    value = kind.empty();
    value.readFields(in);
  }
}
