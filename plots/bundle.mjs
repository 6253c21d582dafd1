// Makes the two texts that the program carries: the page's template, with all libraries in it and the policy that lets nothing
// but them run, and the charts' specs by name.
// usage: node bundle.mjs TEMPLATE SPECS
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const read = (...parts) => readFileSync(join(here, ...parts), "utf8");

const library = (name, file) => {
  const { version } = JSON.parse(read("node_modules", name, "package.json"));
  const licence = read("node_modules", name, "LICENSE").replaceAll("*/", "* /");
  const code = read("node_modules", name, "build", file).replace(/^\/\/# sourceMappingURL=.*$/m, "");
  return `/* ${name} ${version}\n${licence}*/\n${code}`;
};

const libraries = [library("vega", "vega.min.js"), library("vega-lite", "vega-lite.min.js"), library("vega-embed", "vega-embed.min.js")].join("\n");
const script = read("page.js");
for (const code of [libraries, script]) {
  if (/<\/script|<!--/i.test(code)) throw new Error("a script would end its element before its time");
}

const hash = (code) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(libraries)} ${hash(script)}`,
  "style-src 'unsafe-inline'", // styles can fetch nothing either: there is no source for images or fonts
  "img-src data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const parts = { policy, style: read("page.css"), libraries, script };
const template = read("page.html").replace(/\{\{(\w+)\}\}/g, (mark, name) => parts[name] ?? mark);

const specs = {};
for (const file of readdirSync(here).sort()) {
  if (file.endsWith(".vl.json")) specs[basename(file, ".vl.json")] = JSON.parse(read(file));
}

const [templatePath, specsPath] = process.argv.slice(2);
writeFileSync(templatePath, template);
writeFileSync(specsPath, JSON.stringify(specs));
