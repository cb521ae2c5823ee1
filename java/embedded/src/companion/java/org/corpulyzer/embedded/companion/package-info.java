/**
 * Nutch plugins for the one-machine crawl: the parts that Nutch 2.4 publishes only as source. Each does what the stock plugin of the
 * same extension point does, as far as a crawl of web pages needs it.
 */
package org.corpulyzer.embedded.companion;
