package org.corpulyzer.engine;

/**
 * A statement of a page about itself, which becomes a field of its record. docs/provenance.md
 * defines the fields. If a page lacks the statement, its record lacks the field.
 */
public enum Statement {
  /** Day of publication, such as {@code 2024-03-12}. */
  PUBLISHED(90, PageKeys.PUBLISHED),
  /** Day of the last change. */
  MODIFIED(91, PageKeys.MODIFIED),
  /** Where the days were found. */
  DATE_SOURCE(92, PageKeys.DATE_SOURCE),
  /** Kind of the licence. */
  LICENSE(93, PageKeys.LICENSE),
  /** Address of the licence. */
  LICENSE_URL(94, PageKeys.LICENSE_URL),
  /** Where the licence was found. */
  LICENSE_SOURCE(95, PageKeys.LICENSE_SOURCE),
  /** Reservations against the use of the text. */
  RESERVATION(96, PageKeys.RESERVATION),
  /** Signs of machine translation. */
  MT_SIGNALS(97, PageKeys.MT_SIGNALS),
  /** Versions of the page in other languages. */
  ALTERNATES(98, PageKeys.ALTERNATES),
  /** Authors, separated by semicolons. */
  AUTHOR(101, PageKeys.AUTHOR),
  /** Name of the site. */
  SITE_NAME(102, PageKeys.SITE_NAME),
  /** The headline above the main content. */
  HEADLINE(103, PageKeys.HEADLINE);

  private final int tag;
  private final String key;

  Statement(int tag, String key) {
    this.tag = tag;
    this.key = key;
  }

  /**
   * @return its tag in a frame
   */
  int tag() {
    return tag;
  }

  /**
   * @return its key in the metadata of a page, see {@link PageKeys}
   */
  public String key() {
    return key;
  }
}
