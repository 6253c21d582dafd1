// How long the review page of three years takes to open, against a yardstick page in the same browser: its libraries alone, drawing
// nothing. Seconds of the page's own thread, the best of some turns. Nothing is asserted: who runs it compares.
// usage: node bench/page_open.mjs [--tiny] WINDROW CHROMIUM
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "../plots/node_modules/playwright-core/index.mjs";

const options = process.argv.slice(2);
const tiny = options[0] === "--tiny";
const [program, browserPath] = options.slice(tiny ? 1 : 0).map((path) => resolve(path));
const work = mkdtempSync(join(tmpdir(), "windrow-page-open-"));

const pageOf = (name, scenario, length) => {
  const folder = join(work, name);
  execFileSync(program, ["run", "--quiet", `scenarios/${scenario}.ini`, "--set", `run.length=${length}`, "--out", folder], { stdio: "ignore" });
  return { name, file: join(folder, "report.html") };
};
const pages = tiny ? [pageOf("iot-sensors", "iot-sensors", "3d")] : [pageOf("iot-sensors", "iot-sensors", "3y"), pageOf("mixed-ttl", "mixed-ttl", "3y")];

// The same libraries and script, with no chart to draw.
const empty = readFileSync(pages[0].file, "utf8").replace(/(id="windrow-data">).*?(<\/script>)/s, '$1{"tables":[],"charts":[]}$2');
pages.unshift({ name: "yardstick", file: join(work, "report.html") });
writeFileSync(pages[0].file, empty);

const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
const secondsToOpen = async (file) => {
  const tab = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const devtools = await tab.context().newCDPSession(tab);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  await tab.goto(`file://${file}`);
  await tab.waitForFunction(() => document.documentElement.dataset.drawn !== undefined, null, { timeout: 120_000, polling: 20 });
  const { metrics } = await devtools.send("Performance.getMetrics");
  await tab.close();
  return metrics.find((metric) => metric.name === "TaskDuration").value;
};

let yardstick = 0;
for (const { name, file } of pages) {
  const turns = [];
  for (let turn = 0; turn < (tiny ? 1 : 5); ++turn) turns.push(await secondsToOpen(file));
  const seconds = Math.min(...turns);
  yardstick ||= seconds;
  const megabytes = readFileSync(file).length / 1e6;
  console.log(`${name.padEnd(12)} ${megabytes.toFixed(2)} MB ${seconds.toFixed(3)} s ${(seconds / yardstick).toFixed(1)} yardsticks`);
}
await browser.close();
rmSync(work, { recursive: true, force: true });
