// Sorts a table by the column whose head is pressed, and opens the rest of long tables. Without scripts all rows are open.
for (const table of document.querySelectorAll("table:not(.still)")) {
  const body = table.tBodies[0];
  const value = (row, column) => row.cells[column].dataset.v ?? row.cells[column].textContent;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (!head.textContent) return;
    const link = head.querySelector(".def");
    const button = document.createElement("button");
    if (link) {
      // The term keeps its definition; the arrow beside it sorts.
      button.textContent = "↕";
      button.setAttribute("aria-label", "Sort by " + link.firstChild.textContent);
      head.append(" ", button);
    } else {
      button.textContent = head.textContent;
      head.replaceChildren(button);
    }
    button.addEventListener("click", () => {
      const numeric = head.classList.contains("n");
      const before = head.getAttribute("aria-sort");
      const down = before ? before === "ascending" : numeric;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [value(a, column), value(b, column)];
        const order = numeric ? x - y : x.localeCompare(y);
        return down ? -order : order;
      });
      rows.forEach((row, number) => row.classList.toggle("more", number >= 20));
      body.append(...rows);
    });
  });
  if (body.querySelector(".more")) {
    table.classList.add("short");
    const button = document.createElement("button");
    button.className = "all";
    button.textContent = `Show all ${body.rows.length} rows`;
    button.addEventListener("click", () => {
      table.classList.remove("short");
      button.remove();
    });
    table.after(button);
  }
}
// Definitions stay inside the window.
for (const term of document.querySelectorAll(".def")) {
  const tip = term.querySelector(".tip");
  const place = () => {
    tip.style.left = "0";
    tip.style.right = "auto";
    const { left, right } = tip.getBoundingClientRect();
    const width = document.documentElement.clientWidth;
    tip.style.left = `${Math.max(Math.min(0, width - 8 - right), 8 - left)}px`;
  };
  if (tip) for (const kind of ["pointerenter", "focus"]) term.addEventListener(kind, place);
}
// Shows the places of a word in the texts with what stands around them.
const search = document.getElementById("kwic");
if (search) {
  const AROUND = 60, SHOWN = 50;
  const field = search.querySelector("input"), lines = search.querySelector(".lines");
  const blocks = [...document.querySelectorAll(".text > p")];
  const find = () => {
    const word = field.value.trim().normalize("NFC").toLowerCase();
    lines.replaceChildren();
    let found = 0;
    for (const block of word ? blocks : []) {
      // A letter may be longer in lower case (İ), so the places are those of the text as shown only if the lengths agree.
      const shown = block.textContent, lower = shown.toLowerCase();
      const text = lower.length === shown.length ? lower : shown;
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        found += 1;
        if (found > SHOWN) continue;
        const line = document.createElement("p");
        line.lang = block.parentElement.lang;
        line.dir = getComputedStyle(block).direction;
        const end = at + word.length;
        for (const [name, from, to] of [["span", at - AROUND, at], ["mark", at, end], ["span", end, end + AROUND]]) {
          const part = document.createElement(name);
          part.textContent = shown.slice(Math.max(0, from), to);
          line.append(part);
        }
        lines.append(line);
      }
    }
    search.querySelector("output").textContent = word ? `${found} found${found > SHOWN ? `, the first ${SHOWN} shown` : ""}` : "";
  };
  field.addEventListener("input", find);
  search.addEventListener("submit", (event) => event.preventDefault());
  search.hidden = false;
}
