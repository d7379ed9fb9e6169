/** What a service has put under `BACKUP_URL`: its check without a service, and its restore. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { changeRecord, storedSignUps, storeSignUp } from "../../../support/records.ts";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { openKv } from "../../../../server/store/kv/open.ts";
import { readFirstItems } from "../../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import { inviteAll, nth, storeWaiting } from "../../../support/invitations.ts";
import { startOperatedService } from "../../../support/operator.ts";
import { START, WITH_MAIL } from "../../../support/service.ts";
import { assertRefused, printed, runCli } from "../../support/cli.ts";
import { runOperator, startCliService } from "../../support/service.ts";

const AT = "2026-11-20T08:00:00.000Z";

/** A folder with the sealed backups of two days, and a person who was erased after each of them. */
let test: Awaited<ReturnType<typeof makeBackups>>;

Deno.test.beforeAll(async () => {
  test = await makeBackups();
});
Deno.test.afterAll(() => rm(test.root, { recursive: true }));

async function makeBackups() {
  const root = await mkdtemp(join(tmpdir(), "waitlist backups "));
  const folder = join(root, "backups");
  await Deno.mkdir(folder);
  const identity = await generateIdentity();
  const key = join(root, "key.txt");
  await writeFile(key, `# created: 2026-11-23\n${identity}\n`);
  const recipient = await identityToRecipient(identity);
  await using service = await startOperatedService({
    BACKUP_URL: folder,
    BACKUP_RECIPIENT: recipient,
  });
  const erase = (email: string) => service.operate("/signups/erase", { email });
  for (const name of ["ada", "bob", "first", "second"]) {
    await storeSignUp(service.kv, { email: `${name}@example.com`, source: "hero" }, AT);
  }
  const accepted: Partial<SignUpRecord> = {
    state: "accepted",
    invitedAt: AT,
    acceptedAt: "2026-11-21T08:00:00.000Z",
  };
  await changeRecord(
    service.kv,
    "bob@example.com",
    (record) => ({ record: { ...record, ...accepted } }),
  );
  await service.repeatOnce();
  await erase("first@example.com");
  await service.repeatOnce();
  service.clock.now += 24 * 60 * 60_000;
  await service.repeatOnce();
  await erase("second@example.com");
  await service.repeatOnce();
  const [erasures1, backup1, erasures2, backup2] = (await readdir(folder)).sort()
    .map((name) => join(folder, name));
  return { root, folder, key, erasures1, backup1: backup1!, erasures2, backup2: backup2! };
}

/** The first line of a backup. */
const HEADER = '{"kind":"header","format":"waitlist-backup","version":2,' +
  '"createdAt":"2026-11-22T12:00:20.000Z"}\n';

/** A backup with these lines between its first and its last line. */
function backupOf(lines: string): string {
  const text = HEADER + lines;
  const sha256 = createHash("sha256").update(text).digest("hex");
  const counts = { signUps: 0, clients: 0, erasures: 0, auditEntries: 0 };
  return `${text}${JSON.stringify({ kind: "end", counts, sha256 })}\n`;
}

Deno.test("'backup verify' reads the newest backup in a folder, and compares the backup's counters with the backup's records", async () => {
  const { folder, key, backup2 } = test;
  const run = (args: string[]) => printed(runCli(["backup", "verify", ...args]));
  assert.equal(
    await run([folder, "--identity", key]),
    `${backup2} is whole: the backup of 2026-11-22T12:00:20.000Z, 3 sign-ups, 0 clients, ` +
      "1 erasure mark, 3 entries of the audit log.\n" +
      "Its counters agree with its 3 sign-ups: 2 waiting, 1 accepted.\n" +
      "1 later erasure mark is beside it.\n",
  );
  const { file, counts, states, laterErasures } = JSON.parse(
    await run([test.backup1, "--identity", key, "--json"]),
  );
  assert.deepEqual([file, counts.signUps], [test.backup1, 4]);
  assert.deepEqual(states, { waiting: 3, accepted: 1 });
  // The first person's, and the second one's beside the later backup.
  assert.equal(laterErasures, 2);
});

Deno.test("'backup verify' refuses a backup with more than 64 different roles, and names the line with the 65th role", async () => {
  const person = { createdAt: AT, consentedAt: AT, updatedAt: AT, lang: "en" };
  const lines = [
    { kind: "header", format: "waitlist-backup", version: 3, createdAt: AT },
    ...Array.from({ length: 65 }, (_, n) => {
      return {
        kind: "sign_up",
        signUp: { ...person, email: `p${n}@example.com`, role: `role-${n}` },
      };
    }),
  ];
  const path = join(test.root, "roles.ndjson");
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { code, stderr } = await runCli(["backup", "verify", path]);
  assert.match(
    stderr,
    /is not a good backup: line 66 has the role 'role-64', so the backup has more than 64 different roles, /,
  );
  assert.equal(code, 1);
});

Deno.test("'backup verify' prints how many unfinished waves and unsent invitations an operator has to resume after a restore", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  await storeWaiting(service.kv, 6);
  // The letters of a cancelled wave are not sent, and so not owed.
  await inviteAll(service.kv, { wave: "stopped", emails: [nth(5)] });
  await service.operate("/waves/stopped/cancel", undefined, { method: "POST" });
  await inviteAll(service.kv, { next: 3 });
  const letters = await readFirstItems(service.kv, "invitations", { limit: 4 });
  const taken = letters.find(({ item: { email } }) => email !== nth(5));
  await createOutboxStore(service.kv).complete(taken!, START);
  await inviteAll(service.kv, { wave: "by_post", next: 1, letters: false });
  await inviteAll(service.kv, { wave: "named", emails: [nth(4)] }, { commits: 0 });
  const complaint = { letters: [], complainedAt: AT };
  await service.kv.commit(new Commit().set(["brake", "b".repeat(43)], complaint));
  const path = join(test.root, "owed.ndjson");
  await writeFile(path, await (await service.operate("/backup", {})).text());
  const stdout = await printed(runCli(["backup", "verify", path]));
  assert.match(
    stdout,
    /, 4 waves, 1 person to invite by name, 1 letter limit, 1 entry of the log of e-mails\.$/m,
  );
  assert.match(stdout, /^1 wave is not done; a restore pauses running waves\.$/m);
  assert.match(stdout, /^No mail server has taken 2 invitations yet; .+waves resume/m);
  assert.match(stdout, /^1 mailbox complained about an e-mail, and gets no e-mails\.$/m);
  const { owed } = JSON.parse(await printed(runCli(["backup", "verify", path, "--json"])));
  assert.deepEqual(owed, { openWaves: 1, invitations: 2, complaints: 1 });
});

Deno.test("'backup verify' exits with code 1 and names the last good line when an encrypted backup is cut", async () => {
  const { root, key, backup2, folder } = test;
  const bytes = await readFile(backup2);
  const cut = join(root, "cut.age");
  await writeFile(cut, bytes.subarray(0, -20));
  const miscounted = join(root, "miscounted.ndjson.gz");
  const counter = '{"kind":"counter","counter":"total","count":1}\n';
  await writeFile(miscounted, gzipSync(backupOf(counter)));
  const other = join(root, "other.txt");
  await writeFile(other, await generateIdentity());
  const empty = join(root, "empty");
  await Deno.mkdir(empty);
  const run = (args: string[]) => runCli(["backup", "verify", ...args]);
  await assertRefused(run, [
    [
      [cut, "--identity", key],
      /'.+' is not a good backup: its encryption .+ missing \(the last good line is \d+\); the file is damaged, so use another backup\.\n/,
      1,
    ],
    [
      [miscounted],
      /the counter total on line 2 is 1, but a count of the backup's sign-ups gives 0; the file is damaged/,
      1,
    ],
    [[folder], /'.+\.age' is encrypted with age; add --identity with the file of the secret key/],
    [
      [folder, "--identity", other],
      /No secret key in the file of --identity can decrypt '.+'; give the file with the right key/,
    ],
    [
      [folder, "--identity", cut],
      /'.+' has no line that begins with AGE-SECRET-KEY-, so it has no secret key of age/,
    ],
    [
      [empty],
      /'.+' has no backup that a service has made \(.+ begins with 'waitlist-'\); give the value of the service's BACKUP_URL/,
    ],
    [[join(root, "none")], /Cannot read '.+': there is no such file or folder/],
  ]);
});

Deno.test("'backup verify' warns when a file is not encrypted although its name ends in .age or --identity is given", async (t) => {
  const { root, key, backup2 } = test;
  const plain = backupOf("");
  const [named, other] = [join(root, "plain.ndjson.gz.age"), join(root, "plain.ndjson")];
  await writeFile(named, gzipSync(plain));
  await writeFile(other, plain);
  const cases: [args: string[], warning: RegExp | undefined][] = [
    [
      [named],
      /^Warning: '.+\.age' is not encrypted, although its name ends in \.age; before .+, find out who .+\.\n$/,
    ],
    [
      [named, "--identity", key],
      /^Warning: '.+\.age' is not encrypted, although its name ends in \.age/,
    ],
    [[other, "--identity", key], /^Warning: '.+' is not encrypted, although --identity is given/],
    [[other], undefined],
    [[backup2, "--identity", key], undefined],
  ];
  for (const [args, warning] of cases) {
    await t.step(args.join(" "), async () => {
      const { code, stderr } = await runCli(["backup", "verify", ...args]);
      assert.equal(code, 0, stderr);
      if (warning) assert.match(stderr, warning);
      else assert.equal(stderr, "");
    });
  }
});

Deno.test("'backup verify' refuses a file that is huge or deeply nested after it is unzipped, and uses little memory", async (t) => {
  const nested = `{"kind":"client","client":{"x":${"[".repeat(30_000)}${"]".repeat(30_000)}}}\n`;
  const cases: [content: string | Uint8Array, fault: RegExp][] = [
    [new Uint8Array(100_000_000).fill(0x0a), /it is not a backup of a waitlist/],
    [HEADER + nested, /line 2 is not a line of a backup; the file is damaged/],
    [nested, /it is not a backup of a waitlist/],
    [new Uint8Array(10_000_000).fill(0x5b), /line 1 is longer than 64 KB/],
  ];
  const path = join(test.root, "hostile.ndjson.gz");
  for (const [content, fault] of cases) {
    await t.step(`${fault}`, async () => {
      await writeFile(path, gzipSync(content));
      const before = Deno.memoryUsage().rss;
      const { code, stderr } = await runCli(["backup", "verify", path]);
      const grown = Deno.memoryUsage().rss - before;
      assert.match(stderr, fault);
      assert.equal(code, 1);
      assert.ok(grown < 100_000_000, `it took ${grown} bytes`);
    });
  }
});

Deno.test("'backup verify' escapes control characters when it prints the name or the text of a file", async () => {
  const counter =
    '{"kind":"counter","counter":"total\\u001b[2J\\u009b31m\\u202e\\nwaitlist: all is well","count":1}\n';
  const path = join(test.root, "controls\x1b[2J.ndjson");
  await writeFile(path, backupOf(counter));
  const { code, stdout, stderr } = await runCli(["backup", "verify", path]);
  assert.deepEqual([code, stdout], [1, ""]);
  assert.ok(
    stderr.includes("total\\u001b[2J\\u009b31m\\u202e\\u000awaitlist: all is well"),
    stderr,
  );
  assert.ok(stderr.includes("controls\\u001b[2J.ndjson"), stderr);
  assert.doesNotMatch(stderr.trimEnd(), /[\p{Cc}\p{Cf}]/u);
});

Deno.test("'restore' leaves out people who were erased after the backup was made", async () => {
  const kvPath = join(test.root, "restored.sqlite3");
  await using service = await startCliService(kvPath);
  const stdout = await printed(
    runOperator(service.url, ["restore", test.backup1, "--identity", test.key]),
  );
  assert.match(stdout, /^Left out, because the address has an erasure mark: 2 sign-ups\.$/m);
  assert.match(stdout, /^The counters agree with the 2 records\.$/m);
  await service.stop();
  using store = await openKv({ kind: "file", path: kvPath });
  const emails = Object.keys(await storedSignUps(store.kv));
  assert.deepEqual(emails, ["ada@example.com", "bob@example.com"]);
});

Deno.test("'restore' writes nothing when the backup's file of erasure marks cannot be read", async () => {
  await using service = await startCliService(join(test.root, "refused.sqlite3"));
  const copy = join(test.root, "copy");
  await Deno.mkdir(copy);
  for (const path of [test.backup2, test.erasures2!]) {
    await Deno.copyFile(path, join(copy, path.slice(test.folder.length + 1)));
  }
  const [erasures = ""] = (await readdir(copy)).filter((name) => name.includes("erasures"));
  await Deno.truncate(join(copy, erasures), 300);
  const restore = (args: string[]) => runOperator(service.url, ["restore", ...args]);
  await assertRefused(restore, [
    [[copy, "--identity", test.key], /erasures.+' cannot be restored: .+; nothing was written/],
  ]);
});
