package org.corpulyzer.crawl.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseUtil;
import org.apache.nutch.protocol.Content;
import org.junit.Before;
import org.junit.Test;

/** Documents, good ones and hostile ones, through Nutch's ParseUtil. All go through one process at most. */
public class DocumentParserTest {
  private static final int SECONDS = 6;
  private static final String URDU = "شہری انتظامیہ کے ایک افسر نے بتایا کہ کام اگلے مہینے تک مکمل کر لیا جائے گا";
  private static final String DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

  private Configuration conf;

  @Before
  public void configure() {
    conf = Plugins.configuration();
    conf.setInt(DocumentParser.SECONDS, SECONDS);
    conf.setInt(DocumentParser.CHARACTERS, 100_000);
  }

  @Test(timeout = 120_000)
  public void textAndTitleOfDocumentsAreRead() throws Exception {
    assertText("Hello from page one", parse("application/pdf", pdf("BT /F1 12 Tf 72 700 Td (Hello from page one) Tj ET")));
    assertText(URDU, parse(DOCX, docx("<w:p><w:r><w:t>" + URDU + "</w:t></w:r></w:p>")));
    assertText("plain words", parse("application/rtf", bytes("{\\rtf1\\ansi\\pard plain words\\par}")));
  }

  @Test(timeout = 120_000)
  public void aDocumentThatNeverEndsCostsItsTimeAlone() throws Exception {
    Parse parse = parse("application/pdf", endlessPdf());
    assertFalse(parse.getData().getStatus().isSuccess());
    assertTrue(parse.getData().getStatus().toString(), parse.getData().getStatus().getMessage().contains("over " + SECONDS * 1000 + " ms"));
    assertText("after", parse("application/pdf", pdf("BT /F1 12 Tf 72 700 Td (after) Tj ET")));
  }

  @Test(timeout = 120_000)
  public void aDocumentThatFillsTheMemoryEndsItsProcessAlone() throws Exception {
    Parse parse = parse("application/pdf", bombPdf());
    assertTrue(parse.getData().getStatus().toString(), parse.getText().trim().isEmpty());
    assertText("after", parse("application/pdf", pdf("BT /F1 12 Tf 72 700 Td (after) Tj ET")));
  }

  @Test(timeout = 120_000)
  public void brokenDocumentsAreFailedParses() throws Exception {
    for (String[] broken : new String[][] {{"application/pdf", "%PDF-1.4\nnothing"}, {DOCX, "PK\u0003\u0004nothing"}}) {
      assertFalse(broken[0], parse(broken[0], bytes(broken[1])).getData().getStatus().isSuccess());
    }
  }

  @Test(timeout = 120_000)
  public void aLongTextIsCutAtItsLimit() throws Exception {
    Parse parse = parse(DOCX, docx(("<w:p><w:r><w:t>" + URDU + "</w:t></w:r></w:p>").repeat(3000)));
    assertTrue(parse.getData().getStatus().toString(), parse.getData().getStatus().isSuccess());
    assertEquals(100_000, parse.getText().length(), 100);
  }

  private Parse parse(String type, byte[] bytes) throws Exception {
    String url = "http://example.org/document";
    return new ParseUtil(conf).parse(new Content(url, url, bytes, type, new Metadata(), conf)).get(url);
  }

  private static void assertText(String expected, Parse parse) {
    assertTrue(parse.getData().getStatus().toString(), parse.getData().getStatus().isSuccess());
    assertEquals(expected, parse.getText().trim());
  }

  private static byte[] pdf(String content) throws IOException {
    return pdf(stream("", bytes(content)), "");
  }

  /** A form that draws the next one twice, thirty levels deep. */
  private static byte[] endlessPdf() throws IOException {
    List<byte[]> forms = new ArrayList<>();
    int first = 5;
    int levels = 30;
    for (int i = 0; i < levels; i++) {
      String resources = i + 1 < levels ? "/Resources << /XObject << /X " + (first + i + 1) + " 0 R >> >> " : "";
      forms.add(stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9] " + resources, bytes(i + 1 < levels ? "/X Do /X Do" : "")));
    }
    return pdf(stream("", bytes("/X Do")), "/XObject << /X " + first + " 0 R >>", forms.toArray(new byte[0][]));
  }

  private static byte[] bombPdf() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new DeflaterOutputStream(packed)) {
      byte[] blanks = bytes(" ".repeat(1 << 20));
      for (int i = 0; i < 600; i++) {
        out.write(blanks);
      }
    }
    return pdf(stream("/Filter /FlateDecode ", packed.toByteArray()), "");
  }

  private static byte[] stream(String dictionary, byte[] content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes("<< " + dictionary + "/Length " + content.length + " >>\nstream\n"));
    out.write(content);
    out.write(bytes("\nendstream"));
    return out.toByteArray();
  }

  private static byte[] pdf(byte[] content, String resources, byte[]... more) throws IOException {
    List<byte[]> objects = new ArrayList<>(Arrays.asList(
        bytes("<< /Type /Catalog /Pages 2 0 R >>"), bytes("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
        bytes("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 << /Type /Font /Subtype "
            + "/Type1 /BaseFont /Helvetica >> >> " + resources + " >> >>"), content));
    objects.addAll(Arrays.asList(more));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes("%PDF-1.4\n"));
    StringBuilder table = new StringBuilder("xref\n0 " + (objects.size() + 1) + "\n0000000000 65535 f \n");
    for (int i = 0; i < objects.size(); i++) {
      table.append(String.format("%010d 00000 n %n", out.size()));
      out.write(bytes(i + 1 + " 0 obj\n"));
      out.write(objects.get(i));
      out.write(bytes("\nendobj\n"));
    }
    int start = out.size();
    out.write(bytes(table + "trailer << /Size " + (objects.size() + 1) + " /Root 1 0 R >>\nstartxref\n" + start + "\n%%EOF\n"));
    return out.toByteArray();
  }

  private static byte[] docx(String body) throws IOException {
    String head = "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n";
    String types = "http://schemas.openxmlformats.org/package/2006/";
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      put(out, "[Content_Types].xml", head + "<Types xmlns='" + types + "content-types'><Default Extension='rels' ContentType="
          + "'application/vnd.openxmlformats-package.relationships+xml'/><Override PartName='/word/document.xml' ContentType='"
          + DOCX + ".main+xml'/></Types>");
      put(out, "_rels/.rels", head + "<Relationships xmlns='" + types + "relationships'><Relationship Id='rId1' Type="
          + "'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument' Target='word/document.xml'/></Relationships>");
      put(out, "word/document.xml", head + "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:body>"
          + body + "</w:body></w:document>");
    }
    return bytes.toByteArray();
  }

  private static void put(ZipOutputStream out, String name, String text) throws IOException {
    out.putNextEntry(new ZipEntry(name));
    out.write(bytes(text));
    out.closeEntry();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
