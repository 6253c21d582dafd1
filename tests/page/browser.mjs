// The review page as a reader sees it: in Chromium, narrow and wide, by day and by night.
// usage: node browser.mjs WINDROW CHROMIUM OUT
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "../../plots/node_modules/playwright-core/index.mjs";
import { comparedMistakes, embeddedData, factMistakes, rowMistakes } from "./numbers.mjs";
import { hostileFolder, hostileMistakes, hostileNames } from "./hostile.mjs";
import { look } from "./look.mjs";
import { tooltipMistakes } from "./tooltips.mjs";

const [program, browserPath, outFolder] = process.argv.slice(2).map((path) => resolve(path));
const work = mkdtempSync(join(tmpdir(), "windrow-page-"));
mkdirSync(join(outFolder, "shots"), { recursive: true });

const mistakes = [];
const expect = (good, words) => {
  if (!good) mistakes.push(words);
};
const expectNone = (found, where) => found.forEach((mistake) => expect(false, `${where}: ${mistake}`));

const windrow = (command, name, ...rest) => {
  const folder = join(work, name);
  const printed = execFileSync(program, [command, "--quiet", "--fail-on", "never", "--color", "never", ...rest, "--out", folder], { encoding: "utf8" });
  return { name, folder, printed, comparison: command === "compare" };
};
const run = (scenario, name, ...settings) => windrow("run", name, scenario, "--growth", "off", ...settings.flatMap((setting) => ["--set", setting]));
const compare = (name, scenarios, ...varied) => windrow("compare", name, ...scenarios, ...varied.flatMap((each) => ["--vary", each]), "--baseline", "none");

const hostile = hostileFolder(work);
// Tables whose names differ behind a long beginning, as many do.
const longNames = join(work, "long-names.ini");
for (const ending of ["ini", "cql"]) {
  const text = readFileSync(`scenarios/gc-grace-table.${ending}`, "utf8").replaceAll("gc-grace-table.cql", "long-names.cql");
  writeFileSync(join(work, `long-names.${ending}`), text.replace(/\b(four|one|two|three|seven|ten)_(hours|days?)\b/g, "readings_of_everybody_$1_$2"));
}
const results = [
  run("scenarios/iot-sensors.ini", "iot-sensors", "run.length=3y"),
  run("scenarios/mixed-ttl.ini", "mixed-ttl"),
  run("scenarios/sensor-unbounded.ini", "sensor-unbounded"),
  run("scenarios/sperf-stcs.ini", "sperf-stcs"),
  run("scenarios/tweet-stream.ini", "tweet-stream", "run.length=12d", "stream.everybody.entities=pattern(account-%05d, 500)"),
  ...[3, 12, 100].map((nodes) => run("scenarios/one-chatty-device.ini", `nodes-${nodes}`, `dc.main.nodes=${nodes}`, `dc.main.replication_factor=${nodes > 3 ? 3 : 1}`)),
  run(hostile, "hostile"),
  run(longNames, "long-names"),
  compare("twelve-choices", ["scenarios/iot-sensors.ini"], "table.sensor_data.compaction.compaction_window_size=1,3,7,14", "stream.readings.column.bucket=hour,day,week"),
  compare("hostile-choices", [hostile, "scenarios/mixed-ttl.ini"], `run.title=${hostileNames.slice(0, 4).join(",")}`),
];
const mixedTtl = results[1];

// Every name of the summary is explained.
const explained = readFileSync("docs/results.md", "utf8");
for (const result of results.filter((one) => !one.comparison)) {
  const summary = JSON.parse(readFileSync(join(result.folder, "summary.json"), "utf8"));
  const [table] = Object.values(summary.tables);
  for (const name of [...Object.keys(summary), ...Object.keys(table), ...Object.keys(summary.nodes[0])]) {
    expect(explained.includes(`\`${name}\``), `docs/results.md does not explain ${name} of summary.json`);
  }
}
for (const result of results) {
  const bytes = readFileSync(join(result.folder, "report.html")).length;
  expect(bytes < 4e6, `the page of ${result.name} has ${bytes} bytes`);
}

const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });

// Beside other work a page takes as long as it takes.
const patience_ms = 300_000;
// A reader keeps one tab for all pages.
const newReader = async () => {
  const tab = await browser.newPage();
  tab.setDefaultTimeout(patience_ms);
  const reader = { tab, where: "", refusals: false };
  tab.on("console", (message) => expect(message.type() !== "error" || reader.refusals, `${reader.where}: console: ${message.text()}`));
  tab.on("pageerror", (error) => expect(false, `${reader.where}: ${error}`));
  tab.on("request", (request) => {
    expect(/^(file|data|blob):/.test(request.url()), `${reader.where}: a request to ${request.url()}`);
    expect(!request.url().startsWith("file:") || request.url().endsWith("/report.html"), `${reader.where}: reads ${request.url()}`);
  });
  return reader;
};
const isDrawn = (tab) => tab.waitForFunction(() => document.documentElement.dataset.drawn !== undefined, null, { timeout: patience_ms, polling: 20 });
const open = async (reader, result, colorScheme, width) => {
  reader.where = `${result.name}, ${colorScheme}-${width}`;
  await reader.tab.goto("about:blank"); // the page before must not follow
  await reader.tab.setViewportSize({ width, height: 900 });
  await reader.tab.emulateMedia({ colorScheme });
  await reader.tab.goto(`file://${result.folder}/report.html`);
  await isDrawn(reader.tab);
};
const shoot = async (reader, result, words) => {
  expectNone(await reader.tab.evaluate(look), `${result.name}, ${words}`);
  await reader.tab.screenshot({ path: join(outFolder, "shots", `${result.name}-${words}.png`), fullPage: true });
};

const read = async (reader, result) => {
  const { tab } = reader;
  reader.refusals = false;
  await open(reader, result, "light", 1400);
  await shoot(reader, result, "light-1400");
  expectNone(await tooltipMistakes(tab), result.name);
  const facts = await tab.evaluate(() => [...document.querySelectorAll("[data-fact]")].map((fact) => [fact.dataset.fact, fact.value, fact.textContent]));
  expectNone(factMistakes(result.folder, facts, result.comparison ? "compare.json" : "summary.json"), result.name);
  const data = embeddedData(result.folder);
  expectNone(result.comparison ? comparedMistakes(result.folder, data) : rowMistakes(result.folder, data), result.name);
  const order = await tab.evaluate(() => [...document.querySelectorAll("section")].map((section) => section.id).filter((id) => id !== "incidents"));
  const parts = result.comparison ? /^verdict choices( table-\d+)+ left-out$/ : /^understood verdict findings( node)?( table-\d+)+ scenario left-out$/;
  expect(parts.test(order.join(" ")), `${result.name}: the parts are ${order.join(" ")}`);

  await open(reader, result, "dark", 400);
  await shoot(reader, result, "dark-400");
  if (!result.name.startsWith("hostile")) return;
  reader.refusals = true; // what the policy refuses is said on the console
  expectNone(await hostileMistakes(tab, result), result.name);
};

const turns = [...results];
const readAll = async () => {
  const reader = await newReader();
  for (let next = turns.shift(); next; next = turns.shift()) await read(reader, next);
  return reader;
};
const [reader] = await Promise.all([readAll(), readAll()]);

// A page that is open follows: the window becomes wide, then it is day. And each chart can be taken away as a file.
const { tab } = reader;
await open(reader, mixedTtl, "dark", 400);
for (const [words, change] of [["dark-1400", () => tab.setViewportSize({ width: 1400, height: 900 })], ["light-again", () => tab.emulateMedia({ colorScheme: "light" })]]) {
  await tab.evaluate(() => delete document.documentElement.dataset.drawn);
  await change();
  await isDrawn(tab);
  await shoot(reader, mixedTtl, words);
}
for (const [words, name] of [["Save as SVG", "disk.svg"], ["Save as PNG", "disk.png"]]) {
  await tab.evaluate(() => (document.querySelector("#t1-disk details").open = true));
  const [download] = await Promise.all([tab.waitForEvent("download"), tab.locator("#t1-disk details a", { hasText: words }).click()]);
  expect(download.suggestedFilename() === name, `${words} gives ${download.suggestedFilename()}`);
}
await browser.close();

// Drawn again from its folder it is the same page; and its charts can be had as files.
const charts = join(outFolder, "charts");
rmSync(charts, { recursive: true, force: true });
const redraw = (result, ...more) => {
  const page = () => readFileSync(join(result.folder, "report.html"));
  const before = page();
  const moved = join(work, `50 % of #1? ${result.name}`);
  renameSync(result.folder, moved);
  result.folder = moved;
  execFileSync(program, ["report", "--quiet", moved, ...more]);
  expect(before.equals(page()), `windrow report draws another page of ${result.name}`);
};
redraw(mixedTtl, "--svg", charts);
redraw(results[6]);
const drawn = embeddedData(mixedTtl.folder).charts.map((chart) => chart.place);
expect(readdirSync(charts).length === 2 * drawn.length, `--svg wrote ${readdirSync(charts).join(" ")}`);
for (const name of drawn) {
  expect(readFileSync(join(charts, `${name}.svg`), "utf8").startsWith("<svg "), `${name}.svg is no SVG`);
  expect(readFileSync(join(charts, `${name}.png`)).subarray(1, 4).toString() === "PNG", `${name}.png is no PNG`);
}

rmSync(work, { recursive: true, force: true });
for (const mistake of mistakes) console.error(mistake);
console.log(`${results.length} pages; ${mistakes.length} mistakes`);
process.exit(mistakes.length === 0 ? 0 : 1);
