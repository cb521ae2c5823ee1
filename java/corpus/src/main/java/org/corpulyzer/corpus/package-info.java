/**
 * Code from pages to a corpus that the jobs of both lines of Nutch share. The package has no type
 * of Nutch or HBase: the classes compile against the oldest supported Hadoop (2.7) and run on every
 * newer version.
 */
package org.corpulyzer.corpus;
