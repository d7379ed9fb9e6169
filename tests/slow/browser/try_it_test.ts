import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { run } from "../../support/process.ts";
import { focused } from "./sign_up.ts";
import { exhaustLimit, test, useSuite } from "./support.ts";

const suite = useSuite();

/** The step that is open. */
const current = (panel: Locator) => panel.locator("details[open]");

/** Runs the step that is open, and goes on to the next. */
async function runStep(panel: Locator): Promise<void> {
  await current(panel).getByRole("button", { name: "Run this step" }).click();
  await current(panel).getByRole("button", { name: "Next step" }).click();
}

test("The panel 'Try it' calls the sandbox step by step, and draws the statistics", async () => {
  const before = await suite.statistics();
  await using visitor = await suite.visit("/developers/");
  const { page } = visitor;
  const panel = page.locator(".try-it");
  const shown: [step: string, request: RegExp, response: RegExp][] = [
    ["status", /^GET \/sandbox\/api\/v1\/status$/, /^200 OK\n[^]*"environment": "sandbox"/],
    [
      "token",
      /^POST \/sandbox\/api\/v1\/oauth\/token\nAuthorization: Basic [^]*grant_type=client_cred/,
      /^200 OK\n[^]*"token_type": "Bearer"/,
    ],
    [
      "stats",
      /^GET \/sandbox\/api\/v1\/waitlist\/stats\nAuthorization: Bearer .{16}…$/,
      /^200 OK\n[^]*"total": 1280/,
    ],
    ["join", /^POST \/sandbox\/api\/v1\/waitlist\n[^]*"consent":true/, /"accepted": true/],
  ];
  for (const [step, request, response] of shown) {
    assert.equal(await current(panel).count(), 1, "one step at a time");
    assert.equal(await current(panel).getAttribute("data-step"), step);
    const texts = current(panel).locator("pre");
    assert.match(await texts.first().textContent() ?? "", request);
    if (step === "join") break;
    await current(panel).getByRole("button", { name: "Run this step" }).click();
    await texts.nth(1).waitFor();
    assert.match(await texts.nth(1).textContent() ?? "", response);
    const next = current(panel).getByRole("button", { name: "Next step" });
    assert(await focused(next));
    await next.click();
  }
  const [, , response] = shown.at(-1)!;
  const address = current(panel).getByLabel("Address to sign up");
  await address.fill("grace@example.com");
  const sent = page.waitForRequest("**/sandbox/api/v1/waitlist");
  await current(panel).getByRole("button", { name: "Run this step" }).click();
  assert.equal((await sent).postDataJSON().email, "grace@example.com");
  await panel.getByText("Done: all four calls are answered.").waitFor();
  assert.match(await current(panel).locator("pre").nth(1).textContent() ?? "", response);

  const calls = visitor.requests.map((url) => new URL(url).pathname)
    .filter((path) => path.includes("/api/"));
  assert.deepEqual(calls, [
    "/sandbox/api/v1/status",
    "/sandbox/api/v1/oauth/token",
    "/sandbox/api/v1/waitlist/stats",
    "/sandbox/api/v1/waitlist",
  ]);

  // A step that is done can be looked at again, which closes the other.
  await panel.locator("[data-step=stats] summary").click();
  assert.equal(await current(panel).count(), 1);
  await assertBars(current(panel).locator(".bars tr"));

  // The sandbox stores nothing.
  assert.equal((await suite.statistics()).total, before.total);
  assert.deepEqual(visitor.complaints, []);
});

/** A bar for each of three totals and eleven counts, as long as its share of all. */
async function assertBars(rows: Locator): Promise<void> {
  assert.equal(await rows.count(), 3 + 2 + 3 + 3 + 2);
  const widths = await rows.evaluateAll((rows) =>
    rows.map((row) => {
      const bar = row.querySelector(".bar")!;
      const share = bar.getBoundingClientRect().width /
        bar.parentElement!.getBoundingClientRect().width;
      return [row.querySelector("th")!.textContent, row.lastElementChild!.textContent, share];
    })
  ) as [name: string, count: string, share: number][];
  const total = widths[0]!;
  assert.deepEqual(total.slice(0, 2), ["In total", "1,280"]);
  for (const [name, count, share] of widths) {
    const expected = total[2] * Number(count.replace(",", "")) / 1280;
    assert(Math.abs(share - expected) < 0.03, `${name}: ${share} is not ${expected}`);
  }
}

test("The panel 'Try it' copies each request as a shell command that works", async (t) => {
  await using visitor = await suite.visit("/developers/");
  const { page } = visitor;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const panel = page.locator(".try-it");
  const answers = ['"status":"ok"', '"token_type":"Bearer"', '"total":1280', '"accepted":true'];
  for (const [index, answer] of answers.entries()) {
    await t.step(answer, async () => {
      const isLast = index === answers.length - 1;
      if (isLast) await current(panel).getByLabel("Address to sign up").fill("o'neill@example.com");
      await current(panel).getByRole("button", { name: "Copy as curl" }).click();
      await current(panel).getByRole("button", { name: "Copied" }).waitFor();
      const command = String(await page.evaluate("navigator.clipboard.readText()"));
      const { stdout: text } = await run(["sh", "-c", `${command} -s`]);
      assert(text.includes(answer), `${command}: ${text}`);
      if (!isLast) await runStep(panel);
    });
  }
});

test("The panel 'Try it' can run a step again, but does not run a step before the earlier steps that this step needs", async () => {
  await using visitor = await suite.visit("/developers/");
  const panel = visitor.page.locator(".try-it");
  await panel.locator("[data-step=stats] summary").click();
  const stats = current(panel).getByRole("button", { name: "Run this step" });
  assert(await stats.isDisabled(), "there is no token yet");
  await panel.locator("[data-step=status] summary").click();
  await runStep(panel);
  await panel.locator("[data-step=status] summary").click();
  await current(panel).getByRole("button", { name: "Run it again" }).click();
  await current(panel).getByRole("button", { name: "Run it again", disabled: false }).waitFor();
  assert.equal(await current(panel).locator("pre").count(), 2, "one request, one response");
  await current(panel).getByRole("button", { name: "Next step" }).click();
  await runStep(panel);
  await runStep(panel);
});

test("The panel 'Try it' names the seconds to wait when the sandbox's request limit is reached", async () => {
  for (let attempt = 1;; attempt++) {
    await using visitor = await suite.visit("/developers/");
    const headers = { "X-Forwarded-For": visitor.address };
    await exhaustLimit(suite, "/sandbox/api/v1/status", { headers });
    const panel = visitor.page.locator(".try-it");
    await panel.getByRole("button", { name: "Run this step" }).click();
    await panel.getByRole("button", { name: "Run it again" }).waitFor();
    const text = await panel.getByRole("status").textContent() ?? "";
    // A window may have ended in between, and the call been answered.
    if (text === "" && attempt < 3) continue;
    assert.match(text, /^The sandbox's limit is reached\. Please try again in \d+ s\.$/);
    assert.match(await current(panel).locator("pre").nth(1).textContent() ?? "", /^429/);
    assert.equal(await panel.getByRole("button", { name: "Next step" }).count(), 0);
    break;
  }
});

test("The panel 'Try it' links to the shell commands when scripts are off", async () => {
  await using visitor = await suite.visit("/developers/", { scripts: false });
  const panel = visitor.page.locator(".try-it");
  const words = panel.locator("noscript p");
  assert(await words.isVisible());
  assert.match(await words.textContent() ?? "", /needs JavaScript/);
  assert.equal(await panel.getByRole("button").count(), 0);
  await panel.locator("[data-step=join] summary").click();
  assert.equal(await panel.locator("details[open]").count(), 1);
});
