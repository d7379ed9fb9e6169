import assert from "node:assert/strict";
import { printed } from "../support/cli.ts";
import { serveLocally } from "../support/proxy.ts";
import { runOperator } from "../support/service.ts";

const CLIENT = {
  client_id: "a-client",
  name: "Dashboard",
  scopes: [],
  createdAt: "2026-05-01T10:00:00.000Z",
  disabled: false,
  secrets: [],
};

Deno.test("A command exits with code 1 and names the field when an answer does not fit the operator surface's OpenAPI document", async (t) => {
  for (
    const [answer, fault] of [
      [{ clients: {} }, "body/clients must be array, not {}"],
      [{}, 'body lacks "clients"'],
      [{ clients: [{ ...CLIENT, disabled: 1 }] }, "body/clients/0/disabled must be boolean, not 1"],
      [[], "body must be object, not \\[\\]"],
    ] as [unknown, string][]
  ) {
    await t.step(fault, async () => {
      await using service = serveLocally(() => Response.json(answer));
      const { code, stdout, stderr } = await runOperator(service.url, ["clients", "list"]);
      assert.match(
        stderr,
        new RegExp(
          `^waitlist: .+ has the fault '${fault}' .200 from \\S+, so .+ the OpenAPI document of the operator surface; .+\\.\n$`,
        ),
      );
      assert.equal(stdout, "");
      assert.equal(code, 1);
    });
  }
});

Deno.test("'webhooks test' waits for the receiver's answer even when the answer takes longer than --timeout", async () => {
  const reason = "It took longer than 15000 ms";
  const tried = { at: "2026-11-21T12:00:20.000Z", ms: 15_000, answer: reason };
  const answer = { delivered: false, reason, ...tried };
  await using service = serveLocally(async () => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    return Response.json(answer);
  });
  const args = ["webhooks", "test", "--json", "--timeout", "0.1"];
  const { code, stdout, stderr } = await runOperator(service.url, args);
  assert.deepEqual([code, JSON.parse(stdout)], [1, answer], stderr);
});

Deno.test("A command accepts unknown members in an answer, because the service may be newer than the CLI", async () => {
  const answer = { clients: [{ ...CLIENT, team: "growth" }], next: null };
  await using service = serveLocally(() => Response.json(answer));
  const stdout = await printed(runOperator(service.url, ["clients", "list", "--json"]));
  assert.deepEqual(JSON.parse(stdout), answer);
});

Deno.test("A command exits with code 1 when a line of an NDJSON answer does not fit the operator surface's OpenAPI document", async (t) => {
  const headers = { "Content-Type": "application/x-ndjson" };
  for (const line of ['{"complete":true,"records":"3"}', '{"progress":-1}', "[]"]) {
    await t.step(JSON.stringify(line), async () => {
      await using service = serveLocally(() => new Response(`${line}\n`, { headers }));
      const { code, stdout, stderr } = await runOperator(service.url, ["counters", "verify"]);
      assert.match(
        stderr,
        /^waitlist: The service sent a line that .+; (?:use the same version|check that --base-url) .+\.\n$/,
      );
      assert.equal(stdout, "");
      assert.equal(code, 1);
    });
  }
});
