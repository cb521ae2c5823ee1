package org.corpulyzer.crawl;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** 64 bits of MD5: among ten million texts two different ones share them with a chance of three in a million. */
final class Fingerprint {
  private Fingerprint() {}

  static long of(String text) {
    try {
      return ByteBuffer.wrap(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8))).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }
}
