"use strict";
// Finds sections that have all words of the question; words in headings count for more.
const field = document.getElementById("search");
const list = document.getElementById("found");
const up = document.body.dataset.up;

function points(entry, words) {
  const title = (entry.p + " " + entry.h).toLowerCase();
  const text = entry.t.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const worth = (title.includes(word) ? 10 : 0) + Math.min(3, text.split(word).length - 1);
    if (worth === 0) return 0;
    sum += worth;
  }
  return entry.u.startsWith("guide/") ? sum + 2 : sum; // guides are where most questions end
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 40);
  return (at > 0 ? "… " : "") + text.slice(at, at + 140);
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
  const found = words.length === 0 ? [] : INDEX.map((entry) => [points(entry, words), entry])
    .filter(([worth]) => worth > 0).sort((a, b) => b[0] - a[0]).slice(0, 20);
  list.replaceChildren(...found.map(([, entry]) => {
    const item = document.createElement("li");
    const link = item.appendChild(document.createElement("a"));
    link.href = up + entry.u;
    link.textContent = entry.h === entry.p ? entry.p : entry.p + " - " + entry.h;
    link.appendChild(document.createElement("small")).textContent = excerpt(entry.t, words[0]);
    return item;
  }));
  if (words.length > 0 && found.length === 0) {
    list.appendChild(document.createElement("li")).textContent = "Nothing found";
  }
  list.hidden = words.length === 0;
}

field.addEventListener("input", show);
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== field) {
    event.preventDefault();
    field.focus();
  } else if (event.key === "Escape") {
    field.value = "";
    show();
  }
});
const asked = new URLSearchParams(location.search).get("q");
if (asked) {
  field.value = asked;
  show();
}
