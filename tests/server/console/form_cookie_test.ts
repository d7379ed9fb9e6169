import assert from "node:assert/strict";
import { createFormCookie, SESSION_MS } from "../../../server/console/cookies.ts";
import { ADA } from "../../support/console.ts";
import { BASE_URL, START } from "../../support/service.ts";

const OPERATOR = {
  name: "anna",
  role: "operator" as const,
  key: "first-operator-0123456789-abcdefgh",
};

/** The cookie's name under https. */
const NAME = "__Secure-waitlist_forms";

/** The cookie of one operator, at a time that a test changes. */
function startCookie(operator = OPERATOR, baseUrl = BASE_URL) {
  const clock = { now: START };
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
  const options = { baseUrl, now: () => clock.now, random };
  const { add, find } = createFormCookie(operator, options);
  return {
    clock,
    add: (cookies: string | undefined, fields: Record<string, string>) =>
      add(cookies, new Map(Object.entries(fields))),
    async find(cookies: string | undefined, id: string) {
      const fields = await find(cookies, id);
      return fields && Object.fromEntries(fields);
    },
  };
}

/** The `Cookie` header that a `Set-Cookie` value leads to. */
const sent = (cookie = "") => cookie.split(";")[0];

Deno.test("createFormCookie() finds a form by its id, which the same fields always have", async () => {
  const { add, find } = startCookie();
  const first = await add(undefined, { ...ADA, search: "a" });
  const second = await add(sent(first?.cookie), { search: "ä", state: "" });
  const again = await add(sent(second?.cookie), { search: "a", state: "", ...ADA });
  assert.equal(again?.id, first?.id);
  assert.notEqual(second?.id, first?.id);
  const cookies = `x=1; ${NAME}=x; ${sent(again?.cookie)}; ${NAME}=`;
  assert.deepEqual(await find(cookies, first?.id ?? ""), { ...ADA, search: "a" });
  assert.deepEqual(await find(cookies, second?.id ?? ""), { search: "ä" });
  assert.equal(await find(cookies, "unknown"), undefined);
  assert.equal(await find(undefined, first?.id ?? ""), undefined);
});

Deno.test("createFormCookie() takes any field's name, and the last of two forms that are sent at once", async () => {
  const { add, find } = startCookie();
  const odd = new Map([["__proto__", "x"], ["constructor", "y"]]);
  const base = await add(undefined, Object.fromEntries(odd));
  assert.deepEqual(await find(sent(base?.cookie), base?.id ?? ""), Object.fromEntries(odd));
  const [one, other] = await Promise.all([
    add(sent(base?.cookie), { search: "one" }),
    add(sent(base?.cookie), { search: "other" }),
  ]);
  const last = sent(other?.cookie);
  assert.deepEqual(await find(last, other?.id ?? ""), { search: "other" });
  assert.equal(await find(last, one?.id ?? ""), undefined);
});

Deno.test("createFormCookie() drops the oldest forms when a cookie could not hold more", async () => {
  // People who were reached from a further page of a search with filters: about as long as fields are in practice.
  const choice = {
    search: "person",
    state: "waiting",
    lang: "de",
    after_email: "person.100@example.com",
    after_at: "2026-11-21T12:00:00.000Z",
  };
  for (const [fields, atLeast] of [[{}, 20], [choice, 6]] as const) {
    const { add, find } = startCookie();
    const ids: string[] = [];
    let cookies: string | undefined;
    for (let n = 0; n < 50; n++) {
      const added = await add(cookies, { email: `person.${n}@example.com`, ...fields });
      ids.push(added?.id ?? "");
      cookies = sent(added?.cookie);
      assert.ok((added?.cookie ?? "").length < 2_400, "4 KB for all headers of an answer");
    }
    const found = await Promise.all(ids.map((id) => find(cookies, id)));
    const first = found.findIndex((each) => each !== undefined);
    assert.ok(50 - first >= atLeast, `${50 - first} forms`);
    assert.ok(found.slice(first).every((each) => each !== undefined), "the newest ones");
  }
});

Deno.test("createFormCookie() takes a form of the longest fields, and none that is longer", async () => {
  const { add } = startCookie();
  const longest = { email: "e".repeat(254), search: "s".repeat(254), after_email: "a".repeat(254) };
  assert.ok(await add(undefined, longest));
  assert.equal(await add(undefined, { search: "s".repeat(2_000) }), undefined);
});

Deno.test("createFormCookie() finds nothing in a cookie that is changed, too old or of somebody else", async () => {
  const { clock, add, find } = startCookie();
  const { id = "", cookie } = await add(undefined, ADA) ?? {};
  const good = sent(cookie) ?? "";
  assert.ok(!good.includes("@"));
  for (const part of good.replace(`${NAME}=`, "").split(".")) {
    assert.doesNotMatch(atob(part.replaceAll("-", "+").replaceAll("_", "/")), /ada@/);
  }
  const at = good.length - 30;
  const changed = good.slice(0, at) + (good[at] === "A" ? "B" : "A") + good.slice(at + 1);
  for (const bad of [changed, good.slice(0, -1), `${NAME}=`, `${NAME}=x`]) {
    assert.equal(await find(bad, id), undefined, bad);
  }
  const other = startCookie({ ...OPERATOR, key: `${OPERATOR.key}2` });
  assert.equal(await other.find(good, id), undefined);
  const elsewhere = startCookie(OPERATOR, "https://other.test");
  assert.equal(await elsewhere.find(good, id), undefined);
  clock.now += SESSION_MS - 1_000;
  assert.deepEqual(await find(good, id), ADA);
  clock.now += 1_000;
  assert.equal(await find(good, id), undefined);
});
