/**
 * The OpenAPI document, as it is served, accepts the request bodies that the service accepts, and refuses
 * those that it refuses: a tool that holds requests against the document stands in nobody's way.
 */
import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { form, json, SANDBOX_CLIENT, startTestService } from "../support/service.ts";

const JOIN = "/api/v1/waitlist";
const TOKEN = "/api/v1/oauth/token";

const JSON_TYPE = "application/json";
const FORM = "application/x-www-form-urlencoded";

const email = "ada@example.com";
const token = {
  grant_type: "client_credentials",
  client_id: SANDBOX_CLIENT,
  client_secret: SANDBOX_CLIENT,
};

/** A body, and whether it is accepted. A form's body is its fields. */
const BODIES: [path: string, type: string, body: Record<string, unknown>, accepted: boolean][] = [
  [JOIN, JSON_TYPE, { email, consent: true }, true],
  [JOIN, JSON_TYPE, { email, consent: true, source: "cta", lang: "de", website: "" }, true],
  [JOIN, JSON_TYPE, { email, consent: true, website: "https://spam.example" }, true],
  [JOIN, JSON_TYPE, { email, consent: true, website: null }, false],
  [JOIN, JSON_TYPE, { email, consent: false }, false],
  [JOIN, JSON_TYPE, { email, consent: "true" }, false],
  [JOIN, JSON_TYPE, { email, consent: true, lang: "" }, false],
  [JOIN, JSON_TYPE, { email: "ada@localhost", consent: true }, false],
  [JOIN, JSON_TYPE, { email: `${"a".repeat(64)}@example.com`, consent: true }, true],
  [JOIN, JSON_TYPE, { email: `${"a".repeat(65)}@example.com`, consent: true }, false],
  [JOIN, JSON_TYPE, { email, consent: true, name: "Ada" }, false],
  [JOIN, FORM, { email, consent: "true" }, true],
  [JOIN, FORM, { email, consent: "on", source: "", lang: "", website: "" }, true],
  [JOIN, FORM, { email, consent: "1", source: "hero", lang: "en" }, true],
  [JOIN, FORM, { email, consent: "on", website: "https://spam.example" }, true],
  [JOIN, FORM, { email, consent: "yes" }, false],
  [JOIN, FORM, { email, consent: "on", source: "footer" }, false],
  [TOKEN, FORM, token, true],
  [TOKEN, FORM, { ...token, unknown: "1" }, true],
  [TOKEN, FORM, { ...token, scope: "" }, true],
  [TOKEN, FORM, { ...token, scope: "waitlist:stats:read" }, true],
  [TOKEN, FORM, { ...token, scope: "waitlist:stats:read waitlist:stats:read" }, true],
  [TOKEN, FORM, { ...token, scope: "waitlist:stats:read waitlist:write" }, false],
  [TOKEN, FORM, { ...token, scope: " " }, false],
  [TOKEN, FORM, { ...token, grant_type: "password" }, false],
  [TOKEN, FORM, { ...token, client_id: "a".repeat(129) }, false],
];

Deno.test("openapi.json accepts a request body exactly when the service does", async (t) => {
  await using service = await startTestService();
  const document = await (await service.request("/openapi.json")).json();
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, "openapi");

  const { paths, components } = document;
  for (const [path, type, body, accepted] of BODIES) {
    await t.step(`${path} ${type} ${JSON.stringify(body).slice(0, 120)}`, async () => {
      const { requestBody } = paths[path].post;
      const { content } = requestBody.$ref ? components.requestBodies.WaitlistSignup : requestBody;
      const validate = ajv.compile({ $ref: `openapi${content[type].schema.$ref}` });
      assert.equal(validate(body), accepted, ajv.errorsText(validate.errors));

      const sent = type === FORM ? form(body as Record<string, string>) : json(body);
      const { status } = await service.request(`/sandbox${path}`, sent);
      assert.equal(status === 200 || status === 303, accepted, String(status));
    });
  }
});
