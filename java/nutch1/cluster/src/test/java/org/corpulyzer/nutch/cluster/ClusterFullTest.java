package org.corpulyzer.nutch.cluster;

import java.util.Collections;
import java.util.List;

/** The same with a container for each task. */
public class ClusterFullTest extends ClusterTest {
  @Override
  List<String> tasks() {
    return Collections.emptyList();
  }
}
