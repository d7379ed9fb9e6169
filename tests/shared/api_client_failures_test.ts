import assert from "node:assert/strict";
import { type ApiClientOptions, createApiClient } from "../../shared/api_client.ts";
import { dataOf, errorOf, fetchInto, productionClient, TOKEN_CALL } from "../support/api_client.ts";
import { BASE_URL, createTestClient, startTestService } from "../support/service.ts";

Deno.test("createApiClient() tells why when credentials are wrong, missing or without scope", async () => {
  await using service = await startTestService();
  const { fetch } = fetchInto(service);
  const stats = async (options: Partial<ApiClientOptions>) =>
    errorOf(await createApiClient({ baseUrl: BASE_URL, fetch, ...options }).stats());

  assert.equal((await stats({})).kind, "no_credentials");
  const wrong = await stats({ credentials: { clientId: "nobody", clientSecret: "ä: +%&=" } });
  assert(wrong.kind === "unauthorized");
  assert.deepEqual([wrong.status, wrong.code], [401, "invalid_client"]);
  const unscoped = await stats({ credentials: await createTestClient(service, []) });
  assert(unscoped.kind === "unauthorized");
  assert.deepEqual([unscoped.status, unscoped.code], [403, "insufficient_scope"]);
});

Deno.test("createApiClient() ends a call that takes longer than its time-out", async () => {
  await using service = await startTestService();
  const { client } = await productionClient(service, {
    timeout: 20,
    // A body that never ends counts too.
    intervene: (_call, { signal }) =>
      new Response(
        new ReadableStream({
          start(controller) {
            signal.addEventListener("abort", () => controller.error(signal.reason));
          },
        }),
      ),
  });
  assert.deepEqual(errorOf(await client.status()), {
    kind: "timed_out",
    message: `No whole answer came from ${BASE_URL} within 0.02 s`,
  });
});

Deno.test("createApiClient() ends one caller's call by its signal, and not the shared token request", async () => {
  await using service = await startTestService();
  const gate = Promise.withResolvers<undefined>();
  const { client, calls } = await productionClient(service, {
    intervene: (call) =>
      call === TOKEN_CALL
        ? gate.promise.then(() =>
          Response.json({ access_token: "a", token_type: "bearer", expires_in: 9 })
        )
        : Response.json({ error: "invalid_request", message: "No." }, { status: 400 }),
  });
  const controller = new AbortController();
  const leaving = client.stats({ signal: controller.signal });
  const staying = client.stats();
  controller.abort();
  assert.equal(errorOf(await leaving).kind, "aborted");
  gate.resolve(undefined);
  assert.equal(errorOf(await staying).kind, "refused", "it has got its token, and gone on");
  assert.equal(errorOf(await client.status({ signal: controller.signal })).kind, "aborted");
  assert.equal(calls.filter((call) => call === TOKEN_CALL).length, 1);
});

Deno.test("createApiClient() says what is wrong when its baseUrl has no scheme", () => {
  for (const baseUrl of ["localhost:8510", "waitlist.example", "", "ftp://waitlist.example"]) {
    const message =
      `baseUrl is '${baseUrl}', which is not an http: or https: URL; give one such as ` +
      "'https://waitlist.example' or 'http://localhost:8000'";
    assert.throws(() => createApiClient({ baseUrl }), { name: "TypeError", message });
  }
});

Deno.test("createApiClient() names the option when a program without types has it wrong", async () => {
  await using service = await startTestService();
  const { fetch, calls } = fetchInto(service);
  const give = "give both clientId and clientSecret as strings";
  for (
    const [options, message] of [
      [undefined, /^baseUrl is 'undefined', which is not an http: or https: URL; give one such as/],
      [{ environment: "sandbx" }, "environment is 'sandbx'; give 'production' or 'sandbox'"],
      [{ environment: null }, "environment is 'null'; give 'production' or 'sandbox'"],
      [
        { credentials: { client_id: "a", client_secret: "never shown" } },
        `credentials has client_id and client_secret; ${give}`,
      ],
      [
        { credentials: { clientId: "a", clientSecret: undefined } },
        `credentials has clientId and clientSecret; ${give}`,
      ],
      [{ credentials: {} }, `credentials has no members; ${give}`],
    ] as [object | undefined, string | RegExp][]
  ) {
    const given = options && { baseUrl: BASE_URL, fetch, ...options };
    assert.throws(
      () => createApiClient(given as ApiClientOptions),
      { name: "TypeError", message },
      JSON.stringify(options),
    );
  }
  assert.deepEqual(calls, []);
  const { join } = createApiClient({ baseUrl: BASE_URL, fetch });
  const error = errorOf(await (join as () => ReturnType<typeof join>)());
  assert.match(error.message, /^The e-mail address is missing or not valid;/);
});

Deno.test("createApiClient() calls an answer unexpected when it is not of this API", async () => {
  await using service = await startTestService();
  for (
    const [response, pattern] of [
      [
        () => new Response("<p>", { headers: { "Content-Type": "text/html" } }),
        /^The answer is text\/html where JSON belongs \(200 from /,
      ],
      [
        () => new Response("{", { headers: { "Content-Type": "application/json" } }),
        /^The answer is JSON that is not valid \(200 from /,
      ],
      [() => Response.json(null), /^The field 'status' is missing or not valid in an answer of /],
      [
        () => Response.redirect("https://elsewhere.example/"),
        /^The answer is a redirect to https:\/\/elsewhere\.example\//,
      ],
      [() => Response.json({}, { status: 404 }), /^The answer is not one of this API \(404 from /],
      [
        () => new Response(null, { status: 204 }),
        /^The answer is of no media type where JSON belongs \(204 from /,
      ],
    ] as [() => Response, RegExp][]
  ) {
    const { client } = await productionClient(service, { intervene: response });
    const error = errorOf(await client.status());
    assert.equal(error.kind, "unexpected");
    assert.match(error.message, pattern);
  }
});

Deno.test("createApiClient() names the field when data is not as the contract has it", async () => {
  await using service = await startTestService();
  const { client: honest } = await productionClient(service);
  const good = dataOf(await honest.status());
  for (
    const [field, value] of Object.entries({
      status: "up",
      apiVersion: 1,
      time: "noon",
      docs: null,
    })
  ) {
    const { client } = await productionClient(service, {
      intervene: () => Response.json({ ...good, [field]: value }),
    });
    assert.equal(
      errorOf(await client.status()).message,
      `The field '${field}' is missing or not valid in an answer of ${BASE_URL}`,
    );
  }
  const { client } = await productionClient(service, {
    intervene: () => Response.json({ ...good, newer: true }),
  });
  dataOf(await client.status());
});

Deno.test("createApiClient() quotes a message on one line without control characters", async () => {
  await using service = await startTestService();
  const { client } = await productionClient(service, {
    intervene: () =>
      Response.json({ error: "internal_error", message: `a\u001b[31m\nb${"c".repeat(500)}.` }, {
        status: 500,
      }),
  });
  const { message } = errorOf(await client.status());
  assert.equal(message, `a [31m b${"c".repeat(192)}… (500 from ${BASE_URL}/api/v1/status)`);
});
