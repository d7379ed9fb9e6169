/** The typed client in a browser, on a page of the service, whose API other origins may not call. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeTestFolder, outputOf, PROJECT } from "../../support/process.ts";
import { startSuite, test } from "./support.ts";

const CALLS = `
  import { createApiClient } from ${JSON.stringify(join(PROJECT, "shared/api_client.ts"))};
  globalThis.callAll = async () => {
    const client = createApiClient({ baseUrl: location.origin, environment: "sandbox" });
    const { signal } = new AbortController();
    const status = await client.status({ signal });
    const joined = await client.join({ email: "ada@example.com", consent: true }, { signal });
    const stats = await client.stats({ signal });
    return [status.data?.status, joined.data?.accepted, stats.data?.total];
  };`;

test("createApiClient() calls every operation of the API from a browser", async () => {
  await using folder = await makeTestFolder();
  const [entry, bundle] = [join(folder.path, "entry.ts"), join(folder.path, "bundle.js")];
  await Deno.writeTextFile(entry, CALLS);
  const bundling = [Deno.execPath(), "bundle", "--config", "deno.json", "--platform", "browser"];
  await outputOf([...bundling, "--output", bundle, entry], { cwd: PROJECT });

  const suite = await startSuite();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => suite.stop());
  await using visitor = await suite.visit("/developers/");
  await visitor.page.evaluate(await Deno.readTextFile(bundle));
  assert.deepEqual(await visitor.page.evaluate("callAll()"), ["ok", true, 1280]);
  assert.deepEqual(visitor.complaints, []);
});
