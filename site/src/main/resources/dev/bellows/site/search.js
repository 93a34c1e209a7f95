// Searches the words of all pages, which words.js has; nothing leaves the browser.
const home = document.body.dataset.home;
const query = document.getElementById("query");
const found = document.getElementById("found");
const count = document.getElementById("count");
const MOST = 12;
// history and proof come after the pages that say how to use it
const LATER = ["CHANGELOG.html", "docs/bench/", "docs/decisions/", "docs/papers/"];

// a page counts if it has the beginning of every word that was typed; titles count most
function score(page, terms) {
  let sum = 0;
  for (const term of terms) {
    const inTitle = page.inTitle.indexOf(" " + term);
    const hits = page.inWords.split(" " + term).length - 1;
    if (inTitle < 0 && hits === 0) {
      return 0;
    }
    sum += (inTitle >= 0 ? 20 : 0) + Math.min(hits, 10);
  }
  return LATER.some(place => page.place.startsWith(place)) ? sum / 4 : sum;
}

function plain(text) {
  return " " + text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ");
}

// the text around the first word that was typed
function extract(page, terms) {
  const at = Math.max(0, page.words.toLowerCase().indexOf(terms[0]));
  const from = Math.max(0, at - 60);
  return (from > 0 ? "… " : "") + page.words.slice(from, from + 180) + " …";
}

for (const page of PAGES) {
  page.inTitle = plain(page.title);
  page.inWords = plain(page.words);
}

function show() {
  const terms = plain(query.value).trim().split(" ").filter(term => term !== "");
  const pages = terms.length === 0 ? [] : PAGES
    .map(page => ({ page, points: score(page, terms) }))
    .filter(entry => entry.points > 0)
    .sort((a, b) => b.points - a.points)
    .map(entry => entry.page);
  found.replaceChildren(...pages.slice(0, MOST).map(page => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = home + page.place;
    link.textContent = page.title;
    const text = document.createElement("p");
    text.textContent = extract(page, terms);
    item.append(link, text);
    return item;
  }));
  if (terms.length > 0 && pages.length === 0) {
    const item = document.createElement("li");
    item.textContent = "No page has all of these words.";
    found.append(item);
  }
  found.hidden = terms.length === 0;
  count.textContent = terms.length === 0 ? "" : pages.length + (pages.length === 1 ? " page" : " pages");
}

query.addEventListener("input", show);
query.addEventListener("keydown", event => {
  if (event.key === "Escape") {
    query.value = "";
    show();
  }
});
document.getElementById("search").addEventListener("submit", event => {
  event.preventDefault();
  const first = found.querySelector("a");
  if (first) {
    location.href = first.href;
  }
});
document.addEventListener("keydown", event => {
  if (event.key === "/" && document.activeElement !== query) {
    event.preventDefault();
    query.focus();
  }
});
// on a phone the text comes first
if (matchMedia("(max-width: 800px)").matches) {
  document.querySelector(".menu").open = false;
}
