//! Pages made to cost time or memory, of any length: one function for all, a name for each kind.

/// How a kind of page is made: something first, a unit over and over, something last.
pub enum Make {
    /// This text, repeated.
    Repeat(&'static str),
    /// The first once, the second repeated.
    After(&'static str, &'static str),
    /// The first so many times, then the second to the end.
    Over(usize, &'static str, &'static str),
    /// The first for half of the page, 200,000 times at most, then the second.
    Split(&'static str, &'static str),
}

/// Before a page: lol_html reads it from there on, whatever it is.
#[allow(dead_code)]
pub const FOR_LOL_HTML: &str = "<math></math>";

/// Every kind: its name and how it is made.
pub const KINDS: &[(&str, Make)] = &[
    (
        "prose",
        Make::Repeat(
            "<p>The river rose during the night, and the ferry could not leave before noon.</p>\n",
        ),
    ),
    ("text without markup", Make::Repeat("one text node of many words ")),
    ("one word", Make::Repeat("a")),
    ("blanks", Make::Repeat(" \n")),
    ("words of unspaced script", Make::Repeat("แม่น้ำเพิ่มขึ้นในเวลากลางคืน")),
    ("nul bytes", Make::Repeat("\0")),
    ("nul bytes in tags", Make::Repeat("<\0p\0>\0")),
    ("less-than signs", Make::Repeat("<")),
    ("beginnings of end tags", Make::Repeat("</")),
    ("beginnings of comments", Make::Repeat("<!")),
    ("a tag without end", Make::After("<a title=\"", "x")),
    ("a comment without end", Make::After("<!--", "-x")),
    ("dashes in a comment", Make::After("<!--", "--!")),
    ("comments that end with an exclamation mark", Make::After("<p>x", "<!--x--!>")),
    ("comments of both ends", Make::After("<p>x", "<!--x--!><!--x-->")),
    ("dashes and ends of tags in a comment", Make::After("<!--", "->-!>")),
    ("instructions without end", Make::Repeat("<?x")),
    ("ends of tags without a name", Make::Repeat("</ x")),
    ("cdata without end", Make::Repeat("<![CDATA[x")),
    ("styles without end", Make::Repeat("<style>")),
    ("titles without end", Make::Repeat("<title>x")),
    ("text areas in paragraphs", Make::Repeat("<p><textarea>x")),
    ("comments", Make::Repeat("<!--x-->")),
    ("cdata", Make::Repeat("<![CDATA[x]]>")),
    ("cdata in a picture", Make::After("<svg>", "<![CDATA[x]]>")),
    ("processing instructions", Make::Repeat("<?x?>")),
    ("ampersands", Make::Repeat("&")),
    ("control characters", Make::Repeat("oak\u{92} ")),
    ("entities", Make::Repeat("&amp;")),
    ("an entity without end", Make::After("&", "a")),
    ("a number without end", Make::After("&#", "1")),
    ("entities without end", Make::Repeat("&CounterClockwiseContourIntegra")),
    ("numbers beyond unicode", Make::Repeat("&#xffffffffffff;")),
    ("all of it for who runs no scripts", Make::After("<noscript>", "<p>x")),
    ("many texts for who runs no scripts", Make::Repeat("<noscript><p>x</p></noscript>")),
    ("paragraphs without end tags", Make::Repeat("<p>x")),
    ("breaks", Make::Repeat("<br>x")),
    ("empty paragraphs", Make::Repeat("<p></p>")),
    ("end tags alone", Make::Repeat("</b>")),
    ("paragraph end tags alone", Make::Repeat("</p>")),
    ("nested div", Make::Repeat("<div>")),
    ("nested div with text", Make::Repeat("<div>x")),
    ("nested b", Make::Repeat("<b>")),
    ("nested a", Make::Repeat("<a href=x>x")),
    ("nested links, formatting and paragraphs", Make::Repeat("<a><b><p>")),
    ("nested font", Make::Repeat("<font>x")),
    ("nested tables", Make::Repeat("<table><tr><td>x")),
    ("nested lists", Make::Repeat("<ul><li>x")),
    ("nested forms", Make::Repeat("<form>x")),
    ("nested headings", Make::Repeat("<h1>x")),
    ("nested unknown elements", Make::Repeat("<x:y>x")),
    ("hidden elements", Make::Repeat("<p>x<p hidden>x y z")),
    ("a hidden page", Make::After("<div hidden>", "<p>x y z")),
    (
        "parts and their places",
        Make::Repeat("<template id=\"B:1\"></template><div hidden id=\"S:1\">x</div>"),
    ),
    ("parts without end", Make::Repeat("<div hidden id=\"S:1\">x")),
    ("rows of hidden tables", Make::Repeat("<table hidden><tr id=\"S:1\"><td>x</tr></table>")),
    ("panels", Make::Repeat("<a aria-controls=a>x</a><div id=a hidden>y</div>")),
    ("panels in panels", Make::Repeat("<div role=tabpanel hidden>x")),
    (
        "a place in a part, over and over",
        Make::After(
            "<template id=\"B:1\"></template><div hidden id=\"S:1\">",
            "<!--$--><template id=\"B:1\"></template>",
        ),
    ),
    ("nested templates", Make::Repeat("<template>x")),
    ("nested selects", Make::Repeat("<select><option>x")),
    ("nested pictures", Make::Repeat("<svg><title>x")),
    ("nested formulas", Make::Repeat("<math><mi>x")),
    ("self-closing pictures", Make::Repeat("<svg/>")),
    ("plaintext", Make::After("<plaintext>", "<p>x")),
    ("a script without end", Make::After("<script>", "<p>x")),
    ("data of a script", Make::After("<script>a.__x={", "\"body\":\"<p>x\",")),
    ("data in strings", Make::After("<script>a.__x=\"", "[\\\"")),
    ("lists in the data of a script", Make::After("<script>a.__x=", "[\"x\",")),
    (
        "data in attributes",
        Make::Repeat("<a b=\"{&quot;body&quot;:&quot;x&quot;,&quot;x&quot;:\">x</a>"),
    ),
    ("rows of server components", Make::Repeat("<script>a.__next_f.push([1,\"5:T1,x\"])</script>")),
    (
        "elements of server components",
        Make::Repeat(
            r#"<script>a.__next_f.push([1,"5:[\"$\",\"p\",null,{\"children\":\"x\"}]\n"])</script>"#,
        ),
    ),
    (
        "nested elements of server components",
        Make::After(
            r#"<script>a.__next_f.push([1,"5:"#,
            r#"[\"$\",\"b\",null,{\"children\":[\"x\","#,
        ),
    ),
    (
        "texts that server components refer to",
        Make::Repeat(
            r#"<script>a.__next_f.push([1,"5:T1,x6:[\"$\",\"p\",null,{\"children\":\"$5\"}]\n"])</script>"#,
        ),
    ),
    ("scripts in a script", Make::After("<script><!--", "<script>")),
    ("titles", Make::Repeat("<title>x - y</title>")),
    ("a title of many parts", Make::After("<title>", "a - b")),
    ("a textarea without end", Make::After("<textarea>", "<p>x")),
    ("one attribute", Make::After("<p>x<a title=\"", "x")),
    ("attributes of one tag", Make::After("<p>x<a ", "a=b ")),
    ("attributes", Make::Repeat("<a b=c d=e f='g' h=\"i\" j k=l>")),
    ("one tag name", Make::After("<", "x")),
    ("metas", Make::Repeat("<meta name=robots content=all>")),
    ("html tags", Make::Repeat("<html lang=ur>")),
    ("links without text", Make::Repeat("<a href=x><img src=y></a><br>")),
    ("links in one block", Make::Repeat("<a href=x>x</a> ")),
    ("formatting out of order", Make::Repeat("<b><i>x</b></i>")),
    ("blocks in much formatting", Make::Over(1000, "<b>", "<button>x</button>")),
    ("end tags in much formatting", Make::Over(1000, "<i>", "<b>x</b>")),
    ("formatting opened again", Make::Over(1000, "<b><i>", "</b><b>")),
    ("tables in much formatting", Make::Over(1000, "<b>", "<table></table>")),
    ("cells in deep tables", Make::Over(250, "<table><tr><td>", "<td>x")),
    ("items in deep lists", Make::Over(500, "<ul><li>", "<li>x")),
    ("end tags that reach nothing", Make::Over(1000, "<font>", "</i>")),
    ("end tags over deep blocks", Make::Over(1000, "<div>", "</b>")),
    ("headings in deep blocks", Make::Over(1000, "<x>", "<h1>x</h1>")),
    ("text in deep blocks", Make::Over(1000, "<div>", "x<br>")),
    ("blocks that come and go in deep blocks", Make::Over(1000, "<x>", "<x>y</x>")),
    ("end tags over unclosed paragraphs", Make::Split("<p>", "</b>")),
    ("other end tags over unclosed elements", Make::Split("<x>", "</y>")),
    ("end tags of the first element over others", Make::Split("<b>", "</i></u>")),
    ("names of one tag", Make::After("<p>x<a ", "a ")),
    ("links without names", Make::Repeat("<a>")),
    ("classes", Make::After("<p>x<div class=\"", "nav-item ")),
    ("declared languages", Make::After("<html lang=\"", "ur,")),
    ("a value without end quote", Make::Repeat("<a href=\"x>x</a>")),
    ("a data url", Make::After("<p>x<img src=\"data:image/png;base64,", "iVBORw0KGgo")),
    ("a doctype without end", Make::After("<!doctype html public '", "x ")),
    ("a script of comments", Make::After("<script><!--", "x -")),
    ("scripts left and entered", Make::After("<script><!--<script>", "x--<")),
    ("surrogates as entities", Make::Repeat("&#xd83d;&#xde00;")),
    ("bases", Make::Repeat("<base href=x>")),
    ("marks on one letter", Make::After("<p>x", "\u{301}")),
    ("changes of direction", Make::Repeat("\u{202b}x\u{202c} ")),
    ("scripts by turns", Make::Repeat("a \u{634} ")),
    ("words of two scripts", Make::Repeat("\u{646}x\u{431}")),
    ("deep elements that come and go", Make::Repeat(DEEP)),
];

/// A list with a hundred elements in each other and one letter.
const DEEP: &str = "<ul><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x>\
<x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x>\
<x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x><x>y</ul>";

/// A page of this kind, of this many bytes or a few more.
pub fn page(make: &Make, length: usize) -> String {
    let mut page = String::with_capacity(length + 64);
    let mut fill = |to: usize, unit: &str| {
        while page.len() < to {
            page.push_str(unit);
        }
    };
    match *make {
        Make::Repeat(unit) => fill(length, unit),
        Make::After(first, unit) => {
            fill(1, first);
            fill(length, unit);
        }
        Make::Over(times, first, unit) => {
            fill(times * first.len(), first);
            fill(length, unit);
        }
        Make::Split(first, unit) => {
            // Few enough that the open elements alone do not reach the memory limit.
            fill((length / 2).min(200_000 * first.len()), first);
            fill(length, unit);
        }
    }
    page
}
