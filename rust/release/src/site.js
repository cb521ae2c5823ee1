// Finds websites by letters of their names, on all pages of the list.
const SHOWN = 100;
const find = document.getElementById("find");
const { hosts, a_page } = JSON.parse(document.getElementById("hosts").textContent);
const field = find.querySelector("input");
field.addEventListener("input", () => {
  const letters = field.value.trim().toLowerCase();
  const found = letters ? [...hosts.keys()].filter((number) => hosts[number].includes(letters)) : [];
  find.querySelector("output").textContent = letters ? `${found.length} found` : "";
  find.querySelector("ul").replaceChildren(...found.slice(0, SHOWN).map((number) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    const page = Math.floor(number / a_page);
    link.href = `${page ? `sites-${page + 1}.html` : ""}#s${number + 1}`;
    link.textContent = hosts[number];
    item.append(link);
    return item;
  }));
});
find.addEventListener("submit", (event) => event.preventDefault());
find.hidden = false;
