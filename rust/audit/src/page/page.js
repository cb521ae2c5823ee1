"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const head = ["judgement", "page", "url", "language", "type", "note"];
  const at = (id) => document.getElementById(id);
  const verdicts = new Map(data.verdicts.map((verdict) => [verdict.key, verdict.label]));
  const judged = data.pages.map(() => ({ judgement: "", language: "", type: "", note: "" }));
  let shown = 0;
  let unsaved = false;

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

  const read = (text) => {
    const lines = text.replace(/^\ufeff/, "").split(/\r?\n/).filter((line) => line !== "");
    const names = cells(lines[0] ?? "").map((name) => name.trim().toLowerCase());
    if (!names.includes("judgement") || !names.includes("page")) {
      return "This file is not a sheet: its first line has no columns `judgement` and `page`.";
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
    return `${known} of ${lines.length - 1} rows are pages of this sample.`;
  };

  const say = (text) => { at("said").textContent = text; };

  const show = () => {
    const page = data.pages[shown];
    const { judgement, language, type, note } = judged[shown];
    at("number").textContent = `Page ${shown + 1} of ${data.pages.length}`;
    at("url").textContent = page.url;
    at("text").replaceChildren(...page.text.split("¶").filter((part) => part.trim() !== "").map((part) => {
      const block = document.createElement("p");
      block.dir = "auto";
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
    at("done").textContent = `${done} judged`;
  };

  const change = (name, to) => {
    judged[shown][name] = to;
    unsaved = true;
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
    say(`Saved as ${link.download}. Send this file to the person who asked you.`);
  };

  const unjudged = () => {
    const after = judged.findIndex((one, number) => number > shown && one.judgement === "");
    const next = after < 0 ? judged.findIndex((one) => one.judgement === "") : after;
    if (next < 0) say("All pages have a judgement. Save the file now."); else go(next);
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
      unsaved = true;
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
    unsaved = false;
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

  at("progress").max = data.pages.length;
  show();
})();
