// Words and numbers of the page's language, and elements made of text alone.
const hidden = new RegExp(`[${data.hidden}]`, "gu");
const CONTROLS = ("NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI " +
  "DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US").split(" ");

function say(key, values = {}) {
  return data.words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function whole(number) {
  return Math.round(number).toLocaleString("en-US").replace("-", "−");
}

function fixed(number, places) {
  if (Number.isNaN(number)) return "–";
  return number.toLocaleString("en-US", { minimumFractionDigits: places, maximumFractionDigits: places })
    .replace(/^-(?=[0.,]*$)/, "").replace("-", "−");
}

const COUNTS = new Set(["token_count", "sentences", "content_words", "weakest_cut", "earlier_copies", "competitors", "boilerplate_chunks"]);

function measured(number, column) {
  return fixed(number, COUNTS.has(column) ? 0 : 3);
}

function limitNumber(number, column) {
  return number.toLocaleString("en-US", { maximumFractionDigits: COUNTS.has(column) ? 1 : 3 }).replace("-", "−");
}

function percent(share) {
  const number = share * 100;
  if (number > 0 && number < 0.05) return "<0.1%";
  if (number >= 99.5 && number < 100) return ">99%";
  return number > 0 && number < 9.95 ? `${number.toFixed(1)}%` : `${number.toFixed(0)}%`;
}

function sign(character) {
  const code = character.codePointAt(0);
  if (code < 0x20) return `[${CONTROLS[code]}]`;
  return code === 0x7f ? "[DEL]" : `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

function plain(text) {
  return text.replace(hidden, sign);
}

// Text nodes, with a sign in place of each hidden character.
function visible(text) {
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(hidden)) {
    nodes.push(text.slice(at, match.index), make("span", { class: "hidden" }, sign(match[0])));
    at = match.index + match[0].length;
  }
  nodes.push(text.slice(at));
  return nodes;
}

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}

function named(text) {
  return make("bdi", { class: "clamp" }, text ? visible(text) : say("empty_value"));
}

// As shlex.quote, and $'…' where characters are hidden; null where no shell can pass the text.
function shellWord(text) {
  if (/\0|\p{Surrogate}/u.test(text)) return null;
  if (text.search(hidden) < 0 && !/[\u0000-\u001f\u007f]/.test(text)) {
    return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;
  }
  const names = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\", "'": "\\'" };
  const escaped = (character) => {
    if (names[character]) return names[character];
    if (character.search(hidden) < 0) return character;
    const code = character.codePointAt(0);
    return code < 0x80 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  };
  return `$'${Array.from(text, escaped).join("")}'`;
}

function showLine(row) {
  const [run, id] = [shellWord(data.run), shellWord(data.ids[row])];
  if (run === null || id === null || !data.ids[row]) return null;
  return `chunkeval show ${data.ids[row].startsWith("-") ? "-- " : ""}${run} ${id}`;
}
