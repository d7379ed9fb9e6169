import assert from "node:assert/strict";
import { contactOf, senderOf } from "../../../server/config/mod.ts";
import { accept } from "../../support/config.ts";

Deno.test("contactOf() returns CONTACT, or mailto:hello@<host of BASE_URL> when CONTACT is absent", () => {
  assert.equal(contactOf(accept({}), "https://example.com:8443"), "mailto:hello@example.com");
  const config = accept({ CONTACT: "https://example.com/contact" });
  assert.equal(contactOf(config, "https://other.example"), "https://example.com/contact");
});

Deno.test("senderOf() returns MAIL_FROM, or the site's name and the address hello@<host of BASE_URL> when MAIL_FROM is absent", () => {
  const site = { siteName: "Söhne", baseUrl: "http://localhost:8000" };
  const address = "hello@localhost";
  assert.deepEqual(senderOf({ from: undefined }, site), { name: "Söhne", address });
  const from = { name: "Example Company", address: "hello@example.com" };
  assert.deepEqual(senderOf({ from }, site), from);
});
