/** The log of e-mails on the page "E-mails and events": its filters, and its pages. */
import assert from "node:assert/strict";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { readFirstItems } from "../../../../server/store/outbox/reads.ts";
import { momentAndIdOf, setLoggedLetter } from "../../../../server/store/people/letter_log.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import { startConsole } from "../../../support/console.ts";
import { LINK, storeWaiting } from "../../../support/invitations.ts";
import { call } from "../../../support/operator.ts";
import { signUp, START, WITH_MAIL } from "../../../support/service.ts";

const PAGE = "/operator/outbox/";

Deno.test("outboxPage shows only the e-mails of a kind or with an outcome, says which, and links to the whole log", async () => {
  await using service = await startConsole();
  const letters = [
    { letter: "invitation", takenAt: new Date(START).toISOString() },
    { letter: "confirmation", takenAt: new Date(START).toISOString() },
    { letter: "confirmation", refusedAt: new Date(START).toISOString() },
  ] as const;
  const commit = new Commit();
  for (const [index, letter] of letters.entries()) {
    const putAt = new Date(START - index).toISOString();
    const momentAndId = momentAndIdOf(putAt, `item-${index}`);
    setLoggedLetter(commit, { recordId: "r", momentAndId, letter: { ...letter, putAt } });
  }
  await service.kv.commit(commit);
  const shown = async (query: string) => {
    const { html } = await service.browser.open(`${PAGE}?list=log${query}`);
    const kinds = [...html.matchAll(/<th scope="row">(\w+)</g)].map(([, kind]) => kind);
    return { html, kinds };
  };
  const all = await shown("&letter=&state=");
  assert.deepEqual(all.kinds, ["Invitation", "Confirmation", "Confirmation"]);
  assert.doesNotMatch(all.html, />Show everything</);
  assert.match(all.html, /on the person’s page: <a href="\/operator\/people\/">Find a person<\/a>/);
  assert.deepEqual((await shown("&letter=invitation")).kinds, ["Invitation"]);
  const refused = await shown("&letter=confirmation&state=refused");
  assert.deepEqual(refused.kinds, ["Confirmation"]);
  assert.match(refused.html, /<option value="confirmation" selected>Confirmation</);
  assert.match(refused.html, /<option value="refused" selected>rejected for good</);
  assert.match(refused.html, /<a href="\/operator\/outbox\/\?list=log">Show everything<\/a>/);
  assert.match(refused.html, /role="status">Tries found: 1</);
  assert.match(
    refused.html,
    /<b>rejected for good:<\/b> The mail server gave the reason [^<]+<a href="[^"]+=refused">What was/,
  );
  assert.doesNotMatch(all.html, />Tries found|<b>came back:/);
  assert.match(all.html, /<option value="reported">came back or spam</);
  const none = await shown("&letter=link");
  assert.match(none.html, /class="empty">No e‑mail of the last 90 days fits these choices\.</);
  assert.doesNotMatch(none.html, /found:/);
});

Deno.test("outboxPage shows the e-mails of a wave and of some days, and counts them page by page", async () => {
  await using service = await startConsole(WITH_MAIL);
  await storeWaiting(service.kv, 1);
  const operate = (path: string, body: object) => call(service, path, body);
  await operate("/waves", { wave: "first", next: 1, link: LINK });
  const [item] = await readFirstItems(service.kv, "invitations", { limit: 1 });
  await createOutboxStore(service.kv).complete(item!, START);
  // A page that names a wave and no list is the log, although e-mails wait.
  assert.equal(await signUp(service, "visitor0@example.com"), 200);
  const ofWave = await service.browser.open(`${PAGE}?wave=first&state=taken`);
  assert.match(ofWave.html, /aria-current="page">E‑mails of 90 days</);
  assert.match(ofWave.html, /role="status">Tries found: 1</);
  assert.match(ofWave.html, /name="wave"[^>]* value="first" list="wave-known"/);
  assert.match(ofWave.html, /<datalist id="wave-known"><option value="first">/);
  const other = await service.browser.open(`${PAGE}?wave=second`);
  assert.match(other.html, /fits these choices/);

  const commit = new Commit();
  for (let n = 0; n < 101; n++) {
    const putAt = new Date(Date.parse("2026-11-20") + n).toISOString();
    const letter = { letter: "link", putAt, takenAt: putAt } as const;
    setLoggedLetter(commit, { recordId: "r", momentAndId: momentAndIdOf(putAt, `i${n}`), letter });
  }
  await service.kv.commit(commit);
  const days = "since=2026-11-20&until=2026-11-20";
  const { html } = await service.browser.open(`${PAGE}?${days}`);
  assert.match(
    html,
    /role="status">Tries found so far: 100\. Searched the e‑mails back to 20 Nov 2026\.</,
  );
  assert.match(html, /name="since" type="date" value="2026-11-20"/);
  const [, path = ""] = html.match(/<a class="button" href="([^"]+)">Next page<\/a>/) ?? [];
  const { html: last } = await service.browser.open(path.replaceAll("&amp;", "&"));
  assert.match(last, /role="status">Tries found: 101</);
  const wrong = await service.browser.open(`${PAGE}?list=log&until=yesterday`);
  assert.equal(wrong.status, 400);
});
