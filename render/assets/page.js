"use strict";
(() => {
  const svg = document.querySelector("main > svg");
  const facts = document.getElementById("facts");
  const pick = document.getElementById("pick");
  const cells = [...svg.querySelectorAll("g.cell")];
  const width = svg.width.baseVal.value;
  const height = svg.height.baseVal.value;
  const at = new Map(cells.map((cell) => [cell.dataset.at, cell]));
  const owners = (cell) => cell.dataset.o.split(" ").filter(Boolean).map((pair) => pair.split(",").map(Number));
  const text = (cell) => cell.querySelector("title").textContent;
  let zoom = 1;
  let pinned = "";

  // The coordinate of a cell, where its panel is cropped or turned not its row and column, and the panel's name.
  const home = (cell) => cell.dataset.c ?? cell.dataset.at.split(",").slice(1).join(",");
  const panel = (cell) => cell.closest("g[data-name]")?.dataset.name ?? "";

  // What a pin selects: "T11", "V3", "T11V3", "(2,5)", "B (2,5)", or the value that a layout gives.
  function selects(wish) {
    const found = /^T(\d+)(?:\s*V(\d+))?$|^V(\d+)$/i.exec(wish);
    if (found) {
      const thread = found[1] === undefined ? null : Number(found[1]);
      const value = found[2] ?? found[3];
      return (cell) => owners(cell).some(
        ([t, v]) => (thread === null || t === thread) && (value === undefined || v === Number(value)));
    }
    const place = /^([A-Z]\w*)?\s*\((\d+)\s*,\s*(\d+)\)$/i.exec(wish);
    if (place && !cells.some((cell) => cell.dataset.v === wish)) {
      const [, name = "", first, second] = place;
      return (cell) => home(cell) === `${first},${second}`
        && (name === "" || panel(cell).toUpperCase() === name.toUpperCase());
    }
    const offset = wish.replace(/^offset\s*/i, "");
    return (cell) => cell.dataset.v === offset;
  }

  function pin(wish) {
    pinned = wish.trim();
    pick.value = pinned;
    svg.classList.toggle("pinned", pinned !== "");
    const chosen = pinned ? selects(pinned) : () => false;
    let count = 0;
    for (const cell of cells) {
      const taken = chosen(cell);
      cell.classList.toggle("pin", taken);
      count += taken;
    }
    facts.textContent = pinned ? `${pinned}: ${count} cell${count === 1 ? "" : "s"}` : "";
    history.replaceState(null, "", pinned ? `#${encodeURIComponent(pinned)}` : location.pathname + location.search);
  }

  // The first click on a cell pins its thread, else its place in an operand or its offset; the next releases it.
  function wish(cell) {
    const [first] = owners(cell);
    return first ? `T${first[0]}` : panel(cell) ? `${panel(cell)} (${home(cell)})` : cell.dataset.v;
  }

  function scale(factor) {
    zoom = factor === 0 ? 1 : Math.min(8, Math.max(0.1, zoom * factor));
    svg.setAttribute("width", width * zoom);
    svg.setAttribute("height", height * zoom);
  }

  const cellOf = (event) => (event.target.closest ? event.target.closest("g.cell") : null);
  svg.addEventListener("mouseover", (event) => {
    const cell = cellOf(event);
    if (cell) facts.textContent = text(cell);
  });
  // A heat map has no cells: the place of the pointer tells row and column, and their sum the offset.
  svg.addEventListener("mousemove", (event) => {
    const image = event.target;
    if (image.tagName !== "image") return;
    const box = image.getBoundingClientRect();
    const [rows, columns] = image.dataset.size.split(",").map(Number);
    const row = Math.min(rows - 1, Math.floor(((event.clientY - box.top) / box.height) * rows));
    const column = Math.min(columns - 1, Math.floor(((event.clientX - box.left) / box.width) * columns));
    const [down, across] = [image.dataset.rows.split(",")[row], image.dataset.columns.split(",")[column]];
    const offset = down && across ? ` offset ${BigInt(down) + BigInt(across)}` : "";
    facts.textContent = `row ${row} column ${column}${offset}`;
  });
  svg.addEventListener("focusin", (event) => {
    const cell = cellOf(event);
    if (cell) facts.textContent = text(cell);
  });
  svg.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    const next = wish(cell);
    // Focus first: it writes the facts of the cell, and the pin has more to say.
    cell.focus({ preventScroll: true });
    pin(next === pinned ? "" : next);
    facts.textContent = `${text(cell)}${pinned ? ` — pinned ${pinned}` : ""}`;
  });
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    scale(event.deltaY < 0 ? 1.15 : 1 / 1.15);
  }, { passive: false });
  document.getElementById("find").addEventListener("submit", (event) => {
    event.preventDefault();
    pin(pick.value);
  });
  document.getElementById("larger").addEventListener("click", () => scale(1.25));
  document.getElementById("smaller").addEventListener("click", () => scale(0.8));
  document.getElementById("whole").addEventListener("click", () => scale(0));

  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  document.addEventListener("keydown", (event) => {
    if (event.target === pick && event.key !== "Escape") return;
    const cell = document.activeElement?.closest?.("g.cell");
    if (event.key === "Escape") pin("");
    else if (event.key === "/") pick.focus();
    else if (event.key === "+" || event.key === "=") scale(1.25);
    else if (event.key === "-") scale(0.8);
    else if (event.key === "0") scale(0);
    else if (event.key === "Enter" && cell) pin(wish(cell) === pinned ? "" : wish(cell));
    else if (event.key in steps) {
      const [panel, row, column] = (cell ?? cells[0]).dataset.at.split(",").map(Number);
      const [down, right] = cell ? steps[event.key] : [0, 0];
      const next = at.get([panel, row + down, column + right].join(","));
      next?.focus();
      if (next) facts.textContent = text(next); // a page that is not in front gets no focus event
    } else return;
    event.preventDefault();
  });

  // One stop for the tab key, so that it does not walk through thousands of cells.
  for (const cell of cells) cell.setAttribute("tabindex", "-1");
  if (cells.length) cells[0].setAttribute("tabindex", "0");
  if (location.hash) pin(decodeURIComponent(location.hash.slice(1)));
})();
