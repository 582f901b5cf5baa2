// One chunk, opened: its text by sentences, its scores against the limits, its neighbours, what to do.
const linkTo = (row) => `#chunk=${encodeURIComponent(data.ids[row])}`;

function chunkArticle(row) {
  const parts = [where(row), reasonList(row), text(row), beside(row), scoreTable(row), decideButtons(row), metadata(row), commandLine(row)];
  return make("article", { class: "chunk", "aria-label": say("ui_chunk", { id: plain(data.ids[row]) }) }, ...parts);
}

function where(row) {
  const name = documentOf(row);
  const position = columns.position ? say("position", { n: whole(columns.position[row] + 1) }) : null;
  const told = [name === null ? null : named(name), name === null || !position ? null : ` · ${position}`];
  const link = make("a", { class: "permalink", href: linkTo(row) }, say("ui_permalink"));
  return make("p", { class: "where" }, ...told, name === null ? null : " · ", `${say("severity")} ${fixed(severity[row], 2)} · `, link);
}

function reasonList(row) {
  const reasons = reasonsOf(row);
  if (!reasons.length) return make("p", { class: "remark" }, say("ui_no_reason"));
  const list = make("ul", { class: "reasons" }, ...reasons.map((code) => make("li", {}, reasonWord(code))));
  const suggestion = suggestionOf(row);
  const pieces = passages.get(row)?.pieces;
  const cut = pieces?.some(([kind]) => kind === "cut");
  // Places were looked for where the limits of the run say split; for moved limits nobody has looked.
  const nowhere = pieces && !cut && !measures.some(moved);
  const key = `suggest_${suggestion}${suggestion === "split" ? cut ? "_here" : nowhere ? "_nowhere" : "" : ""}`;
  const advice = suggestion ? make("p", { class: "suggestion" }, data.words[key] ?? visible(suggestion)) : null;
  const why = passages.get(row)?.why;
  return make("div", {}, list, why ? make("p", { class: "why" }, visible(why)) : null, advice);
}

function reasonWord(code) {
  return make("span", { class: "clamp" }, visible(data.words.reason[code] ?? code));
}

function text(row) {
  const passage = passages.get(row);
  const box = make("div", { class: "text", dir: "auto", tabindex: "0", role: "region", "aria-label": say("ui_text") });
  if (!passage) {
    box.append(make("span", { class: "remark" }, say(data.redacted ? "ui_redacted" : "ui_not_held")));
    return box;
  }
  if (!passage.pieces.length) box.append(make("span", { class: "remark" }, say("blank_text")));
  const several = passage.pieces.some(([kind]) => kind === "cut" || kind === "weak");
  let part = 0;
  for (const [kind, number, words] of passage.pieces) {
    if (kind === "cut" || kind === "weak") {
      part += 1;
      box.append(mark(row, kind));
    } else if (kind === "elided") {
      box.append(make("span", { class: "mark elided" }, say("elided", { n: whole(number) })));
    } else if (kind === "sentence") {
      const label = several ? `${String.fromCharCode(65 + Math.min(part, 25))}${number}` : `${number}`;
      box.append(make("span", { class: several ? `sentence part-${part % 2}` : "sentence", "data-n": label }, visible(words)));
    } else {
      box.append(...visible(words));
    }
  }
  return box;
}

function mark(row, kind) {
  const gap = columns.cut_gap?.[row];
  const beside = Number.isFinite(gap) ? ` · ${say("cut_gap", { gap: fixed(gap, 2) })}` : "";
  return make("span", { class: `mark ${kind}` }, `${say(kind === "cut" ? "cut_suggested" : "cut_weak")}${beside}`);
}

function beside(row) {
  const box = make("div", { class: "beside-text" });
  for (const [side, other] of [["before", before(row)], ["after", after(row)]]) {
    if (other === null) continue;
    const words = passages.get(row)?.[side];
    const flagged = flags[other] ? ` ${say("ui_flagged_too")}` : "";
    const link = make("a", { href: linkTo(other) }, named(data.ids[other]));
    const quote = words ? make("blockquote", { dir: "auto" }, visible(words)) : null;
    box.append(make("div", { class: `neighbour ${side}` }, make("p", {}, `${say(`ui_${side}`)} `, link, flagged), quote));
  }
  return box.childElementCount ? box : null;
}

function scoreTable(row) {
  const judged = measures.filter((measure) => columns[measure.column]);
  const rest = data.scores.filter(([name]) => !judged.some((measure) => measure.column === name));
  const head = ["score", "value", "limit_value", "verdict_column"].map((key, at) =>
    make("th", { scope: "col", class: at === 1 ? "num" : null }, say(key)));
  const lines = judged.map((measure) => {
    const value = columns[measure.column][row];
    const verdict = verdictOf(measure, row, value);
    const column = measure.label_column === measure.label ? null : make("span", { class: "remark" }, ` ${measure.label_column}`);
    return make("tr", { class: /[▲▼]/.test(verdict) ? "beyond" : null }, make("th", { scope: "row" }, visible(measure.label), column),
      make("td", { class: "num" }, measured(value, measure.column)), make("td", {}, allowed(measure)), make("td", {}, verdict));
  });
  const table = make("table", {}, make("caption", {}, say("scores")), make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...lines));
  const others = rest.map(([name, label]) =>
    make("div", {}, make("dt", {}, visible(label)), make("dd", {}, measured(columns[name][row], name))));
  return make("div", {}, table, others.length ? make("dl", { class: "facts" }, ...others) : null);
}

function verdictOf(measure, row, value) {
  if (Number.isNaN(value)) return say("is_unmeasured");
  if (measure.low === null && measure.high === null) return say("is_unjudged");
  if (!beyond(measure, row)) return say("is_fine");
  return say(measure.low !== null && value <= measure.low ? "is_low" : "is_high");
}

function allowed(measure) {
  if (measure.low === null && measure.high === null) return "–";
  const key = measure.low !== null && measure.high !== null ? "limit_both" : measure.low !== null ? "limit_low" : "limit_high";
  const [low, high] = [measure.low, measure.high].map((value) => (value === null ? "" : limitNumber(value, measure.column)));
  return say(data.inclusive ? `${key}_equal` : key, { low, high });
}

function decideButtons(row) {
  const buttons = data.choices.map((choice, at) => {
    const button = make("button", { type: "button", "data-decision": choice }, make("kbd", {}, `${at + 1}`), ` ${say(`ui_${choice}`)}`);
    button.addEventListener("click", () => decide(row, decisions.get(row) === choice ? "" : choice));
    return button;
  });
  const box = make("fieldset", { class: "decide" }, make("legend", {}, say("ui_decide")), ...buttons);
  const show = () => buttons.forEach((button) => button.setAttribute("aria-pressed", String(decisions.get(row) === button.dataset.decision)));
  box.refresh = show;
  show();
  return box;
}

function metadata(row) {
  const told = passages.get(row)?.metadata ?? [];
  if (!told.length) return null;
  const pairs = told.map(([name, value]) => make("div", {}, make("dt", {}, named(name)), make("dd", {}, named(value))));
  return make("dl", { class: "facts metadata", "aria-label": say("ui_metadata") }, ...pairs);
}

function commandLine(row) {
  const line = showLine(row);
  if (line === null) return make("p", { class: "command remark" }, say("show_impossible"));
  const code = make("code", { class: "show" }, make("bdi", {}, visible(line)));
  return make("p", { class: "command" }, make("span", { class: "remark" }, `${say("show_line")} `), code, copyButton(line, code));
}

function copyButton(line, code) {
  const button = make("button", { type: "button", class: "copy" }, say("ui_copy"));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(typeof line === "function" ? line() : line);
      button.textContent = say("ui_copied");
      setTimeout(() => { button.textContent = say("ui_copy"); }, 2_000);
    } catch {
      getSelection().selectAllChildren(code); // Where the page may not write to the clipboard, the reader can.
    }
  });
  return button;
}
