import assert from "node:assert/strict";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { createMailFolder } from "../../../../server/letters/transports/mail_folder.ts";
import { FROM, LETTER } from "../../../support/letters.ts";
import { makeTestFolder } from "../../../support/process.ts";

Deno.test("createMailFolder() writes each letter to one file that only the service's account can read", async () => {
  await using test = await makeTestFolder();
  const folder = join(test.path, "mail");
  const transport = createMailFolder({ folder, from: FROM, now: () => 0 });
  const answer = "written to letter-1.eml";
  assert.deepEqual(await transport.send(LETTER), { kind: "taken", answer });
  assert.equal((await transport.send({ ...LETTER, id: "letter-2" })).kind, "taken");
  // A second try of a letter leaves one file.
  assert.deepEqual(await transport.send({ ...LETTER, subject: "Again" }), {
    kind: "taken",
    answer,
  });
  const names = Array.from(Deno.readDirSync(folder), ({ name }) => name).toSorted();
  assert.deepEqual(names, ["letter-1.eml", "letter-2.eml"]);
  assert.equal((await Deno.stat(folder)).mode! & 0o777, 0o700);
  const file = join(folder, "letter-1.eml");
  assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
  const mail = await PostalMime.parse(await Deno.readFile(file));
  assert.equal(mail.subject, "Again");
  assert.deepEqual(mail.to, [{ name: "", address: "ada@example.com" }]);
});

Deno.test("createMailFolder() follows no symbolic link, and pauses when every account may write to the folder", async () => {
  await using test = await makeTestFolder();
  const folder = join(test.path, "mail");
  const victim = join(test.path, "victim");
  await Deno.mkdir(folder, { mode: 0o700 });
  await Deno.writeTextFile(victim, "of value");
  await Deno.symlink(victim, join(folder, `.${LETTER.id}.part`));
  const transport = createMailFolder({ folder, from: FROM, now: () => 0 });
  assert.equal((await transport.send(LETTER)).kind, "taken");
  assert.equal(await Deno.readTextFile(victim), "of value");
  await Deno.chmod(folder, 0o777);
  const outcome = await transport.send(LETTER);
  assert.equal(outcome.kind, "paused");
  assert.match("reason" in outcome ? outcome.reason : "", /MAIL_URL needs the folder .+chmod o-w/);
});

Deno.test("createMailFolder() pauses when it cannot write to the folder", async () => {
  await using test = await makeTestFolder();
  const folder = join(test.path, "mail");
  await Deno.writeTextFile(folder, "");
  const outcome = await createMailFolder({ folder, from: FROM, now: () => 0 }).send(LETTER);
  assert.equal(outcome.kind, "paused");
});
