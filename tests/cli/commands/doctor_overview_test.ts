/** What `doctor` says of a service whose overview is absent, or of another version. */
import assert from "node:assert/strict";
import type { Finding } from "../../../cli/commands/doctor/finding.ts";
import { runCli } from "../support/cli.ts";
import { startProxy } from "../support/proxy.ts";
import { OPERATOR, useService } from "../support/service.ts";

const service = useService();

Deno.test("doctor says in a line that the service is of another version when the overview is absent or another", async () => {
  const notFound = { error: "not_found", message: "There is nothing here." };
  const table: [line: RegExp, alter: (response: Response) => Response | Promise<Response>][] = [
    [
      /^the service has none, as its version is older than this program's; upgrade it/,
      () => Response.json(notFound, { status: 404 }),
    ],
    [
      /^The answer does not fit .+; use the service and this program in the same version$/,
      async (response) => Response.json({ ...await response.json(), warnings: undefined }),
    ],
    [
      /^.+\(404 from .+; check --base-url, and that the service runs with OPERATOR_KEY/,
      () => new Response("Not found", { status: 404 }),
    ],
  ];
  for (const [index, [line, change]] of table.entries()) {
    await using proxy = startProxy(service, {
      from: `192.0.2.${80 + index}`,
      alter: (response, request) => request.url.endsWith("/overview") ? change(response) : response,
    });
    const args = ["doctor", "--base-url", proxy.url, "--json"];
    const { code, stdout, stderr } = await runCli(args, { env: OPERATOR });
    assert.equal(code, 1);
    assert.equal(stderr, "");
    const { checks }: { checks: Finding[] } = JSON.parse(stdout);
    const overview = checks.filter(({ check }) => check === "overview");
    assert.deepEqual(overview.map(({ result }) => result), ["fault"]);
    assert.match(overview[0]!.message, line);
    assert.equal(checks.find(({ check }) => check === "proxy")?.result, "ok");
  }
});
