/** The operation that sends the invitation again to one person. */
import assert from "node:assert/strict";
import { readFirstItems } from "../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../server/store/people/outbox_commits.ts";
import type { ListedItem } from "../../../shared/operator_schemas.ts";
import { ROLES } from "../../../shared/roles.ts";
import { LINK, nth, storeWaiting } from "../../support/invitations.ts";
import {
  assertRefused,
  call,
  type OperatedService,
  OPERATOR_KEY,
  readAudit,
  refusalOf,
  startOperatedService,
  test,
} from "../../support/operator.ts";
import { json, START, WITH_MAIL } from "../../support/service.ts";

const DAY = 24 * 60 * 60_000;
const PATH = "/invitations/resend";
const BODY = { email: nth(0) };

/** Starts a service whose mail server has taken the invitation to one person. */
async function startInvited(wave: object = {}): Promise<OperatedService> {
  const OPERATOR_KEYS = ROLES.map((role) => `${role}-name:${role}=${role}-${OPERATOR_KEY}`);
  const service = await startOperatedService({
    ...WITH_MAIL,
    OPERATOR_KEYS: OPERATOR_KEYS.join(" "),
  });
  await storeWaiting(service.kv, 2);
  await call(service, "/waves", { wave: "first", next: 1, link: LINK, ...wave });
  const [letter] = await readFirstItems(service.kv, "invitations", { limit: 1 });
  await createOutboxStore(service.kv).complete(letter!, START);
  return service;
}

const expectedRefusals = {
  limit:
    `409 conflict: An invitation e-mail goes to a person once in 24 hours; send it again from ${
      new Date(START + DAY).toISOString()
    }. 'outbox retry' tries a refused e-mail again at once.`,
  inOutbox: "409 conflict: The invitation still waits in the outbox; see 'outbox list'.",
};

Deno.test("resendInvitation returns the invitation, and writes an entry to the history of the person", async () => {
  await using service = await startInvited({ expires: "2027-01-31T23:00:00Z" });
  assert.equal(await refusalOf(service.operate(PATH, BODY)), expectedRefusals.limit);
  const shown = await call(service, "/signups/show", BODY);
  assert.equal(shown.nextInvitation, new Date(START + DAY).toISOString());
  service.clock.now += DAY;
  const invitation = await call(service, PATH, { email: BODY.email.toUpperCase() });
  assert.deepEqual(invitation, {
    state: "invited",
    ...BODY,
    lang: "en",
    invitedAt: new Date(START).toISOString(),
    expiresAt: "2027-01-31T23:00:00.000Z",
  });
  assert.equal(await refusalOf(service.operate(PATH, BODY)), expectedRefusals.inOutbox);
  const { history, noInvitation, outboxItems } = await call(service, "/signups/show", BODY);
  assert.equal(noInvitation, "in_outbox");
  const waiting = outboxItems.map(({ message, tries }: ListedItem) => [message, tries]);
  assert.deepEqual(waiting, [["invitation", 0]]);
  const [{ action, operator }] = history;
  assert.deepEqual([action, operator], ["resendInvitation", "operator"]);
  const entries = (await readAudit(service)).filter(({ action }) => action === "resendInvitation");
  assert.equal(entries.length, 1);
  assert.ok(!JSON.stringify(entries).includes("example.com"));
});

Deno.test("resendInvitation may be called by the role 'operator' only", async (t) => {
  await using service = await startInvited();
  service.clock.now += DAY;
  for (const role of ROLES) {
    await t.step(role, async () => {
      const { method, headers, body } = json(BODY);
      const Authorization = `Bearer ${role}-${OPERATOR_KEY}`;
      const { status } = await service.request(`/operator/v1${PATH}`, {
        method: method!,
        body: body!,
        headers: { ...Object.fromEntries(new Headers(headers)), Authorization },
      });
      assert.equal(status, role === "operator" ? 200 : 403);
    });
  }
});

Deno.test("resendInvitation says what to do when a letter cannot be sent", async () => {
  await using service = await startInvited({ expires: new Date(START + 2 * DAY).toISOString() });
  service.clock.now += DAY;
  const refused = (email = BODY.email) => refusalOf(service.operate(PATH, { email }));
  const unknown = "404 not_found: The address is not on the waitlist. Check its spelling.";
  assert.equal(await refused("nobody@example.com"), unknown);
  assert.match(await refused(nth(1)), /^409 conflict: .+ not invited yet; .+'signups invite'\.$/);
  await call(service, "/signups/undeliverable", { emails: [BODY.email] });
  assert.match(
    await refused(),
    /^409 conflict: .+ undeliverable; .+'signups deliverable' first\.$/,
  );
  await call(service, "/signups/deliverable", { emails: [BODY.email] });
  service.clock.now += DAY;
  assert.match(await refused(), /^410 expired: .+ expired; renew it with 'invitations renew'/);
  assert.equal((await call(service, "/signups/show", BODY)).noInvitation, "expired");
  assert.deepEqual(
    (await readAudit(service)).filter(({ action }) => action === "resendInvitation"),
    [],
  );
});

test("resendInvitation is refused when MAIL_URL is not set, or when the address is malformed", async (service) => {
  const refusal = await refusalOf(service.operate(PATH, BODY));
  assert.match(refusal, /^409 conflict: The service sends no e-mails, as MAIL_URL is not set/);
  await assertRefused(service, PATH, [[{}, /'email' is absent/], [{ email: "ada" }, /'email' is/]]);
});
