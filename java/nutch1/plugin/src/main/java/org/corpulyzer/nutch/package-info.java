/** Filters for Apache Nutch 1.20 and newer: thin adapters between Nutch's types and the engine. */
package org.corpulyzer.nutch;
