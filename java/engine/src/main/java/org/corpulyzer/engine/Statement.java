package org.corpulyzer.engine;

/**
 * A statement of a page about itself, which becomes a field of its record. docs/provenance.md
 * defines the fields. If a page lacks the statement, its record lacks the field.
 */
public enum Statement {
  /** Day of publication, such as {@code 2024-03-12}. */
  PUBLISHED(Tag.PUBLISHED, PageKeys.PUBLISHED),
  /** Day of the last change. */
  MODIFIED(Tag.MODIFIED, PageKeys.MODIFIED),
  /** Where the days were found. */
  DATE_SOURCE(Tag.DATE_SOURCE, PageKeys.DATE_SOURCE),
  /** Kind of the licence. */
  LICENSE(Tag.LICENSE, PageKeys.LICENSE),
  /** Address of the licence. */
  LICENSE_URL(Tag.LICENSE_URL, PageKeys.LICENSE_URL),
  /** Where the licence was found. */
  LICENSE_SOURCE(Tag.LICENSE_SOURCE, PageKeys.LICENSE_SOURCE),
  /** Reservations against the use of the text. */
  RESERVATION(Tag.RESERVATION, PageKeys.RESERVATION),
  /** Versions of the page in other languages. */
  ALTERNATES(Tag.STATED_ALTERNATES, PageKeys.ALTERNATES),
  /** Authors, separated by semicolons. */
  AUTHOR(Tag.AUTHOR, PageKeys.AUTHOR),
  /** Name of the site. */
  SITE_NAME(Tag.SITE_NAME, PageKeys.SITE_NAME),
  /** The headline above the main content. */
  HEADLINE(Tag.HEADLINE, PageKeys.HEADLINE);

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
