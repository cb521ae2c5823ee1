package org.apache.nutch.util;

import java.lang.reflect.Field;
import java.util.Map;
import org.apache.hadoop.mapreduce.Job;

/**
 * Members of Nutch 2.4 that a long-lived process needs and that are visible only in their own
 * package.
 */
public final class NutchInternals {
  private NutchInternals() {}

  /** The Hadoop job that a tool runs now or ran last; null before its first. */
  public static Job job(NutchTool tool) {
    return tool.currentJob;
  }

  /**
   * Forgets the plugin instances of finished jobs. Nutch caches them by configuration in a weak
   * map, but the instances refer to that configuration, so they are never freed; Nutch's own
   * processes end with the job.
   */
  public static void forgetPluginInstances() {
    try {
      Field cache = ObjectCache.class.getDeclaredField("CACHE");
      cache.setAccessible(true);
      synchronized (ObjectCache.class) {
        ((Map<?, ?>) cache.get(null)).clear();
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this is not Nutch 2.4", e);
    }
  }
}
