//! Formulas as TeX: as the page states it, or made from MathML.

/// Characters of a formula. Longer ones are cut.
const MAX_TEX: usize = 16 << 10;

/// Elements of a formula that are open at once.
const MAX_DEPTH: usize = 64;

/// A formula that is being read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Formula {
    /// TeX of an attribute, such as `alttext`.
    stated: Option<String>,
    pub(crate) is_display: bool,
    /// Open elements with the TeX of their children.
    open: Vec<(String, Vec<String>)>,
    deeper: usize,
    annotation: Option<String>,
    in_annotation: bool,
    size: usize,
}

impl Formula {
    pub(crate) fn new(stated: Option<String>, is_display: bool) -> Self {
        let open = vec![("mrow".to_owned(), Vec::new())];
        Formula { stated, is_display, open, ..Formula::default() }
    }

    /// `encoding`: that of an annotation.
    pub(crate) fn start(&mut self, name: &str, encoding: Option<&str>) {
        let name = name.to_ascii_lowercase();
        if name == "annotation" {
            self.in_annotation = true;
            let is_tex =
                encoding.is_some_and(|encoding| encoding.to_ascii_lowercase().contains("tex"));
            if is_tex {
                self.annotation = Some(String::new());
            }
        } else if name == "mspace" || name == "none" || name == "mprescripts" {
            return;
        }
        if self.open.len() < MAX_DEPTH {
            self.open.push((name, Vec::new()));
        } else {
            self.deeper += 1;
        }
    }

    pub(crate) fn end(&mut self, name: &str) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let is_open = |(open, _): &(String, _)| open.eq_ignore_ascii_case(name);
        if !self.open[1..].iter().any(is_open) {
            return;
        }
        while self.open.len() > 1 {
            let done = self.open[self.open.len() - 1].0.eq_ignore_ascii_case(name);
            self.close();
            if done {
                break;
            }
        }
        self.in_annotation &= !name.eq_ignore_ascii_case("annotation");
    }

    fn close(&mut self) {
        let Some((name, children)) = self.open.pop() else { return };
        if name.starts_with("annotation") {
            return;
        }
        let tex = of_element(&name, &children);
        if let Some((_, siblings)) = self.open.last_mut() {
            siblings.push(tex);
        }
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.size += text.len();
        if self.size > MAX_TEX {
            return;
        }
        if self.in_annotation {
            if let Some(annotation) = &mut self.annotation {
                annotation.push_str(text);
            }
            return;
        }
        let text = text.trim();
        if !text.is_empty() && !matches!(text, "\u{2061}" | "\u{2062}" | "\u{2063}") {
            if let Some((_, children)) = self.open.last_mut() {
                children.push(text.to_owned());
            }
        }
    }

    /// The formula between signs of dollars; empty if it has no content.
    pub(crate) fn finish(mut self) -> String {
        while self.open.len() > 1 {
            self.close();
        }
        let made = || join(&self.open[0].1);
        let stated = self.stated.clone().or(self.annotation.clone());
        let tex = stated.filter(|tex| !tex.trim().is_empty()).unwrap_or_else(made);
        between_dollars(&tex, self.is_display)
    }
}

/// TeX between one or two signs of dollars, without the wrapping of Wikipedia.
pub(crate) fn between_dollars(tex: &str, is_display: bool) -> String {
    let mut tex = tex.trim();
    for style in ["{\\displaystyle ", "{\\textstyle "] {
        let inside = tex.strip_prefix(style).and_then(|tex| tex.strip_suffix('}'));
        tex = inside.map_or(tex, str::trim);
    }
    let tex = tex.split_whitespace().collect::<Vec<_>>().join(" ");
    match (tex.is_empty(), is_display) {
        (true, _) => tex,
        (false, true) => format!("$${tex}$$"),
        (false, false) => format!("${tex}$"),
    }
}

fn join(children: &[String]) -> String {
    let mut out = String::new();
    for child in children {
        // A command ends before the next letter.
        let ends_command = out.rsplit('\\').next().is_some_and(|name| {
            name.len() < out.len()
                && !name.is_empty()
                && name.bytes().all(|b| b.is_ascii_alphabetic())
        });
        if ends_command && child.starts_with(|c: char| c.is_ascii_alphabetic()) {
            out.push(' ');
        }
        out.push_str(child);
    }
    out
}

/// A part for a place that takes one character without braces.
fn grouped(part: Option<&String>) -> String {
    let part = part.map_or("", String::as_str);
    if part.chars().count() == 1 {
        return part.to_owned();
    }
    format!("{{{part}}}")
}

fn of_element(name: &str, children: &[String]) -> String {
    let [first, second, third] = [children.first(), children.get(1), children.get(2)];
    let base = first.map_or("", String::as_str);
    match name {
        "msup" | "mover" => format!("{base}^{}", grouped(second)),
        "msub" | "munder" => format!("{base}_{}", grouped(second)),
        "msubsup" | "munderover" => format!("{base}_{}^{}", grouped(second), grouped(third)),
        "mfrac" => format!("\\frac{{{base}}}{{{}}}", second.map_or("", String::as_str)),
        "msqrt" => format!("\\sqrt{{{}}}", join(children)),
        "mroot" => format!("\\sqrt[{}]{{{base}}}", second.map_or("", String::as_str)),
        "mtext" => format!("\\text{{{}}}", join(children)),
        "mtable" => format!("\\begin{{matrix}}{}\\end{{matrix}}", children.join("\\\\")),
        "mtr" => children.join(" & "),
        "mfenced" => format!("({})", children.join(",")),
        "semantics" => base.to_owned(),
        _ => join(children),
    }
}

#[cfg(test)]
mod tests {
    use crate::{content_of_text, ContentOptions, Extractor, Form};

    fn text(html: &str) -> String {
        content_of_text(html, &ContentOptions::new(Extractor::Text, Form::Text)).text
    }

    #[test]
    fn formulas_are_tex_once() {
        assert_eq!(
            text("<p>Is <math><mfrac><mn>1</mn><msqrt><mi>x</mi><mo>+</mo><mn>2</mn></msqrt></mfrac></math> small?"),
            "Is $\\frac{1}{\\sqrt{x+2}}$ small?"
        );
        assert_eq!(
            text("<p>So <math display=block alttext='{\\displaystyle a_{1}}'><mi>a</mi></math> holds."),
            "So $$a_{1}$$ holds."
        );
        assert_eq!(text("<p>If <script type='math/tex'>a<b</script> then."), "If $a<b$ then.");
    }
}
