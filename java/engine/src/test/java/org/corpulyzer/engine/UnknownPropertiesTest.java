package org.corpulyzer.engine;

import static org.junit.Assert.assertEquals;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.Test;

/** Names of properties with typing errors. */
public class UnknownPropertiesTest {

  @Test
  public void names_with_typing_errors_are_found_and_names_of_others_are_not() {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("corpulyzer.language.target", "ur");
    conf.put("corpulyzer.langauge.target", "ur");
    conf.put("Corpolyzer.page.minBytes", "1");
    conf.put("corpulyzer", "1");
    conf.put("http.agent.name", "probe");
    Map<String, String> expected = new LinkedHashMap<>();
    expected.put("Corpolyzer.page.minBytes", "corpulyzer.page.minBytes");
    expected.put("corpulyzer.langauge.target", "corpulyzer.language.target");
    assertEquals(expected, UnknownProperties.in(conf.entrySet()));
    assertEquals(Collections.emptyMap(), UnknownProperties.in(Collections.emptySet()));
  }
}
