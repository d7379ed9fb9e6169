import assert from "node:assert/strict";
import { type ConsoleService, startFailingConsole, test } from "../../../support/console.ts";
import { fieldsOf } from "../../../support/console_forms.ts";
import { readAudit } from "../../../support/operator.ts";
import { type Credentials, inBody, requestToken } from "../../../support/tokens.ts";

const PAGE = "/operator/clients/", CLIENT = "/operator/clients/client/";

/** The id and the secret on a page that shows them. */
function credentialsOn(html: string): Credentials {
  const [clientId, clientSecret, ...others] = [...html.matchAll(/<pre[^>]*>([\w-]+)<\/pre>/g)];
  assert.deepEqual(others, []);
  return { clientId: clientId![1]!, clientSecret: clientSecret![1]! };
}

/** Creates a client by the form; gives its id and its secret. */
async function create({ browser }: ConsoleService, fields: Record<string, string>) {
  const { status, html } = await browser.send(PAGE, fields);
  assert.equal(status, 200, html);
  return credentialsOn(html);
}

/** The fields of the form that creates a client. */
const newClient = async ({ browser }: ConsoleService) => ({
  ...fieldsOf((await browser.open(PAGE)).html, "Create a client"),
  name: "Board",
});

/** The status with which the token endpoint answers a client. */
async function tokenStatus(service: ConsoleService, credentials: Credentials): Promise<number> {
  const body = { grant_type: "client_credentials", ...inBody(credentials) };
  return (await requestToken(service, { body })).status;
}

test(
  "clientsPage creates a client, and shows its secret only in the answer to the form",
  async (service, t) => {
    const { browser } = service;
    assert.match((await browser.open(PAGE)).html, /There is no client yet/);
    const { status, html } = await browser.send(PAGE, { name: "Board <1>", stats: "yes" });
    assert.equal(status, 200);
    assert.match(html, /<h1>The client is created<\/h1>/);
    assert.match(
      html,
      /<script type="module" src="\/assets\/scripts-[0-9a-f]{16}\/copy\.js\?v=[\w-]+">/,
    );
    const credentials = credentialsOn(html);
    const { clientId, clientSecret } = credentials;
    assert.equal(await tokenStatus(service, credentials), 200);
    const [, block = ""] = /<pre role="region"[^>]+>(WAITLIST_CLIENT_ID=[^]*?)<\/pre>/.exec(html) ??
      [];
    assert.match(block, /\nWAITLIST_TOKEN_URL=https?:\/\/[^/]+\/api\/v1\/oauth\/token\n/);
    assert.match(block, /\nWAITLIST_SCOPE=waitlist:stats:read\n/);
    assert.match(block, /\ncurl [^]+ &quot;\$WAITLIST_STATS_URL&quot;$/);
    const [, calls = ""] = block.split("\n\n");
    for (const line of calls.replaceAll("&quot;", '"').split("\n")) {
      assert.ok(line.length <= 80, line);
    }
    for (const id of ["handOver", "clientId", "clientSecret"]) {
      assert.match(
        html,
        new RegExp(`<h2 id="${id}">`),
        "the heading names the block for screen readers",
      );
      assert.ok(html.includes(`<pre role="region" aria-labelledby="${id}" tabindex="0">`));
    }
    // No other page shows the secret.
    for (const path of [PAGE, `${CLIENT}?id=${clientId}`]) {
      await t.step(path, async () => {
        const page = await browser.open(path);
        assert.equal(page.status, 200);
        assert.match(page.html, /Board &lt;1&gt;[^]+waitlist:stats:read/);
        assert.ok(!page.html.includes(clientSecret));
        assert.doesNotMatch(page.html, /<script|class="(secrets|fault)"/);
      });
    }
    const audit = await readAudit(service);
    const told = audit.map(({ action, operator, client_id }) => [action, operator, client_id]);
    assert.deepEqual(told, [["createClient", "operator", clientId]]);
  },
);

test("clientsPage creates a client without a scope when the box for statistics is not ticked, and says that it cannot read anything", async (service) => {
  const { html } = await service.browser.send(PAGE, { name: "Test" });
  assert.match(
    html,
    /class="warning">This client cannot read anything,[^<]+‘May read the statistics’/,
  );
  assert.doesNotMatch(html, /WAITLIST_SCOPE|curl/);
  const { clients: [client] } = await (await service.operate("/clients")).json();
  assert.deepEqual(client.scopes, []);
  assert.match((await service.browser.open(PAGE)).html, /<td>None<\/td>/);
});

test("clientsPage says what is wrong when the name of a new client is refused", async ({ browser }) => {
  const { status, html } = await browser.send(PAGE, { name: "  " });
  assert.equal(status, 400);
  assert.match(html, /role="alert">A client needs a name of 1 to 100 characters\./);
});

test(
  "clientPage disables and enables a client, and redirects back to the client's page",
  async (service, t) => {
    const client = await create(service, { name: "Board" });
    const { clientId } = client;
    for (const [action, status] of [["disable", 401], ["enable", 200]] as const) {
      await t.step(action, async () => {
        const sent = await service.browser.send(CLIENT, { action, client_id: clientId });
        assert.equal(sent.status, 303);
        const location = `${CLIENT}?id=${clientId}&done=${action}d`;
        assert.equal(sent.location, location);
        const { html } = await service.browser.open(location);
        assert.match(html, new RegExp(`<span class="badge ${action}d">`));
        assert.match(html, /class="notice" role="status">The client is/);
        assert.equal(await tokenStatus(service, client), status);
      });
    }
    // The page that said so is loaded again later.
    const { html } = await service.browser.open(`${CLIENT}?id=${clientId}&done=disabled`);
    assert.doesNotMatch(html, /class="notice"/);
  },
);

test("clientPage renames a client, and deletes a client after a confirmation", async (service) => {
  const { browser } = service;
  const client = await create(service, { name: "Board" });
  const { clientId } = client;
  const page = `${CLIENT}?id=${clientId}`;
  const form = { ...fieldsOf((await browser.open(page)).html, "Save the name"), name: "Sales" };
  const renamed = await browser.submit(CLIENT, form);
  assert.match(renamed.html, /<h1>Sales<\/h1>[^]+The client has its new name\./);
  const refused = await browser.send(CLIENT, { ...form, name: " " });
  assert.equal(refused.status, 400);
  assert.match(refused.html, /A client needs a name of 1 to 100 characters\./);

  const asked = await browser.send(CLIENT, fieldsOf(renamed.html, "Delete the client …"));
  assert.match(asked.html, /<h1>Delete ‘Sales’\?<\/h1>/);
  assert.equal(await tokenStatus(service, client), 200);
  const deleted = await browser.submit(CLIENT, fieldsOf(asked.html, "Delete the client"));
  assert.match(deleted.html, /The client is deleted\.[^]+There is no client yet/);
  assert.equal(await tokenStatus(service, client), 401);
  assert.equal((await browser.open(page)).status, 404);
  // The log tells who it was, and leads to no page that is not there.
  const { html } = await browser.open("/operator/activity/");
  assert.match(html, /Deleted a client[^]+<code>[\w-]+<\/code>[^]+name: Sales/);
  assert.ok(!html.includes(page));
});

test("clientsPage creates only one client when the same form is sent several times, as by a double click", async (service) => {
  const { browser } = service;
  const form = await newClient(service);
  const clicks = await Promise.all([browser.send(PAGE, form), browser.send(PAGE, form)]);
  const late = await browser.send(PAGE, form);
  assert.equal(new Set([...clicks, late].map(({ html }) => html)).size, 1);
  const credentials = credentialsOn(late.html);
  assert.equal(await tokenStatus(service, credentials), 200);
  assert.equal((await (await service.operate("/clients")).json()).clients.length, 1);
  // A page that is loaded again has another form.
  await browser.send(PAGE, await newClient(service));
  assert.equal((await (await service.operate("/clients")).json()).clients.length, 2);

  const page = await browser.open(`${CLIENT}?id=${credentials.clientId}`);
  const rotation = { ...fieldsOf(page.html, "Make a new secret"), overlap: "3600" };
  for (let click = 0; click < 2; click++) {
    assert.equal((await browser.send(CLIENT, rotation)).status, 200);
  }
  const actions = (await readAudit(service)).map(({ action }) => action);
  assert.equal(actions.filter((action) => action === "rotateClient").length, 1);
});

Deno.test("clientsPage creates a client when a form that failed with 500 is sent again", async () => {
  await using service = await startFailingConsole();
  const { browser, fails } = service;
  const form = await newClient(service);
  fails.commits = true;
  assert.equal((await browser.send(PAGE, form)).status, 500);
  fails.commits = false;
  assert.equal((await browser.send(PAGE, form)).status, 200);
});

test("clientPage replaces a secret, and asks for confirmation when the old secrets would stop working at once", async (service) => {
  const client = await create(service, { name: "Board" });
  const fields = { action: "rotate", client_id: client.clientId };
  const rotated = await service.browser.send(CLIENT, { ...fields, overlap: "86400" });
  assert.equal(rotated.status, 200);
  assert.match(rotated.html, /The old secret is valid until <time datetime="2026-11-22T/);
  assert.equal(await tokenStatus(service, client), 200);
  const page = await service.browser.open(`${CLIENT}?id=${client.clientId}`);
  assert.match(
    page.html,
    /<p>Current secret, no expiry<\/p>\s*<p>Old secret, valid until <time datetime="2026-11-22T/,
  );

  const asked = await service.browser.send(CLIENT, { ...fields, overlap: "0" });
  assert.match(asked.html, /<h1>End all secrets of ‘Board’ now\?<\/h1>/);
  assert.match(asked.html, /name="confirmed" value="yes"/);
  assert.equal(await tokenStatus(service, client), 200, "only asking ends nothing");

  const confirmed = { ...fields, overlap: "0", confirmed: "yes" };
  const ended = await service.browser.send(CLIENT, confirmed);
  assert.match(ended.html, /<h1>The client has a new secret<\/h1>/);
  assert.equal(await tokenStatus(service, client), 401);
});

test(
  "clientPage answers 404 when the client does not exist, and 400 when the field 'overlap' is wrong",
  async (service, t) => {
    const { status, html } = await service.browser.open(`${CLIENT}?id=nobody`);
    assert.equal(status, 404);
    assert.match(html, /role="alert">There is no client &#39;nobody&#39;\./);
    for (const action of ["disable", "enable", "rotate"]) {
      await t.step(action, async () => {
        const sent = await service.browser.send(CLIENT, { action, client_id: "nobody" });
        assert.equal(sent.status, 404);
      });
    }
    const { clientId } = await create(service, { name: "Board" });
    const fields = { action: "rotate", client_id: clientId, overlap: "1e9" };
    assert.equal((await service.browser.send(CLIENT, fields)).status, 400);
  },
);

test("clientPage changes nothing when the form has no action or an unknown action", async (service) => {
  const { clientId } = await create(service, { name: "Board" });
  for (const fields of [{}, { action: "rotates" }]) {
    const { status, html } = await service.browser.send(CLIENT, { ...fields, client_id: clientId });
    assert.equal(status, 400);
    assert.match(html, /role="alert">Field &#39;action&#39; is missing or unknown; give rotate, /);
  }
  assert.deepEqual((await readAudit(service)).map(({ action }) => action), ["createClient"]);
});

Deno.test("clientsPage and clientPage say that a new secret is lost when KV does not confirm that the secret was stored", async (t) => {
  await using service = await startFailingConsole();
  const { clientId } = await create(service, { name: "Board" });
  service.fails.commits = true;
  const german = { headers: { "Accept-Language": "de" } };
  const rotation = { action: "rotate", client_id: clientId, overlap: "3600" };
  const cases = [
    [PAGE, { name: "Other" }, /cannot tell whether the client was/, /ob der Client angelegt wurde/],
    [CLIENT, rotation, /new secret of this try is lost/, /Das neue Secret dieses Versuchs ist/],
  ] as [string, Record<string, string>, RegExp, RegExp][];
  for (const [path, fields, english, inGerman] of cases) {
    await t.step(path, async () => {
      const { status, html } = await service.browser.send(path, fields);
      assert.equal(status, 500);
      assert.match(html, english);
      assert.match((await service.browser.send(path, fields, german)).html, inGerman);
    });
  }
});
