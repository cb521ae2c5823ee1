// Looks at the report that it stands at the end of, and writes what is wrong with it into an element `checked`.
{
  const wrong = [];
  const check = (good, what) => good || wrong.push(what);
  wrong.push(...window.complaints);

  // Whether the browser asked for anything beside the page.
  check(performance.getEntriesByType("resource").length === 0, "something was loaded");

  // Text and what it stands on.
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      const alpha = channels(color)[3] ?? 1;
      check(alpha === 0 || alpha === 1, `half transparent ground: ${color}`);
      if (alpha === 1) return color;
    }
    return "rgb(255, 255, 255)";
  };
  let texts = 0, rightToLeft = 0, least = 21;
  for (const element of document.body.querySelectorAll("*")) {
    const own = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
    if (!own.length || ["SCRIPT", "STYLE", "title", "desc"].includes(element.tagName)) continue;
    texts += 1;
    const style = getComputedStyle(element);
    const color = element.closest("svg") ? style.fill : style.color;
    const [a, b] = [luminance(color), luminance(ground(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    least = Math.min(least, contrast);
    check(contrast >= 4.5, `contrast ${contrast.toFixed(2)}: ${own[0].data.trim().slice(0, 30)}`);
    if (element.tagName === "BDI" && /^[\u0600-\u06ff]/.test(own[0].data)) {
      rightToLeft += 1;
      check(style.direction === "rtl", `direction ${style.direction}: ${own[0].data}`);
    }
  }

  // Every plot says what it is.
  const plots = [...document.querySelectorAll("svg")];
  for (const plot of plots) {
    const names = (plot.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent.trim());
    check(plot.getAttribute("role") === "img" && names.length && names.every(Boolean), "a plot without a label");
    check(plot.closest("figure")?.querySelector("figcaption")?.textContent.trim(), "a plot without a caption");
    check(plot.getBoundingClientRect().width > 100, "a plot that is not to be seen");
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  check(new Set(ids).size === ids.length, "two elements have one id");
  for (const link of document.querySelectorAll("a")) {
    const to = link.getAttribute("href");
    check(/^https?:/.test(to) ? link.rel.includes("noreferrer") : document.querySelector(to), `${link.href} leads nowhere`);
  }

  // A word of the first text is found in it, with what stands around it.
  const search = document.getElementById("kwic");
  const first = document.querySelector(".text > p");
  check(first?.parentElement.lang === "ur" && getComputedStyle(first).direction === "rtl", "no text in its direction");
  const field = search.querySelector("input");
  const word = first.textContent.trim().split(/\s+/)[0];
  const lines = () => [...search.querySelectorAll(".lines p")];
  field.value = word;
  field.dispatchEvent(new Event("input"));
  check(lines().length && lines().every((line) => line.querySelector("mark").textContent === word), `${word} is not found`);
  check(/^\d+ found/.test(search.querySelector("output").textContent), "the places are not counted");
  check(document.documentElement.scrollWidth <= innerWidth, "the places are wider than the window");
  field.value = "\u{10ffff}";
  field.dispatchEvent(new Event("input"));
  check(!lines().length && search.querySelector("output").textContent === "0 found", "a word that is nowhere was found");

  // Nothing is wider than the window but what scrolls by itself.
  check(document.documentElement.scrollWidth <= innerWidth, `${document.documentElement.scrollWidth} pixels in ${innerWidth}`);

  // Definitions are inside the window when they are shown. In tables of narrow windows they are not.
  let tips = 0;
  for (const tip of document.querySelectorAll(".tip")) {
    if ((innerWidth <= 1000 && tip.closest(".scroll")) || tip.closest("details:not([open])")) continue;
    tip.style.display = "block";
    tip.parentElement.dispatchEvent(new Event("pointerenter"));
    const { left, right, height } = tip.getBoundingClientRect();
    const term = tip.parentElement.firstChild.data;
    check(left >= 0 && right <= innerWidth && height > 10, `${term} is told from ${left} to ${right} of ${innerWidth}`);
    check(document.documentElement.scrollWidth <= innerWidth, `${term} makes the page wider`);
    tip.style.display = "";
    tips += 1;
  }

  // A press on a head sorts by it, and another press turns that round.
  let sorted = 0;
  for (const table of document.querySelectorAll("table:not(.still)")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = head.querySelector("button");
      if (!button) return check(!head.textContent, `no button: ${head.textContent}`);
      const states = [0, 1].map(() => {
        button.click();
        const cells = [...table.tBodies[0].rows].map((row) => row.cells[column]);
        const values = cells.map((cell) => (head.classList.contains("n") ? Number(cell.dataset.v) : cell.textContent));
        const order = (x, y) => (typeof x === "number" ? x - y : x.localeCompare(y));
        const state = head.getAttribute("aria-sort");
        const sign = state === "descending" ? -1 : 1;
        check(values.every((value, at) => !at || sign * order(values[at - 1], value) <= 0), `not sorted: ${head.textContent}`);
        return state;
      });
      sorted += 1;
      check(states.toSorted().join() === "ascending,descending", `${head.textContent}: ${states}`);
    });
  }

  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const result = document.createElement("pre");
  result.id = "checked";
  result.textContent = JSON.stringify({ wrong: wrong.slice(0, 20), texts, rightToLeft, plots: plots.length, tips, sorted, dark, least, width: innerWidth });
  document.body.append(result);
}
