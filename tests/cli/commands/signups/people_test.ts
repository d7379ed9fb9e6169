/** The commands that list people and change many of them. */
import assert from "node:assert/strict";
import { makeTestFolder } from "../../../support/process.ts";
import { assertRefused, printed } from "../../support/cli.ts";
import { list, useImportService } from "../../support/import_service.ts";
import { OPERATOR_KEY, runOperator, startCliService } from "../../support/service.ts";
import { PEOPLE, usePeople } from "../../support/people_service.ts";

Deno.test("signups list shows people by state, by address, and the newest first", async () => {
  await using test = await usePeople();
  const list = async (...args: string[]) => {
    const stdout = await printed(test.run(["list", ...args, "--quiet"]));
    return stdout.trimEnd().split("\n").map((email) => email.replace("@example.com", ""));
  };
  assert.deepEqual(await list(), PEOPLE);
  assert.deepEqual(await list("--newest", "--limit", "2"), ["cy", "bo"]);
  assert.deepEqual(await list("--state", "unconfirmed"), ["adam", "cy"]);
  assert.deepEqual(await list("--search", "ADA"), ["ada", "adam"]);
  assert.deepEqual(await list("--lang", "en"), [""]);
  assert.deepEqual(await list("--search", "m@EX", "--newest"), ["adam"]);
  assert.deepEqual(await list("--since", "2024-05-02", "--before", "2024-05-04"), ["adam", "bo"]);
  assert.deepEqual(await list("--mark", "undeliverable"), [""]);
  assert.deepEqual(await list("--state", "invited", "--mark", "complained"), [""]);
  const part = await test.run(["list", "--search", "ada", "--limit", "1"]);
  const others = "There are more; give a larger --limit.\n";
  assert.equal(part.stderr, `1 hit, searched up to 2024-05-01.\n${others}`);
  const back = await test.run(["list", "--search", "ada", "--limit", "1", "--newest"]);
  assert.equal(back.stderr, `1 hit, searched back to 2024-05-02.\n${others}`);
  assert.equal((await test.run(["list", "--search", "ada"])).stderr, "2 hits in all.\n");

  const { stdout, stderr } = await test.run(["list", "--limit", "1"]);
  assert.match(stdout, /^Address +State +First sign-up .+\nada@example\.com +waiting +2024-05-01T/);
  assert.equal(stderr, `1 of ${PEOPLE.length} people.\n${others}`);
  const json = JSON.parse((await test.run(["list", "--search", "bo@", "--json"])).stdout);
  assert.deepEqual([json.more, json.searched.hits], [false, 1]);
  assert.equal(json.people[0].state, "invited");
  await assertRefused(test.run, [
    [
      ["list", "--search", "ad"],
      /--search is 'ad'; give 3 to 254 characters, a part of an address/,
    ],
    [["list", "--mark", "spam"], /--mark is 'spam'; give 'undeliverable' or 'complained'/],
    [["list", "--role", "a b"], /--role is 'a b'; give a slug of 1 to 40 characters/],
    [["list", "--since", "May"], /--since is 'May'; give a UTC date/],
  ]);
});

Deno.test("signups list searches on by itself to the end of the list", async () => {
  await using service = await useImportService();
  const file = await service.file("list.csv", list(5_200));
  assert.equal((await service.import([file])).code, 0);
  const args = ["signups", "list", "--search", "nowhere.example"];
  const { stdout, stderr } = await runOperator(service.url, args);
  assert.deepEqual([stdout, stderr], ["Nobody.\n", "0 hits in all.\n"]);
});

Deno.test("signups list asks for page after page", async () => {
  await using service = await useImportService();
  const file = await service.file("list.csv", list(1_200));
  assert.equal((await service.import([file])).code, 0);
  const args = ["signups", "list", "--limit", "1100", "--quiet"];
  const { stdout } = await runOperator(service.url, args);
  assert.equal(new Set(stdout.trimEnd().split("\n")).size, 1_100);
});

Deno.test("signups erase asks with the number of people, and erases them by state and age", async () => {
  await using test = await usePeople();
  const args = ["erase", "--state", "unconfirmed", "--before", "2024-05-03"];
  const questions: string[] = [];
  const asked = (answer: boolean) => (question: string) => {
    questions.push(question);
    return answer;
  };
  assert.equal((await test.run(args)).code, 2);
  assert.equal((await test.run(args, asked(false))).code, 2);
  assert.equal((await test.run(args, asked(true))).stdout, "Erased 1 person.\n");
  assert.deepEqual(
    questions,
    [0, 1].map(() =>
      "Erase 1 person who is unconfirmed and signed up before 2024-05-03T00:00:00.000Z at " +
      `${test.url}? This cannot be undone.`
    ),
  );
  assert.equal((await test.run(args, asked(true))).stdout, "Erased 0 people.\n");
  assert.equal(questions.length, 2, "there is nothing to ask about");
  await assertRefused((args) => test.run(["erase", ...args, "--yes"]), [
    [[], /give an address, or both --state and --before\.\n$/],
    [["--state", "unconfirmed"], /give an address, or both/],
    [
      ["ada@example.com", "--state", "waiting"],
      /erases one person, .+; give one or the other\.\n$/,
    ],
    [
      ["--state", "gone", "--before", "2024-01-01"],
      /give unconfirmed, waiting, invited or accepted/,
    ],
    [["--state", "waiting", "--before", "May"], /--before is 'May'; give a UTC date/],
  ]);
  assert.deepEqual(
    Object.keys(await test.records()),
    ["ada", "bo", "cy"].map((name) => `${name}@example.com`),
  );
});

Deno.test("signups remind says so when the service sends no letters, or nobody is named", async () => {
  await using test = await usePeople();
  await assertRefused(test.run, [
    [["remind", "--all"], /without a terminal .+; add --yes to confirm it\.\n$/],
    [
      ["remind", "--all", "--yes"],
      /: The service sends no letters, as MAIL_URL is not set; .+ \(409 from /,
    ],
    [["remind"], /give either addresses or --all\.\n$/],
  ]);
});

Deno.test("signups remind tells how many people it leaves out", async () => {
  await using folder = await makeTestFolder();
  await using mailing = await startCliService(`${folder.path}/kv.sqlite3`, {
    OPERATOR_KEY,
    MAIL_URL: "file:mail",
  });
  await runOperator(mailing.url, ["join", "ada@example.com", "--consent", "--yes"]);
  const { stdout } = await runOperator(mailing.url, ["signups", "remind", "--all"], {
    confirm: (question) => question.startsWith("Send a letter to everybody who has not confirmed"),
  });
  assert.equal(
    stdout,
    "0 letters are in the outbox; 1 person is left out: asked within the last 24 hours or three times " +
      "in 30 days, or not reachable.\n",
  );
});

Deno.test("signups export writes only people in the state, and an import takes it back", async () => {
  await using test = await usePeople();
  const file = await test.file("invited.csv", "");
  await printed(test.run(["export", "--state", "invited", "--output", file, "--yes"]));
  const [, row, ...others] = (await Deno.readTextFile(file)).trimEnd().split("\r\n");
  assert.match(row!, /^bo@example\.com,.+,invited,/);
  assert.deepEqual(others, []);
  const imported = await test.import([file]);
  assert.match(imported.stdout, /: 0 new, 0 merged, 1 unchanged, 0 refused\.\n$/);
});

Deno.test("signups correct asks first, says what it did, and repeats nothing", async () => {
  await using test = await usePeople();
  const [old, to] = ["ada@example.com", "ada@example.org"];
  const questions: string[] = [];
  const refused = await test.run(["correct", old, to], (question) => {
    questions.push(question);
    return false;
  });
  assert.equal(refused.code, 2);
  assert.match(questions.join(), /^Correct ada@example\.com to ada@example\.org at http/);
  const done = await test.run(["correct", old, to, "--yes"]);
  assert.equal(done.stdout, `Corrected: ${old} is now ${to}, and waiting.\n`);
  const again = await test.run(["correct", old, to, "--yes"]);
  assert.match(again.stdout, /^Nothing to do: ada@example\.com was corrected to .+ before, at 20/);
  const { stdout } = await test.run(["show", to]);
  assert.match(stdout, /\n {2}corrections\.at +20\S+Z\n {2}corrections\.address +\S+\n/);
  assert.doesNotMatch(stdout, /\[object/);
  const taken = await test.run(["correct", "adam@example.com", to, "--yes"]);
  assert.equal(taken.code, 2);
  assert.match(taken.stderr, /The new address is on the waitlist already/);
  assert.equal((await test.run(["correct", "x@example.com", "y@example.com", "--yes"])).code, 6);
  assert.equal((await test.records())[to]?.state, "waiting");
});

Deno.test("signups answers sets role and use case, and takes them away", async () => {
  await using test = await usePeople();
  const change = ["answers", "ada@example.com", "--role"];
  assert.equal(
    await printed(test.run([...change, "founder", "--building", "agents"])),
    "ada@example.com: the role is founder, the use case is agents.\n",
  );
  const { stdout } = await test.run([...change, "", "--json"]);
  const { role, building } = JSON.parse(stdout);
  assert.deepEqual([role, building], [undefined, "agents"]);
  await assertRefused(test.run, [
    [["answers", "ada@example.com"], /There is nothing to change; give --role, --building or both/],
    [[...change, "Two Words"], /'role' is 'Two Words'; give a slug/],
  ]);
});
