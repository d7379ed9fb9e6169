import assert from "node:assert/strict";
import { useService } from "../../cli/support/service.ts";
import { startCli } from "./support/process.ts";

const service = useService();

Deno.test("stats ends with 0 when SIGINT ends its watch", async () => {
  const env = { ...service.client, WAITLIST_BASE_URL: service.url };
  await using cli = startCli(["stats", "--watch", "60", "--json"], { env });
  await cli.wrote("stdout", "production");
  cli.process.kill("SIGINT");
  const { code, stdout, stderr } = await cli.finished;
  assert.equal(code, 0);
  assert.match(stdout, /^{.+"environment":"production"}\n$/);
  assert.equal(stderr, "");
});
