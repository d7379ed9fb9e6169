/** Backups in a bucket, on a server that speaks S3. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { createObjectStore } from "../../../../shared/s3.ts";
import { openKv } from "../../../../server/store/kv/open.ts";
import { hasMoto, KEY, type Moto, startMoto, test } from "../../../support/moto.ts";
import { startOperatedService } from "../../../support/operator.ts";
import { makeTestFolder } from "../../../support/process.ts";
import { storedSignUps, storeSignUp } from "../../../support/records.ts";
import { assertRefused, printed, runCli } from "../../../cli/support/cli.ts";
import { OPERATOR, startCliService } from "../../../cli/support/service.ts";

const AT = "2026-11-20T08:00:00.000Z";
const DAY = 24 * 60 * 60_000;
const ENV = { AWS_ACCESS_KEY_ID: KEY.accessKeyId, AWS_SECRET_ACCESS_KEY: KEY.secretAccessKey };

let moto: Moto;

Deno.test.beforeAll(async () => {
  if (hasMoto) moto = await startMoto();
});
Deno.test.afterAll(() => moto?.[Symbol.asyncDispose]());

const never = new AbortController().signal;

async function* chunks(count: number, size = 1024 * 1024, end?: () => void) {
  for (let n = 0; n < count; n++) yield new Uint8Array(size).fill(n);
  end?.();
}

test("createObjectStore() writes an object of several parts to S3, reads it from any position, and lists it", async () => {
  const store = createObjectStore({ ...moto.at("parts"), ...KEY });
  assert.equal(await store.write("large", chunks(21), never), 21 * 1024 * 1024);
  assert.equal(await store.write("empty & <small>", chunks(0), never), 0);
  assert.equal(await store.size("large"), 21 * 1024 * 1024);
  const from = 20 * 1024 * 1024 - 3;
  const end = await new Response(ReadableStream.from(store.read("large", from))).bytes();
  assert.equal(end.length, 1024 * 1024 + 3);
  assert.deepEqual([...end.subarray(0, 5)], [19, 19, 19, 20, 20]);
  assert.deepEqual((await store.names()).sort(), ["empty & <small>", "large"]);
  await store.remove("large");
  assert.deepEqual(await store.names(), ["empty & <small>"]);
  await assert.rejects(
    store.size("large"),
    /^Error: 127\.0\.0\.1:\d+ answered 404 \(.+\) to HEAD$/,
  );
});

test("createObjectStore() removes a failed upload at once, and clean() removes the old upload of a killed process", async () => {
  const store = createObjectStore({ ...moto.at("cut"), ...KEY });
  const cut = store.write(
    "cut",
    chunks(9, undefined, () => {
      throw new Error("The disk is gone");
    }),
    never,
  );
  await assert.rejects(cut, /The disk is gone/);
  const uploads = () => moto.call("?uploads=");
  assert.doesNotMatch(await uploads(), /<Upload>/);
  await moto.call("/cut/killed?uploads=", { method: "POST" });
  await store.clean(0);
  assert.match(await uploads(), /<Key>cut\/killed<\/Key>/);
  await store.clean(Date.now() + DAY * 3650);
  assert.doesNotMatch(await uploads(), /<Upload>/);
  assert.deepEqual(await store.names(), []);
});

test("createObjectStore() lists all objects when they fill more than one page", async () => {
  const names = Array.from({ length: 12 }, (_, n) => `object-${String(n).padStart(2, "0")}`);
  for (const name of names) await moto.call(`/pages/${name}`, { method: "PUT", body: "x" });
  await moto.call("/other/object", { method: "PUT", body: "x" });
  const store = createObjectStore({ ...moto.at("pages"), ...KEY });
  assert.deepEqual(await store.names(), names);
});

test("startBackups() writes encrypted backups to a bucket, and the CLI verifies and restores them", async () => {
  await using made = await makeTestFolder();
  const folder = made.path;
  const identity = await generateIdentity();
  const key = join(folder, "key.txt");
  await writeFile(key, identity);
  const url = moto.urlOf("lists");
  await using service = await startOperatedService({
    BACKUP_URL: url,
    BACKUP_KEEP: "2",
    BACKUP_RECIPIENT: await identityToRecipient(identity),
    ...ENV,
  });
  for (const name of ["ada", "gone"]) {
    await storeSignUp(service.kv, { email: `${name}@example.com` }, AT);
  }
  for (let day = 0; day < 3; day++) {
    await service.repeatOnce();
    service.clock.now += DAY;
  }
  service.clock.now -= DAY;
  await service.operate("/signups/erase", { email: "gone@example.com" });
  await service.repeatOnce();
  const store = createObjectStore({ ...moto.at("lists"), ...KEY });
  const names = (await store.names()).sort();
  assert.deepEqual(names, [
    "waitlist-20261122T120020Z.ndjson.gz.age",
    "waitlist-20261123T120020Z.erasures.ndjson.gz.age",
    "waitlist-20261123T120020Z.ndjson.gz.age",
  ]);

  const verified = await printed(
    runCli(["backup", "verify", url, "--identity", key], { env: ENV }),
  );
  assert.match(
    verified,
    /^s3:\/\/waitlist-backups\/lists\/waitlist-20261123T120020Z\.\S+ is whole/,
  );
  assert.match(verified, /^1 later erasure mark is beside it\.$/m);
  const kvPath = join(folder, "restored.sqlite3");
  await using empty = await startCliService(kvPath);
  const older = url.replace("/lists?", `/lists/${names[0]}?`);
  const restored = await runCli(["restore", older, "--identity", key], {
    env: { ...ENV, ...OPERATOR, WAITLIST_BASE_URL: empty.url },
  });
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(
    restored.stdout,
    /^Left out, because the address has an erasure mark: 1 sign-up\.$/m,
  );
  await empty.stop();
  using opened = await openKv({ kind: "file", path: kvPath });
  assert.deepEqual(Object.keys(await storedSignUps(opened.kv)), ["ada@example.com"]);

  const other = url.replace("waitlist-backups", "no-such-bucket");
  const run = (args: string[]) => runCli(["backup", "verify", ...args], { env: ENV });
  await assertRefused(run, [
    [[other], /Cannot read 's3:.+': 127\.0\.0\.1:\d+ answered 404 \(NoSuchBucket\) to GET; check/],
    [
      [url.replace("/lists?", "/none?")],
      /has no backup that a service has made \(.+\); give the value/,
    ],
  ]);
});
