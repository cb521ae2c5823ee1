package org.corpulyzer.nutch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import org.apache.avro.util.Utf8;
import org.apache.nutch.storage.WebPage;

/**
 * A page's figures in {@code WebPage.metadata}, under the keys of {@link
 * org.corpulyzer.engine.PageKeys}, as UTF-8 text.
 */
final class PageFigures {

  private PageFigures() {}

  /**
   * @return the value, or null when the page has none
   */
  static String get(WebPage page, String key) {
    ByteBuffer value = page.getMetadata() == null ? null : page.getMetadata().get(new Utf8(key));
    return value == null ? null : StandardCharsets.UTF_8.decode(value.duplicate()).toString();
  }

  /**
   * Sets a value; null and empty remove it. The page's metadata must have been loaded: the store
   * replaces the family as a whole.
   */
  static void put(WebPage page, String key, String value) {
    if (page.getMetadata() == null) {
      page.setMetadata(new HashMap<>());
    }
    if (value == null || value.isEmpty()) {
      page.getMetadata().remove(new Utf8(key));
    } else {
      page.getMetadata()
          .put(new Utf8(key), ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)));
    }
  }
}
