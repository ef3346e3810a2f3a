// The part of the address behind the # holds all that is shown, and no server sees it: e the text, s the shape,
// t the tab, d.NAME a definition, o.NAME an option of the picture, b.NAME one of the banks.
const LENGTH = 64 * 1024;

const GROUPS = { d: "define", o: "draw", b: "banks" };

export function state() {
  return { text: "", shape: "", tab: "", define: {}, draw: {}, banks: {} };
}

export function write(now) {
  const said = new URLSearchParams();
  if (now.text) said.set("e", now.text);
  if (now.shape) said.set("s", now.shape);
  if (now.tab) said.set("t", now.tab);
  for (const [letter, group] of Object.entries(GROUPS)) {
    for (const [name, value] of Object.entries(now[group])) said.set(`${letter}.${name}`, JSON.stringify(value));
  }
  const text = said.toString();
  return text.length > LENGTH ? "" : `#${text}`;
}

export function read(place) {
  const found = state();
  // A link of another visualiser is a text that the language reads.
  if (/^\?key=/.test(place.search)) {
    found.text = decode(place.search);
    // Threads and values over a tile: ?key=tv-1-(32,4):(1,32)-(8,16).
    const tile = /^\?key=tv-.*-\((\d{1,6}),(\d{1,6})\)$/.exec(found.text);
    if (tile) found.draw.tile = `${tile[1]}x${tile[2]}`;
  }
  for (const [key, value] of new URLSearchParams(place.hash.slice(1))) {
    if (key === "e") found.text = value;
    else if (key === "s") found.shape = value;
    else if (key === "t") found.tab = value;
    else if (key[1] === "." && key[0] in GROUPS) {
      const word = parsed(value);
      // Only what the page itself writes: a word, a number, a switch, a list of words.
      const fits = ["string", "number", "boolean"].includes(typeof word)
        || (Array.isArray(word) && word.every((each) => typeof each === "string"));
      if (fits && /^[A-Za-z_]\w{0,63}$/.test(key.slice(2))) found[GROUPS[key[0]]][key.slice(2)] = word;
    }
  }
  return found;
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
