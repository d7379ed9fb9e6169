// @ts-check
/// <reference lib="dom" />
/** Draws the statistics in the panel to try the API. */

/**
 * Draws bars for the totals and for each group of counts. The length of a bar is its share of the total.
 *
 * @param {Record<string, any>} stats
 * @param {DOMStringMap} words
 */
export function drawStatistics(stats, words) {
  const figure = element("div", { className: "bars" });
  /** @type {[label: string | undefined, counts: [name: string, count: number][]][]} */
  const groups = [
    [words.totals, [
      [words.total ?? "", stats.total],
      [words.last30Days ?? "", stats.last30Days],
      [words.last7Days ?? "", stats.last7Days],
    ]],
    [words.byLang, Object.entries(stats.byLang)],
    [words.byRole, Object.entries(stats.byRole)],
    [words.byBuilding, Object.entries(stats.byBuilding)],
    [words.bySource, Object.entries(stats.bySource)],
  ];
  for (const [label, counts] of groups) {
    const table = element("table", {});
    table.append(element("caption", { textContent: label ?? "" }));
    for (const [name, count] of counts.sort(([, a], [, b]) => b - a)) {
      const row = table.insertRow();
      const bar = element("span", { className: "bar" });
      bar.style.width = `${100 * count / Math.max(stats.total, 1)}%`;
      row.append(element("th", { scope: "row", textContent: name }));
      row.insertCell().append(bar);
      row.insertCell().textContent = count.toLocaleString(document.documentElement.lang);
    }
    figure.append(table);
  }
  return figure;
}

/**
 * Makes an element with some properties.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]>} properties
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, properties) {
  return Object.assign(document.createElement(name), properties);
}
