/** The note on a person: where it is kept, where it goes along, and where it does not. */
import assert from "node:assert/strict";
import { backup, begin, finish, restore, send } from "../../support/backups.ts";
import {
  assertRefused,
  call,
  importPeople,
  type OperatedService,
  readNdjson,
  refusalOf,
  startOperatedService,
  test,
} from "../../support/operator.ts";
import { listAll } from "../../support/memory_kv.ts";
import { form, json } from "../../support/service.ts";

const EMAIL = "ada@example.com";
const NOTE = "Met at the fair.\nWants to pay by invoice 💶";

const PATH = "/signups/note";

const join = (service: OperatedService, email = EMAIL) =>
  service.request("/api/v1/waitlist", json({ email, consent: true }));

const show = (service: OperatedService, email = EMAIL) => call(service, "/signups/show", { email });

test(
  "setNote sets and removes the note on a person, and the person can read the note",
  async (service, context) => {
    await join(service);
    const set = await call(service, PATH, { email: "Ada@Example.com", note: ` ${NOTE}\r\n` });
    assert.equal(set.note, NOTE);
    const { note, placeUrl, history } = await show(service);
    assert.equal(note, NOTE);
    assert.deepEqual(history.map(({ action }: { action: string }) => action), ["setNote"]);
    const t = new URL(placeUrl).searchParams.get("t") ?? "";
    const data = await (await service.request("/place/data", form({ t }))).json();
    assert.equal(data.note, NOTE);
    const page = await (await service.request(`/place/?t=${t}`)).text();
    assert.match(
      page,
      /<dt>Our note on you<\/dt><dd>Met at the fair\.<br>Wants to pay by invoice 💶</,
    );
    assert.match(page, /We changed our note on you/);
    for (const empty of [null, " \n "]) {
      await context.step(JSON.stringify(empty), async () => {
        await call(service, PATH, { email: EMAIL, note: NOTE });
        assert.equal((await call(service, PATH, { email: EMAIL, note: empty })).note, undefined);
      });
    }
  },
);

test("setNote refuses a malformed note and an unknown address", async (service) => {
  await join(service);
  const rule = /^Field 'note' is .*; give a text of at most 500 characters without control/;
  await assertRefused(service, PATH, [
    [{ email: EMAIL }, rule],
    [{ email: EMAIL, note: 7 }, rule],
    [{ email: EMAIL, note: "a".repeat(501) }, rule],
    [{ email: EMAIL, note: "a\u0007b" }, rule],
    [{ email: EMAIL, note: "a\ud800b" }, rule],
    [{ email: EMAIL, note: "", text: "" }, /^Field 'text' is not known here/],
  ]);
  assert.equal(
    (await call(service, PATH, { email: EMAIL, note: "💶".repeat(500) })).note.length,
    1000,
  );
  const unknown = await refusalOf(service.operate(PATH, { email: "bo@example.com", note: NOTE }));
  assert.match(unknown, /^404 not_found: The address is not on the waitlist/);
});

test("A person keeps a note when the address is corrected, and after an export and import or a backup and restore", async (service) => {
  await join(service, "ada@exmaple.com");
  await call(service, PATH, { email: "ada@exmaple.com", note: NOTE });
  await call(service, "/signups/correct", { email: "ada@exmaple.com", newEmail: EMAIL });
  assert.equal((await show(service)).note, NOTE);
  const exported = (await readNdjson(await service.operate("/signups/export", {})))
    .find((line) => line.email === EMAIL);
  assert.equal(exported?.note, NOTE);

  await using imported = await startOperatedService();
  const { id: _, ...line } = exported!;
  await importPeople(imported, [line]);
  assert.equal((await show(imported)).note, NOTE);

  await using restored = await startOperatedService();
  const lines = await backup(service);
  await restore(restored, lines);
  assert.equal((await show(restored)).note, NOTE);
});

test("A note that is removed during a restore stays removed when the restore continues", async (service) => {
  await join(service);
  await call(service, PATH, { email: EMAIL, note: NOTE });
  const lines = await backup(service);
  await using restored = await startOperatedService();
  await begin(restored, lines);
  await send(restored, lines);
  await call(restored, PATH, { email: EMAIL, note: null });
  await begin(restored, lines, { resume: true });
  await send(restored, lines);
  await finish(restored, lines);
  assert.equal((await show(restored)).note, undefined);
});

Deno.test("No event contains a person's note, and an erasure deletes the note", async () => {
  const WEBHOOK_SECRET = `whsec_${btoa("w".repeat(32))}`;
  await using service = await startOperatedService({
    WEBHOOK_URL: "http://127.0.0.1:1/",
    WEBHOOK_SECRET,
  });
  await join(service);
  await call(service, PATH, { email: EMAIL, note: NOTE });
  await call(service, "/signups/correct", { email: EMAIL, newEmail: "ada@example.org" });
  const values = async (prefix: string[]) => JSON.stringify(await listAll(service.kv, { prefix }));
  assert.match(await values(["outbox"]), /signup\.corrected/);
  assert.doesNotMatch(await values(["outbox"]), /Met at the fair/);
  assert.match(await values([]), /Met at the fair/);
  await call(service, "/signups/erase", { email: "ada@example.org" });
  assert.doesNotMatch(await values([]), /Met at the fair/);
});
