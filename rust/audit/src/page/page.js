"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const head = ["judgement", "page", "url", "language", "type", "note"];
  const at = (id) => document.getElementById(id);
  const verdicts = new Map(data.verdicts.map((verdict) => [verdict.key, verdict.label]));
  const judged = data.pages.map(() => ({ judgement: "", language: "", type: "", note: "" }));
  let shown = 0;
  let unsaved = false;
  let texts = data.strings.en;

  // A text in the language of the page, with values in its places.
  const text = (key, values = {}) =>
    texts[key].replace(/\{(\w+)\}/g, (_, name) => ({ language: data.language, ...values })[name] ?? "");

  // A spreadsheet runs a cell that begins so as a formula; an apostrophe before it marks a text.
  const isFormula = (text) => /^[\s']*[=+\-@＝＋－＠]/.test(text);
  const cell = (text) => {
    const line = text.replace(/[\p{Cc}\u2028\u2029]/gu, " ").trim();
    return isFormula(line) ? `'${line}` : line;
  };
  const value = (text) => (text.startsWith("'") && isFormula(text) ? text.slice(1) : text);
  const quoted = (text) => (/[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  const sheet = () => {
    const rows = data.pages.map((page, number) => {
      const { judgement, language, type, note } = judged[number];
      return [judgement, page.page, page.cell, cell(language), type, cell(note)].map(quoted).join("\t");
    });
    return `\ufeff${[head.join("\t"), ...rows].join("\n")}\n`;
  };

  // The cells of a line. Neither the page nor a spreadsheet writes line ends within them.
  const cells = (line) => {
    const found = [];
    for (const [, inQuotes, plain] of `\t${line}`.matchAll(/\t(?:"((?:[^"]|"")*)"|([^\t]*))/g)) {
      found.push(inQuotes === undefined ? plain : inQuotes.replaceAll('""', '"'));
    }
    return found;
  };

  const read = (file) => {
    const lines = file.replace(/^\ufeff/, "").split(/\r?\n/).filter((line) => line !== "");
    const names = cells(lines[0] ?? "").map((name) => name.trim().toLowerCase());
    if (!names.includes("judgement") || !names.includes("page")) {
      return text("not a sheet");
    }
    const numbers = new Map(data.pages.map((page, number) => [page.page, number]));
    let known = 0;
    for (const line of lines.slice(1)) {
      const row = cells(line);
      const of = (name) => (row[names.indexOf(name)] ?? "").trim();
      const number = numbers.get(of("page"));
      if (number === undefined) continue;
      known += 1;
      judged[number] = {
        judgement: data.verdicts.some((verdict) => verdict.label === of("judgement")) ? of("judgement") : "",
        language: value(of("language")),
        type: data.types.includes(of("type")) ? of("type") : "",
        note: value(of("note")),
      };
    }
    return text("rows", { known, all: lines.length - 1 });
  };

  const say = (what) => { at("said").textContent = what; };

  // The browser keeps the sheet of this sample, if it may. A sample is known by the names of its pages.
  const name = `corpulyzer-audit-${data.pages.map((page) => page.page).join("").slice(0, 512)}`;
  const keep = () => {
    unsaved = true;
    try {
      localStorage.setItem(name, sheet());
      unsaved = false;
    } catch { /* Then closing the page asks. */ }
  };
  const restore = () => {
    try {
      const kept = localStorage.getItem(name);
      if (kept === null) return;
      read(kept);
      const number = judged.filter((one) => one.judgement !== "").length;
      if (number) say(text("kept", { number }));
    } catch { /* As if there were none. */ }
  };

  // That of most letters: "auto" takes that of the first, also if an Urdu paragraph begins with a Latin name.
  const direction = (part) => {
    const count = (letters) => (part.match(letters) ?? []).length;
    const fromRight = count(/(?=\p{L})[\u{590}-\u{8ff}\u{fb1d}-\u{fdff}\u{fe70}-\u{feff}\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu);
    return 2 * fromRight > count(/\p{L}/gu) ? "rtl" : "ltr";
  };

  const show = () => {
    const page = data.pages[shown];
    const { judgement, language, type, note } = judged[shown];
    at("number").textContent = text("page", { number: shown + 1, all: data.pages.length });
    at("url").textContent = page.url;
    at("text").replaceChildren(...page.text.split("¶").filter((part) => part.trim() !== "").map((part) => {
      const block = document.createElement("p");
      block.dir = direction(part);
      block.textContent = part.trim();
      return block;
    }));
    for (const button of document.querySelectorAll("[data-verdict]")) {
      button.setAttribute("aria-pressed", String(button.dataset.verdict === judgement));
    }
    for (const button of document.querySelectorAll("[data-type]")) {
      button.setAttribute("aria-pressed", String(button.dataset.type === type));
    }
    at("language").value = language;
    at("note").value = note;
    const done = judged.filter((one) => one.judgement !== "").length;
    at("progress").value = done;
    at("done").textContent = text("done", { number: done });
  };

  const change = (name, to) => {
    judged[shown][name] = to;
    keep();
    say("");
    show();
  };
  const go = (to) => {
    shown = Math.min(Math.max(to, 0), data.pages.length - 1);
    show();
  };
  const pick = (name, to) => change(name, judged[shown][name] === to ? "" : to);
  const decide = (label) => {
    pick("judgement", label);
    if (label === "other" && judged[shown].judgement === label) at("language").focus();
  };
  const save = () => {
    const link = document.createElement("a");
    const judge = at("judge").value.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
    link.href = URL.createObjectURL(new Blob([sheet()], { type: "text/tab-separated-values" }));
    link.download = `judgements${judge && "-"}${judge}.tsv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    unsaved = false;
    say(text("saved", { file: link.download }));
  };

  const unjudged = () => {
    const after = judged.findIndex((one, number) => number > shown && one.judgement === "");
    const next = after < 0 ? judged.findIndex((one) => one.judgement === "") : after;
    if (next < 0) say(text("all done")); else go(next);
  };

  for (const button of document.querySelectorAll("[data-verdict]")) {
    button.addEventListener("click", () => decide(button.dataset.verdict));
  }
  for (const button of document.querySelectorAll("[data-type]")) {
    button.addEventListener("click", () => pick("type", button.dataset.type));
  }
  for (const name of ["language", "note"]) {
    at(name).addEventListener("input", (event) => {
      judged[shown][name] = event.target.value;
      keep();
    });
  }
  at("back").addEventListener("click", () => go(shown - 1));
  at("next").addEventListener("click", () => go(shown + 1));
  at("unjudged").addEventListener("click", unjudged);
  at("save").addEventListener("click", save);
  at("load").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    say(read(await file.text()));
    keep();
    event.target.value = "";
    show();
  });
  addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target instanceof HTMLInputElement) {
      if (event.key === "Enter" && event.target.type === "text") {
        event.target.blur();
        if (event.target.id !== "judge") go(shown + 1);
      }
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const type = data.types[Number(event.key) - 1];
    if (verdicts.has(event.key)) decide(verdicts.get(event.key));
    else if (type) pick("type", type);
    else if (event.key === "ArrowRight" || event.key === "Enter" && event.target === document.body) go(shown + 1);
    else if (event.key === "ArrowLeft") go(shown - 1);
    else if (event.key === "u") unjudged();
    else return;
    event.preventDefault();
  });

  const speak = (language) => {
    texts = data.strings[language] ?? data.strings.en;
    const root = document.documentElement;
    [root.lang, root.dir, document.title] = [language, texts.direction, text("title")];
    for (const element of document.querySelectorAll("[data-text]")) element.textContent = text(element.dataset.text);
    at("progress").setAttribute("aria-label", text("progress"));
    at("interface").value = language;
    show();
  };
  at("interface").addEventListener("change", (event) => speak(event.target.value));

  at("progress").max = data.pages.length;
  speak(navigator.languages.map((tag) => tag.split("-")[0]).find((tag) => tag in data.strings) ?? "en");
  restore();
  show();
})();
