import assert from "node:assert/strict";
import { startSuite, type Suite, UNSANITIZED } from "./support.ts";

let suite: Suite;
Deno.test.beforeAll(async () => {
  suite = await startSuite();
});
Deno.test.afterAll(() => suite.stop());

Deno.test({
  name: "try-it panel runs the sandbox's flow and draws its statistics when it is started",
  ...UNSANITIZED,
  async fn() {
    const before = await suite.statistics();
    await using visitor = await suite.visit("/developers/");
    const { page } = visitor;
    const panel = page.locator(".try-it");
    await panel.getByRole("button", { name: "Run the flow" }).click();
    await panel.getByText("Done: 4 calls, all answered.").waitFor();

    const calls = visitor.requests.map((url) => new URL(url).pathname)
      .filter((path) => path.includes("/api/"));
    assert.deepEqual(calls, [
      "/sandbox/api/v1/status",
      "/sandbox/api/v1/oauth/token",
      "/sandbox/api/v1/waitlist/stats",
      "/sandbox/api/v1/waitlist",
    ]);

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
      const texts = await panel.locator(`[data-step=${step}] pre`).allTextContents();
      assert.equal(texts.length, 2, step);
      assert.match(texts[0]!, request);
      assert.match(texts[1]!, response);
    }

    // A bar for each of three totals and eleven counts, as long as its share of all.
    const rows = panel.locator(".bars tr");
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

    // The sandbox stores nothing.
    assert.equal((await suite.statistics()).total, before.total);
    assert.deepEqual(visitor.complaints, []);
  },
});

Deno.test({
  name: "try-it panel starts anew when it is run again",
  ...UNSANITIZED,
  async fn() {
    await using visitor = await suite.visit("/developers/");
    const panel = visitor.page.locator(".try-it");
    await panel.getByRole("button", { name: "Run the flow" }).click();
    await panel.getByRole("button", { name: "Run it again" }).click();
    await panel.getByText("Done: 4 calls, all answered.").waitFor();
    assert.equal(await panel.locator(".exchange").count(), 4);
    assert.equal(await panel.locator(".bars").count(), 1);
  },
});

Deno.test({
  name: "try-it panel stops with the seconds to wait when the sandbox's limit is reached",
  ...UNSANITIZED,
  async fn() {
    for (let attempt = 1;; attempt++) {
      await using visitor = await suite.visit("/developers/");
      let status = 0;
      while (status !== 429) {
        const response = await fetch(`${suite.baseUrl}/sandbox/api/v1/status`, {
          headers: { "X-Forwarded-For": visitor.address },
        });
        await response.body?.cancel();
        status = response.status;
      }
      const panel = visitor.page.locator(".try-it");
      await panel.getByRole("button").click();
      await panel.getByRole("button", { name: "Run it again" }).waitFor();
      const text = await panel.getByRole("status").textContent() ?? "";
      // A window may have ended in between, and the flow run through.
      if (text.startsWith("Done") && attempt < 3) continue;
      assert.match(text, /^The sandbox's limit is reached\. Please try again in \d+ seconds\.$/);
      assert.match(
        await panel.locator("[data-step=status] pre").nth(1).textContent() ?? "",
        /^429/,
      );
      assert.equal(await panel.locator(".exchange").count(), 1);
      break;
    }
  },
});

Deno.test({
  name: "try-it panel points to the commands when scripts are off",
  ...UNSANITIZED,
  async fn() {
    await using visitor = await suite.visit("/developers/", { scripts: false });
    const panel = visitor.page.locator(".try-it");
    const words = panel.locator("noscript p");
    assert(await words.isVisible());
    assert.match(await words.textContent() ?? "", /needs JavaScript/);
    assert(await panel.getByRole("button").isDisabled());
  },
});
