// What the data block holds, unpacked.
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

async function unpackJson(text) {
  return JSON.parse(new TextDecoder().decode(await unpack(text)));
}

const block = JSON.parse(document.getElementById("data").textContent);
const data = await unpackJson(block.head);
const NONE = -(2 ** 31);
const columns = {};
{
  const buffer = await unpack(block.arrays);
  let at = 0;
  for (const { name, kind, scale } of data.arrays) {
    const stored = kind === "f64" ? new Float64Array(buffer, at, data.rows) : new Int32Array(buffer, at, data.rows);
    at += stored.byteLength;
    columns[name] = kind === "f64" ? stored : Float64Array.from(stored, (value) => (value === NONE ? NaN : value / scale));
  }
}
const passages = new Map((await unpackJson(block.passages)).map((passage) => [passage.row, passage]));
const rowOf = new Map(data.ids.map((id, row) => [id, row]));
const everyRow = Array.from({ length: data.rows }, (_, row) => row);

function documentOf(row) {
  const code = columns.document[row];
  return code < 0 ? null : data.documents[code];
}

function after(row) {
  return columns.after[row] ? row + columns.after[row] : null;
}

let earlier = null;
function before(row) {
  if (!earlier) {
    earlier = new Map(everyRow.filter((other) => columns.after[other]).map((other) => [after(other), other]));
  }
  return earlier.get(row) ?? null;
}
