// A scenario whose names would like to be code: for the browser, a spreadsheet, a terminal.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const attack = "</script><script>window.stolen=1</script><img src=x onerror=window.stolen=1>";
export const hostileNames = [attack, "=HYPERLINK(\"http://evil.example\")", "+1+1", "-2+3", "@SUM(A1)", "quote\"s and 'more'", "right\u202Eto left", "<b>bold</b>", "{{data}}"];

export const hostileFolder = (work) => {
  const folder = join(work, "hostile-scenario");
  mkdirSync(folder);
  writeFileSync(join(folder, "hostile.cql"), `CREATE TABLE "ks"."Odd" (id text, t timestamp, "v${attack.replaceAll("/", "")}" int, PRIMARY KEY (id, t));\nCREATE TABLE "ks"."plain" (id int, t timestamp, v int, PRIMARY KEY (id, t));\n`);
  writeFileSync(join(folder, "fleet.csv"), `id\n${hostileNames.map((name) => `"${name.replaceAll('"', '""')}"`).join("\n")}\n`);
  writeFileSync(
    join(folder, "hostile.ini"),
    `[run]\ntitle = ${attack} \u202E {{body}}\nschema = hostile.cql\nstart = 2026-01-01\nlength = 20d\n[table.Odd]\nflush_size = 64KiB\n` +
      "[stream.s]\ntable = Odd\nentities = from(fleet.csv)\nrate = 1/min\ncolumn.id = entity\n[stream.p]\ntable = plain\nentities = 5\nrate = 1/min\ncolumn.id = entity\n[table.plain]\nflush_size = 64KiB\n[limits]\nsstables_max = 2\n",
  );
  return join(folder, "hostile.ini");
};

export const hostileMistakes = async (page, result) => {
  const mistakes = [];
  if (await page.evaluate(() => window.stolen !== undefined)) mistakes.push("a name became a script");
  const strange = await page.evaluate(() => document.querySelectorAll("main img, main b, main iframe, main script").length);
  if (strange > 0) mistakes.push(`${strange} elements came from names`);
  const shown = await page.evaluate(() => [...document.querySelectorAll("h1, #choices th")].map((place) => place.textContent));
  const whole = result.comparison ? [attack] : [`${attack} \\u{202e} {{body}}`];
  for (const text of whole) if (!shown.includes(text)) mistakes.push(`${text} is not shown as it is: ${shown.slice(0, 3).join(" | ")}`);
  const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
  if (control.test(result.printed)) mistakes.push("the terminal got control characters");
  for (const file of readdirSync(result.folder)) {
    if (!/\.(csv|json|html)$/.test(file)) continue;
    const text = readFileSync(join(result.folder, file), "utf8");
    if (control.test(file === "report.html" ? text.slice(text.indexOf("<main>"), text.indexOf("<script>", text.indexOf("windrow-data"))) : text.replaceAll("\r\n", "\n"))) {
      mistakes.push(`${file} has control characters`);
    }
    if (file.endsWith(".csv") && /(^|,)"?[=+@]/m.test(text)) mistakes.push(`${file} has a cell that a spreadsheet would compute`);
  }

  // The page's own policy: what is no part of it neither runs nor loads.
  const refused = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.stolen = 2";
    document.body.append(script);
    const loaded = await fetch("data:text/plain,x").then(() => true, () => false);
    return window.stolen === undefined && !loaded;
  });
  if (!refused) mistakes.push("the policy lets strangers run or load");
  return mistakes;
};
