// Elements, made without any markup: all that comes from the cluster becomes text, whatever it looks like.

const kSvg = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("--")) element.style.setProperty(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

/// el("td", {class: "n"}, 3); a name that begins with -- is set as a property of its style.
export const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
export const svg = (name, attributes, ...children) =>
  fill(document.createElementNS(kSvg, name), attributes, children);

/// Replaces what is in a container. What had the focus has it again, if it is still there under its key.
export function show(container, ...children) {
  const focused = container.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  container.replaceChildren(...children.flat(Infinity).filter((child) => child));
  if (focused === undefined) return;
  for (const candidate of container.querySelectorAll("[data-key]")) {
    if (candidate.dataset.key === focused) return candidate.focus({preventScroll: true});
  }
}

/// A link within the dashboard: link("framework", id, name).
export const link = (page, id, text) =>
  el("a", {href: `#/${page}/${encodeURIComponent(id)}`, "data-key": `${page}/${id}`}, text);

/// columns: [{head, n: it is a number, cell: row => content, class}].
export function table(columns, rows, none) {
  if (rows.length === 0) return el("p", {class: "empty"}, none);
  const cells = (row) =>
    columns.map((column) => {
      const names = [column.n && "n", typeof column.class === "function" ? column.class(row) : column.class];
      return el("td", {class: names.filter(Boolean).join(" ") || null}, column.cell(row));
    });
  return el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Table", "data-key": "table"},
    el("table", {},
      el("thead", {}, el("tr", {}, columns.map((column) => el("th", {class: column.n && "n", scope: "col"}, column.head)))),
      el("tbody", {}, rows.map((row) => el("tr", {}, cells(row))))));
}

export const panel = (title, ...children) => el("section", {class: "panel"}, el("h2", {}, title), children);
export const pill = (text, mood) => el("span", {class: `pill ${mood ?? ""}`}, text);

/// A bar of parts: [{part: 0 to 1, colour, title}].
export const bar = (parts) =>
  el("div", {class: "bar", role: "img", "aria-label": parts.map((one) => one.title).join(", ")},
    parts.filter((one) => one.part > 0).map((one) =>
      el("i", {"--part": `${100 * one.part}%`, "--colour": one.colour, title: one.title})));

/// entries: [{colour, text, look: "dashed" or "hollow"}].
export const legend = (entries) =>
  el("ul", {class: "legend"}, entries.map((entry) =>
    el("li", {}, el("span", {class: `swatch ${entry.look ?? ""}`, "--colour": entry.colour}), entry.text)));
