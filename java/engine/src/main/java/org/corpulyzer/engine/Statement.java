package org.corpulyzer.engine;

/**
 * A statement of a page about itself, which becomes a field of its record. docs/provenance.md
 * defines the fields. If a page lacks the statement, its record lacks the field.
 */
public enum Statement {
  /** Day of publication, such as {@code 2024-03-12}. */
  PUBLISHED(90, "published", PageKeys.PUBLISHED),
  /** Day of the last change. */
  MODIFIED(91, "modified", PageKeys.MODIFIED),
  /** Where the days were found. */
  DATE_SOURCE(92, "date_source", PageKeys.DATE_SOURCE),
  /** Kind of the licence. */
  LICENSE(93, "license", PageKeys.LICENSE),
  /** Address of the licence. */
  LICENSE_URL(94, "license_url", PageKeys.LICENSE_URL),
  /** Where the licence was found. */
  LICENSE_SOURCE(95, "license_source", PageKeys.LICENSE_SOURCE),
  /** Reservations against the use of the text. */
  RESERVATION(96, "reservation", PageKeys.RESERVATION),
  /** Signs of machine translation. */
  MT_SIGNALS(97, "mt_signals", PageKeys.MT_SIGNALS),
  /** Versions of the page in other languages. */
  ALTERNATES(98, "alternates", PageKeys.ALTERNATES),
  /** Authors, separated by semicolons. */
  AUTHOR(101, "author", PageKeys.AUTHOR),
  /** Name of the site. */
  SITE_NAME(102, "site_name", PageKeys.SITE_NAME),
  /** The headline above the main content. */
  HEADLINE(103, "headline", PageKeys.HEADLINE);

  private final int tag;
  private final String field;
  private final String key;

  Statement(int tag, String field, String key) {
    this.tag = tag;
    this.field = field;
    this.key = key;
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
}
