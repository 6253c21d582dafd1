// Draws the charts of the page: specs and data are in the page, nothing is fetched.
(() => {
  "use strict";

  const page = JSON.parse(document.getElementById("windrow-data").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const exporting = location.hash === "#export";

  // A file's columns, as the rows that a spec expects.
  const rowsOf = (columns) => {
    const names = Object.keys(columns);
    const count = names.length === 0 ? 0 : columns[names[0]].length;
    return Array.from({ length: count }, (_, i) => Object.fromEntries(names.map((name) => [name, columns[name][i]])));
  };
  const tables = page.tables.map((files) => {
    const rows = new Map();
    return (file) => {
      if (!rows.has(file)) rows.set(file, rowsOf(files[file]));
      return rows.get(file);
    };
  });

  const config = () => {
    const night = dark.matches && !exporting;
    const [ink, muted, line, surface] = night ? ["#e6e8eb", "#a2abb7", "#363d47", "#15181c"] : ["#1a1d21", "#5b6470", "#e3e6ea", "#ffffff"];
    const font = 'system-ui, "Segoe UI", "Liberation Sans", "DejaVu Sans", sans-serif';
    return {
      background: exporting ? surface : "transparent",
      font,
      view: { stroke: null },
      axis: {
        labelColor: muted, titleColor: muted, domainColor: muted, tickColor: muted, gridColor: line,
        labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", labelOverlap: "greedy", labelSeparation: 8,
      },
      axisX: { labelFlush: false },
      title: { anchor: "start", frame: "group", fontSize: 12, fontWeight: "normal", color: muted, offset: 8 },
      legend: {
        labelColor: ink, titleColor: muted, labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal",
        symbolStrokeWidth: 2, labelLimit: 260,
      },
      header: { labelColor: ink, titleColor: muted, labelFontSize: 12, labelFont: font },
      text: { color: ink, fontSize: 11, font },
      rule: { color: muted },
      style: { ink: { color: ink, fill: ink }, mark_line: { color: ink }, frame: { color: ink, stroke: ink } },
    };
  };

  // On a narrow screen legends stand in one column, long ones of short words in three, and titles take several lines.
  // A spec that has other words for it knows by its parameter `narrow`. Long legends take two lines below a wide one.
  const narrow = 560;
  const wide = 800;
  const lines = (text, most) => text.split(" ").reduce((all, word) => {
    const last = all.length - 1;
    if (last >= 0 && all[last].length + word.length < most) all[last] += ` ${word}`;
    else all.push(word);
    return all;
  }, []);
  const eachLegend = (node, change) => {
    if (node === null || typeof node !== "object") return;
    if (node.legend) change(node.legend);
    Object.values(node).forEach((part) => eachLegend(part, change));
  };
  const fold = (spec, form) => {
    if (form === "wide") return;
    if (form === "narrow") {
      if (typeof spec.title === "string") spec.title = lines(spec.title, 38);
      for (const param of spec.params ?? []) if (param.name === "narrow") param.value = true;
    }
    eachLegend(spec.spec?.layer ?? spec.layer ?? spec.encoding, (legend) => {
      const long = legend.columns > 6;
      if (form === "narrow" && legend.columns) legend.columns = long ? 3 : 1;
      if (form === "between" && long) legend.columns = 4;
      if (form === "narrow" && legend.titleOrient) legend.titleOrient = "top";
    });
  };
  // Panels side by side share the width, as many as can be read.
  const panelLeast = 240;
  const spread = (spec, width) => {
    spec.columns = Math.max(1, Math.min(spec.columns, Math.floor(width / panelLeast)));
    spec.spec.width = Math.floor((width - 70) / spec.columns - spec.spacing.column);
    spec.facet.header.labelLimit = spec.spec.width;
  };
  // The darkest of the colours are too dark at night.
  const nightly = (text) => (dark.matches && !exporting ? text.replaceAll("#0072b2", "#3f97d3").replaceAll("#d55e00", "#e8742a") : text);

  const placeOf = (chart) => document.getElementById(chart.place);
  const formOf = (chart) => {
    const width = placeOf(chart).clientWidth;
    return width < narrow ? "narrow" : width < wide ? "between" : "wide";
  };
  const forms = [];
  const fits = () => page.charts.every((chart, number) => forms[number] === formOf(chart));
  const draw = async (chart, number) => {
    const read = tables[chart.table];
    const spec = JSON.parse(nightly(JSON.stringify(chart.spec)));
    spec.datasets = Object.fromEntries(chart.files.map((file) => [file, read(file)]));
    // Nobody points at a picture: what answers the pointer stays out of it.
    const drawing = spec.spec ?? spec;
    if (exporting && drawing.layer) drawing.layer = drawing.layer.filter((layer) => !layer.params);
    if (spec.facet) spread(spec, placeOf(chart).clientWidth);
    forms[number] = formOf(chart);
    fold(spec, forms[number]);
    const result = await vegaEmbed(placeOf(chart), spec, {
      mode: "vega-lite", renderer: "svg", ast: true, config: config(),
      actions: exporting ? false : { export: true, source: false, compiled: false, editor: false },
      downloadFileName: chart.id,
      logLevel: vega.Error,
      tooltip: { theme: dark.matches ? "dark" : "light" },
      loader: { load: () => Promise.reject(new Error("this page loads nothing")) },
    });
    // Ticks follow the width, and the width the ticks' labels: one more turn where the first has left a gap.
    const gap = placeOf(chart).clientWidth - placeOf(chart).querySelector("svg").clientWidth;
    if (spec.facet) result.view.signal("child_width", Math.floor(spec.spec.width + (gap - 1) / spec.columns));
    if (Math.abs(gap) > 3) await result.view.resize().runAsync();
    return result;
  };

  const drawn = [];
  const drawAll = async () => {
    delete document.documentElement.dataset.drawn;
    for (const [number, chart] of page.charts.entries()) {
      if (drawn[number]) drawn[number].finalize();
      drawn[number] = await draw(chart, number);
      // Lets the reader scroll and read between two charts.
      await new Promise((next) => setTimeout(next, 0));
    }
    if (!fits()) return drawAll();
    document.documentElement.dataset.drawn = String(page.charts.length);
    return undefined;
  };

  // For `windrow report --svg`: every chart as text in the document, for the program that opened it to read.
  const handOver = async () => {
    document.documentElement.classList.add("export");
    document.querySelector("main").style.width = "960px";
    await drawAll();
    const charts = [];
    for (const [number, chart] of page.charts.entries()) {
      const view = drawn[number].view;
      charts.push({ name: chart.place, svg: await view.toSVG(), png: (await view.toImageURL("png", 2)).split(",")[1] });
    }
    const out = document.createElement("pre");
    out.id = "windrow-charts";
    out.textContent = JSON.stringify(charts);
    document.body.replaceChildren(out);
  };

  if (exporting) {
    handOver();
    return;
  }
  let turn = drawAll();
  const again = () => {
    turn = turn.then(drawAll);
  };
  dark.addEventListener("change", again);
  let settling;
  window.addEventListener("resize", () => {
    clearTimeout(settling);
    settling = setTimeout(() => {
      if (!fits()) again();
    }, 200);
  });
})();
