/**
 * The OpenAPI document, as it is served, accepts the forms that the service accepts, and refuses
 * those that it refuses: a tool that holds requests against the document stands in nobody's way.
 */
import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { form, SANDBOX_CLIENT, startTestService } from "../support/service.ts";

const JOIN = "/api/v1/waitlist";
const TOKEN = "/api/v1/oauth/token";

const FORM = "application/x-www-form-urlencoded";

const email = "ada@example.com";
const token = {
  grant_type: "client_credentials",
  client_id: SANDBOX_CLIENT,
  client_secret: SANDBOX_CLIENT,
};

/**
 * The fields of a form, and whether it is accepted. `tests/server/waitlist/sign_up_test.ts` generates bodies of JSON, and
 * `tests/server/oauth/token_grant_test.ts` generates scopes.
 */
const BODIES: [path: string, body: Record<string, string>, accepted: boolean][] = [
  [JOIN, { email, consent: "true" }, true],
  [JOIN, { email, consent: "on", source: "", lang: "", website: "" }, true],
  [JOIN, { email, consent: "1", source: "hero", lang: "en" }, true],
  [JOIN, { email, consent: "on", website: "https://spam.example" }, true],
  [JOIN, { email, consent: "yes" }, false],
  [JOIN, { email, consent: "on", source: "footer" }, false],
  [TOKEN, token, true],
  [TOKEN, { ...token, unknown: "1" }, true],
  [TOKEN, { ...token, scope: "" }, true],
  [TOKEN, { ...token, scope: "waitlist:stats:read" }, true],
  [TOKEN, { ...token, scope: "waitlist:stats:read waitlist:write" }, false],
  [TOKEN, { ...token, grant_type: "password" }, false],
  [TOKEN, { ...token, client_id: "a".repeat(129) }, false],
];

Deno.test("The schemas of openapi.json accept a request body exactly when the service does", async (t) => {
  await using service = await startTestService();
  const document = await (await service.request("/openapi.json")).json();
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, "openapi");

  const { paths, components } = document;
  for (const [path, body, accepted] of BODIES) {
    await t.step(`${path} ${JSON.stringify(body).slice(0, 120)}`, async () => {
      const { requestBody } = paths[path].post;
      const { content } = requestBody.$ref ? components.requestBodies.WaitlistSignup : requestBody;
      const validate = ajv.compile({ $ref: `openapi${content[FORM].schema.$ref}` });
      assert.equal(validate(body), accepted, ajv.errorsText(validate.errors));

      const { status } = await service.request(`/sandbox${path}`, form(body));
      assert.equal(status === 200 || status === 303, accepted, String(status));
    });
  }
});
