// The page: what is asked, what is shown, what the address says.
import * as address from "./address.js";
import { byId, element } from "./dom.js";
import { Editor } from "./editor.js";
import { engine } from "./engine.js";
import { picture, png } from "./picture.js";
import * as show from "./show.js";

const TABS = {
  picture: "Picture", table: "Table", explain: "Explain", notations: "Notations", banks: "Banks", why: "Why",
  sizes: "Sizes", examples: "Examples",
};
const FIRST = "(8,16):(20,1) / <4:1,8:2>";
const BANKS = [
  { name: "bits", kind: "choice", choices: ["8", "16", "32", "64", "128"] },
  { name: "lanes", kind: "choice", choices: ["row", "column", "ldmatrix", "stmatrix", "tv"] },
  { name: "vector", kind: "number", choices: [] },
  { name: "threads", kind: "number", choices: [] },
  { name: "store", kind: "flag", choices: [] },
  { name: "arch", kind: "text", choices: [] },
];

let now = address.read(location);
let answering;
let words = { functions: [], options: [], examples: [] };
let last = null;
let round = 0;
const replies = new Map();

const status = byId("status");
const editor = new Editor(() => evaluate(), () => {});

function busy(text) {
  status.textContent = text;
  status.classList.toggle("busy", text !== "Ready");
  byId("stop").hidden = text === "Ready";
}

// -- asking ------------------------------------------------------------------------------------------------------

async function ask(question) {
  const key = JSON.stringify(question);
  if (!replies.has(key)) {
    const reply = answering.ask(question);
    replies.set(key, reply);
    if (replies.size > 64) replies.delete(replies.keys().next().value);
    reply.then((answer) => { if (answer.stopped) replies.delete(key); }, () => replies.delete(key));
  }
  return replies.get(key);
}

function question(name, options = {}) {
  return { ask: name, text: now.text, define: now.define, shape: now.shape, options };
}

async function evaluate() {
  now.text = editor.text;
  now.shape = byId("shape").value.trim();
  publish();
  const mine = ++round;
  busy("Evaluating…");
  try {
    const answer = await ask(question("eval"));
    if (mine !== round) return;
    last = answer;
    const wrong = answer.ok ? answer.results.flatMap((result) => [result.error, ...result.warnings]).filter(Boolean) : [];
    editor.mark(wrong.flatMap((found) => found.labels));
    byId("answer").replaceChildren(...(answer.ok ? show.results(answer, now.text, page) : [failure(answer)]));
    await render(mine);
  } catch (error) {
    byId("answer").replaceChildren(element("p", { class: "diagnostic error" }, String(error.message ?? error)));
  } finally {
    if (mine === round) busy("Ready");
  }
}

function failure(answer) {
  if (answer.stopped) return element("p", {}, "Stopped.");
  // What the answer above says already is not said again.
  const said = last?.ok && last.results.some((result) => result.error?.message === answer.error.message);
  return said ? element("p", {}, "There is none: the answer is an error.") : show.diagnostic(answer.error, now.text, page);
}

const page = {
  replace(text) {
    editor.text = text;
    editor.remember(text);
    evaluate();
    byId("text").focus();
  },
  async explainCode(code) {
    const answer = await ask({ ask: "page", text: code });
    byId("answer").querySelector("#code")?.remove();
    byId("answer").append(element("details", { id: "code", open: true },
      element("summary", {}, code), element("pre", { tabindex: "0" }, answer.ok ? answer.text : answer.error.message)));
    byId("code").querySelector("summary").focus();
  },
};

// -- the views ---------------------------------------------------------------------------------------------------

const VIEWS = {
  async picture() {
    const answer = await ask(question("draw", now.draw));
    const facts = element("p", { class: "small", "aria-live": "polite", id: "facts" }, "Point at a cell, or walk with the arrow keys.");
    const drawn = answer.ok ? picture(answer.text, (text) => { facts.textContent = text; }) : failure(answer);
    const wishes = show.options(words.options, now.draw, (name, value) => change("draw", name, value));
    return [
      drawn, facts, ...(answer.notes ?? []).map((note) => element("p", { class: "small" }, `note: ${note}`)),
      element("details", { open: byId("view").querySelector("#wishes")?.open ?? false, id: "wishes" }, element("summary", {}, "Options of the picture"), wishes),
    ];
  },
  async table() {
    const answer = await ask(question("info"));
    return [...(last?.table ? show.table(last.table) : []), element("h2", {}, "Measures"), answer.ok ? show.rows(answer.rows) : failure(answer)];
  },
  async explain() {
    const answer = await ask(question("explain"));
    if (!answer.ok) return [failure(answer)];
    const errors = answer.derivations.map((each) => each.error).filter(Boolean);
    return [element("pre", { tabindex: "0" }, answer.text), ...errors.map((error) => failure({ error }))];
  },
  async notations() {
    const answer = await ask(question("forms"));
    return answer.ok ? show.forms(answer.forms) : [failure(answer)];
  },
  async banks() {
    const wishes = { ...now.banks };
    const said = { suggest: true };
    if (wishes.bits) said.bits = Number(wishes.bits);
    if (wishes.lanes) said.lanes = [].concat(wishes.lanes);
    for (const name of ["vector", "threads", "store", "arch"]) if (wishes[name]) said[name] = wishes[name];
    const answer = await ask(question("banks", said));
    const drawn = answer.ok ? await ask(question("draw", { kind: "bank", ...pick(said) })) : null;
    return [
      show.options(BANKS, wishes, (name, value) => change("banks", name, value)),
      ...(answer.ok ? show.banks(answer, page) : [failure(answer)]),
      ...(drawn?.ok ? [picture(drawn.text, () => {})] : []),
    ];
  },
  async why() {
    const answer = await ask(question("why"));
    return answer.ok ? [element("pre", { tabindex: "0" }, answer.text)] : [failure(answer)];
  },
  async sizes() {
    const open = await ask({ ...question("eval"), define: {} });
    const report = open.ok ? open.results.map((result) => result.report).filter(Boolean).at(-1) : null;
    if (!report) return [element("p", {}, "There are no unknown sizes: write (M,64):(64,1) / <128,64>, and M gets a slider.")];
    return [
      element("h2", {}, report.verdict.replaceAll("-", " ")),
      show.rows(report.obligations.map((one) => [one.text, one.why ?? ""])),
      element("h2", {}, "Try sizes"),
      ...report.symbols.map(slider),
      element("button", { type: "button", onclick: () => { now.define = {}; evaluate(); } }, "Leave the sizes open"),
    ];
  },
  examples() {
    return [element("div", { class: "examples" }, words.examples.map((example) => element("button", {
      type: "button",
      onclick: () => {
        now = { ...address.state(), draw: { ...example.options }, tab: "picture" };
        page.replace(example.text);
        tabs();
        window.scrollTo(0, 0);
      },
    }, element("strong", {}, example.title), element("br"), element("span", { class: "small" }, example.note))))];
  },
};

// The options of the picture of banks among those of the survey.
function pick(said) {
  const found = {};
  for (const name of ["bits", "vector"]) if (said[name]) found[name] = said[name];
  if (said.lanes) [found.lanes] = said.lanes;
  return found;
}

function slider(name) {
  const value = now.define[name] ?? "128";
  const set = (text) => {
    if (!/^\d{1,9}$/.test(text)) return;
    now.define = { ...now.define, [name]: text };
    evaluate();
  };
  return element("div", { class: "slider" },
    element("label", { for: `size-${name}` }, name),
    element("input", { type: "range", id: `size-${name}`, min: 1, max: 1024, value, onchange: (event) => set(event.target.value) }),
    element("input", { type: "number", min: 1, value, "aria-label": `${name}, as a number`, onchange: (event) => set(event.target.value) }));
}

function change(group, name, value) {
  const next = { ...now[group] };
  if (value === undefined) delete next[name];
  else next[name] = value;
  now[group] = next;
  evaluate();
}

async function render(mine) {
  const tab = now.tab in TABS ? now.tab : "picture";
  const focused = document.activeElement;
  const kept = byId("view").contains(focused) ? (focused.dataset.option ?? focused.id) : "";
  const parts = await VIEWS[tab]();
  if (mine !== round) return;
  byId("view").replaceChildren(...parts);
  byId("view").setAttribute("aria-labelledby", `tab-${tab}`);
  if (kept) (byId("view").querySelector(`[data-option="${CSS.escape(kept)}"]`) ?? byId(kept))?.focus();
}

// -- tabs --------------------------------------------------------------------------------------------------------

function tabs() {
  const chosen = now.tab in TABS ? now.tab : "picture";
  byId("tabs").replaceChildren(...Object.entries(TABS).map(([name, title]) => element("button", {
    type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "view",
    "aria-selected": String(name === chosen), tabindex: name === chosen ? "0" : "-1",
    onclick: () => choose(name),
  }, title)));
}

async function choose(name) {
  now.tab = name;
  tabs();
  byId(`tab-${name}`).focus();
  publish();
  const mine = ++round;
  busy("Evaluating…");
  try {
    await render(mine);
  } catch (error) {
    byId("view").replaceChildren(element("p", {}, String(error.message ?? error)));
  } finally {
    if (mine === round) busy("Ready");
  }
}

byId("tabs").addEventListener("keydown", (event) => {
  const names = Object.keys(TABS);
  const at = names.indexOf(now.tab in TABS ? now.tab : "picture");
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  choose(names[(next + names.length) % names.length]);
});

// -- the address and the copies ----------------------------------------------------------------------------------

function publish() {
  const said = address.write(now);
  if (said !== location.hash) history.replaceState(null, "", said || location.pathname);
}

const COPIES = {
  link: async () => location.href,
  svg: async () => drawnText(),
  command: async () => (await texts()).command,
  check: async () => (await texts()).check,
  markdown: async () => (await texts()).markdown,
};

async function texts() {
  const options = now.tab === "picture" || now.tab === "" ? now.draw : {};
  const answer = await ask(question("copies", options));
  const drawing = now.tab === "picture" || now.tab === "";
  return answer.ok ? { ...answer, command: drawing ? answer.draw : answer.command } : {};
}

async function drawnText() {
  const answer = await ask(question("draw", now.draw));
  return answer.ok ? answer.text : "";
}

byId("copies").addEventListener("click", async (event) => {
  const what = event.target.dataset?.copy;
  if (!what) return;
  const said = byId("copied");
  said.textContent = "";
  try {
    if (what === "png") {
      const svg = await drawnText();
      if (!svg) throw new Error("there is no picture");
      await navigator.clipboard.write([new ClipboardItem({ "image/png": png(svg) })]);
    } else {
      const text = await COPIES[what]();
      if (!text) throw new Error(`there is no ${event.target.textContent} of this`);
      await navigator.clipboard.writeText(text);
    }
    said.textContent = "copied";
  } catch (error) {
    said.textContent = String(error.message ?? error);
  }
});

// -- the beginning -----------------------------------------------------------------------------------------------

function fill() {
  byId("shape").value = now.shape;
  editor.text = now.text || FIRST;
  tabs();
}

byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  editor.send();
});
byId("shape").addEventListener("change", () => evaluate());
byId("history").addEventListener("change", (event) => {
  if (event.target.value) page.replace(event.target.value);
  event.target.value = "";
});
byId("stop").addEventListener("click", async () => {
  round += 1;
  replies.clear();
  busy("Stopping…");
  await answering.stop();
  await answering.ready();
  byId("answer").replaceChildren(element("p", {}, "Stopped."));
  busy("Ready");
});
window.addEventListener("hashchange", () => {
  now = address.read(location);
  fill();
  evaluate();
});

async function start() {
  fill();
  try {
    answering = await engine();
    byId("where").textContent = answering.where;
    await answering.ready();
    await evaluate();
    const answer = await ask({ ask: "vocabulary" });
    words = answer;
    editor.words = answer.functions;
    await render(round);
  } catch (error) {
    busy("Ready");
    status.textContent = `It does not start: ${error.message ?? error}`;
  }
}

start();
