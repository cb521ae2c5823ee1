/**
 * Hadoop jobs that keep a crawl in its language: host totals over the web table, then the score of
 * every row. They read exactly the columns they need and write exactly one, {@code score}, through
 * HBase's own client: Gora's HBaseStore logs a failed write and goes on, which would lose scores
 * with exit code 0.
 */
package org.corpulyzer.jobs;
