// The list of chunks: filtered, sorted, a page at a time.
const PAGE = 100;
const shown = { rows: [], page: 0, sort: "severity", down: true, open: new Set() };
const filters = document.getElementById("filters");
const table = document.getElementById("outliers");
const body = table.tBodies[0];
const judged = measures.filter((measure) => columns[measure.column]);

const sortable = {
  severity: (row) => severity[row],
  chunk_id: (row) => data.ids[row],
  doc_id: (row) => documentOf(row) ?? "",
  ...Object.fromEntries(judged.map((measure) => [measure.column, (row) => columns[measure.column][row]])),
};

const heads = [["chunk_id", "ui_chunk_id"], ["doc_id", "document"], [null, "ui_reasons"],
  ...judged.map((measure) => [measure.column, measure.label]), ["severity", "severity"], [null, "ui_suggestion"], [null, "ui_decision"]];

function drawHead() {
  const cells = heads.map(([key, label], at) => {
    const words = at > 2 && at < 3 + judged.length ? visible(label) : say(label);
    const number = at > 2 && at < 4 + judged.length;
    if (!key) return make("th", { scope: "col" }, words);
    const button = make("button", { type: "button", "data-sort": key }, words);
    button.addEventListener("click", () => {
      shown.down = shown.sort === key ? !shown.down : key === "severity";
      shown.sort = key;
      refresh();
    });
    return make("th", { scope: "col", class: number ? "num" : null, "aria-sort": "none" }, button);
  });
  table.tHead.replaceChildren(make("tr", {}, ...cells));
}

function searched(row, wanted) {
  if (data.ids[row].toLowerCase().includes(wanted)) return true;
  return passages.get(row)?.pieces.map(([, , words]) => words).join("").normalize("NFC").toLowerCase().includes(wanted) ?? false;
}

function matching() {
  const { scope, reason, decision } = Object.fromEntries(new FormData(filters));
  const wanted = filters.elements.text.value.normalize("NFC").toLowerCase();
  const inDocument = filters.elements.document.value.normalize("NFC").toLowerCase();
  const hit = inDocument && data.documents.map((name) => name.normalize("NFC").toLowerCase().includes(inDocument));
  return everyRow.filter((row) => {
    if (scope !== "all" && !flags[row]) return false;
    if (reason && !reasonsOf(row).includes(reason)) return false;
    if (hit && !hit[columns.document[row]]) return false;
    const choice = decisions.get(row);
    if (decision === "open" ? choice : decision === "decided" ? !choice : decision !== "any" && choice !== decision) return false;
    return !wanted || searched(row, wanted);
  });
}

function sorted(rows) {
  const value = sortable[shown.sort];
  const keys = new Map(rows.map((row) => [row, value(row)]));
  const order = shown.down ? -1 : 1;
  const compare = new Intl.Collator(data.lang, { numeric: true }).compare;
  return rows.sort((one, other) => {
    const [a, b] = [keys.get(one), keys.get(other)];
    if (typeof a === "string") return order * compare(a, b) || one - other;
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b) || one - other; // Not measured comes last.
    return order * (a - b) || one - other;
  });
}

// Filters and sorts anew, and goes back to the first page unless a row is to be kept in view.
function refresh(row = null) {
  shown.rows = sorted(matching());
  shown.page = row === null ? 0 : Math.max(0, Math.floor(shown.rows.indexOf(row) / PAGE));
  draw();
}

function draw() {
  const pages = Math.max(1, Math.ceil(shown.rows.length / PAGE));
  shown.page = Math.min(shown.page, pages - 1);
  const here = shown.rows.slice(shown.page * PAGE, (shown.page + 1) * PAGE);
  body.replaceChildren(...here.flatMap((row) => (shown.open.has(row) ? [line(row), detail(row)] : [line(row)])));
  for (const button of table.tHead.querySelectorAll("button")) {
    const state = button.dataset.sort !== shown.sort ? "none" : shown.down ? "descending" : "ascending";
    button.closest("th").setAttribute("aria-sort", state);
  }
  const total = flags.reduce((count, bits) => count + (bits ? 1 : 0), 0);
  document.getElementById("table-count").textContent = say("ui_count", { n: whole(shown.rows.length), flagged: whole(total), chunks: whole(data.rows) });
  document.getElementById("pager-said").textContent = say("ui_page", { n: whole(shown.page + 1), total: whole(pages) });
  document.getElementById("pager").hidden = pages < 2;
  for (const button of document.querySelectorAll("#pager button")) {
    button.disabled = target(button.dataset.page, pages) === shown.page;
  }
}

function target(where, pages) {
  return { first: 0, previous: Math.max(0, shown.page - 1), next: Math.min(pages - 1, shown.page + 1), last: pages - 1 }[where];
}

function line(row) {
  const open = shown.open.has(row);
  const button = make("button", { type: "button", class: "open", "aria-expanded": String(open), "aria-controls": `detail-${row}` }, named(data.ids[row]));
  button.addEventListener("click", () => toggle(row));
  const fresh = data.new?.[row] && flags[row] ? make("span", { class: "tag" }, say("new")) : null;
  const words = passages.get(row)?.pieces.filter(([kind]) => kind === "sentence").map(([, , part]) => part).join(" ").slice(0, 120);
  const first = make("th", { scope: "row" }, button, fresh, words ? make("span", { class: "preview" }, visible(words)) : null);
  const position = columns.position ? make("span", { class: "remark" }, ` · ${whole(columns.position[row] + 1)}`) : null;
  const name = documentOf(row);
  const scores = judged.map((measure) => {
    const side = flaggedBy(measure, row) ? beyond(measure, row) : null;
    const mark = side === "low" ? "▼ " : side === "high" ? "▲ " : "";
    return make("td", { class: side ? "num beyond" : "num" }, `${mark}${measured(columns[measure.column][row], measure.column)}`);
  });
  const reasons = reasonsOf(row).flatMap((code, at) => [at ? ", " : "", reasonWord(code)]);
  const suggestion = suggestionOf(row);
  return make("tr", { "data-row": String(row), class: open ? "opened" : null }, first,
    make("td", {}, name === null ? "–" : named(name), name === null ? null : position), make("td", { class: "why" }, ...reasons), ...scores,
    make("td", { class: "num" }, fixed(severity[row], 2)), make("td", {}, suggestion ? visible(data.words.suggestion[suggestion] ?? suggestion) : "–"),
    make("td", {}, choiceBox(row)));
}

function choiceBox(row) {
  const box = make("select", { class: "decision", "aria-label": say("ui_decision_of", { id: plain(data.ids[row]) }) },
    make("option", { value: "" }, "–"), ...data.choices.map((choice) => make("option", { value: choice }, say(`ui_${choice}`))));
  box.value = decisions.get(row) ?? "";
  box.addEventListener("change", () => decide(row, box.value));
  return box;
}

function detail(row) {
  return make("tr", { class: "detail", "data-row": String(row), id: `detail-${row}` }, make("td", { colspan: String(heads.length) }, chunkArticle(row)));
}

function lineOf(row) {
  return body.querySelector(`tr[data-row="${row}"]:not(.detail)`);
}

function toggle(row, open = !shown.open.has(row)) {
  const here = lineOf(row);
  here.nextElementSibling?.matches(`.detail[data-row="${row}"]`) && here.nextElementSibling.remove();
  if (open) shown.open.add(row);
  else shown.open.delete(row);
  here.classList.toggle("opened", open);
  here.querySelector("button.open").setAttribute("aria-expanded", String(open));
  if (open) here.after(detail(row));
}

// Opens the chunk that the address names, wherever it is.
function follow() {
  const match = /^#chunk=(.*)$/s.exec(location.hash);
  if (!match) return;
  let row;
  try {
    row = rowOf.get(decodeURIComponent(match[1]));
  } catch {
    return; // An address that somebody cut short.
  }
  if (row === undefined) return;
  if (!shown.rows.includes(row)) {
    // Not filters.reset(): its event would draw the list once more, without this row.
    const fields = { scope: flags[row] ? "flagged" : "all", reason: "", document: "", text: "", decision: "any" };
    for (const [name, value] of Object.entries(fields)) filters.elements[name].value = value;
  }
  refresh(row);
  toggle(row, true);
  lineOf(row).querySelector("button.open").focus({ preventScroll: true });
  lineOf(row).scrollIntoView({ block: "start" });
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(select|input|textarea)$/i.test(event.target.tagName)) return;
  const here = event.target.closest("tr[data-row]");
  if (!here) return;
  const row = Number(here.dataset.row);
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if (step && event.target.matches("button.open")) {
    const buttons = [...body.querySelectorAll("button.open")];
    buttons[buttons.indexOf(event.target) + step]?.focus();
    event.preventDefault();
  } else if (event.key === "Escape" && shown.open.has(row)) {
    toggle(row, false);
    lineOf(row).querySelector("button.open").focus();
  } else if (/^[0-9]$/.test(event.key) && Number(event.key) <= data.choices.length) {
    decide(row, event.key === "0" ? "" : data.choices[Number(event.key) - 1]);
  }
}

function startTable() {
  drawHead();
  const found = new Map();
  for (let row = 0; row < data.rows; row++) if (flags[row]) reasonsOf(row).forEach((code) => found.set(code, (found.get(code) ?? 0) + 1));
  const codes = [...new Set([...found.keys(), ...measures.flatMap((measure) => Object.values(measure.reasons))])];
  filters.elements.reason.append(...codes.map((code) => make("option", { value: code }, plain(data.words.reason[code] ?? code).slice(0, 80))));
  document.getElementById("document-names").append(...data.documents.slice(0, 500).map((name) => make("option", { value: name.slice(0, 200) })));
  let waiting;
  filters.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(refresh, data.rows > 5_000 ? 150 : 0);
  });
  filters.addEventListener("reset", () => setTimeout(refresh, 0));
  filters.addEventListener("submit", (event) => event.preventDefault());
  body.addEventListener("keydown", onKey);
  for (const button of document.querySelectorAll("#pager button")) {
    button.addEventListener("click", () => {
      shown.page = target(button.dataset.page, Math.ceil(shown.rows.length / PAGE));
      draw();
      table.scrollIntoView({ block: "start" });
    });
  }
  listeners.push((row) => {
    const here = lineOf(row);
    if (!here) return;
    here.querySelector("select.decision").value = decisions.get(row) ?? "";
    here.nextElementSibling?.querySelector(".decide")?.refresh();
  });
  refresh();
}
