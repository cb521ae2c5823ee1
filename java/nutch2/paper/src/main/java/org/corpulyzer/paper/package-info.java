/**
 * The paper's stack in one process: Nutch 2.4 and HBase 1.2 crawl the sample web, in modes J and S,
 * beside a control by links. It is a fixture of tests, not a product: HBase listens on loopback
 * without authentication.
 */
package org.corpulyzer.paper;
