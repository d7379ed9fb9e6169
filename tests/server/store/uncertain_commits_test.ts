/** A commit without an answer may have gone through or not. Each change is still made once, and gives its result. */
import assert from "node:assert/strict";
import { base64url } from "jose";
import { writeAuditEntry } from "../../../server/store/audit/mod.ts";
import { restoreLines } from "../../../server/store/backup/restore_lines.ts";
import { addSelfServiceKey } from "../../../server/store/credentials/self_service_keys.ts";
import { readFirstItems } from "../../../server/store/outbox/reads.ts";
import { markUndeliverable, remindPeople } from "../../../server/store/people/bulk_changes.ts";
import { correctAddress } from "../../../server/store/people/correct.ts";
import { hashAddress } from "../../../server/store/people/erasure_marks.ts";
import { createOutboxStore, retryItems } from "../../../server/store/people/outbox_commits.ts";
import { consentTextId } from "../../../server/waitlist/consent_text.ts";
import type { BackupLine } from "../../../shared/operator_schemas.ts";
import { repeatingKv, uncertainKv } from "../../support/faulty_kv.ts";
import { inviteAll, INVITING, storeWaiting } from "../../support/invitations.ts";
import { assertListsAgree } from "../../support/lists.ts";
import { everyEntry, OUTBOX, random, recordOf, storeAddresses } from "../../support/records.ts";
import { selfService } from "../../support/self_service.ts";
import { START } from "../../support/service.ts";
import { type Change, CHANGES as AUDITED } from "./conformance/audit_suite.ts";
import type { Kv, OpenKv } from "../../../server/store/kv/engine.ts";
import { openMemoryKv } from "../../support/memory_kv.ts";

const ADA = "ada@example.com", BO = "bo@example.com";
const AT = new Date(START).toISOString();
const NEXT_DAY = START + 24 * 3_600_000;
const WORDING = { lang: "en", text: "I agree." } as const;
const KEY = base64url.encode(new Uint8Array(32).fill(7));

const join = (kv: Kv) => storeAddresses(kv, [ADA, BO], AT);

const ownerOf = async (kv: Kv) => ({ email: ADA, id: (await recordOf(kv, ADA)).id });

async function firstLetter(kv: Kv) {
  const [letter] = await readFirstItems(kv, "letters", { limit: 1 });
  return letter!;
}

const restoring = (line: BackupLine): Change => ({
  make: (store) => restoreLines({ ...store, random }, [line], { now: START }),
});

const CHANGES: Record<string, Change> = {
  ...AUDITED,
  storeSignUps: { make: ({ kv }) => join(kv) },
  confirm: {
    prepare: join,
    make: async ({ kv }) => selfService(kv).confirm(await ownerOf(kv), WORDING),
  },
  leave: { prepare: join, make: async ({ kv }) => selfService(kv).leave(await ownerOf(kv)) },
  remindPeople: {
    prepare: join,
    make: ({ kv }) => Array.fromAsync(remindPeople({ ...INVITING, kv, now: NEXT_DAY }, [ADA])),
  },
  markUndeliverable: {
    prepare: join,
    make: ({ kv }) =>
      Array.fromAsync(markUndeliverable({ ...INVITING, kv, now: START }, [ADA, BO])),
  },
  correctAddress: {
    prepare: join,
    make: ({ kv }) =>
      correctAddress({ email: ADA, newEmail: "ada@example.org" }, {
        ...{ kv, outbox: OUTBOX, random, now: NEXT_DAY },
        findInvitationUrl: () => Promise.resolve(undefined),
      }),
  },
  hashAddress: { make: async ({ kv }) => (await hashAddress(kv, ADA, random)).length },
  workOnWave: {
    prepare: (kv) => storeWaiting(kv, 150),
    make: ({ kv }) => inviteAll(kv, { next: 100 }),
  },
  "readDue of letters that share an entry": {
    prepare: (kv) =>
      storeAddresses(kv, [ADA, BO], AT, { outbox: { ...OUTBOX, sendsEvents: false } }),
    make: async ({ kv }) => {
      const due = await createOutboxStore(kv).readDue("letters", { dueBy: START, limit: 9 });
      return due.map(({ item }) => item.email).toSorted();
    },
  },
  "complete of a letter that was sent": {
    prepare: join,
    make: async ({ kv }) => void await createOutboxStore(kv).complete(await firstLetter(kv), START),
  },
  retryItems: {
    async prepare(kv) {
      await join(kv);
      const refusal = { at: START, reason: "550" };
      await createOutboxStore(kv).refuseRecipient(await firstLetter(kv), refusal);
    },
    make: ({ kv }) =>
      Array.fromAsync(retryItems(kv, { which: "refused", now: () => START, leaseMs: 1 })),
  },
  writeAuditEntry: { make: ({ kv }, audit) => writeAuditEntry(kv, audit) },
  addSelfServiceKey: { make: ({ kv }) => addSelfServiceKey(kv, { key: KEY }, { random }) },
  "restoreLines of a key for self-service links": restoring({ kind: "place_key", key: KEY }),
  "restoreLines of a wording of the consent": restoring({
    kind: "consent_text",
    id: consentTextId(WORDING),
    ...WORDING,
  }),
  "restoreLines of a wave": restoring({
    kind: "wave",
    id: "first",
    wave: {
      parameters: { link: "https://app.example.com/" },
      salt: "s",
      invited: 1,
      startedAt: AT,
    },
    counts: { taken: 1, refused: 0, accepted: 0 },
  }),
};

const FAULTS: Record<string, (kv: Kv) => Kv> = {
  "its first two commits lose their answers": (kv) =>
    uncertainKv(kv, { commits: 2, goThrough: true }),
  "its first two commits do not go through": (kv) =>
    uncertainKv(kv, { commits: 2, goThrough: false }),
  "its first two commits are sent twice": (kv) => repeatingKv(kv, 2),
};

/** Makes a change on a store of its own; gives its result, and the content of the store without random parts. */
async function outcomeOf({ prepare, make }: Change, fault: (kv: Kv) => Kv) {
  using kv = await openMemoryKv();
  await prepare?.(kv);
  const store: OpenKv = { kv: fault(kv) };
  const result = await make(store, { at: AT, id: "one", action: "theChange" });
  await assertListsAgree(kv);
  const stored: Record<string, number> = {};
  for (const { key, value } of await everyEntry(kv)) {
    const isCounter = typeof value === "number" && key[0] !== "slot";
    const name = isCounter ? key.join("/") : String(key[0]);
    stored[name] = (stored[name] ?? 0) + (isCounter ? value : 1);
  }
  return {
    result: JSON.stringify(result, (name, value) => name === "secret" ? "" : value),
    stored,
  };
}

for (const [fault, wrap] of Object.entries(FAULTS)) {
  for (const [name, change] of Object.entries(CHANGES)) {
    Deno.test(`${name.replace(/\w+/, "$&()")} has its usual effect even when ${fault}`, async () => {
      assert.deepEqual(await outcomeOf(change, wrap), await outcomeOf(change, (kv) => kv));
    });
  }
}
