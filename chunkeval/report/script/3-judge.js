// Flags under moved limits: the same rules as chunkeval.flags, on the same numbers.
const measures = data.measures.map((measure, bit) => ({ ...measure, bit, run: { low: measure.low, high: measure.high } }));
const FIXED = 1 << measures.length;
const stored = { flags: columns.flags, severity: columns.severity };
let flags = stored.flags;
let severity = stored.severity;

function moved(measure) {
  return measure.low !== measure.run.low || measure.high !== measure.run.high;
}

function beyond(measure, row) {
  const value = columns[measure.column][row];
  if (measure.low !== null && (value < measure.low || (data.inclusive && value === measure.low))) return "low";
  if (measure.high !== null && (value > measure.high || (data.inclusive && value === measure.high))) return "high";
  return null;
}

// Reasons for which a measure flags a chunk besides its limit; a column that the limit stands on has only that.
function marksOf(measure, row) {
  const found = measure.marks.filter(([column, , above]) => column !== measure.column && above !== null && columns[column]?.[row] > above);
  return found.map(([, code]) => code);
}

function codeOf(measure, side) {
  const mark = measure.marks.find(([column]) => column === measure.column);
  return mark ? mark[1] : measure.reasons[side] ?? Object.values(measure.reasons)[0];
}

function flaggedBy(measure, row) {
  return (flags[row] & (1 << measure.bit)) !== 0;
}

function judgeAgain() {
  const changed = measures.filter(moved);
  flags = stored.flags;
  severity = stored.severity;
  if (!changed.length) return;
  flags = Int32Array.from(stored.flags);
  for (const measure of changed) {
    const bit = 1 << measure.bit;
    for (let row = 0; row < data.rows; row++) {
      flags[row] = beyond(measure, row) || marksOf(measure, row).length ? flags[row] | bit : flags[row] & ~bit;
    }
  }
  severity = Float64Array.from(everyRow, severityOf);
}

function severityOf(row) {
  if (flags[row] & FIXED) return 1;
  let good = 1;
  for (const measure of measures) {
    if (marksOf(measure, row).length) return 1;
    if (!flaggedBy(measure, row) || !measure.percentiles) continue;
    const side = beyond(measure, row);
    if (!side) continue;
    const [limit, end] = side === "low" ? [measure.low, measure.percentiles[0]] : [measure.high, measure.percentiles[1]];
    const distance = (end - limit) * (side === "low" ? -1 : 1);
    const away = (columns[measure.column][row] - limit) * (side === "low" ? -1 : 1);
    good *= 1 - (distance > 0 ? Math.min(1, Math.max(0, away / distance)) : 1);
  }
  return Math.round((1 - good) * 1e6) / 1e6;
}

let lastRows = null;
function lastOfDocument(row) {
  if (!lastRows) {
    const first = new Map();
    const last = new Map();
    for (let other = 0; other < data.rows; other++) {
      const code = columns.document[other];
      const position = columns.position ? columns.position[other] : 0;
      if (!(position >= first.get(code))) first.set(code, position);
      if (!(position <= last.get(code))) last.set(code, position);
    }
    lastRows = { first, last };
  }
  const code = columns.document[row];
  const last = lastRows.last.get(code);
  return code >= 0 && columns.position?.[row] === last && lastRows.first.get(code) !== last;
}

function reasonsOf(row) {
  const codes = columns.reasons[row];
  const said = codes < 0 ? [] : data.reasons[codes];
  const changed = measures.filter((measure) => moved(measure));
  if (!changed.length) return said;
  const own = (measure) => ["low", "high"].map((side) => codeOf(measure, side));
  const of = (measure) => own(measure).flatMap((code) => (code === "too_short" ? [code, "tail"] : [code]));
  const gone = new Set(changed.flatMap(of));
  const kept = said.filter((code) => !gone.has(code));
  for (const measure of changed) {
    const side = beyond(measure, row);
    const code = side && codeOf(measure, side);
    if (code) kept.push(code === "too_short" && lastOfDocument(row) ? "tail" : code);
  }
  const place = (code) => (data.reason_order.includes(code) ? data.reason_order.indexOf(code) : data.reason_order.length);
  return kept.sort((one, other) => place(one) - place(other));
}

function suggestionOf(row) {
  if (!measures.some(moved)) return data.suggestions[columns.suggestion[row]] ?? "";
  const reasons = reasonsOf(row);
  const known = data.suggest.find(([reason]) => reasons.includes(reason));
  return known ? known[1] : reasons.some((code) => !data.inert.includes(code)) ? "review" : "";
}
