package org.corpulyzer.engine;

/**
 * A statement of a page about itself, which becomes a field of its record. docs/provenance.md
 * defines the fields. If a page lacks the statement, its record lacks the field.
 */
public enum Statement {
  /** Day of publication, such as {@code 2024-03-12}. */
  PUBLISHED(90, "published", PageKeys.PUBLISHED, false),
  /** Day of the last change. */
  MODIFIED(91, "modified", PageKeys.MODIFIED, false),
  /** Where the days were found. */
  DATE_SOURCE(92, "date_source", PageKeys.DATE_SOURCE, false),
  /** Kind of the licence. */
  LICENSE(93, "license", PageKeys.LICENSE, false),
  /** Address of the licence. */
  LICENSE_URL(94, "license_url", PageKeys.LICENSE_URL, false),
  /** Where the licence was found. */
  LICENSE_SOURCE(95, "license_source", PageKeys.LICENSE_SOURCE, false),
  /** Reservations against the use of the text. */
  RESERVATION(96, "reservation", PageKeys.RESERVATION, true),
  /** Signs of machine translation. */
  MT_SIGNALS(97, "mt_signals", PageKeys.MT_SIGNALS, true),
  /** Versions of the page in other languages. */
  ALTERNATES(98, "alternates", PageKeys.ALTERNATES, true),
  /** Authors, separated by semicolons. */
  AUTHOR(101, "author", PageKeys.AUTHOR, false),
  /** Name of the site. */
  SITE_NAME(102, "site_name", PageKeys.SITE_NAME, false),
  /** The headline above the main content. */
  HEADLINE(103, "headline", PageKeys.HEADLINE, false);

  private final int tag;
  private final String field;
  private final String key;
  private final boolean isJson;

  Statement(int tag, String field, String key, boolean isJson) {
    this.tag = tag;
    this.field = field;
    this.key = key;
    this.isJson = isJson;
  }

  /**
   * @return its tag in a frame
   */
  int tag() {
    return tag;
  }

  /**
   * @return the name of the field in a record
   */
  public String field() {
    return field;
  }

  /**
   * @return its key in the metadata of a page, see {@link PageKeys}
   */
  public String key() {
    return key;
  }

  /**
   * @return whether the value is JSON, in the escapes of a record; if not, it is text
   */
  public boolean isJson() {
    return isJson;
  }
}
