/** What the CLI says where a permission is missing, and with those of the README. */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { serveLocally } from "../../cli/support/proxy.ts";
import { OPERATOR, useService } from "../../cli/support/service.ts";
import { runShell, shellLine } from "./support/process.ts";

const service = useService();

Deno.test("waitlist keeps to the permissions that it was given", async () => {
  const blind = await runShell(`'${Deno.execPath()}' run --quiet --no-prompt cli/main.ts status`);
  assert.equal(blind.code, 2);
  assert.match(blind.stderr, /^waitlist: Requires env access to "WAITLIST_BASE_URL", .+\.\n$/);

  const { stderr, code } = await runShell(
    `'${Deno.execPath()}' run --quiet --no-prompt --allow-env=WAITLIST_BASE_URL,WAITLIST_CLIENT_ID,` +
      "WAITLIST_CLIENT_SECRET,WAITLIST_OPERATOR_KEY,AWS_ACCESS_KEY_ID,AWS_SECRET_ACCESS_KEY,NO_COLOR --ignore-env cli/main.ts status",
  );
  assert.equal(code, 3);
  assert.match(
    stderr,
    /^waitlist: .+: the program has no permission for it \(--allow-net\); .+\.\n$/,
  );
});

Deno.test("waitlist names the permission when a document may not be read", async () => {
  const { stderr, code } = await runShell(
    shellLine(["validate", "--sandbox", "--document", "openapi.json"]),
  );
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^waitlist: Cannot read .+ no permission for it; install it with --allow-read\.\n$/,
  );
});

Deno.test("waitlist works with the permissions of the README when it is installed", async () => {
  const root = await Deno.makeTempDir();
  const install = await runShell(
    `'${Deno.execPath()}' install --global --quiet --config deno.json --frozen=false ` +
      `--root '${root}' --name waitlist --no-prompt --allow-net=127.0.0.1 --ignore-env ` +
      "--allow-env=WAITLIST_BASE_URL,WAITLIST_CLIENT_ID,WAITLIST_CLIENT_SECRET,WAITLIST_OPERATOR_KEY,AWS_ACCESS_KEY_ID,AWS_SECRET_ACCESS_KEY,NO_COLOR cli/main.ts",
  );
  assert.equal(install.code, 0, install.stderr);
  await using page = serveLocally(() => new Response("a page"));
  // The installed command finds Deno by its name.
  const line = `PATH='${
    dirname(Deno.execPath())
  }':"$PATH" '${root}/bin/waitlist' status --base-url`;
  const answer = await runShell(`${line} ${page.url}`);
  const elsewhere = await runShell(
    `'${root}/bin/waitlist' status --base-url http://localhost:8009`,
  );
  await Deno.remove(root, { recursive: true });
  assert.match(
    answer.stderr,
    /^waitlist: The answer is text\/plain where JSON belongs \(200 from \S+\); /,
  );
  assert.equal(answer.code, 1);
  assert.match(elsewhere.stderr, /no permission for it \(--allow-net\)/);
});

Deno.test("signups export names the permission when its file may not be written", async () => {
  const blind = await runShell(
    shellLine(["signups", "export", "--output", "list.csv", "--base-url", service.url]),
    { env: OPERATOR },
  );
  assert.match(
    blind.stderr,
    /no permission for it; install it with --allow-read and --allow-write\.\n$/,
  );
});
