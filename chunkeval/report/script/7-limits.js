// Sliders: what another limit would flag, and what to type to have it.
const BARS = 48;

function finite(measure) {
  return columns[measure.column].filter((value) => !Number.isNaN(value)).sort();
}

// Where a slider may go: nearly all values, and the limits.
function reach(measure, values) {
  const at = (share) => values[Math.round(share * (values.length - 1))];
  const ends = [at(0.002), at(0.998), measure.run.low, measure.run.high].filter((value) => value !== null);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  return COUNTS.has(measure.column) ? [Math.floor(low), Math.ceil(high)] : [low, high === low ? low + 1 : high];
}

function fieldsFor(measure) {
  const box = document.querySelector(`.trial[data-analyzer="${CSS.escape(measure.name)}"]`);
  const values = measure.movable ? finite(measure) : [];
  if (!box || !values.length) return;
  const [from, to] = reach(measure, values);
  const step = COUNTS.has(measure.column) ? 1 : 10 ** Math.floor(Math.log10((to - from) / 100));
  const places = Math.max(0, Math.round(-Math.log10(step)));
  const drawing = bars(values, from, to);
  const count = make("output", { class: "trial-count" });
  const sides = ["low", "high"].filter((side) => measure.reasons[side] || measure.run[side] !== null);
  const inputs = sides.flatMap((side) => sideInputs(measure, side, { from, to, step, places }));
  const legend = make("legend", {}, say("ui_try", { column: plain(measure.label_column) }));
  box.append(make("fieldset", {}, legend, drawing.svg, ...inputs, count));
  const told = () => {
    const flagged = everyRow.reduce((sum, row) => sum + (flaggedBy(measure, row) ? 1 : 0), 0);
    count.textContent = say("ui_trial_count", { n: whole(flagged), total: whole(values.length), share: percent(flagged / values.length) });
    drawing.colour(measure);
    for (const input of box.querySelectorAll("input")) if (document.activeElement !== input) input.value = measure[input.dataset.side] ?? "";
  };
  trials.push(told);
  told();
}

const trials = [];

function sideInputs(measure, side, { from, to, step, places }) {
  const label = say(measure.reasons.low && measure.reasons.high ? `ui_limit_${side}` : "limit");
  const common = { "data-side": side, step: String(step), "aria-label": `${plain(measure.label_column)}, ${label}` };
  const range = make("input", { type: "range", min: String(from), max: String(to), ...common, step: "any" });
  const number = make("input", { type: "number", ...common, step: "any" });
  const none = side === "low" ? from : to;
  range.value = String(measure[side] ?? none);
  number.value = measure[side] ?? "";
  const set = (value) => {
    const other = side === "low" ? measure.high : measure.low;
    const crossed = other !== null && (side === "low" ? value >= other : value <= other);
    if (Number.isNaN(value) || crossed) return;
    measure[side] = Number(value.toFixed(Math.max(places, 0)));
    judgeAgain();
    settle();
  };
  range.addEventListener("input", () => { set(Number(range.value)); number.value = measure[side] ?? ""; });
  number.addEventListener("change", () => { if (number.value !== "") set(Number(number.value)); range.value = String(measure[side] ?? none); });
  return [make("label", {}, make("span", { class: "side" }, label), range), number];
}

let settling;
function settle() {
  trials.forEach((told) => told());
  const flagged = flags.reduce((sum, bits) => sum + (bits ? 1 : 0), 0);
  const before = stored.flags.reduce((sum, bits) => sum + (bits ? 1 : 0), 0);
  const bar = document.getElementById("trial");
  bar.hidden = !measures.some(moved);
  const counts = { n: whole(flagged), share: percent(flagged / data.rows), before: whole(before) };
  document.getElementById("trial-said").textContent = say("ui_trial", counts);
  document.getElementById("trial-command").textContent = plain(trialCommand());
  clearTimeout(settling);
  settling = setTimeout(refresh, 200);
}

function trialCommand() {
  const words = ["chunkeval", "flag", data.run, ...data.options];
  for (const measure of measures) {
    if (!moved(measure) && measure.rule !== "given") continue;
    const both = (measure.low !== null && measure.high !== null) || (measure.reasons.low && measure.reasons.high);
    words.push("--limit", `${measure.column}=${both ? `${measure.low ?? ""}:${measure.high ?? ""}` : (measure.low ?? measure.high)}`);
  }
  return words.map((word) => shellWord(word) ?? "…").join(" ");
}

function bars(values, from, to) {
  const counts = new Array(BARS).fill(0);
  const width = (to - from) / BARS;
  for (const value of values) if (value >= from && value <= to) counts[Math.min(BARS - 1, Math.floor((value - from) / width))] += 1;
  const tallest = Math.max(...counts, 1);
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${BARS * 4} 40`, class: "bars", "aria-hidden": "true", preserveAspectRatio: "none" })) svg.setAttribute(name, value);
  const shapes = counts.map((count, at) => {
    const bar = document.createElementNS(space, "rect");
    const height = count ? Math.max(1, (36 * count) / tallest) : 0;
    for (const [name, value] of Object.entries({ x: at * 4, y: 40 - height, width: 3, height })) bar.setAttribute(name, String(value));
    svg.append(bar);
    return bar;
  });
  const colour = (measure) => shapes.forEach((bar, at) => {
    const middle = from + (at + 0.5) * width;
    const bad = (measure.low !== null && middle < measure.low) || (measure.high !== null && middle > measure.high);
    bar.setAttribute("class", bad ? "bad" : "good");
  });
  return { svg, colour };
}

function startLimits() {
  measures.forEach(fieldsFor);
  document.getElementById("trial-reset").addEventListener("click", () => {
    for (const measure of measures) Object.assign(measure, measure.run);
    judgeAgain();
    document.activeElement?.blur();
    settle();
  });
  const code = document.getElementById("trial-command");
  document.getElementById("trial").querySelector(".command").append(copyButton(trialCommand, code));
}
