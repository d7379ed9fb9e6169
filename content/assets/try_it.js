// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Calls the sandbox step by step (status, token, statistics, sign-up), shows each request with its response, and draws
 * the statistics as bars. The attributes of the panel have the texts.
 */
import { drawStatistics, element } from "./try_it_bars.js";

/** The path of the sandbox's API. */
const BASE = "/sandbox/api/v1";

/**
 * A request to the sandbox; `path` is below {@linkcode BASE}.
 *
 * @typedef {{ method: string, path: string, headers?: Record<string, string>, body?: string }} Call
 */

for (const panel of document.querySelectorAll(".try-it")) {
  if (panel instanceof HTMLElement) enhance(panel);
}

/**
 * Adds the steps and their buttons to a panel.
 *
 * @param {HTMLElement} panel
 */
function enhance(panel) {
  const words = panel.dataset;
  const client = words.client ?? "";
  const status = /** @type {HTMLElement} */ (panel.querySelector("[role=status]"));
  const address = element("input", {
    type: "email",
    value: "ada@example.com",
    id: "try-it-address",
  });
  let accessToken = "";

  /** @satisfies {Record<string, () => Call>} */
  const calls = {
    status: () => ({ method: "GET", path: "/status" }),
    token: () => ({
      method: "POST",
      path: "/oauth/token",
      headers: {
        "Authorization": `Basic ${btoa(`${client}:${client}`)}`,
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: "grant_type=client_credentials&scope=waitlist:stats:read",
    }),
    stats: () => ({
      method: "GET",
      path: "/waitlist/stats",
      headers: { "Authorization": `Bearer ${accessToken}` },
    }),
    join: () => ({
      method: "POST",
      path: "/waitlist",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: address.value, consent: true, lang: "en" }),
    }),
  };

  const steps = [...panel.querySelectorAll("details")].map((details) => {
    const call = calls[/** @type {keyof typeof calls} */ (details.dataset.step)];
    const request = element("pre", { tabIndex: 0 });
    const answer = element("div", { className: "exchange" });
    const run = button("button", words.run);
    const next = button("button", words.next);
    const copy = button("copy", words.curl);
    const bar = element("p", { className: "try-it-bar" });
    bar.append(run, next, ...navigator.clipboard ? [copy] : []);
    const box = element("div", { className: "exchange" });
    box.append(caption(words.request), request);
    details.append(box, bar, answer);
    next.hidden = true;
    const show = () => request.textContent = asText(call());
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(asCurl(call()));
      copy.textContent = words.copied ?? "";
      setTimeout(() => copy.textContent = words.curl ?? "", 2_000);
    });
    return { details, call, show, run, next, box, answer };
  });

  const field = element("div", { className: "field" });
  field.append(
    element("label", { htmlFor: address.id, textContent: words.address ?? "" }),
    address,
  );
  steps.at(-1)?.box.prepend(field);
  address.addEventListener("input", () => steps.at(-1)?.show());

  steps.forEach((step, index) => {
    const following = steps[index + 1];
    step.show();
    // A step needs the answers of the steps before it.
    step.run.disabled = index > 0;
    step.run.addEventListener("click", async () => {
      step.run.disabled = true;
      status.textContent = words.running ?? "";
      const fault = await make(step);
      step.run.disabled = false;
      step.run.textContent = words.again ?? "";
      status.textContent = fault ?? (following ? "" : words.finished ?? "");
      if (fault !== undefined) return step.run.focus();
      step.details.dataset.done = "";
      if (!following) return;
      step.run.classList.add("plain");
      step.next.hidden = false;
      step.next.focus();
      following.run.disabled = false;
      following.show();
    });
    step.next.addEventListener("click", () => {
      if (!following) return;
      following.details.open = true;
      following.run.focus();
    });
  });

  /**
   * Makes the call of a step, and shows the response.
   *
   * @param {{ call: () => Call, answer: HTMLElement, details: HTMLDetailsElement }} step
   * @returns the error message; `undefined` if the call succeeded
   */
  async function make({ call, answer, details }) {
    const { path, ...init } = call();
    answer.replaceChildren();
    try {
      const response = await fetch(BASE + path, init);
      const body = await response.json();
      answer.append(caption(words.response), responseText(response, body));
      if (response.status === 429) {
        const seconds = response.headers.get("Retry-After") ?? "60";
        return (words.rateLimited ?? "").replace("{seconds}", seconds);
      }
      if (!response.ok) return words.failed;
      if (details.dataset.step === "token") accessToken = body.access_token;
      if (details.dataset.step === "stats") answer.append(drawStatistics(body, words));
    } catch {
      return words.failed;
    }
  }
}

/**
 * @param {string} className
 * @param {string | undefined} text
 */
function button(className, text) {
  return element("button", { className, type: "button", textContent: text ?? "" });
}

/** @param {string | undefined} text */
function caption(text) {
  return element("p", { className: "caption", textContent: text ?? "" });
}

/**
 * Writes a request as HTTP. The access token is cut, because the response of the step before shows all of it.
 *
 * @param {Call} call
 */
function asText({ method, path, headers = {}, body }) {
  const lines = Object.entries(headers).map(([name, value]) =>
    `${name}: ${value.replace(/^(Bearer .{16}).*/, "$1…")}`
  );
  return [`${method} ${BASE}${path}`, ...lines, ...(body ? ["", body] : [])].join("\n");
}

/**
 * Writes a request as a command for a POSIX shell.
 *
 * @param {Call} call
 */
function asCurl({ path, headers = {}, body }) {
  const quote = (/** @type {string} */ text) => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    `curl -i ${quote(location.origin + BASE + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body ? [`-d ${quote(body)}`] : []),
  ].join(" \\\n  ");
}

/**
 * Writes the status, some headers and the body of a response.
 *
 * @param {Response} response
 * @param {unknown} body
 */
function responseText(response, body) {
  const shown = ["X-API-Version", "RateLimit-Remaining", "Retry-After"].flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  const lines = [`${response.status} ${response.statusText}`.trim(), ...shown, ""];
  const textContent = `${lines.join("\n")}\n${JSON.stringify(body, null, 2)}`;
  return element("pre", { tabIndex: 0, textContent });
}
