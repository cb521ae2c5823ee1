package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.HTMLMetaTags;
import org.apache.nutch.parse.HtmlParseFilter;
import org.apache.nutch.parse.HtmlParseFilters;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.ParseUtil;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.plugin.Extension;
import org.apache.nutch.plugin.PluginRepository;
import org.apache.nutch.protocol.Content;
import org.apache.xerces.dom.CoreDocumentImpl;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.PageReading;
import org.corpulyzer.engine.PageRecord;
import org.corpulyzer.engine.Settings;
import org.junit.Test;
import org.w3c.dom.DocumentFragment;

/**
 * Driver, parser and parse filter come from three class loaders and use one copy of the engine; a
 * page is read once.
 */
public class OneLibraryTest {
  private static final String URL = "http://example.org/";
  private static final String PAGE =
      "<html lang=ur><title>خبر</title><body><p>شہری انتظامیہ کے ایک افسر نے بتایا کہ کام اگلے"
          + " مہینے تک مکمل کر لیا جائے گا اور اس دوران گاڑیوں کے لیے متبادل راستہ کھلا رہے گا۔"
          + " انہوں نے لوگوں سے درخواست کی کہ وہ کام کے دوران تعاون کریں۔</p><a href=/x>x</a>";

  private final Configuration conf = Plugins.configuration();
  private final byte[] bytes = PAGE.repeat(3).getBytes(StandardCharsets.UTF_8);

  @Test
  public void allPluginsUseTheDriversCopyOfTheEngine() throws Exception {
    assertTrue(Engine.of(Settings.from(conf::get)).recordVersion().length() > 0);
    parse();
    Class<?> filter = plugin(HtmlParseFilter.X_POINT_ID, "WebAmParseFilter");
    Class<?> parser = plugin(Parser.X_POINT_ID, "HtmlParser");
    assertNotSame(filter.getClassLoader(), parser.getClassLoader());
    for (Class<?> plugin : new Class<?>[] {filter, parser}) {
      assertNotSame(plugin.getName(), Engine.class.getClassLoader(), plugin.getClassLoader());
      assertSame(
          plugin.getName(),
          Engine.class,
          plugin.getClassLoader().loadClass(Engine.class.getName()));
    }
    Set<String> libraries = new TreeSet<>();
    for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
      if (line.contains("libcorpulyzer")) {
        libraries.add(line.substring(line.indexOf('/')));
      }
    }
    assertEquals(libraries.toString(), 1, libraries.size());
  }

  private Class<?> plugin(String point, String simpleName) throws Exception {
    for (Extension extension :
        PluginRepository.get(conf).getExtensionPoint(point).getExtensions()) {
      if (extension.getClazz().endsWith("." + simpleName)) {
        return extension.getExtensionInstance().getClass();
      }
    }
    throw new AssertionError("no extension " + simpleName);
  }

  @Test
  public void figuresAreThoseOfThePageReadAlone() throws Exception {
    Parse parse = parse();
    PageRecord alone =
        Engine.of(Settings.from(conf::get))
            .page(bytes, URL, "text/html; charset=utf-8", Engine.Kind.HTML);
    Metadata figures = parse.getData().getParseMeta();
    assertEquals(alone.languages(), figures.get(PageKeys.LANGUAGES));
    assertEquals(alone.decision(), figures.get(PageKeys.DECISION));
    assertTrue(alone.targetBytes() > 300);
    assertEquals(Long.toString(alone.targetBytes()), figures.get(PageKeys.TARGET_BYTES));
    assertEquals(alone.mainText(), parse.getText());
    assertEquals("خبر", parse.getData().getTitle());
    assertEquals(1, parse.getData().getOutlinks().length);
  }

  @Test
  public void theFilterTakesTheRecordOfTheParser() throws Exception {
    Content content = content();
    Metadata figures = new Metadata();
    ParseResult result =
        ParseResult.createParseResult(
            URL,
            new ParseImpl(
                "",
                new ParseData(
                    new ParseStatus(ParseStatus.SUCCESS),
                    "",
                    new Outlink[0],
                    content.getMetadata(),
                    figures)));
    HTMLMetaTags tags = new HTMLMetaTags();
    tags.reset();
    DocumentFragment dom = new CoreDocumentImpl().createDocumentFragment();
    dom.setUserData(PageReading.RECORD, PageRecord.failed("not read"), null);
    Parse parse = new HtmlParseFilters(conf).filter(content, result, tags, dom).get(URL);
    assertEquals("failed", parse.getData().getParseMeta().get(PageKeys.STATUS));
    dom.setUserData(PageReading.RECORD, "of another kind", null);
    parse = new HtmlParseFilters(conf).filter(content, result, tags, dom).get(URL);
    assertEquals("ok", parse.getData().getParseMeta().get(PageKeys.STATUS));
    assertFalse(parse.getText().isEmpty());
  }

  private Content content() {
    Metadata headers = new Metadata();
    headers.set("Content-Type", "text/html; charset=utf-8");
    return new Content(URL, URL, bytes, "text/html", headers, conf);
  }

  private Parse parse() throws Exception {
    return new ParseUtil(conf).parse(content()).get(URL);
  }
}
