package org.corpulyzer.corpus;

/**
 * Operator, language and program of a crawl, for the {@code warcinfo} record of a WARC file. A
 * value may be empty.
 */
public final class CrawlDescription {

  private final String software;
  private final String crawl;
  private final String language;
  private final String userAgent;
  private final String contact;

  /**
   * @param software name and version of the program
   * @param crawl name of the crawl
   * @param language target language as configured
   * @param userAgent name that the crawler gave to servers
   * @param contact mail address or page of the operator
   */
  public CrawlDescription(
      String software, String crawl, String language, String userAgent, String contact) {
    this.software = CorpusPage.orEmpty(software);
    this.crawl = CorpusPage.orEmpty(crawl);
    this.language = CorpusPage.orEmpty(language);
    this.userAgent = CorpusPage.orEmpty(userAgent);
    this.contact = CorpusPage.orEmpty(contact);
  }

  /**
   * @return the same crawl, for the corpus of one of its languages
   */
  CrawlDescription in(String oneLanguage) {
    return new CrawlDescription(software, crawl, oneLanguage, userAgent, contact);
  }

  String software() {
    return software;
  }

  String crawl() {
    return crawl;
  }

  String language() {
    return language;
  }

  String userAgent() {
    return userAgent;
  }

  String contact() {
    return contact;
  }
}
