import assert from "node:assert/strict";
import { follow, test } from "../../../support/console.ts";
import { fieldsOf } from "../../../support/console_forms.ts";
import { storeWaiting } from "../../../support/invitations.ts";

const PEOPLE = "/operator/people/";
const FILTERS = "/operator/people/filters/";

test("filtersPage saves and removes a filter of peoplePage, and peoplePage shows a link to the saved filter", async ({ browser, kv }) => {
  await storeWaiting(kv, 3, () => ({ lang: "de" }));
  assert.doesNotMatch((await browser.open(PEOPLE)).html, /Save these choices/);
  const choices = {
    lang: "de",
    role: "architect",
    since: "2026-05-01",
    until: "2026-05-31",
    order: "oldest",
  };
  const list = await browser.submit(PEOPLE, choices);
  const fields = { ...fieldsOf(list.html, "Save"), name: " German <architects> " };
  const saved = await browser.submit(FILTERS, fields);
  assert.match(saved.html, /<nav class="actions" aria-label="Saved filters">/);
  const again = await follow(browser, saved.html, "German &lt;architects&gt;");
  for (const chosen of ["de", "oldest"]) {
    assert.ok(again.html.includes(`<option value="${chosen}" selected>`), chosen);
  }
  assert.match(again.html, /name="since" type="date" value="2026-05-01"/);
  assert.match(again.html, /name="until" type="date" value="2026-05-31"/);

  const page = await follow(browser, again.html, "Remove saved filters");
  const head = [...page.html.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, name]) => name);
  assert.deepEqual(head, ["Name", "Filters", "Removal"]);
  assert.match(page.html, /Language: German<br>\s+Role: architect<br>/);
  const remove = { remove: "German <architects>" };
  const removed = await browser.submit(FILTERS, remove);
  assert.ok(page.html.includes("Remove ‘German &lt;architects&gt;’"));
  assert.match(removed.html, /class="empty">You have saved no filter\./);
  assert.equal((await browser.send(FILTERS, remove)).status, 404);
});

test("filtersPage refuses a 51st filter, keeps the typed name, and links to the saved filters", async ({ browser }) => {
  for (let n = 1; n <= 50; n++) await browser.send(FILTERS, { lang: "de", name: `Filter ${n}` });
  const refused = await browser.send(FILTERS, { lang: "de", name: "One more" });
  assert.equal(refused.status, 409);
  assert.match(refused.html, /name="name" value="One more"/);
  const page = await follow(browser, refused.html, "Remove saved filters");
  assert.ok(page.html.includes("Remove ‘Filter 50’"));
});

test("The link of a saved filter fills in the date of each saved date-time, without the time of day", async ({ browser }) => {
  const times = { since: "2026-05-01T08:00:00Z", until: "2026-05-01T12:00:00Z" };
  await browser.send(FILTERS, { ...times, name: "The morning" });
  const list = await follow(browser, (await browser.open(PEOPLE)).html, "The morning");
  assert.match(list.html, /name="since" type="date" value="2026-05-01"/);
  assert.match(list.html, /name="until" type="date" value="2026-05-01"/);
});

test("filtersPage refuses to save a filter with a search for an address, and a filter without a name", async ({ browser, kv }) => {
  await storeWaiting(kv, 3);
  const list = await browser.submit(PEOPLE, { search: "visitor" });
  assert.doesNotMatch(list.html, /Save these choices/);
  const refused = await browser.send(FILTERS, { lang: "de", name: "  " });
  assert.equal(refused.status, 400);
  assert.match(refused.html, /role="alert">Give the filter a name without/);
  assert.equal(fieldsOf(refused.html, "Save").lang, "de", "the choices can be saved again");
});
