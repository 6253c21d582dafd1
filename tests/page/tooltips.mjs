// Points at the middle of each plot, and of its largest marks, until a tooltip says something.
export const tooltipMistakes = async (tab) => {
  const mistakes = [];
  for (const place of await tab.locator(".chart").all()) {
    await place.scrollIntoViewIfNeeded();
    const points = await place.evaluate((chart) => {
      const middle = (element) => {
        const box = element.getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2, size: box.width * box.height };
      };
      const marks = [...chart.querySelectorAll(".role-mark path, .role-mark line")].map(middle).sort((a, b) => b.size - a.size);
      return [middle(chart.querySelector("svg .background")), ...marks.slice(0, 12)];
    });
    let shown = false;
    for (const { x, y } of points) {
      await tab.mouse.move(x, y, { steps: 2 });
      shown = await tab.evaluate(() => new Promise((tell) => {
        const value = () => Boolean(document.querySelector("#vg-tooltip-element.visible td.value")?.textContent);
        requestAnimationFrame(() => tell(value()));
      }));
      if (shown) break;
    }
    if (!shown) mistakes.push(`${await place.getAttribute("id")} has no tooltip`);
  }
  return mistakes;
};
