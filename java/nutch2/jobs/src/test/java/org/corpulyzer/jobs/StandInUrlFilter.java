package org.corpulyzer.jobs;

import org.apache.hadoop.conf.Configured;
import org.apache.nutch.net.URLFilter;

/** Refuses all URLs of a host. */
public final class StandInUrlFilter extends Configured implements URLFilter {

  @Override
  public String filter(String url) {
    return url.startsWith("http://h0.example/") ? null : url;
  }
}
