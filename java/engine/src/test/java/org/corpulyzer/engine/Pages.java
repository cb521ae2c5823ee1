package org.corpulyzer.engine;

/** Text that the tests write pages with. */
final class Pages {

  static final String URDU =
      "شہری انتظامیہ کے ایک افسر نے بتایا کہ کام اگلے مہینے تک مکمل کر لیا جائے گا اور اس دوران"
          + " گاڑیوں کے لیے متبادل راستہ کھلا رہے گا۔ انہوں نے لوگوں سے درخواست کی کہ وہ کام کے"
          + " دوران تعاون کریں اور احتیاط سے گزریں۔";
  static final String ENGLISH =
      "The old bridge over the river was closed on Monday morning because the engineers found two"
          + " cracks in its northern pillar, and they expect that the work will take until the end"
          + " of the month.";

  private Pages() {}
}
