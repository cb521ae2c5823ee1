package org.corpulyzer.install;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public class PluginIncludesTest {
  @Test
  public void puts_corpulyzer_in_and_opic_out_and_changes_nothing_the_second_time()
      throws Exception {
    for (String[] vector : vectors()) {
      String adopted = PluginIncludes.adopt(vector[0]);
      assertEquals(vector[1], adopted);
      assertEquals(adopted, PluginIncludes.adopt(adopted));
    }
  }

  @Test
  public void adopting_changes_the_answer_for_no_other_plugin() throws Exception {
    for (String[] vector : vectors()) {
      String adopted = PluginIncludes.adopt(vector[0]);
      assertTrue(adopted, PluginIncludes.matches(adopted, "corpulyzer"));
      assertFalse(adopted, PluginIncludes.matches(adopted, "scoring-opic"));
      for (String id :
          new String[] {
            "protocol-http",
            "parse-html",
            "parse-tika",
            "scoring-link",
            "scoring-opic-like",
            "corpulyzer-next",
            "x"
          }) {
        assertEquals(
            id + " by " + vector[0],
            PluginIncludes.matches(vector[0], id),
            PluginIncludes.matches(adopted, id));
      }
    }
  }

  @Test
  public void releasing_brings_opic_back_and_keeps_what_the_operator_added() throws Exception {
    assertEquals(
        "parse-html|index-more|scoring-opic",
        PluginIncludes.release("parse-html|corpulyzer|index-more", "parse-html|scoring-opic"));
    assertEquals(
        "parse-html|index-more",
        PluginIncludes.release("parse-html|corpulyzer|index-more", "parse-html"));
  }

  private static List<String[]> vectors() throws Exception {
    List<String[]> vectors = new ArrayList<>();
    for (String line :
        Files.readAllLines(
            Paths.get(PluginIncludesTest.class.getResource("/plugin-includes.tsv").toURI()))) {
      if (!line.startsWith("#")) {
        vectors.add(line.split("\t", -1));
      }
    }
    return vectors;
  }
}
