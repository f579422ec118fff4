// The pages. Each says what it needs, and makes its content of it: page(id) => {title, needs, draw}.

import {format, lines, stacked} from "./charts.js";
import {colourOf, data, kinds} from "./data.js";
import {bar, el, legend, link, panel, pill, table} from "./dom.js";

const kMostAgents = 400;
const kMostTasks = 500;
const kMostSquares = 64;
const kReasons = ["no-node-local", "no-rack-local", "too-small", "no-pending-task", "policy", "other"];
const reasonColour = (reason) => `var(--c${(kReasons.indexOf(reason) + 8) % 8})`;
const kOutcomes = ["accepted", "declined", "rescinded", "expired"];

/// What the person chose, beside the page.
export const choice = {kind: null, filter: ""};

/// The kind that was chosen, or else the first one in use.
export const kindInView = () => {
  if (kinds().includes(choice.kind)) return choice.kind;
  return kinds().find((kind) => data.cluster.slots[kind].used > 0) ?? kinds()[0] ?? "map";
};

// The allocator counts processors in thousandths, and memory in MiB; here they are processors, and GiB.
const kScale = {cpus: 1000, memory: 1024};
const scaled = (kind, n) => (typeof n === "number" ? n / (kScale[kind] ?? 1) : n);
const unitOf = (kind) => (kind === "memory" ? " GiB" : "");
const amount = (kind, n) => (typeof n === "number" ? format(scaled(kind, n)) + unitOf(kind) : n);
const of = (bag) => scaled(kindInView(), bag?.[kindInView()] ?? 0);
const poolName = (name) => (name === "" ? "(root)" : name);
const sum = (bag) => Object.values(bag ?? {}).reduce((a, b) => a + b, 0);
const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
const bagText = (bag) => Object.entries(bag ?? {}).map(([kind, n]) => `${kind}=${amount(kind, n)}`).join(" ") || "-";
const percent = (part, whole) => (whole > 0 ? `${Math.round((100 * part) / whole)}%` : "-");
const card = (value, text) => el("div", {class: "card"}, el("b", {}, value), el("span", {}, text));

// ---- offers ----

function funnel(offers) {
  const counts = {...offers, declined: sum(offers.declined)};
  const all = kOutcomes.reduce((n, outcome) => n + counts[outcome], 0);
  return kOutcomes.map((outcome) => ({part: all ? counts[outcome] / all : 0, colour: `var(--${outcome})`,
                                      title: `${outcome} ${counts[outcome]}`}));
}

const reasonsOf = (declined) => {
  const all = sum(declined);
  return Object.entries(declined).map(([reason, n]) => ({part: all ? n / all : 0, colour: reasonColour(reason),
                                                         title: `${reason} ${n} (${percent(n, all)})`}));
};

const outcomeLegend = () => legend(kOutcomes.map((outcome) => ({colour: `var(--${outcome})`, text: outcome})));
const reasonLegend = () => legend(kReasons.map((reason) => ({colour: reasonColour(reason), text: reason})));
const barOrDash = (parts) => (parts.some((one) => one.part > 0) ? bar(parts) : "-");

// ---- history ----

const times = () => data.history.map((sample) => sample.at_s);

/// Series of frameworks or pools over time, those with the most slots first: {name, used, fair}.
function shares(list) {
  const names = new Set(data.history.flatMap((sample) => sample[list].map((one) => one.name)));
  const found = [...names].map((name) => {
    const rows = data.history.map((sample) => sample[list].find((one) => one.name === name));
    return {name, used: rows.map((row) => (row ? of(row.used) : null)),
            fair: rows.map((row) => (row ? of(row.fair) : null))};
  });
  const weight = (one) => one.used.reduce((a, b) => a + (b ?? 0), 0);
  return found.filter((one) => weight(one) > 0 || sum(one.fair) > 0).sort((a, b) => weight(b) - weight(a));
}

const capacity = () => data.history.map((sample) => of(sample.total));

function usedByFramework() {
  const all = shares("frameworks").filter((one) => one.used.some((n) => n > 0));
  // In the order of names, so that areas do not change places.
  const series = all.sort((a, b) => a.name.localeCompare(b.name))
    .map((one) => ({name: one.name, colour: colourOf(one.name), values: one.used}));
  return stacked(`Slots of kind ${kindInView()} that frameworks use, over time`, times(), series, capacity());
}

function usedAndFair(list, names, colour) {
  const chosen = shares(list).filter((one) => !names || names.includes(one.name)).slice(0, 6);
  const series = chosen.flatMap((one, i) => [
    {name: poolName(one.name), colour: colour(one.name, i), values: one.used},
    {name: `fair share of ${poolName(one.name)}`, colour: colour(one.name, i), values: one.fair, dashed: true},
  ]);
  if (series.length === 0) return [el("p", {class: "empty"}, `Nothing of kind ${kindInView()} is used or wanted.`)];
  return lines(`Slots of kind ${kindInView()} in use, and fair shares, over time`, times(), series);
}

const poolColour = (_, i) => `var(--c${i % 8})`;

function utilisation() {
  const series = kinds().map((kind, i) => ({
    name: kind, colour: `var(--c${i % 8})`,
    values: data.history.map((sample) => (sample.total[kind] ? (100 * (sample.used[kind] ?? 0)) / sample.total[kind] : null)),
  }));
  return lines("Utilisation of each kind of slots, in percent, over time", times(), series, "%", 100);
}

function offerRates() {
  const rate = (outcome) => data.history.map((sample) => sample.rates[outcome]);
  const series = kOutcomes.map((outcome) => ({name: outcome, colour: `var(--${outcome})`, values: rate(outcome)}));
  return stacked("Offers a second, by what became of them, over time", times(), series);
}

// ---- words ----

function frameworkWords(one) {
  const kind = kindInView();
  const used = of(one.used), fair = of(one.fair);
  const demand = scaled(kind, one.demand[kind]);
  const words = [];
  if (!one.connected) {
    words.push(one.given_up_in_s === null ? "It is gone; its last tasks end."
      : `It is away, and is given up in ${plural(Math.round(one.given_up_in_s), "second")}; its tasks run on.`);
  }
  if (demand === 0 && used === 0) words.push(`It wants no ${kind} slots now.`);
  else if (demand !== undefined && demand !== "unbounded" && used >= demand) {
    words.push(`It has all ${demand} ${kind} slots that it wants.`);
  } else if (used < fair) {
    words.push(`It uses ${used} of the ${fair} ${kind} slots that are its fair share.`);
    words.push(of(one.offered) > 0 ? `${plural(of(one.offered), "more slot")} is on offer to it now.`
      : "What is free is offered to it first; if it stays below, look at why it declines.");
  } else {
    words.push(`It uses ${used} ${kind} slots; its fair share is ${fair}` +
      (demand === undefined || demand === "unbounded" ? "." : `, and it could use ${demand}.`));
  }
  const reasons = Object.entries(one.offers.declined).sort((a, b) => b[1] - a[1]);
  if (reasons.length > 0) {
    const [reason, n] = reasons[0];
    const why = {"no-node-local": "it waits for agents that hold its data", "too-small": "no task of it fits",
                 "no-rack-local": "it waits for racks that hold its data", "no-pending-task": "it had nothing to run",
                 policy: "its policy says so", other: "by a rule of its own"}[reason];
    words.push(`Of ${plural(one.offers.sent, "offer")} it declined ${sum(one.offers.declined)}, mostly since ${why ?? reason} (${n}).`);
  }
  return words;
}

const words = (sentences) => panel("In words", el("div", {class: "words"}, sentences.map((text) => el("p", {}, text))));

function stateOf(one) {
  if (one.connected) return pill("up", "good");
  if (one.given_up_in_s === null) return pill("ending", "bad");
  return pill(`away, ${Math.round(one.given_up_in_s)} s left`, "warn");
}

// ---- shares ----

/// A bar of used slots with marks for the fair share and the guarantee, and an outline for the demand.
function shareBar(used, fair, most, demand, min) {
  const part = (n) => `${Math.min(100, most > 0 ? (100 * n) / most : 0)}%`;
  const wanted = demand === "unbounded" || demand === undefined ? most : demand;
  const title = `used ${used}, fair share ${fair}, demand ${demand ?? "unbounded"}${min ? `, guaranteed ${min}` : ""}`;
  return el("div", {class: `share ${used > fair ? "over" : ""}`, role: "img", "aria-label": title, title},
    el("div", {class: "demand", "--part": part(wanted)}), el("div", {class: "used", "--part": part(used)}),
    el("div", {class: "mark", "--part": part(fair)}), min ? el("div", {class: "mark min", "--part": part(min)}) : null);
}

const shareLegend = () => legend([
  {colour: "var(--c0)", text: "used"}, {colour: "var(--c1)", text: "used, above the fair share"},
  {colour: "var(--ink)", look: "line", text: "fair share"}, {colour: "var(--c1)", look: "line", text: "guaranteed"},
  {colour: "var(--soft)", look: "hollow", text: "demand"},
]);

// ---- tasks and agents ----

function tasksTable(tasks, none) {
  const shown = tasks.slice(0, kMostTasks);
  const columns = [
    {head: "Task", class: "name", cell: (task) => task.task},
    {head: "Job", n: true, cell: (task) => task.job || "-"},
    {head: "Framework", class: "name", cell: (task) => link("framework", task.framework_id, task.framework)},
    {head: "Agent", cell: (task) => link("agent", task.agent_id, task.agent)},
    {head: "State", cell: (task) => pill(task.state, task.state === "RUNNING" ? "good" : "")},
    {head: "Uses", cell: (task) => bagText(task.resources)},
  ];
  const cut = shown.length < tasks.length ? el("p", {class: "note"}, `The first ${shown.length} of ${tasks.length}.`) : null;
  return [table(columns, shown, none), cut];
}

function agentState(one) {
  if (one.trouble) return pill("trouble", "bad");
  if (one.reach !== "up") return pill(one.reach, one.reach === "unreachable" ? "bad" : "warn");
  return one.wish ? pill(one.wish, "warn") : pill("up", "good");
}

function slotsOf(one, kind) {
  const total = one.total[kind], offered = one.offered[kind] ?? 0;
  if (total > kMostSquares) {
    const parts = one.runs.map((run) => ({part: (run.used[kind] ?? 0) / total, colour: colourOf(run.framework),
                                          title: `${run.framework} ${amount(kind, run.used[kind] ?? 0)} of ${amount(kind, total)}`}));
    return bar([...parts, {part: offered / total, colour: "var(--offered)", title: `on offer ${amount(kind, offered)}`}]);
  }
  const squares = one.runs.flatMap((run) => Array.from({length: run.used[kind] ?? 0}, () =>
    el("span", {class: "slot used", "--colour": colourOf(run.framework), title: run.framework})));
  // Tasks that the allocator has found there again, and whose framework is not back.
  const others = (one.used[kind] ?? 0) - squares.length;
  for (let i = 0; i < others; ++i) squares.push(el("span", {class: "slot others", title: "in use by others"}));
  for (let i = 0; i < offered; ++i) squares.push(el("span", {class: "slot offered", title: "on offer"}));
  while (squares.length < total) squares.push(el("span", {class: "slot", title: "idle"}));
  const running = one.runs.filter((run) => run.used[kind]).map((run) => `${run.framework} ${run.used[kind]}`);
  return el("div", {class: "slots", role: "img",
                    "aria-label": `${kind}: ${[...running, others > 0 && `others ${others}`, `on offer ${offered}`].filter(Boolean).join(", ")}, of ${total}`}, squares);
}

function agentTile(one) {
  const mood = one.trouble || one.reach === "unreachable" ? "bad" : one.reach !== "up" || one.wish ? "warn" : "";
  return el("article", {class: `agent ${mood}`},
    el("h3", {}, link("agent", one.id, one.name), mood ? agentState(one) : el("span", {class: "note"}, one.tasks || "")),
    Object.keys(one.total).map((kind) => el("div", {class: "kind"}, el("span", {title: kind}, kind), slotsOf(one, kind))));
}

function frameworkLegend(agents) {
  const names = [...new Set(agents.flatMap((one) => one.runs.map((run) => run.framework)))].sort();
  return legend([...names.slice(0, 30).map((name) => ({colour: colourOf(name), text: name})),
                 {colour: "var(--offered)", text: "on offer"}, {colour: "none", look: "hollow", text: "idle"}]);
}

const matches = (...texts) => texts.some((text) => text.toLowerCase().includes(choice.filter.toLowerCase()));

// ---- pages ----

const overview = () => ({
  title: "Overview", needs: ["offers", "frameworks", "history"],
  draw: () => {
    const {slots, agents, frameworks, tasks, offers} = data.cluster;
    const rates = data.history.at(-1)?.rates ?? {};
    const all = sum(agents);
    return [
      el("h1", {}, "Overview"),
      el("div", {class: "cards"},
        Object.entries(slots).map(([kind, n]) => card(`${format(scaled(kind, n.used))} / ${amount(kind, n.total)}`, `${kind} in use, ${percent(n.used, n.total)}`)),
        card(`${agents.up} / ${all}`, "agents up"),
        card(frameworks.up + frameworks.away, frameworks.away ? `frameworks, ${frameworks.away} away` : "frameworks"),
        card(format(tasks.living), "tasks that have not ended"),
        card(format(rates.sent), "offers a second"),
        card(percent(offers.accepted, offers.sent), "of all offers accepted")),
      el("div", {class: "panels"},
        panel(`Slots in use by framework (${kindInView()})`, usedByFramework()),
        panel(`In use against fair share (${kindInView()})`, usedAndFair("frameworks", null, colourOf)),
        panel("Utilisation", utilisation()),
        panel("Offers a second", offerRates()),
        panel("Offers since the start", barOrDash(funnel(offers)), outcomeCounts(offers)),
        panel("Why offers are declined", barOrDash(reasonsOf(offers.declined)), reasonCounts(offers.declined))),
    ];
  },
});

const outcomeCounts = (offers) => legend(kOutcomes.map((outcome) => ({
  colour: `var(--${outcome})`, text: `${outcome} ${outcome === "declined" ? sum(offers.declined) : offers[outcome]}`})));
const reasonCounts = (declined) => (sum(declined) === 0 ? el("p", {class: "note"}, "None was declined yet.")
  : legend(Object.entries(declined).map(([reason, n]) => ({colour: reasonColour(reason), text: `${reason} ${n}`}))));

const pools = () => ({
  title: "Pools", needs: ["pools", "history"],
  draw: () => {
    const rows = inTree(data.pools);
    const most = scaled(kindInView(), data.cluster.slots[kindInView()]?.total ?? 0);
    const demand = (pool) => scaled(kindInView(), pool.demand[kindInView()]);
    const level = (pool) => (pool.name === "" ? "" : `level${Math.min(3, pool.name.split(".").length)}`);
    return [
      el("h1", {}, `Pools (${kindInView()})`),
      panel("Shares", table([
        {head: "Pool", class: (pool) => `name ${level(pool)}`, cell: (pool) => link("pool", pool.name || "(root)", poolName(pool.name.split(".").at(-1)))},
        {head: "Used, fair share, demand", class: "bars", cell: (pool) => shareBar(of(pool.used), of(pool.fair), most, demand(pool), of(pool.min_share))},
        {head: "Used", n: true, cell: (pool) => format(of(pool.used))},
        {head: "Fair", n: true, cell: (pool) => format(of(pool.fair))},
        {head: "Demand", n: true, cell: (pool) => (demand(pool) === undefined ? "any" : typeof demand(pool) === "string" ? "any" : format(demand(pool)))},
        {head: "Guaranteed", n: true, cell: (pool) => of(pool.min_share) || "-"},
        {head: "Weight", n: true, cell: (pool) => pool.weight},
        {head: "Frameworks", n: true, cell: (pool) => pool.frameworks + (pool.waiting ? ` (${pool.waiting} wait)` : "")},
      ], rows, "There are no pools."), shareLegend()),
      panel("In use against fair share", usedAndFair("pools", rows.filter((pool) => pool.name !== "").map((pool) => pool.name), poolColour)),
    ];
  },
});

/// Each pool before those in it.
function inTree(all) {
  const key = (pool) => pool.name.split(".");
  return [...all].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    for (let i = 0; i < Math.min(x.length, y.length); ++i) {
      if (x[i] !== y[i]) return x[i].localeCompare(y[i]);
    }
    return x.length - y.length;
  });
}

const frameworks = () => ({
  title: "Frameworks", needs: ["frameworks"], filter: "Name, pool or user",
  draw: () => {
    const rows = data.frameworks.filter((one) => matches(one.name, one.pool, one.user));
    const most = scaled(kindInView(), data.cluster.slots[kindInView()]?.total ?? 0);
    return [
      panel(`Frameworks (${kindInView()})`, table([
        {head: "Framework", class: "name", cell: (one) => link("framework", one.id, one.name)},
        {head: "Pool", class: "name", cell: (one) => link("pool", one.pool || "(root)", poolName(one.pool))},
        {head: "State", cell: stateOf},
        {head: "Used, fair share, demand", class: "bars", cell: (one) => shareBar(of(one.used), of(one.fair), most, scaled(kindInView(), one.demand[kindInView()]))},
        {head: "Used", n: true, cell: (one) => format(of(one.used))},
        {head: "Fair", n: true, cell: (one) => format(of(one.fair))},
        {head: "Launched", n: true, cell: (one) => format(one.tasks.launched)},
        {head: "Offers", n: true, cell: (one) => format(one.offers.sent)},
        {head: "What became of them", class: "bars", cell: (one) => barOrDash(funnel(one.offers))},
        {head: "Why declined", class: "bars", cell: (one) => barOrDash(reasonsOf(one.offers.declined))},
      ], rows, "There is no such framework.")),
      panel("Colours", el("p", {class: "note"}, "What became of offers:"), outcomeLegend(),
        el("p", {class: "note"}, "Why they were declined:"), reasonLegend(),
        el("p", {class: "note"}, "Shares:"), shareLegend()),
    ];
  },
});

const agents = () => ({
  title: "Agents", needs: ["agents"], filter: "Name or rack",
  draw: () => {
    const found = data.agents.filter((one) => matches(one.name, one.rack));
    const shown = found.slice(0, kMostAgents);
    const racks = [...new Set(shown.map((one) => one.rack))].sort();
    return [
      panel("Colours", frameworkLegend(shown)),
      found.length === 0 ? el("p", {class: "empty"}, "There is no such agent.") : null,
      racks.map((rack) => {
        const here = shown.filter((one) => one.rack === rack);
        return el("section", {class: "rack"}, el("h2", {}, `${rack || "(no rack)"}: ${plural(here.length, "agent")}`),
          el("div", {class: "grid"}, here.map(agentTile)));
      }),
      shown.length < found.length ? el("p", {class: "note"}, `The first ${shown.length} of ${found.length}.`) : null,
    ];
  },
});

const tasks = () => ({
  title: "Tasks", needs: ["tasks"], filter: "Task, framework or agent",
  draw: () => {
    const {tasks: known, living} = data.tasks;
    const found = known.filter((task) => matches(task.task, task.framework, task.agent));
    return [
      panel(`Tasks that have not ended: ${living}`, tasksTable(found, "There is no such task."),
        known.length < living ? el("p", {class: "note"}, `The allocator tells the newest ${known.length} of them.`) : null,
        el("p", {class: "note"}, "Jobs are their framework's own: the allocator knows their numbers alone.")),
    ];
  },
});

const gone = (what) => [el("h1", {}, `This ${what} is not in the cluster (any more)`),
                        el("p", {}, el("a", {href: `#/${what}s`}, `All ${what}s`))];
const facts = (pairs) => el("dl", {class: "facts"}, pairs.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));

const framework = (id) => ({
  title: "Framework", needs: ["frameworks", "tasks", "history"],
  draw: () => {
    const one = data.frameworks.find((candidate) => candidate.id === id);
    if (!one) return gone("framework");
    const own = data.tasks.tasks.filter((task) => task.framework_id === id);
    return [
      el("h1", {}, one.name),
      el("div", {class: "panels"},
        words(frameworkWords(one)),
        panel("Facts", facts([
          ["State", stateOf(one)], ["Pool", link("pool", one.pool || "(root)", poolName(one.pool))],
          ["User", one.user || "-"], ["Priority", one.priority], ["Used", bagText(one.used)],
          ["On offer", bagText(one.offered)], ["Fair share", bagText(one.fair)], ["Demand", bagText(one.demand)],
          ["Tasks", `${one.tasks.launched} launched, ${one.tasks.finished} finished, ${one.tasks.failed} ended otherwise`],
          ["Answers after", one.offers.answered_after_s === null ? "-" : `${(1000 * one.offers.answered_after_s).toFixed(1)} ms`],
          ["Offers per task", format(one.offers.per_task)], ["Id", one.id]])),
        panel(`In use against fair share (${kindInView()})`, usedAndFair("frameworks", [one.name], colourOf)),
        panel("Offers", barOrDash(funnel(one.offers)), outcomeCounts(one.offers),
          el("p", {class: "note"}, "Why it declined:"), barOrDash(reasonsOf(one.offers.declined)), reasonCounts(one.offers.declined))),
      panel("Its tasks", tasksTable(own, "It has no tasks now.")),
    ];
  },
});

const agent = (id) => ({
  title: "Agent", needs: ["agents", "tasks"],
  draw: () => {
    const one = data.agents.find((candidate) => candidate.id === id);
    if (!one) return gone("agent");
    return [
      el("h1", {}, one.name),
      el("div", {class: "panels"},
        panel("Slots", Object.keys(one.total).map((kind) => el("div", {class: "kind"}, el("span", {}, kind), slotsOf(one, kind))),
          frameworkLegend([one])),
        panel("Facts", facts([
          ["State", agentState(one)], one.trouble && ["Trouble", one.trouble], ["Rack", one.rack || "-"],
          ["Slots", bagText(one.total)], ["Used", bagText(one.used)], ["On offer", bagText(one.offered)],
          ["Tasks", one.tasks], ["Data port", one.data_endpoint], ["Id", one.id]].filter(Boolean)))),
      panel("Its tasks", tasksTable(data.tasks.tasks.filter((task) => task.agent_id === id), "Nothing runs here.")),
    ];
  },
});

const pool = (id) => ({
  title: "Pool", needs: ["pools", "frameworks", "history"],
  draw: () => {
    const name = id === "(root)" ? "" : id;
    const one = data.pools.find((candidate) => candidate.name === name);
    if (!one) return gone("pool");
    const within = data.frameworks.filter((candidate) => name === "" || candidate.pool === name || candidate.pool.startsWith(`${name}.`));
    const settings = Object.entries(one).filter(([key]) => !["name", "used", "demand", "fair"].includes(key));
    const text = (value) => (value === null ? "-" : Array.isArray(value) ? value.join(", ") || "-"
      : typeof value === "object" ? bagText(value) : String(value));
    return [
      el("h1", {}, poolName(name)),
      el("div", {class: "panels"},
        panel("Facts", facts([["Used", bagText(one.used)], ["Fair share", bagText(one.fair)], ["Demand", bagText(one.demand)],
          ...settings.map(([key, value]) => [key, text(value)])])),
        panel(`In use against fair share (${kindInView()})`, usedAndFair("pools", [name], poolColour))),
      panel("Its frameworks", table([
        {head: "Framework", class: "name", cell: (row) => link("framework", row.id, row.name)},
        {head: "Pool", cell: (row) => poolName(row.pool)}, {head: "State", cell: stateOf},
        {head: "Used", n: true, cell: (row) => format(of(row.used))}, {head: "Fair", n: true, cell: (row) => format(of(row.fair))},
      ], within, "No framework is in it.")),
    ];
  },
});

export const pages = {"": overview, pools, frameworks, agents, tasks, framework, agent, pool};
