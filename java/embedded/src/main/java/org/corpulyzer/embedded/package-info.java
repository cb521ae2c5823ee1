/**
 * The one-machine crawl: starts ZooKeeper and HBase in this process, runs Nutch's own jobs round after round with the plugins, and
 * writes the corpus. {@link org.corpulyzer.embedded.Crawl} is the command.
 */
package org.corpulyzer.embedded;
