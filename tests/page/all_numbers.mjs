// Numbers of pages against the files beside them, as the pages are written: no browser.
// usage: node all_numbers.mjs RESULT_FOLDER...
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { embeddedData, factMistakes, rowMistakes } from "./numbers.mjs";

const plain = (html) =>
  html.replace(/<[^>]*>/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");

const factsOf = (folder) => {
  const page = readFileSync(join(folder, "report.html"), "utf8");
  const facts = [...page.matchAll(/<data ([^>]*)>(.*?)<\/data>/gs)].map(([, attributes, words]) => {
    const attribute = (name) => plain(attributes.match(new RegExp(`${name}="([^"]*)"`))?.[1] ?? "");
    return [attribute("data-fact"), attribute("value"), plain(words)];
  });
  return facts.filter(([name]) => name !== "");
};

const folders = process.argv.slice(2);
const mistakes = folders.flatMap((folder) =>
  [...factMistakes(folder, factsOf(folder), "summary.json"), ...rowMistakes(folder, embeddedData(folder))].map((mistake) => `${basename(folder)}: ${mistake}`),
);
for (const mistake of mistakes) console.error(mistake);
console.log(`${folders.length} pages; ${mistakes.length} mistakes`);
process.exit(mistakes.length === 0 ? 0 : 1);
