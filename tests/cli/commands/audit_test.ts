import assert from "node:assert/strict";
import { writeAuditEntry } from "../../../server/store/audit/mod.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { assertRefused, printed } from "../support/cli.ts";
import { startFilled } from "../support/import_service.ts";
import { serveLocally } from "../support/proxy.ts";
import { OPERATOR_KEY, runOperator, useService } from "../support/service.ts";
import { Commit } from "../../../server/store/kv/engine.ts";

const service = useService();

const DAY = 24 * 60 * 60 * 1000;

Deno.test("'audit' shows what operators did in the last 7 days, or in the time that --since gives", async () => {
  const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();
  const entries: AuditEntry[] = [
    { at: ago(399), id: "d", action: "failedSignIn", details: { count: 12 } },
    { at: ago(6), id: "a", action: "rotateClient", operator: "ada", client_id: "kVx2Qd0nRzM4aTfW" },
    { at: ago(0.5), id: "b", action: "eraseSignup", operator: "grace", address: "m".repeat(43) },
    {
      at: ago(0.1),
      id: "c",
      action: "importSignups",
      operator: "ada",
      requestId: "k7Qx2B",
      details: { new: 2, merged: 0, complete: true },
    },
  ];
  await using filled = await startFilled(async (kv) => {
    for (const entry of entries) await writeAuditEntry(kv, entry);
  });
  const run = (...args: string[]) => runOperator(filled.url, ["audit", ...args]);

  const stdout = await printed(run());
  const at = entries.map((entry) => entry.at);
  const minutes = at.map((each) => each.slice(0, 16).replace("T", " "));
  assert.deepEqual(stdout.trimEnd().split("\n").map((line) => line.split(/ {2,}/)), [
    ["Time (UTC)", "Operator", "Action", "On", "Details"],
    [minutes[1], "ada", "Replaced a client’s secret", "kVx2Qd0nRzM4aTfW"],
    [minutes[2], "grace", "Erased a person", "m".repeat(43)],
    [minutes[3], "ada", "Imported sign-ups", "-", "new=2 merged=0 complete=true"],
  ]);

  const shown = async (...args: string[]) => {
    const { stdout } = await run("--json", ...args);
    return JSON.parse(stdout).entries;
  };
  assert.deepEqual(await shown("--since", "400d"), entries);
  assert.deepEqual(await shown("--since", "24h"), entries.slice(2));
  assert.deepEqual(await shown("--since", at[2]!), entries.slice(2));
  assert.deepEqual(await shown("--since", at[1]!.slice(0, 10)), entries.slice(1));
  assert.deepEqual(await shown("--since", "99999999d", "--operator", "ada"), [
    entries[1],
    entries[3],
  ]);
  assert.deepEqual(await shown("--operator", "nobody"), []);
  assert.deepEqual(await shown("--action", "eraseSignup"), [entries[2]]);
  assert.deepEqual(await shown("--without", "eraseSignup", "--operator", "grace"), []);

  const newest = await run("--json", "--newest", "2");
  const { next, entries: latest } = JSON.parse(newest.stdout);
  assert.deepEqual(latest, [entries[3], entries[2]]);
  assert.equal(next, `${at[2]} b`);
  assert.deepEqual(await shown("--newest", "2", "--before", next), [entries[1]]);
  const noted = await run("--newest", "2");
  assert.equal(noted.stderr, `There are older entries; add --before '${next}'.\n`);

  const quiet = await run("--quiet", "--since", "400d");
  assert.equal(quiet.stdout.split("\n")[0], `${at[0]}\t-\tfailedSignIn\t-\tcount=12`);
  const nothing = await run("--since", "1m");
  assert.match(nothing.stdout, /^The audit log has no entry since 20\S+Z\.\n$/);
  const ofNobody = await run("--operator", "nobody", "--before", at[0]!);
  assert.match(
    ofNobody.stdout,
    /^The audit log has no entry by 'nobody' since 20\S+Z and before '20\S+Z'\.\n$/,
  );
  const ofAction = await run("--action", "backUp", "--without", "backUp");
  assert.match(
    ofAction.stdout,
    /^The audit log has no entry with the action 'backUp' other than 'backUp' since/,
  );
});

Deno.test("'audit' exits with code 1 and names the entries of the audit log that cannot be read", async () => {
  const at = new Date().toISOString();
  await using damaged = await startFilled((kv) => {
    return kv.commit(new Commit().set(["audit", `${at} x`], { at, id: "x" }));
  });
  const { code, stderr } = await runOperator(damaged.url, ["audit"]);
  assert.equal(code, 1);
  assert.equal(
    stderr,
    "1 record cannot be read and is left out:\n" +
      `  audit ${at} x: The field action does not have the right form.\n`,
  );
});

Deno.test("'audit' exits with code 2 when a flag is wrong", async () => {
  await assertRefused((args) => runOperator(service.url, ["audit", ...args]), [
    [["--since", "7"], /--since is '7'; give a length of time such as 24h or 7d, a UTC date/],
    [["--operator", "Ada Lovelace"], /The parameter operator is 'Ada Lovelace'; give the name of/],
  ]);
});

Deno.test("'audit' exits with code 3 when the answer breaks off, and with code 1 when the answer is not an audit log", async (t) => {
  const answer = (body: string) =>
    serveLocally(() => new Response(body, { headers: { "Content-Type": "application/x-ndjson" } }));
  for (
    const [body, code, message] of [
      ["", 3, /The service sent only a part of the audit log; run the command again\./],
      [
        '{"at":"2026-05-01T09:30:00.000Z","id":"a","action":"backUp"}\n',
        3,
        /only a part of the audit log/,
      ],
      [
        '{"who":"ada"}\n',
        1,
        /a line that has the fault .+, so the line does not fit the OpenAPI document of the operator surface/,
      ],
    ] as const
  ) {
    await t.step(JSON.stringify(body), async () => {
      await using other = answer(body);
      const finished = await runOperator(other.url, ["audit"]);
      assert.match(finished.stderr, message);
      assert.deepEqual([finished.code, finished.stdout], [code, ""]);
      assert.ok(!finished.stderr.includes(OPERATOR_KEY));
    });
  }
});
