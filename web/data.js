// What the allocator says: fetched when it has changed, told by a stream of events or else asked for.

const kPollEvery = 2000;
const kHistoryEvery = 2000;
const kHistoryKept = 900;
const kColours = 8;

// Each page wants these as well, so that a framework has one colour on all of them.
const kAlways = ["frameworks"];

/// The newest answers, by name, and what is known of the allocator.
export const data = {
  cluster: null, pools: [], frameworks: [], agents: [], tasks: {tasks: [], living: 0}, offers: null, history: [],
  known: new Set(),  // the names of the answers that have come at least once
  link: "waiting",  // live, polling or away
  since: null,      // when it was last heard of
};

let listener = () => {};
let wanted = new Set(kAlways);
let source = null;
let poll = null;
let asking = false;
let learning = false;
let again = false;
const colours = new Map();

async function ask(path) {
  const answer = await fetch(`/api/v1/${path}`, {cache: "no-store", signal: AbortSignal.timeout(8000)});
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

const takers = {
  pools: (answer) => (data.pools = answer.pools),
  frameworks: (answer) => {
    data.frameworks = answer.frameworks;
    const busy = data.frameworks.filter((one) => one.tasks.launched > 0).map((one) => one.name);
    for (const name of busy.sort()) colourOf(name);
  },
  agents: (answer) => (data.agents = answer.agents),
  tasks: (answer) => (data.tasks = answer),
  offers: (answer) => (data.offers = answer),
};

function heard(how) {
  data.since = new Date();
  if (how) data.link = how;
  else if (data.link === "away" || data.link === "waiting") data.link = source ? "live" : "polling";
}

function lost() {
  data.link = "away";
  listener();
}

/// Fetches all that the page in view needs.
export async function refresh() {
  if (asking) return (again = true);
  asking = true;
  try {
    const names = ["cluster", ...Object.keys(takers).filter((name) => wanted.has(name))];
    const answers = await Promise.all(names.map(ask));
    names.forEach((name, i) => {
      if (name === "cluster") data.cluster = answers[i];
      else takers[name](answers[i]);
      data.known.add(name);
    });
    heard();
    listener();
  } catch {
    lost();
  } finally {
    asking = false;
    if (again) {
      again = false;
      refresh();
    }
  }
}

async function learn() {
  if (learning || document.hidden || !wanted.has("history")) return;
  learning = true;
  const last = data.history.at(-1);
  try {
    // The last one comes again: the rates of what follows are those since it.
    const {samples} = await ask(last ? `history?since=${last.at_s}` : "history");
    const fresh = samples.filter((sample) => !last || sample.at_s > last.at_s);
    data.history = [...data.history, ...fresh].slice(-kHistoryKept);
    if (fresh.length > 0) listener();
  } catch {
    // Said by whoever asks for the cluster.
  } finally {
    learning = false;
  }
}

function pollInstead() {
  source?.close();
  source = null;
  data.link = data.link === "away" ? "away" : "polling";
  poll ??= setInterval(() => document.hidden || refresh(), kPollEvery);
}

function listen() {
  if (!window.EventSource) return pollInstead();
  source = new EventSource("/api/v1/events");
  source.addEventListener("version", () => {
    heard("live");
    refresh();
  });
  source.onopen = () => {
    heard("live");
    clearInterval(poll);
    poll = null;
    refresh();
  };
  // A stream that was refused is over; one that broke tries again, and meanwhile the allocator may be away.
  source.onerror = () => {
    if (source?.readyState === EventSource.CLOSED) pollInstead();
    else refresh();
  };
}

/// Says which answers the page in view needs.
export function want(names) {
  wanted = new Set([...kAlways, ...names]);
  refresh();
  learn();
}

export function start(onChange) {
  listener = onChange;
  listen();
  setInterval(learn, kHistoryEvery);
  // While the allocator is away, nothing tells when it is back.
  setInterval(() => data.link === "away" && refresh(), kPollEvery);
  setInterval(() => source === null && data.link === "polling" && !document.hidden && listenAgain(), 60000);
  document.addEventListener("visibilitychange", () => {
    // A tab that nobody sees holds no stream: a browser has few connections for all its tabs.
    if (document.hidden) {
      source?.close();
      source = null;
    } else {
      listenAgain();
    }
  });
}

function listenAgain() {
  if (source !== null) return;
  listen();
  refresh();
}

/// The colour of a framework, by name: the first names seen have one of their own.
export function colourOf(name) {
  if (!colours.has(name)) colours.set(name, colours.size);
  const index = colours.get(name);
  return index < kColours && name !== "(others)" ? `var(--c${index})` : "var(--others)";
}

/// The kinds of slots; bulk resources, of which a task takes a quantity, come last.
export function kinds() {
  const bulk = (kind) => ["cpus", "memory", "gpus"].includes(kind);
  return Object.keys(data.cluster?.slots ?? {}).sort((a, b) => bulk(a) - bulk(b) || a.localeCompare(b));
}
