import assert from "node:assert/strict";
import { assertRefused, printed, runCli } from "../support/cli.ts";
import { startProxy } from "../support/proxy.ts";
import { useService } from "../support/service.ts";

const service = useService();

Deno.test("'join' signs an address up when --consent is given", async (t) => {
  const args = ["join", "ada@example.com", "--consent", "--base-url", service.url];
  for (
    const [flags, expected] of [
      [
        ["--sandbox"],
        "Accepted: ada@example.com. The sandbox stores nothing and sends no e-mail.\n",
      ],
      [
        ["--yes", "--source", "hero", "--lang", "de"],
        "Accepted: ada@example.com. If the service sends e-mails, the owner must confirm the address " +
        "by the link in an e-mail.\n",
      ],
      [["--yes", "--json"], '{\n  "accepted": true\n}\n'],
      [["--yes", "--quiet"], ""],
    ] as [string[], string][]
  ) {
    await t.step(flags.join(" "), async () => {
      assert.equal(await printed(runCli([...args, ...flags])), expected);
    });
  }
  const { stdout } = await runCli(["stats", "--json", "--base-url", service.url], {
    env: service.client,
  });
  const { total, byLang, bySource } = JSON.parse(stdout);
  assert.deepEqual({ total, byLang, bySource }, {
    total: 1,
    byLang: { de: 1 },
    bySource: { hero: 1 },
  });
});

Deno.test("'join' sends nothing when a flag is missing or wrong", async () => {
  await using proxy = startProxy(service, { from: "192.0.2.31" });
  await assertRefused((args) => runCli(["join", ...args, "--base-url", proxy.url]), [
    [["ada@example.com"], /only with its owner's explicit consent; add --consent/],
    [
      ["ada@example.com", "--consent"],
      /This command signs an address up in production, and without a terminal it cannot ask you first; add --yes/,
    ],
    [["ada@example.com", "--consent", "--lang", "fr"], /--lang is 'fr'; give en or de/],
    [["ada@example.com", "--consent", "--source", "x"], /--source is 'x'; give hero or cta/],
    [["--consent"], /the required argument 'email' is missing; see 'waitlist join --help'/],
  ]);
  assert.deepEqual(proxy.calls, []);
});
