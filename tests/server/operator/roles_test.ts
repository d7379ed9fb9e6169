/** What each role may do: over HTTP, in the document and in the console. */
import assert from "node:assert/strict";
import document from "../../../shared/generated/operator.json" with { type: "json" };
import { mayCall, type OperationId, ROLES } from "../../../shared/roles.ts";
import { openBrowser, openPerson, signIn } from "../../support/console.ts";
import {
  assertDescribed,
  assertOperatorError,
  importPeople,
  OPERATOR_KEY,
  readAudit,
  startOperatedService,
} from "../../support/operator.ts";
import { json } from "../../support/service.ts";
import { testWith } from "../../support/test_with.ts";

const keyOf = (role: string) => `${role}-${OPERATOR_KEY}`;

const OPERATOR_KEYS = ROLES.map((role) => `${role}-name:${role}=${keyOf(role)}`).join(" ");

const start = () => startOperatedService({ OPERATOR_KEYS });

const test = testWith(start);

const by = (role: string) => ({ Authorization: `Bearer ${keyOf(role)}` });

const ADA = { email: "ada@example.com" };

const OPERATIONS = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    "operationId" in operation ? [{ path, method: method.toUpperCase(), ...operation }] : []
  )
);

const WITHOUT_CODES = [
  ...["getOperatorDocument", "getOverview", "listSignups", "countSignups", "showSignup"],
  ...["listWaves", "showWave", "listWavePeople", "listSchedules"],
  ...["listJobs", "showJob"],
];

/** What decides about data and keys; a role that may call more than this was widened by mistake. */
const EXPECTED: Record<string, string[]> = {
  viewer: [
    ...WITHOUT_CODES,
    "listLetters",
    "listOutbox",
    "listDeliveries",
    "listClients",
    "readAuditLog",
  ],
  backup: ["getOperatorDocument", "backUp", "verifyCounters"],
  product: ["getOperatorDocument", "checkInvitation", "redeemInvitation"],
};

test(
  "createOperatorSurface() lets each role call only the operations that have the role in x-roles",
  async (service, t) => {
    for (const role of ROLES) {
      await t.step(role, async () => {
        const let_: string[] = [];
        for (const { operationId, path, method, "x-roles": roles } of OPERATIONS) {
          const address = path.replaceAll(/{\w+}/g, "none");
          const response = await service.request(address, { method, headers: by(role) });
          const { status } = response;
          const isLet = status !== 403;
          assert.equal(isLet, mayCall(role, operationId as OperationId), `${role} ${operationId}`);
          assert.equal(
            isLet,
            roles.some((each: string) => each === role),
            `${role} ${operationId}`,
          );
          if (isLet) let_.push(operationId);
          else {
            await assertDescribed({ path: address, method }, response);
            const message = await assertOperatorError(response, 403, "forbidden");
            assert.ok(message.includes(`'${role}'`), message);
          }
          if (!response.bodyUsed) await response.body?.cancel();
        }
        const expected = EXPECTED[role] ?? OPERATIONS.map(({ operationId }) => operationId);
        assert.deepEqual(let_.toSorted(), expected.toSorted());
      });
    }
  },
);

test("createOperatorSurface() writes to the audit log how many calls of each operator were refused because of the operator's role", async (service) => {
  const call = (role: string) =>
    service.request("/operator/v1/keys/rotate", { method: "POST", headers: by(role) });
  for (const role of ["viewer", "product", "viewer"]) assert.equal((await call(role)).status, 403);
  assert.deepEqual(await readAudit(service), []);
  await service.repeatOnce();
  const counted = (await readAudit(service))
    .map(({ action, operator, details }) => `${action} ${operator} ${details?.count}`);
  assert.deepEqual(counted.toSorted(), ["forbidden product-name 1", "forbidden viewer-name 2"]);
});

test(
  "createOperatorSurface() hides people's codes and links from a viewer, and refuses a viewer's downloads",
  async (service, t) => {
    const line = {
      ...ADA,
      consentedAt: "2026-05-01T09:30:00Z",
      state: "invited",
      invitedAt: "2026-05-02T09:30:00Z",
      invitationCode: "c".repeat(32),
      wave: "first",
      referralCode: "Code123456",
      referredBy: "Other12345",
    };
    const other = { email: "bob@example.com", consentedAt: line.consentedAt };
    const referring = { ...other, referralCode: line.referredBy };
    await importPeople(service, [line, referring]);
    const ask = (role: string, path: string, body: object) =>
      service.request(`/operator/v1/signups/${path}`, {
        ...json(body),
        headers: { ...by(role), "Content-Type": "application/json" },
      });
    for (const [path, body] of [["list", {}], ["show", ADA]] as const) {
      for (const role of ["operator", "viewer"]) {
        await t.step(`${role} ${path}`, async () => {
          const response = await ask(role, path, body);
          await assertDescribed({ path: `/operator/v1/signups/${path}`, method: "POST" }, response);
          const text = await response.text();
          assert.ok(text.includes(ADA.email), text);
          const { invitationCode, referralCode, referredBy } = line;
          for (const secret of [invitationCode, referralCode, referredBy, "placeUrl", "/place/"]) {
            assert.equal(text.includes(secret), role === "operator", `${role} ${path} ${secret}`);
          }
        });
      }
    }
    const overview = await service.request("/operator/v1/overview", { headers: by("viewer") });
    const { referrals } = await overview.json();
    assert.equal(referrals.top[0].email, other.email, "a viewer sees who has the most referrals");
    await assertOperatorError(
      await ask("viewer", "show", { ...ADA, export: true }),
      403,
      "forbidden",
    );
  },
);

test(
  "createConsole() leaves out all forms that change data when a viewer is signed in",
  async (service, t) => {
    await service.request("/api/v1/waitlist", json({ ...ADA, consent: true }));
    const browser = await signIn(service, keyOf("viewer"));
    const pages = ["people", "invite", "clients", "outbox", "activity"].map((name) =>
      `/operator/${name}/`
    );
    for (const path of ["/operator/", ...pages]) {
      await t.step(path, async () => {
        const { status, html } = await browser.open(path);
        assert.equal(status, 200);
        assert.match(html, /Signed in as <b>viewer-name<\/b>/);
        const linked = [...html.matchAll(/<li><a href="([^"]+)"/g)].map(([, to]) => to);
        assert.deepEqual(linked, ["/operator/", ...pages]);
        assert.doesNotMatch(html, /href="\/operator\/data\/"/);
        assert.doesNotMatch(html, /Issue a client|class="danger"/);
      });
    }
    const person = await openPerson(browser, ADA.email);
    assert.match(person.html, /ada@<wbr>example\.com/);
    assert.doesNotMatch(person.html, /name="act"|\/correct"/);
    for (const path of ["/operator/data/", "/operator/data/import/"]) {
      await t.step(path, async () => {
        for (const answer of [await browser.open(path), await browser.send(path)]) {
          assert.equal(answer.status, 403);
          assert.match(answer.html, /Your key may only look at this console/);
        }
      });
    }
    // The waves are to be seen, and nothing can be done with them.
    const wave = { wave: "first", next: 1, link: "https://app.example.com/{code}", letters: false };
    const started = await service.request("/operator/v1/waves", {
      ...json(wave),
      headers: { ...by("operator"), "Content-Type": "application/json" },
    });
    assert.equal(started.status, 200);
    const { html } = await browser.open("/operator/invite/wave/?id=first");
    assert.match(html, /ada@<wbr>example\.com/);
    assert.doesNotMatch(html, /<button(?! type="submit">Sign out| class="link")/);
    assert.doesNotMatch((await browser.open("/operator/invite/")).html, /name="next"/);
    const people = await service.request("/operator/v1/waves/first/people", {
      headers: by("viewer"),
    });
    assert.doesNotMatch(await people.text(), /invitationCode|invitationUrl|placeUrl/);
    for (
      const [path, fields] of [
        ["/operator/invite/", {
          ...wave,
          wave: "second",
          next: "1",
          letters: "",
          confirmed: "yes",
        }],
        ["/operator/invite/codes/", { wave: "first" }],
      ] as const
    ) {
      await t.step(path, async () => {
        const refused = await browser.send(path, fields);
        assert.equal(refused.status, 403);
        assert.match(refused.html, /Your key may only look at this console/);
      });
    }
    const erasure = { chosen_0: ADA.email, act: "erase", confirmed: "yes" };
    const erased = await browser.send("/operator/people/chosen/", erasure);
    assert.equal(erased.status, 403);
    assert.match(erased.html, /Your key may only look at this console/);
  },
);

test(
  "createConsole() refuses a sign-in with a key of the role 'backup' or 'product'",
  async (service, t) => {
    for (const role of ["backup", "product"]) {
      await t.step(role, async () => {
        const browser = openBrowser(service);
        const { status, html } = await browser.send("/operator/sign-in/", { key: keyOf(role) });
        assert.equal(status, 403);
        assert.match(html, /This key is for a program/);
        assert.equal(browser.cookie, "");
      });
    }
  },
);

test(
  "passedOnAddress() makes the limits count the visitor's source address when a company's server sends the sign-up",
  async (service, t) => {
    let signUps = 0;
    const join = async (headers: Record<string, string>, path = "/api/v1/waitlist") => {
      const body = JSON.stringify({ email: `p${signUps++}@example.com`, consent: true });
      const all = { "Content-Type": "application/json", ...headers };
      const response = await service.request(path, { method: "POST", body, headers: all });
      return `${response.status} ${response.headers.get("ratelimit-remaining")}`;
    };
    const visitor = (address: string, role = "product") => ({
      ...by(role),
      "Waitlist-Client-Address": address,
    });
    assert.equal(await join(visitor("203.0.113.7")), "200 29");
    assert.equal(await join(visitor("203.0.113.8")), "200 29");
    assert.equal(await join(visitor("203.0.113.7")), "200 28");
    assert.equal(await join(visitor("2001:db8::1")), "200 29");
    // Everything else counts under the caller's own address.
    const own = [
      visitor("203.0.113.7", "operator"),
      visitor("203.0.113.7", "viewer"),
      visitor("203.0.113.7", "none"),
      { "Waitlist-Client-Address": "203.0.113.7" },
      visitor("a visitor"),
      visitor("203.0.113.7, 203.0.113.8"),
      visitor(""),
      by("product"),
    ];
    for (const [index, headers] of own.entries()) {
      await t.step(JSON.stringify(headers), async () => {
        assert.equal(await join(headers), `200 ${29 - index}`);
      });
    }
    assert.equal(await join(visitor("203.0.113.7"), "/sandbox/api/v1/waitlist"), "200 119");
  },
);
