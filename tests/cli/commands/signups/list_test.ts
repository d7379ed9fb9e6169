import assert from "node:assert/strict";
import { assertRefused, printed } from "../../support/cli.ts";
import { CONSENT, list, useImportService } from "../../support/import_service.ts";
import { runOperator } from "../../support/service.ts";
import { LINK, PEOPLE, usePeople, useReferrals } from "../../support/people_service.ts";

Deno.test("'signups list' selects people by state, language, time, --mark, --refused-letter or a part of the address, and --newest shows the newest people first", async () => {
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
  assert.deepEqual(await list("--refused-letter"), [""]);
  assert.deepEqual(await list("--state", "invited", "--mark", "complained"), [""]);
  const part = await test.run(["list", "--search", "ada", "--limit", "1"]);
  const others = "There are more; give a larger --limit.\n";
  assert.equal(part.stderr, `1 hit, searched up to 2024-05-01.\n${others}`);
  const back = await test.run(["list", "--search", "ada", "--limit", "1", "--newest"]);
  assert.equal(back.stderr, `1 hit, searched back to 2024-05-02.\n${others}`);
  assert.equal((await test.run(["list", "--search", "ada"])).stderr, "2 hits in all.\n");

  const { stdout, stderr } = await test.run(["list", "--limit", "1"]);
  assert.match(
    stdout,
    /^Address +State +First sign-up .+\nada@example\.com +waiting +2024-05-01 00:00 /,
  );
  assert.equal(stderr, `1 of ${PEOPLE.length} people.\n${others}`);
  const json = JSON.parse((await test.run(["list", "--search", "bo@", "--json"])).stdout);
  assert.deepEqual([json.more, json.searched.hits], [false, 1]);
  assert.equal(json.people[0].state, "invited");
  await assertRefused(test.run, [
    [
      ["list", "--search", "ad"],
      /--search is 'ad'; give a part of an address, of 3 to 254 characters/,
    ],
    [["list", "--mark", "spam"], /--mark is 'spam'; give 'undeliverable' or 'complained'/],
    [["list", "--role", "a b"], /--role is 'a b'; give a slug of 1 to 40 characters/],
  ]);
});

Deno.test("'signups list' shows the number of referrals in a column, and --referrals selects people by this number", async () => {
  await using test = await useReferrals();
  const { run } = test;
  const all = await printed(run(["signups", "list"]));
  const [heading = "", ...rows] = all.trimEnd().split("\n");
  assert.match(heading, / {2}Use case {2}Referrals$/);
  assert.deepEqual(rows.map((row) => [row.split("@")[0], /(\d*)$/.exec(row)?.[1]]), [
    ["ada", "2"],
    ["bo", "1"],
    ["cy", "0"],
    ["di+1", "0"],
    // This person has no code, and so no number. The row ends with the language.
    ["di", ""],
  ]);
  const list = (...args: string[]) => printed(run(["signups", "list", "--quiet", ...args]));
  assert.equal(await list("--referrals", "1"), "ada@example.com\nbo@example.com\n");
  assert.equal(await list("--referrals", "2"), "ada@example.com\n");
  assert.equal(await list("--referrals", "1", "--search", "bo@"), "bo@example.com\n");
  const none = await run(["signups", "list", "--referrals", "3"]);
  assert.deepEqual([none.stdout, none.stderr], ["Nobody.\n", "0 hits in all.\n"]);
  await assertRefused((args) => run(["signups", "list", ...args]), [
    [["--referrals", "0"], /--referrals is '0'; give a whole number from 1 on\.\n$/],
    [["--referrals", "many"], /--referrals is 'many'; give a whole number from 1 on\.\n$/],
  ]);
});

Deno.test("'signups list' and 'signups export' select people by campaign", async () => {
  await using service = await useImportService();
  const rows = [
    `ada@example.com,${CONSENT},News,E mail,launch`,
    `bo@example.com,${CONSENT},news,,`,
    `cy@example.com,${CONSENT},,,`,
  ];
  const csv = ["email,consentedAt,utm_source,utmMedium,utm_campaign", ...rows].join("\n");
  await printed(service.import([await service.file("list.csv", csv)]));
  const run = (args: string[]) => runOperator(service.url, args);
  const list = (...args: string[]) => printed(run(["signups", "list", "--quiet", ...args]));
  assert.equal(await list("--utm-source", "news"), "ada@example.com\nbo@example.com\n");
  assert.equal(
    await list("--utm-medium", "E mail", "--utm-campaign", " Launch"),
    "ada@example.com\n",
  );
  const exported = await printed(run(["signups", "export", "--utm-campaign", "launch"]));
  const [head = "", row = "", ...others] = exported.trimEnd().split("\r\n");
  assert.deepEqual(others, []);
  const cells = Object.fromEntries(head.split(",").map((name, at) => [name, row.split(",")[at]]));
  assert.deepEqual(
    [cells.email, cells.utmSource, cells.utmMedium, cells.utmCampaign],
    ["ada@example.com", "news", "e-mail", "launch"],
  );
  await assertRefused(run, [
    [["signups", "list", "--utm-source", " "], /--utm-source is ''; give a slug of 1 to 40/],
    [
      ["signups", "invite", "--next", "1", ...LINK, "--utm-medium", ""],
      /--utm-medium is ''; give a slug of 1 to 40 characters/,
    ],
  ]);
  const plan = await run([
    "signups",
    "invite",
    "--next",
    "5",
    ...LINK,
    "--utm-source",
    "news",
    "--output",
    "none.csv",
    "--dry-run",
  ]);
  assert.equal(plan.code, 0, plan.stderr);
  assert.match(plan.stdout, /ada@example\.com/);
  assert.doesNotMatch(plan.stdout, /cy@example\.com/);

  const overview = await printed(run(["overview"]));
  assert.match(
    overview,
    /\n\nCampaigns\n {2}utm_source\n {2}news +2\n\n {2}utm_medium\n {2}e-mail +1\n/,
  );
});

Deno.test("'signups list --search' searches the whole list, even if it has more than 3,500 people", async () => {
  await using service = await useImportService();
  const file = await service.file("list.csv", list(3_700));
  assert.equal((await service.import([file])).code, 0);
  const args = ["signups", "list", "--search", "nowhere.example"];
  const { stdout, stderr } = await runOperator(service.url, args);
  assert.deepEqual([stdout, stderr], ["Nobody.\n", "0 hits in all.\n"]);
});

Deno.test("'signups list' requests further pages until it has as many people as --limit asks for", async () => {
  await using service = await useImportService();
  const file = await service.file("list.csv", list(1_200));
  assert.equal((await service.import([file])).code, 0);
  const args = ["signups", "list", "--limit", "1100", "--quiet"];
  const { stdout } = await runOperator(service.url, args);
  assert.equal(new Set(stdout.trimEnd().split("\n")).size, 1_100);
});
