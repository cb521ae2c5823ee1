/**
 * From pages to a corpus, and what the jobs of both lines of Nutch share. No type of Nutch or HBase stands here: the classes compile
 * against the oldest Hadoop that is served (2.7) and run on every newer one.
 */
package org.corpulyzer.corpus;
