import assert from "node:assert/strict";
import {
  type ClientAuthentication,
  readClientAuthentication,
} from "../../../server/oauth/client_authentication.ts";

const NONE = { clientId: undefined, clientSecret: undefined };
const UNUSABLE: ClientAuthentication = "unusable";
const CONFLICTING: ClientAuthentication = "conflicting";

const basicOf = (pair: string) => `Basic ${btoa(pair)}`;
const credentials = (clientId: string, clientSecret: string) => ({ clientId, clientSecret });

// Clauses: RFC 6749 §2.3.1 encoding; RFC 9110 §11.1.
Deno.test("readClientAuthentication() reads the credentials of a well-formed HTTP Basic header", async (t) => {
  const utf8 = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));
  for (
    const [authorization, clientId, clientSecret] of [
      [basicOf("id:secret"), "id", "secret"],
      // RFC 9110 §11.1 and §11.4: a scheme has no case, and spaces follow it.
      [`basic ${btoa("id:secret")}`, "id", "secret"],
      [`BASIC   ${btoa("id:secret")}`, "id", "secret"],
      // RFC 7617 §2: only the first colon separates.
      [basicOf("id:se:cr:et"), "id", "se:cr:et"],
      // RFC 6749 §2.3.1: both are form-encoded first.
      [basicOf("a%3Ab:c%2Bd%25"), "a:b", "c+d%"],
      [basicOf("a+b:c+d"), "a b", "c d"],
      [basicOf("%C3%BC:%F0%9F%92%A7"), "ü", "💧"],
      [basicOf(utf8("ü:é")), "ü", "é"],
      [basicOf("A-Za.z0_9~:A-Za.z0_9~"), "A-Za.z0_9~", "A-Za.z0_9~"],
      [basicOf(":"), "", ""],
      // RFC 4648 §3.2 leaves the padding out where its length is known.
      ["Basic YTpiYw", "a", "bc"],
    ] as const
  ) {
    await t.step(`the header ${authorization} has the client ${JSON.stringify(clientId)}`, () => {
      assert.deepEqual(
        readClientAuthentication(authorization, NONE),
        credentials(clientId, clientSecret),
      );
    });
  }
});

Deno.test("readClientAuthentication() returns 'unreadable' when the Authorization header is malformed", async (t) => {
  for (
    const authorization of [
      "",
      "Basic",
      "Basic:",
      "Basic !!!!",
      "Basic a",
      "Basic ü",
      "Basic aWQ6 c2VjcmV0",
      "Basic YTpiYw=",
      "Basic YTpi=",
      "Basic YTpiY",
      basicOf("no colon"),
      basicOf(""),
      basicOf("\xff:secret"),
      basicOf("id:\xc3"),
      basicOf("id:%"),
      basicOf("%zz:secret"),
      basicOf("%ff:secret"),
      `Basic${btoa("id:secret")}`,
      `Bearer ${btoa("id:secret")}`,
      `Digest username="id"`,
      btoa("id:secret"),
    ]
  ) {
    await t.step(`the header is ${JSON.stringify(authorization)}`, () => {
      assert.deepEqual(readClientAuthentication(authorization, NONE), UNUSABLE);
    });
  }
});

// Clauses: RFC 6749 §2.3.1 body.
Deno.test("readClientAuthentication() reads the credentials of the body when there is no Authorization header", async (t) => {
  for (
    const [clientId, clientSecret, expected] of [
      // The form's own decoding has been done: nothing is decoded twice.
      ["i%64", "se+cret", credentials("i%64", "se+cret")],
      ["id", undefined, UNUSABLE],
      [undefined, "secret", UNUSABLE],
      [undefined, undefined, UNUSABLE],
    ] as const
  ) {
    await t.step(`the body has ${JSON.stringify({ clientId, clientSecret })}`, () => {
      assert.deepEqual(readClientAuthentication(null, { clientId, clientSecret }), expected);
    });
  }
});

// Clauses: RFC 6749 §2.3.
Deno.test("readClientAuthentication() returns 'double' when both Basic and body hold a secret, or when the two client ids differ", async (t) => {
  const basic = basicOf("i%64:secret");
  for (
    const [authorization, clientId, clientSecret, expected] of [
      [basic, "id", undefined, credentials("id", "secret")],
      [basic, "id", "secret", CONFLICTING],
      [basic, undefined, "secret", CONFLICTING],
      [basic, "other", undefined, CONFLICTING],
      [basic, "i%64", undefined, CONFLICTING],
      [basic, "ID", undefined, CONFLICTING],
      [basicOf("no colon"), undefined, "secret", CONFLICTING],
      ["Basic", "id", "secret", CONFLICTING],
      [basicOf("no colon"), "id", undefined, UNUSABLE],
      ["Bearer token", "id", "secret", UNUSABLE],
      ["", "id", "secret", UNUSABLE],
    ] as const
  ) {
    await t.step(
      `Authorization is ${
        JSON.stringify(authorization)
      }, and the body has the id ${clientId} and the secret ${clientSecret}`,
      () => {
        assert.deepEqual(
          readClientAuthentication(authorization, { clientId, clientSecret }),
          expected,
        );
      },
    );
  }
});
