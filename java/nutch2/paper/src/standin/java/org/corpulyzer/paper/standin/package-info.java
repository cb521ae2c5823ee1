/**
 * Stand-ins for plugins of Nutch 2.4, whose own plugins are not on Maven Central: an HTML parser, a
 * protocol that reads through a proxy, a URL normaliser, and the scoring by links that the control
 * run needs.
 */
package org.corpulyzer.paper.standin;
