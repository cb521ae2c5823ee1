/**
 * The one-machine crawl: round after round on Nutch's core and Hadoop's local mode in this process,
 * with the plugins, then the corpus. Everything is files under one data folder; no server runs and
 * no port is open. {@link org.corpulyzer.crawl.Crawl} is the command.
 */
package org.corpulyzer.crawl;
