import assert from "node:assert/strict";
import {
  itemTable,
  rowOfDelivery,
  rowOfItem,
} from "../../../../server/console/outbox/item_table.ts";
import { readConsoleTexts } from "../../../../server/content/mod.ts";
import type { ListedItem } from "../../../../shared/operator_schemas.ts";
import { idsOf } from "../../../support/outbox.ts";
import { START } from "../../../support/service.ts";

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
      const { text } = itemTable(rows, "refused", { texts, personPath: (id) => `/${id}` });
      assert.deepEqual(idsOf(text), expected);
      assert.equal(text.includes(">Action<"), expected.length > 0);
    });
  }
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
    return itemTable(rows, "waiting", { texts, personPath: (id) => `/${id}` }).text;
  };
  const both = tableOf([claimed!, late!]);
  assert.deepEqual(idsOf(both), [late!.id]);
  assert.equal(both.split(">due now or soon</td>").length, 2);
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
  const { text } = itemTable(rows, "deliveries", { texts, personPath: (id) => `/${id}` });
  assert.match(text, /<td data-label="To or about"><\/td>/);
});
