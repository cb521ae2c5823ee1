package org.corpulyzer.crawl;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * 64 bits of MD5. Among ten million texts, the probability that two different texts have the same
 * bits is three in a million.
 */
final class Fingerprint {
  private Fingerprint() {}

  static long of(String text) {
    try {
      return ByteBuffer.wrap(
              MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)))
          .getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }
}
