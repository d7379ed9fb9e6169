/** Which operations write an entry to the audit log, and what the entry contains. @module */
import assert from "node:assert/strict";
import document from "../../../shared/generated/operator.json" with { type: "json" };
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { readConsoleTexts } from "../../../server/content/console_texts.ts";
import { readSchema } from "../../../server/store/kv/schema.ts";
import { erasureMarksOf } from "../../../server/waitlist/erasure.ts";
import { backup, NOW, restore } from "../../support/backups.ts";
import { bulkSignUp, storeBulk } from "../../support/bulk_sign_ups.ts";
import { type OperatedService, readAudit, startOperatedService } from "../../support/operator.ts";
import { refuseDue } from "../../support/outbox.ts";
import { ndjson, WITH_MAIL } from "../../support/service.ts";
import { Commit } from "../../../server/store/kv/engine.ts";

/** The operations that change nothing and are no export. */
const SILENT = [
  "getOperatorDocument",
  "checkInvitation",
  "listClients",
  "getOverview",
  "listLetters",
  "listOutbox",
  "listDeliveries",
  "listSignups",
  "countSignups",
  "listFilters",
  "listJobs",
  "showJob",
  "listWaves",
  "showWave",
  "listSchedules",
  "showSignup",
  "testWebhook",
  "verifyCounters",
  "readAuditLog",
];

const POST = { method: "POST" };
const ADA = { email: "ada@example.com", consentedAt: "2026-05-01T09:30:00Z" };
const CORRECTED = { email: "ada@new.example.com" };
const BO = { ...ADA, email: "bo@example.com" };

const CY = {
  email: "cy@example.com",
  state: "invited" as const,
  invitedAt: "2026-11-01T00:00:00.000Z",
  invitationCode: "c".repeat(32),
  wave: "third",
};

const LINK = "https://app.example.com/";
const WAVE = { wave: "first", emails: [BO.email], link: LINK, letters: false };

const SCHEDULE = {
  id: "weekly",
  next: 5,
  link: LINK,
  letters: false,
  every: "week",
  weekday: "monday",
  at: "09:00",
  zone: "Europe/Berlin",
};

const JOB = { act: "erase", selection: { search: "nobody@example.com" }, most: 1 };

const UNCONFIRMED = { ...ADA, email: "dee@example.com", state: "unconfirmed" };

const IMPORTED = { new: 3, merged: 0, unchanged: 0, refused: 1, complete: true };

const ERASED = {
  state: "unconfirmed",
  before: "2026-11-22T00:00:00.000Z",
  erased: 1,
  complete: true,
};

/** Reads an answer to its end, as long work is done while it is read. */
async function done(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  await response.clone().text();
  assert.ok(response.ok, await response.clone().text());
  return response;
}

/** Calls every operation that leaves an entry, and some others. */
async function workAll(service: OperatedService): Promise<Response[]> {
  const answers: Response[] = [];
  const call = async (path: string, body?: unknown, init?: RequestInit) => {
    answers.push(await done(service.operate(path, body, init)));
    return answers.at(-1)!;
  };
  const created = await call("/clients", { name: "Test", scopes: [] });
  const { client_id } = await created.clone().json();
  await call(`/clients/${client_id}/rotate`, { overlapSeconds: 60 });
  await call(`/clients/${client_id}/disable`, undefined, POST);
  await call(`/clients/${client_id}/enable`, undefined, POST);
  await call("/keys/rotate", undefined, POST);
  await call("/signups/import", undefined, ndjson([ADA, {}, BO, UNCONFIRMED]));
  await service.operate("/signups/show", { email: ADA.email });
  await call("/signups/export", { lang: "en", since: "2026-01-01", after: "a@example.com" });
  await call("/signups/correct", { email: ADA.email, newEmail: CORRECTED.email });
  await call("/signups/erase", CORRECTED);
  await call("/waves", WAVE);
  for (const [id, changes] of [["one", ["pause", "resume"]], ["two", ["cancel"]]] as const) {
    const parameters = { link: LINK, next: 1, letters: false };
    const running = { parameters, salt: "", invited: 0, startedAt: NOW, state: "running" };
    await service.kv.commit(new Commit().set(["wave", id], running));
    for (const change of changes) await call(`/waves/${id}/${change}`, undefined, POST);
  }
  const exported = await call("/waves/first/people?export=true", undefined, { method: "GET" });
  const [, code] = /"invitationCode":"(\w+)"/.exec(await exported.clone().text()) ?? [];
  await call("/invitations/renew", { code, expires: "2026-12-01T00:00:00Z" });
  await call("/invitations/redeem", { code, reference: "user-1" });
  await call("/signups/undeliverable", { emails: ["bo@example.com"] });
  await call("/signups/deliverable", { emails: ["bo@example.com"] });
  await call("/signups/remind", { all: true });
  await refuseDue(service.kv, "letters");
  await call("/outbox/retry", { all: true });
  await call("/signups/erase-by-state", { state: "unconfirmed", before: "2026-11-22" });
  await service.kv.commit(new Commit().add(["statistics", "total"], 5));
  await done(service.operate("/counters/verify", {}));
  await call("/counters/repair", {});
  await call("/keys/links/rotate", { overlapSeconds: 60 });
  await call("/backup", {});
  await call("/letters/test", { email: "bo@example.com" });
  await call("/invitations/test", { email: BO.email, link: LINK });
  await call("/signups/answers", { email: BO.email, role: "founder" });
  await call("/signups/note", { email: BO.email, note: "Met at the fair." });
  await call(`/clients/${client_id}/rename`, { name: "Old" });
  await call(`/clients/${client_id}/delete`, undefined, POST);
  await call("/schedules", SCHEDULE);
  for (const change of ["pause", "resume", "cancel"]) {
    await call(`/schedules/weekly/${change}`, undefined, POST);
  }
  // Another process has the lease for jobs, so that no work on the job adds to its entry.
  const lease = { by: "another", until: service.clock.now + 60_000 };
  const ofAnother = { ...JOB, state: "running", done: 0, startedAt: NOW, audit: {} };
  await service.kv.commit(
    new Commit().set(["job_work"], { lease }).set(["job", "second"], ofAnother),
  );
  await call("/jobs", { job: "first", ...JOB });
  await call("/jobs/second/cancel", undefined, POST);
  await call("/filters", { name: "Germans", selection: { lang: "de" } });
  await call("/filters/remove", { name: "Germans" });
  await storeBulk(service.kv, [bulkSignUp("cy", CY)]);
  const wave = { parameters: { link: LINK }, salt: "", invited: 1, startedAt: NOW, state: "done" };
  await service.kv.commit(new Commit().set(["wave", "third"], wave));
  await call("/invitations/resend", { email: CY.email });
  return answers;
}

Deno.test("The audit log has an entry for every change, export and backup, and contains no e-mail address", async (t) => {
  await using service = await startOperatedService(WITH_MAIL);
  const answers = await workAll(service);
  const wholeLog = await readAudit(service);
  // The call about all refused items also has an entry in the history of each person.
  const isAboutPerson = ({ action, address }: AuditEntry) => action === "retryOutbox" && !!address;
  assert.equal(wholeLog.filter(isAboutPerson).length, 1);
  const log = wholeLog.filter((entry) => !isAboutPerson(entry));
  const { client_id } = await answers[0]!.json();
  const { keyId } = await answers[4]!.json();
  const { id: scheduleId, link: _, ...others } = SCHEDULE;
  const schedule = { ...others, schedule: scheduleId };
  const expected: [action: string, about?: Partial<AuditEntry>][] = [
    ["createClient", { client_id }],
    ["rotateClient", { client_id, details: { overlapSeconds: 60 } }],
    ["disableClient", { client_id }],
    ["enableClient", { client_id }],
    ["rotateKeys", { details: { keyId } }],
    ["importSignups", { details: IMPORTED }],
    ["exportSignups", {
      details: { lang: "en", since: "2026-01-01T00:00:00.000Z", continued: true },
    }],
    ["correctSignup", {
      address: await markOf(service, CORRECTED),
      details: { formerAddress: await markOf(service, ADA) },
    }],
    ["eraseSignup", { address: await markOf(service, CORRECTED) }],
    ["startWave", {
      address: await markOf(service, BO),
      details: { wave: "first", named: 1, letters: false, invited: 1, complete: true },
    }],
    ["pauseWave", { details: { wave: "one" } }],
    ["resumeWave", { details: { wave: "one" } }],
    ["cancelWave", { details: { wave: "two" } }],
    ["listWavePeople", { details: { wave: "first", exported: 1 } }],
    ["renewInvitation", { address: await markOf(service, BO) }],
    ["redeemInvitation", { address: await markOf(service, BO) }],
    ["markUndeliverable", { address: await markOf(service, BO), details: { named: 1 } }],
    ["markDeliverable", { address: await markOf(service, BO), details: { named: 1 } }],
    ["remindSignups", { details: { reminded: 1, notReminded: 0, complete: true } }],
    ["retryOutbox", { details: { retried: 1, left: 0, complete: true } }],
    ["eraseSignups", { details: ERASED }],
    ["repairCounters", { details: { corrected: 1 } }],
    ["rotateLinkKey", { details: { overlapSeconds: 60 } }],
    ["backUp"],
    ["testLetter", { address: await markOf(service, BO) }],
    ["testInvitation", { address: await markOf(service, BO), details: { lang: "en" } }],
    ["setAnswers", { address: await markOf(service, BO) }],
    ["setNote", { address: await markOf(service, BO) }],
    ["renameClient", { client_id, details: { name: "Old" } }],
    ["deleteClient", { client_id, details: { name: "Old" } }],
    ["createSchedule", { details: schedule }],
    ["pauseSchedule", { details: { schedule: "weekly" } }],
    ["resumeSchedule", { details: { schedule: "weekly" } }],
    ["cancelSchedule", { details: { schedule: "weekly" } }],
    ["startJob", { details: { searched: true, act: "erase", most: 1, job: "first" } }],
    ["cancelJob", { details: { job: "second" } }],
    ["saveFilter", {}],
    ["removeFilter", {}],
    ["resendInvitation", { address: await markOf(service, CY) }],
  ];
  // All of them have the same moment, and stand in the order of their random ids.
  for (const [index, [action, about]] of expected.entries()) {
    await t.step(action, () => {
      const { id, ...entry } = log.find((each) => each.action === action)!;
      assert.match(id, /^[\w-]{12}$/);
      const requestId = answers[index]?.headers.get("x-request-id");
      assert.deepEqual(entry, { at: NOW, action, operator: "operator", requestId, ...about });
    });
  }
  assert.equal(log.length, expected.length);
  assert.ok(!JSON.stringify(log).includes("example.com"));

  const lines = await backup(service);
  await using other = await startOperatedService();
  await restore(other, lines);
  const logged = new Set((await readAudit(other)).map(({ action }) => action));
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path as Record<string, { operationId?: string }>)
      .flatMap(({ operationId }) => operationId ?? [])
  );
  assert.deepEqual([...logged, ...SILENT].toSorted(), ids.toSorted());
  const { activity } = (await readConsoleTexts()).en;
  assert.deepEqual([...logged].filter((action) => !(action in activity.actions)), []);
});

/** The keyed hash of an address. */
async function markOf({ kv }: OperatedService, { email }: { email: string }): Promise<string> {
  const { erasureKeys } = await readSchema(kv);
  return erasureMarksOf(erasureKeys!, email)[0]!;
}

Deno.test("A call that changes nothing writes no audit entry", async (t) => {
  await using service = await startOperatedService(WITH_MAIL);
  await workAll(service);
  const client = await (await service.operate("/clients", { name: "Test", scopes: [] })).json();
  await service.operate(`/clients/${client.client_id}/rename`, { name: "Board" });
  const before = await readAudit(service);
  const calls: [path: string, body?: unknown, init?: RequestInit][] = [
    ["/keys/rotate", undefined, POST],
    [`/clients/${client.client_id}/enable`, undefined, POST],
    [`/clients/${client.client_id}/rename`, { name: "Board" }],
    ["/clients/nobody/disable", undefined, POST],
    ["/clients/nobody/delete", undefined, POST],
    ["/clients/nobody/rotate", { overlapSeconds: 60 }],
    ["/clients", { name: "" }],
    ["/signups/erase", { email: ADA.email }],
    ["/signups/erase", { email: "nobody@example.com" }],
    ["/signups/import?dryRun=true", undefined, ndjson([{ ...ADA, email: "c@example.com" }])],
    ["/signups/import", undefined, ndjson([BO, ADA])],
    ["/signups/remind", { all: true }],
    ["/signups/undeliverable", { emails: [ADA.email] }],
    ["/signups/answers", { email: BO.email, role: "founder", building: null }],
    ["/signups/answers", { email: "nobody@example.com", role: "founder" }],
    ["/signups/note", { email: BO.email, note: " Met at the fair.\r\n" }],
    ["/signups/note", { email: "nobody@example.com", note: "Met at the fair." }],
    ["/signups/deliverable", { emails: ["bo@example.com", ADA.email] }],
    ["/signups/erase-by-state", { state: "unconfirmed", before: "2026-11-22" }],
    ["/outbox/retry", { all: true }],
    ["/counters/repair", {}],
    ["/restores", {
      checksum: "c".repeat(64),
      counts: { signUps: 0, clients: 0, erasures: 0, auditEntries: 0 },
    }],
    [`/restores/${"c".repeat(64)}/finish`, {}],
  ];
  for (const [path, body, init] of calls) {
    await t.step(path, async () => {
      await (await service.operate(path, body, init)).text();
      assert.deepEqual(await readAudit(service), before);
    });
  }
  await service.operate(`/clients/${client.client_id}/disable`, undefined, POST);
  assert.equal((await readAudit(service)).length, before.length + 1);
});
