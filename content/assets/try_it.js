// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Runs the sandbox's flow (status, token, statistics, sign-up), shows each request with its response, and
 * draws the statistics as bars. The words come from the panel's attributes.
 */

const BASE = "/sandbox/api/v1";

/** @typedef {{ method: string, path: string, headers?: Record<string, string>, body?: string }} Call */
/** @typedef {Record<string, any>} Answer */

for (const panel of document.querySelectorAll(".try-it")) {
  if (panel instanceof HTMLElement) enhance(panel);
}

/** @param {HTMLElement} panel */
function enhance(panel) {
  const button = /** @type {HTMLButtonElement} */ (panel.querySelector("button"));
  const status = /** @type {HTMLElement} */ (panel.querySelector("[role=status]"));
  const words = panel.dataset;
  button.disabled = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    status.textContent = words.running ?? "";
    panel.querySelectorAll(".exchange, .bars").forEach((element) => element.remove());
    status.textContent = await run();
    button.textContent = words.again ?? "";
    button.disabled = false;
    button.focus();
  });

  /** Makes the calls one after the other, up to the first that fails; returns what to say of it. */
  async function run() {
    const client = words.client ?? "";
    /** @type {Answer} */
    let token = {};
    /** @type {[step: string, call: () => Call][]} */
    const flow = [
      ["status", () => ({ method: "GET", path: "/status" })],
      ["token", () => ({
        method: "POST",
        path: "/oauth/token",
        headers: {
          "Authorization": `Basic ${btoa(`${client}:${client}`)}`,
          "Content-Type": "application/x-www-form-urlencoded",
        },
        body: "grant_type=client_credentials&scope=waitlist:stats:read",
      })],
      ["stats", () => ({
        method: "GET",
        path: "/waitlist/stats",
        headers: { "Authorization": `Bearer ${token.access_token}` },
      })],
      ["join", () => ({
        method: "POST",
        path: "/waitlist",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ email: "ada@example.com", consent: true, lang: "en" }),
      })],
    ];
    for (const [step, call] of flow) {
      const place = /** @type {HTMLElement} */ (panel.querySelector(`[data-step=${step}]`));
      let response;
      try {
        response = await exchange(place, call());
      } catch {
        return words.failed ?? "";
      }
      if (response.status === 429) {
        return (words.rateLimited ?? "").replace("{seconds}", response.retryAfter ?? "60");
      }
      if (response.status !== 200) return words.failed ?? "";
      if (step === "token") token = response.answer;
      if (step === "stats") place.append(drawStatistics(response.answer, words));
    }
    return (words.finished ?? "").replace("{count}", String(flow.length));
  }

  /**
   * @param {HTMLElement} place
   * @param {Call} call
   */
  async function exchange(place, { method, path, headers = {}, body }) {
    const request = [
      `${method} ${BASE}${path}`,
      // The token stands in full in the response that it came with.
      ...Object.entries(headers).map(([name, value]) =>
        `${name}: ${value.replace(/^(Bearer .{16}).*/, "$1…")}`
      ),
      ...(body ? ["", body] : []),
    ];
    const box = element("div", { className: "exchange" });
    box.append(...block(words.request, request.join("\n")));
    place.append(box);
    const response = await fetch(BASE + path, { method, headers, ...(body && { body }) });
    const answer = await response.json();
    const shown = ["X-API-Version", "RateLimit-Remaining", "Retry-After"].flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [`${name}: ${value}`];
    });
    const text = [`${response.status} ${response.statusText}`.trim(), ...shown, ""];
    box.append(
      ...block(words.response, `${text.join("\n")}\n${JSON.stringify(answer, null, 2)}`),
    );
    const retryAfter = response.headers.get("Retry-After");
    return { status: response.status, answer, retryAfter };
  }
}

/**
 * @param {string | undefined} label
 * @param {string} text
 */
function block(label, text) {
  const caption = element("p", { className: "caption", textContent: label ?? "" });
  return [caption, element("pre", { tabIndex: 0, textContent: text })];
}

/**
 * A list of bars for the totals and for each map, all of them shares of the total.
 *
 * @param {Answer} stats
 * @param {DOMStringMap} words
 */
function drawStatistics(stats, words) {
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
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]>} properties
 */
function element(name, properties) {
  return Object.assign(document.createElement(name), properties);
}
