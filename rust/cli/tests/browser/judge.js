// A judge at the page of `audit draw --html`: keys, saving and loading. The result is JSON in #checked.
(async () => {
  const found = { wrong: window.complaints };
  // Blobs are read at once: a read takes real time, and the browser may end before it.
  let saved;
  let loaded;
  let name;
  const RealBlob = Blob;
  window.Blob = function (parts, options) {
    saved = parts.join("");
    return new RealBlob(parts, options);
  };
  RealBlob.prototype.text = async () => loaded;
  URL.createObjectURL = () => "blob:test";
  URL.revokeObjectURL = () => {};
  HTMLAnchorElement.prototype.click = function () { name = this.download; };
  const key = (what, target = document.activeElement) => {
    target.dispatchEvent(new KeyboardEvent("keydown", { key: what, bubbles: true, cancelable: true }));
  };
  const type = (id, text) => {
    const input = document.getElementById(id);
    input.focus();
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const pressed = () => [...document.querySelectorAll("[aria-pressed=true]")].map((one) => one.textContent);
  const save = () => {
    document.getElementById("save").click();
    return saved;
  };
  const load = async (text) => {
    const files = new DataTransfer();
    files.items.add(new File([text], "judgements.tsv"));
    const input = document.getElementById("load");
    input.files = files.files;
    loaded = text;
    input.dispatchEvent(new Event("change"));
    for (let at = 0; at < 10; at += 1) await null;
  };

  const text = document.getElementById("text");
  found.direction = getComputedStyle(text.firstElementChild).direction;
  found.elements = [...text.querySelectorAll("*")].map((one) => one.localName);
  found.texts = [];
  const pages = Number(document.getElementById("progress").max);
  for (let at = 0; at < pages; at += 1) {
    found.texts.push(text.textContent, document.getElementById("url").textContent);
    key("ArrowRight");
  }
  for (let at = 0; at < pages; at += 1) key("ArrowLeft");

  key("y");
  key("3");
  found.pressed = pressed();
  key("Enter", document.body);
  key("o");
  found.focused = document.activeElement.id;
  type("language", "Saraiki");
  key("Enter");
  key("m", document.body);
  key("m", document.body);
  found.taken_back = pressed();
  key("m", document.body);
  type("note", "=1+1;\t\"x\"");
  key("Escape");
  key("u", document.body);
  key("s", document.body);
  type("judge", "Ann B.");
  found.done = document.getElementById("done").textContent;
  found.sheet = save();
  found.name = name;
  await load("no sheet");
  found.refused = document.getElementById("said").textContent;
  await load(found.sheet.replace("spam", "empty").replaceAll("\n", "\r\n"));
  found.loaded = document.getElementById("said").textContent;
  found.again = save();
  found.kept = Object.values({ ...localStorage }).includes(found.again);
  found.lang = text.lang;
  const choice = document.getElementById("interface");
  choice.value = "ur";
  choice.dispatchEvent(new Event("change"));
  found.urdu = [document.documentElement.dir, document.querySelector("h1").textContent];
  choice.value = "en";
  choice.dispatchEvent(new Event("change"));
  const result = document.createElement("pre");
  result.id = "checked";
  result.textContent = JSON.stringify(found);
  document.body.append(result);
})();
