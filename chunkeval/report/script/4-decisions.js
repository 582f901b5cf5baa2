// What the reader decides: kept by the browser, downloaded as the list that filter, rechunk and calibrate take.
const decisions = new Map(data.decisions);
const storageKey = `chunkeval:${data.key}`;
const listeners = [];

function remembered(write) {
  try {
    if (write !== undefined) localStorage.setItem(storageKey, write);
    return localStorage.getItem(storageKey);
  } catch {
    return null; // A browser may refuse to remember for pages opened from disk; decisions then last as long as the page.
  }
}

try {
  for (const [id, choice] of JSON.parse(remembered() ?? "[]")) {
    if (!rowOf.has(id)) continue;
    if (data.choices.includes(choice)) decisions.set(rowOf.get(id), choice);
    else decisions.delete(rowOf.get(id));
  }
} catch {
  // Not ours, or of another version: what the run says stands.
}

function decide(row, choice) {
  if (choice) decisions.set(row, choice);
  else decisions.delete(row);
  const undone = data.decisions.filter(([given]) => !decisions.has(given)).map(([given]) => [data.ids[given], ""]);
  remembered(JSON.stringify([...undone, ...Array.from(decisions, ([given, kept]) => [data.ids[given], kept])]));
  listeners.forEach((listen) => listen(row));
}

// A text that a spreadsheet would run gets an apostrophe, one that has apostrophes there already one more.
function guarded(text) {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function cell(value) {
  const text = typeof value === "number" ? (Number.isNaN(value) ? "" : String(value)) : guarded(value ?? "");
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function decisionTable() {
  const number = (name) => (row) => columns[name]?.[row] ?? NaN;
  const kept = {
    chunk_id: (row) => data.ids[row],
    doc_id: documentOf,
    position: number("position"),
    start: number("start"),
    end: number("end"),
    token_count: number("token_count"),
    similarity: number("similarity"),
    topic_entropy: number("topic_entropy"),
    reasons: (row) => reasonsOf(row).join(";"),
    severity: (row) => severity[row],
    suggestion: suggestionOf,
    decision: (row) => decisions.get(row),
  };
  const rows = [...decisions.keys()].sort((one, other) => severity[other] - severity[one] || one - other);
  const lines = rows.map((row) => Object.values(kept).map((value) => cell(value(row))).join(","));
  return `\ufeff${[Object.keys(kept).join(","), ...lines].join("\r\n")}\r\n`;
}

function startDecisions() {
  const bar = document.getElementById("decisions");
  const button = document.getElementById("download");
  const clear = document.getElementById("clear-decisions");
  const told = () => {
    document.getElementById("decided-count").textContent = say(decisions.size ? "ui_decided" : "ui_decided_none", { n: whole(decisions.size) });
    button.disabled = clear.disabled = !decisions.size;
  };
  button.addEventListener("click", () => {
    const url = URL.createObjectURL(new Blob([decisionTable()], { type: "text/csv" }));
    make("a", { href: url, download: "decisions.csv" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  });
  clear.addEventListener("click", () => {
    if (confirm(say("ui_clear_sure", { n: whole(decisions.size) }))) [...decisions.keys()].forEach((row) => decide(row, ""));
  });
  listeners.push(told);
  told();
  bar.hidden = false;
}
