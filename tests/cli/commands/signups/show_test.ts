import assert from "node:assert/strict";
import { printed } from "../../support/cli.ts";
import { makeTestFolder } from "../../../support/process.ts";
import { OPERATOR_KEY, runOperator, startCliService, useService } from "../../support/service.ts";

const service = useService();

const run = (args: string[]) => runOperator(service.url, args);

Deno.test("'signups show' prints the data of a person, and 'signups erase' removes the person", async () => {
  await printed(run(["join", "ada@example.com", "--consent", "--yes", "--lang", "de"]));
  const shown = await run(["signups", "show", "Ada@example.com"]);
  assert.match(shown.stderr, /^The self-service page, at placeUrl, also has the times .+\n$/);
  assert.match(
    shown.stdout,
    /^ {2}email +ada@example\.com\n {2}state +waiting\n {2}lang +de\n(?: {2}\w+At +20\S+Z\n){3} {2}placeUrl +http\S+\n {2}id +\S{22}\n {2}place +1\n$/,
  );
  const json = await run(["signups", "show", "ada@example.com", "--json"]);
  assert.equal(JSON.parse(json.stdout).lang, "de");

  const erased = await run(["signups", "erase", "ada@example.com", "--yes"]);
  assert.equal(erased.code, 0, erased.stderr);
  assert.match(erased.stdout, /^Erased: ada@example\.com is no longer on the waitlist, .+\n$/);
  const again = await printed(run(["signups", "erase", "ada@example.com", "--yes", "--json"]));
  assert.equal(JSON.parse(again).outcome, "erased_before");
  const gone = await run(["signups", "show", "ada@example.com"]);
  assert.equal(gone.code, 6);
  assert.match(
    gone.stderr,
    /The address is not on the waitlist\. It was erased at 20\S+Z \(404 from /,
  );
});

Deno.test("'signups erase' exits with code 6 when the address is unknown, and with code 2 when --yes is missing", async () => {
  const unknown = await run(["signups", "erase", "nobody@example.com", "--yes"]);
  assert.equal(unknown.code, 6);
  assert.equal(unknown.stdout, "");
  assert.match(
    unknown.stderr,
    /^waitlist: The address is not on the waitlist\. Check its spelling \(404 from \S+\)\.\n$/,
  );

  const unsure = await run(["signups", "erase", "nobody@example.com"]);
  assert.equal(unsure.code, 2);
  assert.match(
    unsure.stderr,
    /^waitlist: This command cannot be undone, and .+; add --yes to run the command without this question\.\n$/,
  );
});

Deno.test("'signups show' prints the whole wording of the consent that the person gave", async () => {
  await using folder = await makeTestFolder();
  await using mailing = await startCliService(`${folder.path}/kv.sqlite3`, {
    OPERATOR_KEY,
    MAIL_URL: "file:mail",
  });
  const email = "ada@example.com";
  await runOperator(mailing.url, ["join", email, "--consent", "--yes"]);
  const { stdout } = await runOperator(mailing.url, ["signups", "show", email, "--json"]);
  const t = new URL(JSON.parse(stdout).placeUrl).searchParams.get("t") ?? "";
  const body = new URLSearchParams({ t });
  const confirmed = await fetch(`${mailing.url}/place/confirm`, { method: "POST", body });
  assert.equal(confirmed.status, 200, await confirmed.text());
  const shown = await runOperator(mailing.url, ["signups", "show", email]);
  assert.match(shown.stdout, /\n {2}wording\.text +I agree that .+ at any time on this page\.\n/);
});
