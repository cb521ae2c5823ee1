package org.corpulyzer.jobs;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.EnumSet;
import org.apache.hadoop.io.MD5Hash;
import org.apache.nutch.crawl.MD5Signature;
import org.apache.nutch.crawl.Signature;
import org.apache.nutch.storage.WebPage;

/**
 * The MD5 of a page's main content, for {@code db.signature.class}. A page without text has the MD5
 * of its bytes as fetched, or of its URL. Nutch 1.x has the same class; Nutch 2.4 has only {@code
 * TextProfileSignature}, which finds near duplicates too.
 */
public class TextMD5Signature extends Signature {

  private final Signature fallback = new MD5Signature();

  @Override
  public byte[] calculate(WebPage page) {
    CharSequence text = page.getText();
    return text == null || text.length() == 0
        ? fallback.calculate(page)
        : MD5Hash.digest(text.toString().getBytes(StandardCharsets.UTF_8)).getDigest();
  }

  @Override
  public Collection<WebPage.Field> getFields() {
    Collection<WebPage.Field> fields = EnumSet.of(WebPage.Field.TEXT);
    fields.addAll(fallback.getFields());
    return fields;
  }
}
