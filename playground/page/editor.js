// The line of the expression: colours behind it, completions below it, history at its ends.
import { byId, element, points } from "./dom.js";

const TOKEN = /(?<comment>(?:#|(?<!\S)\/\/)[^\n]*)|(?<text>"(?:[^"\\\n]|\\.)*"?)|(?<number>\b\d*[ef]\d+(?:\.\d+)*\b|\b_?\d+\b)|(?<word>\b(?:let|assert|assume|given|for|in|include|not|and|or|o)\b|[A-Za-z_]\w*(?=\s*[([<]))|(?<operator>[:/*+\-<>=~^∘⊗⊘@‡†]+)|(?<rest>\s+|\w+|.)/gsu;
const KEPT = 200;
const PLACE = "laycalc.history";

export class Editor {
  constructor(onSubmit, onChange) {
    this.field = byId("text");
    this.shade = byId("shade");
    this.list = byId("words");
    this.help = byId("help");
    this.words = [];
    this.marks = [];
    this.past = stored();
    this.at = this.past.length;
    this.draft = "";
    this.submit = onSubmit;
    this.field.addEventListener("input", () => {
      this.marks = [];
      this.paint();
      this.complete();
      onChange();
    });
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.field.addEventListener("scroll", () => { this.shade.scrollTop = this.field.scrollTop; });
    this.field.addEventListener("blur", () => this.close());
    this.field.addEventListener("click", () => this.explain());
    this.menu();
  }

  get text() {
    return this.field.value;
  }

  set text(value) {
    this.field.value = value;
    this.marks = [];
    this.paint();
  }

  // -- colours ---------------------------------------------------------------------------------------------------

  mark(labels) {
    this.marks = labels;
    this.paint();
  }

  paint() {
    const text = this.field.value;
    const wrong = this.marks.length > 0 ? flags(text, this.marks) : null;
    const parts = [];
    for (const found of text.length > 20000 ? [] : text.matchAll(TOKEN)) {
      const kind = Object.keys(found.groups).find((name) => found.groups[name] !== undefined);
      for (const [piece, bad] of pieces(found[0], found.index, wrong)) {
        const look = `${kind === "rest" ? "" : `t-${kind}`}${bad ? " wrong" : ""}`.trim();
        parts.push(look ? element("span", { class: look }, piece) : piece);
      }
    }
    // The last line end of a text is seen only if something follows it.
    this.shade.replaceChildren(...(text.length > 20000 ? [text] : parts), "\u200b");
    this.field.style.height = "auto";
    this.field.style.height = `${this.field.scrollHeight + 4}px`;
  }

  // -- keys ------------------------------------------------------------------------------------------------------

  key(event) {
    const open = !this.list.hidden;
    if (open && event.key === "Escape") this.close();
    else if (open && (event.key === "ArrowDown" || event.key === "ArrowUp")) this.move(event.key === "ArrowDown" ? 1 : -1);
    else if (open && (event.key === "Tab" || (event.key === "Enter" && this.moved))) this.take(this.chosen);
    else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.send();
    else if (event.key === "ArrowUp" && this.onLine(0)) this.walk(-1);
    else if (event.key === "ArrowDown" && this.onLine(1)) this.walk(1);
    else return;
    event.preventDefault();
  }

  onLine(last) {
    const { selectionStart, selectionEnd, value } = this.field;
    if (selectionStart !== selectionEnd) return false;
    return last ? !value.slice(selectionStart).includes("\n") : !value.slice(0, selectionStart).includes("\n");
  }

  send() {
    this.close();
    this.remember(this.text);
    this.submit();
  }

  // -- history ---------------------------------------------------------------------------------------------------

  remember(text) {
    if (!text.trim()) return;
    this.past = [...this.past.filter((one) => one !== text), text].slice(-KEPT);
    this.at = this.past.length;
    try {
      localStorage.setItem(PLACE, JSON.stringify(this.past));
    } catch { /* a browser that keeps nothing keeps no history */ }
    this.menu();
  }

  walk(step) {
    if (this.at === this.past.length) this.draft = this.text;
    let next = this.at + step;
    // What stands there already is no step.
    while (this.past[next] === this.text) next += step;
    if (next < 0 || next > this.past.length) return;
    this.at = next;
    this.text = next === this.past.length ? this.draft : this.past[next];
    this.field.setSelectionRange(this.text.length, this.text.length);
    this.submit();
  }

  menu() {
    const menu = byId("history");
    menu.replaceChildren(element("option", { value: "" }, "earlier expressions"));
    for (const text of [...this.past].reverse()) menu.append(element("option", { value: text }, text.slice(0, 80)));
  }

  // -- completion ------------------------------------------------------------------------------------------------

  before() {
    return /[A-Za-z_]\w*$/.exec(this.field.value.slice(0, this.field.selectionStart))?.[0] ?? "";
  }

  complete() {
    const begun = this.before();
    const found = begun.length < 2 ? [] : this.words.filter((word) => word.name.startsWith(begun) && word.name !== begun);
    this.chosen = 0;
    this.moved = false;
    this.found = found.slice(0, 12);
    this.list.replaceChildren(...this.found.map((word, i) => element("li", {
      role: "option", id: `word${i}`, "aria-selected": i === 0 ? "true" : "false",
      onpointerdown: (event) => { event.preventDefault(); this.take(i); },
    }, word.signature)));
    this.list.hidden = this.found.length === 0;
    this.field.setAttribute("aria-expanded", String(!this.list.hidden));
    this.field.setAttribute("aria-activedescendant", this.list.hidden ? "" : "word0");
    this.explain();
  }

  move(step) {
    const count = this.found.length;
    this.moved = true;
    this.chosen = (this.chosen + step + count) % count;
    [...this.list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === this.chosen)));
    this.field.setAttribute("aria-activedescendant", `word${this.chosen}`);
    this.list.children[this.chosen].scrollIntoView({ block: "nearest" });
    this.help.textContent = this.found[this.chosen].help;
  }

  take(i) {
    const word = this.found[i];
    const [start, end] = [this.field.selectionStart - this.before().length, this.field.selectionStart];
    this.field.setRangeText(`${word.name}(`, start, end, "end");
    this.close();
    this.field.dispatchEvent(new Event("input"));
  }

  close() {
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
    this.field.setAttribute("aria-activedescendant", "");
  }

  // What the function around the caret takes.
  explain() {
    const text = this.field.value.slice(0, this.field.selectionStart);
    let depth = 0;
    for (let i = text.length - 1; i >= 0; i -= 1) {
      if (")]}".includes(text[i])) depth += 1;
      else if ("([{".includes(text[i]) && depth > 0) depth -= 1;
      else if (text[i] === "(") {
        const name = /[A-Za-z_]\w*$/.exec(text.slice(0, i))?.[0];
        const word = this.words.find((one) => one.name === name || one.aliases.includes(name));
        if (word) {
          this.help.textContent = `${word.signature}: ${word.help}`;
          return;
        }
      }
    }
    this.help.textContent = "";
  }
}

function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(found) ? found.filter((text) => typeof text === "string") : [];
  } catch {
    return [];
  }
}

// Which code units of a text a label covers; labels count code points.
function flags(text, labels) {
  const wrong = new Uint8Array(text.length + 1);
  const starts = [];
  let unit = 0;
  for (const point of points(text)) {
    starts.push(unit);
    unit += point.length;
  }
  starts.push(unit);
  for (const { start, end } of labels) {
    const [from, to] = [starts[Math.min(start, starts.length - 1)], starts[Math.min(Math.max(end, start + 1), starts.length - 1)]];
    wrong.fill(1, from, to);
  }
  return wrong;
}

// A token cut where a label begins or ends.
function pieces(token, start, wrong) {
  if (wrong === null) return [[token, false]];
  const found = [];
  for (let i = 0; i < token.length;) {
    let j = i;
    while (j < token.length && wrong[start + j] === wrong[start + i]) j += 1;
    found.push([token.slice(i, j), wrong[start + i] === 1]);
    i = j;
  }
  return found;
}
