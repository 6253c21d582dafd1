// Numbers of the page against the files beside it.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const embeddedData = (folder) => {
  const page = readFileSync(join(folder, "report.html"), "utf8");
  return JSON.parse(page.match(/<script type="application\/json" id="windrow-data">(.*?)<\/script>/s)[1]);
};

const at = (json, pointer) =>
  pointer.split("/").slice(1).reduce((part, key) => part?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], json);

/// `facts`: name, value, and the words that are shown; `file` has them all.
export const factMistakes = (folder, facts, file) => {
  const summary = JSON.parse(readFileSync(join(folder, file), "utf8"));
  const mistakes = facts.length < 20 ? [`only ${facts.length} numbers of the page are facts of ${file}`] : [];
  for (const [name, value, words] of facts) {
    const there = at(summary, name);
    if (there === undefined) mistakes.push(`${name} is not in ${file}`);
    else if (String(there) !== value && Number(there) !== Number(value)) mistakes.push(`${name} is ${there}, the page has ${value}`);
    if (words.trim() === "") mistakes.push(`${name} is shown as nothing`);
    // What is shown is the value, in some unit, rounded to three digits.
    const shown = Number(words.replaceAll(",", "").match(/^-?[\d.]+(?:e[+-]?\d+)?/)?.[0]);
    if (typeof there !== "number" || there === 0 || Number.isNaN(shown)) continue;
    const units = [1, 1024, 1024 ** 2, 1024 ** 3, 1024 ** 4, 0.01, 1e6, 60, 3600, 86400];
    if (!units.some((unit) => Math.abs(shown * unit - there) <= 0.006 * Math.abs(there))) mistakes.push(`${name} is ${there}, the page shows ${words}`);
  }
  return mistakes;
};

const cellsOf = (line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map((match) => match[1].replace(/^"(.*)"$/s, "$1").replaceAll('""', '"'));
const rowsOf = (folder, file) => {
  const [header, ...lines] = readFileSync(join(folder, file), "utf8").trimEnd().split("\r\n");
  const names = cellsOf(header);
  return lines.map((line) => Object.fromEntries(cellsOf(line).slice(0, names.length).map((cell, i) => [names[i], cell])));
};
const same = (cell, value) => (value === null ? cell === "" : cell === String(value) || cell === `'${value}` || Number(cell) === value);
const sum = (values) => values.reduce((all, value) => all + Number(value), 0);

/// Rows are rows of the files, sums are sums of all.
export const rowMistakes = (folder, data) => {
  const tables = Object.keys(JSON.parse(readFileSync(join(folder, "summary.json"), "utf8")).tables);
  const whole = data.tables[tables.length]?.["timeline.csv"];
  const ofNode = whole ? nodeMistakes(rowsOf(folder, "timeline.csv").filter(ofShownNode(folder, tables[0])), whole) : [];
  for (const [file, key] of [["load.csv", ["at", "node"]], ["nodes.csv", ["node", "quantity"]]]) {
    const columns = data.tables[tables.length]?.[file];
    if (columns) ofNode.push(...cellMistakes(file, columns, rowsOf(folder, file), key));
  }
  return ofNode.concat(tables.flatMap((table, number) => tableMistakes(folder, table, data.tables[number]).map((mistake) => `${table}: ${mistake}`)));
};

/// What the page has of a file are rows of it; `key`: the columns that tell rows apart.
const cellMistakes = (file, columns, there, key) => {
  const mistakes = [];
  const rows = new Map(there.map((row) => [key.map((name) => row[name]).join(), row]));
  for (let i = 0; i < columns[key[0]].length; ++i) {
    const place = key.map((name) => columns[name][i]).join();
    const row = rows.get(place);
    for (const name of Object.keys(columns)) {
      if (!row || !same(row[name], columns[name][i])) mistakes.push(`${file}, ${place}: ${name} is ${row?.[name]}, the page has ${columns[name][i]}`);
    }
  }
  return mistakes;
};

/// The same for a comparison: its groups of tables, one after the other.
export const comparedMistakes = (folder, data) => {
  const file = "compare-timeline.csv";
  const groups = JSON.parse(readFileSync(join(folder, "compare.json"), "utf8")).groups.slice(1);
  const all = rowsOf(folder, file);
  return groups.flatMap((group, number) => {
    const rows = all.filter((row) => row.compared_as === group.title || row.compared_as === `'${group.title}`);
    return rows.length === 0 ? [`${file} has nothing of ${group.title}`] : cellMistakes(file, data.tables[number][file], rows, ["run", "at"]);
  });
};

/// The node's rows are sums of its tables'.
const nodeMistakes = (rows, columns) => {
  const mistakes = [];
  for (const name of Object.keys(columns).filter((name) => name !== "at" && name !== "other_bytes")) {
    for (let i = 0; i < columns.at.length; ++i) {
      const all = sum(rows.filter((row) => row.at === columns.at[i]).map((row) => row[name]));
      if (all !== columns[name][i]) mistakes.push(`timeline.csv, ${columns.at[i]}: ${name} of all tables is ${all}, the page has ${columns[name][i]}`);
    }
  }
  return mistakes;
};

// Of several nodes that were run the page shows the fullest.
const ofShownNode = (folder, table) => {
  const { node } = JSON.parse(readFileSync(join(folder, "summary.json"), "utf8")).tables[table];
  return (row) => node === undefined || row.node === undefined || Number(row.node) === node;
};

const tableMistakes = (folder, table, files) => {
  const mistakes = [];
  const shown = ofShownNode(folder, table);
  const rowsOfTable = (file) =>
    rowsOf(folder, file).filter((row) => row.table === table && shown(row));
  for (const [file, key] of [["timeline.csv", ["at"]], ["sstables.csv", ["sstable"]], ["sizes.csv", ["bucket", "shards"]]]) {
    mistakes.push(...cellMistakes(file, files[file], rowsOfTable(file), key));
  }
  for (const [file, name] of [["compactions.csv", "read_bytes"], ["compactions.csv", "count"], ["tombstones.csv", "count"]]) {
    const all = sum(rowsOfTable(file).map((row) => row[name]));
    const shown = sum(files[file][name]);
    if (all !== shown) mistakes.push(`${file}: the sum of ${name} is ${all}, the page has ${shown}`);
  }
  return mistakes;
};
