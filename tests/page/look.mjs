// Runs inside the page: what a reader would complain about, in words.
export const look = () => {
  const complaints = [];
  const visible = (element) => {
    for (let at = element; at && at.tagName !== "svg"; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.display === "none" || style.visibility === "hidden" || Number(style.opacity) === 0 || at.getAttribute("opacity") === "0") return false;
    }
    return true;
  };
  const brightness = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
  const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;

  for (const place of document.querySelectorAll(".chart")) {
    const svg = place.querySelector("svg");
    if (!svg) {
      complaints.push(`${place.id} is not drawn`);
      continue;
    }
    const marks = [...svg.querySelectorAll(".role-mark path, .role-mark line, .role-mark rect, .role-mark use")].filter((mark) => {
      const box = mark.getBoundingClientRect();
      return visible(mark) && box.width + box.height > 1;
    });
    if (marks.length === 0) complaints.push(`${place.id} has no marks`);
    if (/NaN|Infinity|undefined/.test(svg.outerHTML)) complaints.push(`${place.id} has something that is no number`);

    const frame = svg.getBoundingClientRect();
    const paper = brightness(getComputedStyle(document.body).backgroundColor);
    const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent.trim() !== "" && visible(text));
    const boxes = texts.map((text) => text.getBoundingClientRect());
    if (!texts.some((text) => text.closest(".role-axis-label"))) complaints.push(`${place.id} has no axis labels`);
    for (let i = 0; i < boxes.length; ++i) {
      const words = texts[i].textContent;
      if (Math.abs(brightness(getComputedStyle(texts[i]).fill) - paper) < 150) complaints.push(`${place.id}: "${words}" cannot be read`);
      if (boxes[i].left < frame.left - 1 || boxes[i].right > frame.right + 1) complaints.push(`${place.id}: "${words}" is cut off`);
      for (let j = i + 1; j < boxes.length; ++j) {
        if (overlap(boxes[i], boxes[j])) complaints.push(`${place.id}: "${words}" and "${texts[j].textContent}" overlap`);
      }
    }
    for (const axis of svg.querySelectorAll(".role-axis-label")) {
      const cut = [...axis.querySelectorAll("text")].map((text) => text.textContent).filter((words) => words.includes("…"));
      for (const words of new Set(cut)) if (cut.filter((other) => other === words).length > 1) complaints.push(`${place.id}: several labels are cut to "${words}"`);
    }
    if (frame.width > place.clientWidth + 1) complaints.push(`${place.id} is wider than its place`);
    const plots = [...svg.querySelectorAll(".background")].map((plot) => plot.getBoundingClientRect());
    if (Math.max(...plots.map((plot) => plot.right)) - Math.min(...plots.map((plot) => plot.left)) < 0.5 * place.clientWidth) complaints.push(`${place.id} leaves half of its width empty`);
  }
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth + 1) complaints.push("the page scrolls sideways");
  const night = matchMedia("(prefers-color-scheme: dark)").matches;
  if (night !== brightness(getComputedStyle(document.body).backgroundColor) < 384) complaints.push("the page has the colours of the other scheme");
  return complaints;
};
