//! The text of a page is what a browser shows: pieces of HTML with the lines of Chromium.
#![allow(clippy::unwrap_used)]

use content::{content_of_text, ContentOptions, Extractor, Form};
use std::fs;

fn text(html: &str, extractor: Extractor) -> String {
    content_of_text(html, &ContentOptions::new(extractor, Form::Text)).text
}

fn markdown(html: &str) -> String {
    content_of_text(html, &ContentOptions::new(Extractor::Text, Form::Markdown)).text
}

#[test]
fn lines_are_those_of_a_browser() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/shown.tsv");
    let table = fs::read_to_string(path).unwrap();
    let unescaped = |cell: &str| cell.replace("\\n", "\n").replace("\\t", "\t");
    let mut wrong = Vec::new();
    for row in table.lines().skip(1) {
        let [topic, html, shown] = row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let (html, shown) = (unescaped(html), unescaped(shown));
        for extractor in [Extractor::Text, Extractor::Best] {
            let found = text(&html, extractor);
            // A short piece may have no main content for `best`; but no line of it is altered.
            let kept = extractor == Extractor::Best;
            if found != shown && !(kept && found.lines().all(|l| shown.lines().any(|s| s == l))) {
                wrong.push(format!("{topic} {extractor}: {found:?} instead of {shown:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Reading the structure too changes no text, also for extractors that leave unknown elements in the
/// head as NekoHTML does.
#[test]
fn the_text_of_an_open_head_does_not_depend_on_the_output() {
    for html in ["<title>t</title><x-a>oak", "<meta><details>oak<p>elm", "<title><c >a", "<nav>a"] {
        for extractor in Extractor::ALL {
            let bytes = [Form::Text, Form::Markdown].map(|form| {
                content_of_text(html, &ContentOptions::new(extractor, form)).visible_bytes
            });
            assert_eq!(bytes[0], bytes[1], "{html} {extractor}");
        }
    }
}

#[test]
fn what_we_decide_unlike_a_browser_without_scripts() {
    for (html, shown) in [
        ("<p>Choose <select><option>red<option>blue</select> here</p>", "Choose  here"),
        ("<p>x<canvas>old browser</canvas>y</p>", "xy"),
        ("<p>x&#1;y&#xFDD0;z</p>", "xyz"),
        ("<p>x<div class='bbCodeBlock-expandLink js'><a role=button>More</a></div>y", "x\ny"),
        ("<p>x</p><p>&zwnj;</p><p>&#8203; &nbsp;</p><p>می&zwnj;روم</p>", "x\nمی\u{200c}روم"),
        ("<p>x</p><p>y</p><table><tr><td>a<td></table>", "x\ny\na"),
        // A browser shows what is outside of cells before the table.
        ("<table><tr><td>a</td>b<i>c</i>d<td>e</td><b>f</b></table>", "a bcd\te f"),
        ("<p>x <math><mi>a</mi></math> y</p>", "x $a$ y"),
        ("<p>x <script type='math/tex'>a</script> y</p>", "x $a$ y"),
        ("<p style='text-transform:uppercase'>oak</p>", "oak"),
        ("<p><span style=\"float:left; font-size:40px\">O</span>nce</p>", "Once"),
        ("<details><summary>More</summary><p>Body</p></details>", "More\nBody"),
        ("<h2>Weir<a href=#w>¶</a></h2><p>a <a href=#x>#</a></p>", "Weir\na #"),
        (
            "<h4><a href=#w><span> # </span></a>Weir</h4><dl><dt>f()<a href=#f>¶</a></dl>",
            "Weir\nf()",
        ),
        ("<h3><a href=#w>§ 5</a> Of <a href=#x>mills</a>, again</h3>", "§ 5 Of mills, again"),
        ("<p>本<ruby>棚<rt>だな</rt></ruby>です</p>", "本棚です"),
    ] {
        assert_eq!(text(html, Extractor::Text), shown, "{html}");
    }
}

#[test]
fn a_line_that_inline_elements_cut_into_blocks_is_kept_or_dropped_whole() {
    let sentence =
        "the old mill by the river was rebuilt by the people of the village, and now it \
                    grinds flour again on two days of every week";
    let html = format!(
        "<title>Mill</title><nav><a href=a>Home</a> <a href=b>News</a></nav><article><h1>Mill</h1>\
         <p>Now <mark>{sentence}</mark>, <q>and</q> so on.</p><p>{sentence}.</p></article>"
    );
    for extractor in Extractor::ALL {
        let line = format!("Now {sentence}, and so on.");
        let found = text(&html, extractor);
        let is_whole = found.lines().any(|found| found == line);
        assert!(is_whole || !found.contains("so on"), "{extractor}: {found}");
    }
}

/// Boilerpipe ignores what is in an `<object>`, so all of it is beside the blocks.
#[test]
fn a_long_text_beside_the_blocks_is_whole() {
    let paragraph = |number: usize| format!("<p>Oak {number}<br>elm</p>");
    let html = format!("oak<object data=/x>{}", (0..600).map(paragraph).collect::<String>());
    assert_eq!(text(&html, Extractor::Text).lines().count(), 1201);
    assert_eq!(markdown(&html).matches("elm").count(), 600);
}

#[test]
fn structure_is_marked_once() {
    for (html, expected) in [
        ("<ul><li>a<ol><li>b<li>c</ol><li>d</ul>", "- a\n  1. b\n  2. c\n- d"),
        (
            "<ul><li><input type=checkbox checked> done<li><input type=checkbox> open</ul>",
            "- [x] done\n- [ ] open",
        ),
        ("<ol start=3><li>c<li value=7>g<li>h</ol>", "3. c\n7. g\n8. h"),
        ("<dl><div><dt>a<dd>b</div><div><dt>c<dd>d</div></dl>", "a\n: b\n\nc\n: d"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"),
        ("<a href='http://a.test/'><h3>x</h3></a>", "### [x](http://a.test/)"),
        ("<h2>On F# and #</h2>", "## On F# and \\#"),
        ("<h2>Roads <a href='#roads'>¶</a></h2>", "## Roads"),
        ("<p>If \\(a_1*b\\) then $$c_2$$, not \\[d\\].", "If $a_1*b$ then $$c_2$$, not \\\\\\[d\\\\\\]."),
        (
            "<table><tr><th>Soil<th>Plants<tr><td>clay<td><ul><li>leek<li>kale</ul></table>",
            "| Soil | Plants |\n| --- | --- |\n| clay | leek<br>kale |",
        ),
        (
            "<table><tr><th>Job<td><ol start=4><li><p>dig</p><li>sow</ol><tr><th>Run<td><pre>a|b\nc</pre></table>",
            "| Job | 4. dig<br>5. sow |\n| --- | --- |\n| Run | `a\\|b`<br>`c` |",
        ),
        (
            "<table><tfoot><tr><td>all<td>9</tfoot><tr><td>one<td>9</table>",
            "| one | 9 |\n| --- | --- |\n| all | 9 |",
        ),
        ("<p>x <b> y </b>z <i></i>w</p>", "x **y** z w"),
        ("<b>x<p>y</p></b>", "**x**\n\n**y**"),
        ("<b style='font-weight:normal'><p>x</p><p><em>y</em></p></b>", "x\n\n*y*"),
        (
            "<p><span style='color:red; font-weight: 700'>x</span> <i style=font-style:normal>y</i> \
             <span style='font-style:italic !important'>z</span> <i><b style=font-weight:400>v</b></i> \
             <span style='text-decoration:line-through'>w</span>",
            "**x** y *z* *v* ~~w~~",
        ),
        ("<p>10<sup>3</sup> and H<sub>2</sub>O", "10<sup>3</sup> and H<sub>2</sub>O"),
        (
            "<table><tr><th align=right>n<th>m<tr><td rowspan=2>1<td>2<tr><td>3</table>",
            "| n | m |\n| ---: | --- |\n| 1 | 2 |\n|  | 3 |",
        ),
        (
            "<pre><code class=language-py>a\n\n\n  b ```\n</code></pre>",
            "````py\na\n\n\n  b ```\n````",
        ),
        ("<pre><code class='hljs rust'>a</code></pre>", "```rust\na\n```"),
        ("<pre class='sourceCode lua'><code>a</code></pre>", "```lua\na\n```"),
        ("<pre class='brush: perl; ruler: true'>a</pre>", "```perl\na\n```"),
        ("<pre class='brush:perl;ruler:true'>a</pre>", "```perl\na\n```"),
        ("<pre class='lang:perl decode:true'>a</pre>", "```perl\na\n```"),
        (
            "<div class='highlight-perl notranslate'><div class=highlight><pre>a</pre></div></div>",
            "```perl\na\n```",
        ),
        (
            "<div class='highlight-none notranslate'><pre>a</pre></div><div class=src-only>\
             <pre class='src src-perl'>b</pre><pre data-language=lua>c</pre></div>",
            "```\na\n```\n\n```perl\nb\n```\n\n```lua\nc\n```",
        ),
        (
            "<p>x <mjx-container class=MathJax><mjx-math class=M><mjx-mi>n</mjx-mi></mjx-math>\
             <mjx-assistive-mml><math><mi>n</mi></math></mjx-assistive-mml></mjx-container> y",
            "x $n$ y",
        ),
        (
            "<p>They say <q>all of <q>us</q> and <q>them</q></q>.</p>",
            "They say \"all of 'us' and 'them'\".",
        ),
        ("<p>a ~~b~~ &amp;lt; $5</p>", "a \\~\\~b\\~\\~ \\&lt; $5"),
        ("<ul>stray<li>a</ul>", "- stray\n- a"),
        ("<ul><div><section><li>a<li>b</section></div><li>c</ul>", "- a\n- b\n- c"),
        ("<ul><a href=http://a.test/><li>a</a><li>b</ul>", "- [a](http://a.test/)\n- b"),
        (
            "<ul><a href=http://a.test/><li>a</li><li>b</li></a><b><li>c</b> d<li>e</ul>",
            "- [a](http://a.test/)\n- [b](http://a.test/)\n- **c** d\n- e",
        ),
        (
            "<a href=http://a.test/><ul><li>a<li>b</ul><blockquote>c</blockquote></a>",
            "- [a](http://a.test/)\n- [b](http://a.test/)\n\n> [c](http://a.test/)",
        ),
        (
            "<b><dl><dt>a<dd>b</dl><table><tr><th>c<th>d<tr><td>e<td>f</table></b>g",
            "**a**\n: **b**\n\n| **c** | **d** |\n| --- | --- |\n| **e** | **f** |\n\ng",
        ),
        ("<p><i>one <b>two</i> three</b> four", "*one **two*** **three** four"),
        (
            "<p><b>one <a href=http://a.test/>two</b> three</a> four",
            "**one [two](http://a.test/)** [three](http://a.test/) four",
        ),
        ("<ol><li>a</li><ol><li>b</ol><li>c</ol>", "1. a\n   1. b\n2. c"),
        ("<ol start=+3px><li>c</ol>", "3. c"),
        ("<p>a<b><br>b</b>", "a  \n**b**"),
        ("<div>a <div style=display:inline>b</div> c</div>", "a b c"),
        (
            "<p><span style=display:table-cell>b</span><span style=display:table-cell>c</span>",
            "b c",
        ),
        (
            "<table><form><tr><th>a<th>b<tr><div><td>c<td>d</div></form></table>",
            "| a | b |\n| --- | --- |\n| c | d |",
        ),
        ("<table><td>a<td>b<tr><td>c<td>d</table>", "| a | b |\n| --- | --- |\n| c | d |"),
        ("<table><tr><th>a<tr><td>b<tr><td>c</table>", "| a |\n| --- |\n| b |\n| c |"),
        ("<table><tr><td>a<tr><td>b</table>", "a\n\nb"),
        (
            "<table><tr><th>a<th>b<tr><td><h4>c</h4><blockquote>d</blockquote><td>e</table>",
            "| a | b |\n| --- | --- |\n| c<br>d | e |",
        ),
        ("<h2>a<br>b</h2><hr><p>c", "## a b\n\n---\n\nc"),
        ("<table><tr><td>x<table><tr><td>1<td>2</table></table>", "x\n\n| 1 | 2 |\n| --- | --- |"),
        (
            "<table><tr><th>Tree<th>Parts<tr><td>oak<td>see<table><caption>Two</caption><tr><td><p>root<td>3\
             <tr><td>leaf<br>bud<td>4|5</table></table>",
            "| Tree | Parts |\n| --- | --- |\n| oak | see<br>Two<br>root \\| 3<br>leaf bud \\| 4\\|5 |",
        ),
        (
            "<table><tr><td>oak<td>ash<tr><td><table><tr><td>a<td><table><tr><td>b<td>c</table></table><td>elm</table>",
            "| oak | ash |\n| --- | --- |\n| a \\| b \\| c | elm |",
        ),
        ("<p>oak<br><br>elm<br>ash", "oak\n\nelm  \nash"),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}
