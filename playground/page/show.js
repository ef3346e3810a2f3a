// Answers as elements.
import { element, points } from "./dom.js";

export function diagnostic(found, source, page) {
  const suggestions = found.suggestions ?? [];
  return element("div", { class: `diagnostic ${found.severity}` },
    element("p", {}, element("strong", {}, `${found.severity} ${found.code}: `), found.message),
    source && found.labels.length > 0 ? excerpt(source, found.labels) : null,
    found.witness ? element("p", { class: "small" }, `witness: ${found.witness}`) : null,
    (found.notes ?? []).map((note) => element("p", { class: "small" }, `note: ${note}`)),
    // A repair without a place in the text is told, and cannot be clicked.
    suggestions.map((repair) => element(repair.text === null ? "p" : "button", repair.text === null ? {} : {
      type: "button", class: "repair", "data-repair": repair.expr,
      onclick: () => page.replace(repair.text ?? repair.expr),
    }, `use ${repair.expr}${repair.value ? ` = ${repair.value}` : ""}${repair.change ? `  (${repair.change})` : ""}`)),
    element("button", { type: "button", class: "small", onclick: () => page.explainCode(found.code) }, `What is ${found.code}?`),
  );
}

// The lines that labels stand on, with marks below them.
function excerpt(source, labels) {
  const text = points(source);
  const shown = element("pre", { "aria-label": "where" });
  const lines = new Map();
  for (const { start, end, text: remark } of labels) {
    const begin = text.lastIndexOf("\n", start - 1) + 1;
    const stop = text.indexOf("\n", start);
    const last = stop < 0 ? text.length : stop;
    if (!lines.has(begin)) lines.set(begin, { line: text.slice(begin, last).join(""), marks: [] });
    lines.get(begin).marks.push([start - begin, Math.max(1, Math.min(end, last) - start), remark]);
  }
  for (const { line, marks } of [...lines].sort(([a], [b]) => a - b).map(([, each]) => each)) {
    shown.append(`${line}\n`);
    for (const [column, length, remark] of marks) {
      shown.append(" ".repeat(column), element("mark", {}, "^".repeat(length)), ` ${remark}\n`);
    }
  }
  return shown;
}

export function results(answer, source, page) {
  const parts = [];
  for (const result of answer.results) {
    for (const note of result.notes) parts.push(element("p", { class: "small" }, `note: ${note}`));
    for (const warning of result.warnings) parts.push(diagnostic(warning, source, page));
    if (result.error) {
      parts.push(diagnostic(result.error, source, page));
      continue;
    }
    parts.push(element("div", { class: "result good" },
      answer.results.length > 1 && result.statement ? element("p", { class: "small mono" }, result.statement) : null,
      result.case ? element("p", { class: "small" }, result.case) : null,
      element("p", { class: "value" }, result.value),
      (result.measures ?? []).map((line) => element("p", { class: "small" }, line)),
    ));
  }
  if (answer.more > 0) parts.push(element("p", {}, `${answer.more} more statements are not shown.`));
  return parts;
}

// The offsets with their nested headers, a sheet for each slice of rank 3 and more.
export function table({ sheets, note }) {
  const parts = sheets.map((sheet) => element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `offsets ${sheet.title}` },
    element("table", {},
      element("caption", { class: "small" }, sheet.title || "offsets"),
      element("thead", {}, sheet.columns.map((level) => element("tr", {},
        sheet.rows.length > 0 ? element("td", { colspan: sheet.rows.length }) : null,
        level.map(([, length, text]) => element("th", { colspan: length, scope: "colgroup" }, text))))),
      element("tbody", {}, sheet.cells.map((row, i) => element("tr", {},
        sheet.rows.map((level) => level.filter(([start]) => start === i)
          .map(([, length, text]) => element("th", { rowspan: length, scope: "rowgroup" }, text))),
        row.map((text) => element("td", {}, text))))))));
  return note ? [...parts, element("p", { class: "small" }, note)] : parts;
}

export function rows(found) {
  return element("table", { class: "facts" }, element("tbody", {}, found.map(([label, text]) => element("tr", {},
    element("th", { scope: "row" }, label), element("td", {}, text)))));
}

export function forms(found) {
  const known = found.filter((form) => form.text !== undefined);
  const others = found.filter((form) => form.text === undefined);
  return [
    ...known.map((form) => element("section", {}, element("h2", {}, `${form.name}: ${form.title}`), element("pre", { tabindex: "0" }, form.text))),
    element("details", {}, element("summary", {}, `${others.length} notations have no such value`), rows(others.map((form) => [form.name, form.error]))),
  ];
}

export function banks({ lines, found, free }, page) {
  const { swizzle, padding } = found.suggestion ?? {};
  const use = (layout, words) => element("button", { type: "button", class: "repair", onclick: () => page.replace(layout) }, `use ${layout}  (${words})`);
  return [
    element("div", { class: `result ${free ? "good" : "bad"}` }, element("pre", { tabindex: "0" }, lines.join("\n"))),
    swizzle ? use(swizzle.layout, `${swizzle.elements}, ${count(swizzle.wavefronts, "wavefront")}`) : "",
    padding ? use(padding.layout, `padding by ${count(padding.elements, "element")}, ${count(padding.wavefronts, "wavefront")}`) : "",
  ];
}

const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

export function options(words, values, onChange) {
  const field = (word) => {
    const now = values[word.name];
    const change = (value) => onChange(word.name, value);
    if (word.kind === "flag") {
      return element("select", { "data-option": word.name, onchange: (e) => change(e.target.value === "" ? undefined : e.target.value === "yes") },
        ["", "yes", "no"].map((text) => element("option", { value: text, selected: text === (now === undefined ? "" : now ? "yes" : "no") }, text || "as it is")));
    }
    if (word.choices.length > 0) {
      return element("select", { "data-option": word.name, onchange: (e) => change(e.target.value || undefined) },
        ["", ...new Set([...word.choices, ...(now ? [String(now)] : [])])].map((text) => element("option", { value: text, selected: text === (now ?? "") }, text || "by itself")));
    }
    return element("input", {
      "data-option": word.name, value: now ?? "", inputmode: word.kind === "number" ? "numeric" : null,
      onchange: (e) => {
        const text = e.target.value.trim();
        change(text === "" ? undefined : word.kind === "number" && /^-?\d+$/.test(text) ? Number(text) : text);
      },
    });
  };
  return element("div", { class: "options" }, words.map((word) => element("label", {}, word.name.replaceAll("_", " "), field(word))));
}
