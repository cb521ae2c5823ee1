/**
 * Jobs for Nutch 1.20 and newer: scores, host table, link graph and corpus of a crawl whose state
 * is in a CrawlDb. The jar lies in Nutch's {@code lib/}, because tasks do not see the jars of
 * plugins.
 */
package org.corpulyzer.jobs;
