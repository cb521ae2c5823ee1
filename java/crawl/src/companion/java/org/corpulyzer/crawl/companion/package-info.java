/**
 * Nutch plugins for the one-machine crawl: the parts that Nutch 1.x publishes only as source. Each
 * does what the stock plugin of the same extension point does, as far as a crawl of web pages needs
 * it.
 */
package org.corpulyzer.crawl.companion;
