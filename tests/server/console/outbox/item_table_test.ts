import assert from "node:assert/strict";
import {
  itemTable,
  rowOfDelivery,
  rowOfItem,
} from "../../../../server/console/outbox/item_table.ts";
import { readConsoleTexts } from "../../../../server/content/mod.ts";
import type { ListedItem } from "../../../../shared/operator_schemas.ts";
import { textOf } from "../../../support/console_forms.ts";
import { idsOf } from "../../../support/outbox.ts";
import { START } from "../../../support/service.ts";

/** A refused letter to a person on the list. */
function refusedLetter(): ListedItem {
  const moment = new Date(START).toISOString();
  return {
    id: "i",
    email: "ada@example.com",
    recordId: "r",
    message: "invitation",
    putAt: moment,
    refusedAt: moment,
    tries: 8,
  };
}

Deno.test("itemTable() shows a button for each letter or event that can be sent again, and no column 'Action' when nothing can be sent again", async (t) => {
  const { en: texts } = await readConsoleTexts();
  const moment = new Date(START).toISOString();
  const items = (["invitation", "signup.joined"] as const).map((message) => ({
    id: message.replace(".", "-"),
    email: "ada@example.com",
    message,
    putAt: moment,
    refusedAt: moment,
    tries: 8,
  }));
  const cases = [
    [true, true, ["invitation", "signup-joined"]],
    [true, false, ["invitation"]],
    [false, true, ["signup-joined"]],
    [false, false, []],
  ] as const;
  for (const [letters, events, expected] of cases) {
    await t.step(JSON.stringify({ letters, events }), () => {
      const mayRetry = { letters, events };
      const rows = items.map((item) => rowOfItem(item, { now: START, mayRetry }));
      const { text } = itemTable(rows, { list: "refused" }, {
        texts,
        personPath: (id) => `/${id}`,
      });
      assert.deepEqual(idsOf(text), expected);
      assert.equal(text.includes(">Action<"), expected.length > 0);
    });
  }
});

Deno.test("itemTable() shows when the service gives up an item whose last try has failed", async () => {
  const { en: texts } = await readConsoleTexts();
  const at = (ms: number) => new Date(START + ms).toISOString();
  const textOfTable = (...tries: number[]) => {
    const rows = tries.map((tries) => {
      const item = {
        id: "a",
        email: "ada@example.com",
        message: "invitation",
        putAt: at(0),
        tries,
      };
      const mayRetry = { letters: true, events: true };
      return rowOfItem({ ...item, dueAt: at(30 * 60_000) }, { now: START, mayRetry });
    });
    return textOf(
      itemTable(rows, { list: "waiting" }, { texts, personPath: (id) => `/${id}` }).text,
    );
  };
  assert.doesNotMatch(textOfTable(0), /Given up after/);
  const text = textOfTable(0, 2, 7);
  assert.match(text, /Next try Tries Given up after Why the last try failed/);
  // The tries after the third one follow after 30 minutes, and after 2, 6, 12 and 24 hours.
  assert.match(text, / 0 +Try again now .+ 2 23 Nov 2026, 09:00 .+ 7 21 Nov 2026, 12:30 /);
});

Deno.test("itemTable() leads from each refused letter whose person gets letters to the question whether to mark the address as undeliverable", async () => {
  const { en: texts } = await readConsoleTexts();
  const item = refusedLetter();
  const { refusedAt: _, ...waitingItem } = { ...item, dueAt: item.putAt };
  const { recordId: _id, ...itemOfNobody } = item;
  const buttonsOf = (shownItem: ListedItem, mayMark = true) => {
    const mayRetry = { letters: false, events: false };
    const row = rowOfItem(shownItem, { now: START, mayRetry, mayMark });
    const { text } = itemTable([row], { list: "refused" }, { texts, personPath: (id) => `/${id}` });
    return text.match(/<button [^>]+>Mark as undeliverable …<\/button>/g) ?? [];
  };
  assert.deepEqual(buttonsOf(item), [
    '<button class="small" form="one-item" formaction="/r" name="act" value="undeliverable" aria-label="Mark as undeliverable …: ada@example.com">Mark as undeliverable …</button>',
  ]);
  const others = [{ ...item, noLetters: true }, { ...item, message: "signup.joined" }, waitingItem];
  for (const other of [...others, itemOfNobody]) assert.deepEqual(buttonsOf(other), []);
  assert.deepEqual(buttonsOf(item, false), []);
});

Deno.test("itemTable() links each refused letter that is still needed to the page that corrects the address of its person", async () => {
  const { en: texts } = await readConsoleTexts();
  const item = { ...refusedLetter(), noLetters: true };
  const { recordId: _, ...itemOfNobody } = item;
  const linksOf = (shownItem: ListedItem, mayCorrect = true) => {
    const mayRetry = { letters: false, events: false };
    const row = rowOfItem(shownItem, { now: START, mayRetry, mayCorrect });
    const personPath = (id: string, subpath = "") => `/${id}${subpath}`;
    const { text } = itemTable([row], { list: "refused" }, { texts, personPath });
    return text.match(/<a class="button small" [^>]+>Correct the address …<\/a>/g) ?? [];
  };
  assert.deepEqual(linksOf(item), [
    '<a class="button small" href="/r/correct" aria-label="Correct the address …: ada@example.com">Correct the address …</a>',
  ]);
  const others: ListedItem[] = [
    { ...item, message: "signup.joined" },
    { ...item, notSent: "accepted" },
    itemOfNobody,
  ];
  for (const other of others) assert.deepEqual(linksOf(other), []);
  assert.deepEqual(linksOf(item, false), []);
});

Deno.test("itemTable() says that an item without a button is due now or soon when another item has a button", async () => {
  const { en: texts } = await readConsoleTexts();
  const at = (ms: number) => new Date(START + ms).toISOString();
  const [claimed, late] = [60_000, 3_600_000].map((ms) => ({
    id: `due-in-${ms}`,
    email: "ada@example.com",
    message: "invitation" as const,
    putAt: at(0),
    dueAt: at(ms),
    tries: 1,
  }));
  const options = { now: START, mayRetry: { letters: true, events: true } };
  const tableOf = (items: ListedItem[]) => {
    const rows = items.map((item) => rowOfItem(item, options));
    return itemTable(rows, { list: "waiting" }, { texts, personPath: (id) => `/${id}` }).text;
  };
  const both = tableOf([claimed!, late!]);
  assert.deepEqual(idsOf(both), [late!.id]);
  assert.equal(both.split(">none, as it is due now or soon</td>").length, 2);
  assert.doesNotMatch(tableOf([claimed!]), /due now or soon/);
});

Deno.test("itemTable() leaves the cell empty when the address of a delivered event is not kept", async () => {
  const { en: texts } = await readConsoleTexts();
  const delivery = {
    id: "left",
    event: "signup.left",
    tries: 1,
    delivered: true,
    at: new Date(START).toISOString(),
    ms: 3,
    status: 200,
    answer: "",
  } as const;
  const rows = [rowOfDelivery(delivery, { texts, mayRetry: { letters: true, events: true } })];
  const { text } = itemTable(rows, { list: "deliveries" }, { texts, personPath: (id) => `/${id}` });
  assert.match(text, /<td data-label="To or about"><\/td>/);
});

Deno.test("itemTable() shows a checkbox with a label for each refused item that can be sent again, and none in other lists", async () => {
  const { en: texts } = await readConsoleTexts();
  const moment = new Date(START).toISOString();
  const common = { putAt: moment, refusedAt: moment, tries: 8 };
  const items: ListedItem[] = [
    { ...common, id: "i", email: "ada@example.com", message: "invitation" },
    { ...common, id: "n", email: "bo@example.com", message: "confirmation", notSent: "confirmed" },
    { ...common, id: "e", email: "ada@example.com", message: "signup.joined" },
  ];
  const tableOf = (list: "waiting" | "refused", isAllowed = true) => {
    const mayRetry = { letters: isAllowed, events: isAllowed };
    const rows = items.map((item) => rowOfItem(item, { now: START, mayRetry }));
    return itemTable(rows, { list }, { texts, personPath: (id) => `/${id}` }).text;
  };
  const refused = tableOf("refused");
  assert.deepEqual(refused.match(/<input type="checkbox"[^>]+>/g), [
    '<input type="checkbox" name="chosen_0" value="i" aria-label="Choose ada@example.com: Invitation">',
    '<input type="checkbox" name="chosen_2" value="e" aria-label="Choose ada@example.com: Event: joined">',
  ]);
  // Enter in a checkbox presses the first button of its form, so the form has no button of a row.
  const [form = ""] = refused.match(/<form [^>]+class="rows[^]+?<\/form>/) ?? [];
  const ownButtons = form.match(/<button (?![^>]*form="one-item")[^>]*>[^<]+/g);
  assert.deepEqual(ownButtons, ['<button type="submit">Try the chosen again …']);
  for (const other of [tableOf("waiting"), tableOf("refused", false)]) {
    assert.doesNotMatch(other, /checkbox|Try the chosen again/);
  }
});
