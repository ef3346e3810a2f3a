// The picture as the engine wrote it: parsed as a document, so that nothing in it can run; hover and keys tell of cells.
import { element } from "./dom.js";

export function picture(svg, tell) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  const drawn = document.importNode(parsed.documentElement, true);
  // The rule of the theme auto is in the page's own style.
  for (const style of drawn.querySelectorAll("style, script")) style.remove();
  const holder = element("div", { id: "picture", tabindex: "0", role: "group", "aria-label": "Picture; the arrow keys walk through its cells" }, drawn);
  const cells = [...drawn.querySelectorAll("g > title")].map((title) => title.parentNode);
  const known = new Set(cells);
  let near = null;
  const show = (cell) => {
    near?.querySelectorAll("use, rect").forEach((shape) => shape.classList.remove("near"));
    near = cell;
    near?.querySelectorAll("use, rect").forEach((shape) => shape.classList.add("near"));
    if (cell) tell(cell.querySelector("title").textContent);
  };
  drawn.addEventListener("pointerover", (event) => {
    const cell = event.target.closest?.("g");
    if (known.has(cell)) show(cell);
  });
  holder.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step || cells.length === 0) return;
    event.preventDefault();
    show(near ? neighbour(cells, near, step) ?? near : cells[0]);
    near.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  return holder;
}

// The nearest cell whose middle lies that way.
function neighbour(cells, from, [right, down]) {
  const middle = (cell) => {
    const box = cell.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const cell of cells) {
    const [u, v] = middle(cell);
    const ahead = right ? (u - x) * right : (v - y) * down;
    const aside = right ? Math.abs(v - y) : Math.abs(u - x);
    if (ahead > 1 && ahead + 3 * aside < least) [best, least] = [cell, ahead + 3 * aside];
  }
  return best;
}

export async function png(svg, scale = 2) {
  const source = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = element("canvas", { width: Math.ceil(image.width * scale), height: Math.ceil(image.height * scale) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(source);
  }
}
