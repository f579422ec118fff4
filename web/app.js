// The frame around the pages: which one is in view, whether the allocator answers, light or dark.

import {data, kinds, start, want} from "./data.js";
import {el, show} from "./dom.js";
import {choice, kindInView, pages} from "./pages.js";

const byId = (id) => document.getElementById(id);
const main = byId("main");
const body = el("div", {id: "page"});
const filter = el("input", {type: "search", id: "filter"});
const heading = el("h1", {});
const filterRow = el("div", {class: "filter"}, heading, el("label", {for: "filter"}, "Filter"), filter);
let page = null;

function clockOf(date) {
  return date ? date.toLocaleTimeString([], {hourCycle: "h23"}) : "never";
}

function drawKinds() {
  const select = byId("kind");
  const known = kinds();
  byId("kinds").hidden = known.length < 2;
  if ([...select.options].map((option) => option.value).join() !== known.join()) {
    show(select, known.map((kind) => el("option", {value: kind}, kind)));
  }
  select.value = kindInView();
}

function drawNotices() {
  const away = data.link === "away";
  document.body.classList.toggle("stale", away);
  byId("away").hidden = !away;
  byId("away").textContent = away
    ? `The allocator does not answer. What stands here is from ${clockOf(data.since)}; tasks run on meanwhile.` : "";
  byId("link").dataset.state = data.link;
  byId("link").textContent = {live: "live", polling: "asks every 2 s", away: "away", waiting: "connecting"}[data.link];
  const {recovery, degraded} = data.cluster ?? {recovery: {}, degraded: ""};
  const unusual = [];
  if (recovery.agents_known > 0) {
    const until = recovery.no_offers_for_s === null ? "" : `; no offers for ${Math.ceil(recovery.no_offers_for_s)} s more`;
    unusual.push(`The allocator was started again: ${recovery.agents_back} of ${recovery.agents_known} agents are back${until}.`);
  }
  if (degraded) unusual.push(`Degraded: ${degraded}`);
  byId("unusual").hidden = unusual.length === 0;
  byId("unusual").textContent = unusual.join(" ");
}

function draw() {
  drawNotices();
  if (!data.cluster) return;
  drawKinds();
  if (page.needs.some((name) => name !== "history" && !data.known.has(name))) {
    return show(body, el("p", {class: "note"}, "Waiting for the allocator's answer."));
  }
  show(body, page.draw());
  const {program, cluster, epoch, started_s} = data.cluster;
  byId("about").textContent =
    `proffer ${program}, cluster ${cluster}, epoch ${epoch}, allocator up since ${new Date(started_s * 1000).toLocaleString()}`;
  document.documentElement.dataset.drawn = page.title;
}

function open() {
  const [name, ...rest] = location.hash.replace(/^#\/?/, "").split("/");
  let id = rest.join("/");
  try {
    id = decodeURIComponent(id);
  } catch {
    // An address that somebody typed; it names nothing.
  }
  const make = Object.hasOwn(pages, name) ? pages[name] : pages[""];
  page = make(id);
  document.title = `${page.title} - proffer`;
  for (const anchor of document.querySelectorAll("nav a")) {
    const target = anchor.getAttribute("href").replace(/^#\/?/, "");
    if (target === name || target === `${name}s`) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
  choice.filter = filter.value = "";
  filterRow.hidden = !page.filter;
  heading.textContent = page.title;
  filter.placeholder = page.filter ?? "";
  delete document.documentElement.dataset.drawn;
  window.scrollTo(0, 0);
  draw();
  want(page.needs);
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

const preferred = window.matchMedia("(prefers-color-scheme: dark)");
const themeNow = () => localStorage.getItem("theme") ?? (preferred.matches ? "dark" : "light");
setTheme(themeNow());
preferred.addEventListener("change", () => setTheme(themeNow()));
byId("theme").addEventListener("click", () => {
  localStorage.setItem("theme", themeNow() === "dark" ? "light" : "dark");
  setTheme(themeNow());
});
byId("kind").addEventListener("change", (event) => {
  choice.kind = event.target.value;
  draw();
});
filter.addEventListener("input", () => {
  choice.filter = filter.value;
  draw();
});
show(main, filterRow, body);
window.addEventListener("hashchange", () => {
  open();
  main.focus({preventScroll: true});
});
open();
start(draw);
