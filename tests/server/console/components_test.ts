import assert from "node:assert/strict";
import { busyView, failureNote, makeRows, table } from "../../../server/console/components.ts";
import { readConsoleTexts } from "../../../server/content/mod.ts";
import type { PageFailure } from "../../../server/console/page_context.ts";

const { en, de } = await readConsoleTexts();

const MESSAGE = "The service says <this>.";

const DETAIL = '<span lang="en">The service says &lt;this&gt;.</span>';

Deno.test("failureNote() returns a German text for each failure code, and adds the service's English message for some of the codes", async (t) => {
  const table: [failed: PageFailure, text: RegExp, hasDetail: boolean][] = [
    [{ failure: "internal_error" }, /^Im Dienst ist etwas schiefgegangen; .+ Sie nach/, false],
    [{ failure: "forbidden", role: "viewer" }, /^Ihr Schlüssel /, false],
    [{ failure: "unknown", message: MESSAGE }, /^Das gibt es nicht mehr\. Gehen Sie zurück/, false],
    [
      { failure: "invalid_request", message: MESSAGE },
      /^Der Dienst hat eine Angabe nicht angenommen\. Ändern Sie/,
      true,
    ],
    [
      { failure: "expired", message: MESSAGE },
      /^Der Dienst konnte das gerade nicht ausführen\./,
      true,
    ],
  ];
  for (const [failed, expected, hasDetail] of table) {
    await t.step(JSON.stringify(failed), () => {
      const { text } = failureNote(failed, de);
      const [, sentence = ""] = /^<p class="fault" role="alert">(.+)<\/p>$/s.exec(text) ?? [];
      assert.match(sentence, expected);
      assert.equal(sentence.includes(DETAIL), hasDetail, sentence);
    });
  }
});

Deno.test("failureNote() returns the text that a page has for a failure code, or else the English message of the operation", () => {
  const failed: PageFailure = { failure: "conflict", message: MESSAGE };
  const known = { conflict: "Das geht nicht." };
  assert.match(failureNote(failed, de, known).text, />Das geht nicht\.</);
  assert.match(failureNote(failed, en).text, />The service says &lt;this&gt;\.</);
});

Deno.test("busyView() returns status 429 and names the seconds to wait", () => {
  const view = busyView(de, 7);
  assert.equal(view.status, 429);
  assert.match(
    view.body.text,
    /Zu viele Anfragen von Ihrer Adresse\. Versuchen Sie es in 7 s noch/,
  );
});

Deno.test("table() labels each cell with the name of the column, and adds a class to tables that are too wide for a phone", () => {
  const cells = [{ rowHeading: "Ada" }, "waiting", { number: "3" }];
  const few = table({
    caption: "People",
    head: ["Name", "<State>", { number: "Tries" }],
    rows: [cells],
  });
  assert.match(few.text, /^<div class="table" /);
  assert.ok(
    few.text.includes(
      '<tr><th scope="row">Ada</th>\n<td data-label="&lt;State&gt;">waiting</td>\n' +
        '<td class="number" data-label="Tries">3</td></tr>',
    ),
    few.text,
  );
  const many = table({ caption: "People", head: ["1", "2", "3", "4"], rows: [] });
  assert.match(many.text, /^<div class="table many" /);
});

Deno.test("makeRows() waits after each ten rows so that API calls can run, and keeps the order of the items", async () => {
  const items = Array.from({ length: 25 }, (_, index) => `item ${index}`);
  const madeBefore: number[] = [];
  let made = 0;
  const rows = await makeRows(items, (item, index) => {
    made++;
    return [item, String(index)];
  }, {
    yieldToCalls() {
      madeBefore.push(made);
      return Promise.resolve();
    },
  });
  assert.deepEqual(madeBefore, [10, 20]);
  assert.deepEqual(rows, items.map((item, index) => [item, String(index)]));
});
