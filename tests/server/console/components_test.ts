import assert from "node:assert/strict";
import { failedView, failureNote, table } from "../../../server/console/components.ts";
import { readConsoleTexts } from "../../../server/content/mod.ts";
import type { OperatorError } from "../../../shared/operator_schemas.ts";

const { en, de } = await readConsoleTexts();

/** An answer of an operation that failed. */
function failed(error: OperatorError["error"], headers: Record<string, string> = {}) {
  const response = new Response(null, { status: 400, headers });
  return { error: { error, message: "The service says <this>." }, response };
}

const DETAIL = '<span lang="en">The service says &lt;this&gt;.</span>';

Deno.test("failureNote() says in German what happened and what helps, by the code", () => {
  const table: [code: OperatorError["error"], text: RegExp, hasDetail: boolean][] = [
    ["rate_limited", /^Zu viele Anfragen von Ihrer Adresse\. Versuchen Sie es in 7 s noch/, false],
    ["internal_error", /^Im Dienst ist etwas schiefgegangen; .+ Sie nach/, false],
    ["unauthorized", /^Ihr Schlüssel gilt nicht mehr\. Melden Sie sich ab/, false],
    ["not_found", /^Das gibt es nicht mehr\. Gehen Sie zurück/, false],
    ["invalid_request", /^Der Dienst hat eine Angabe nicht angenommen\. Ändern Sie/, true],
    ["restore_begun", /^Der Dienst konnte das gerade nicht ausführen\./, true],
  ];
  for (const [code, expected, hasDetail] of table) {
    const { text } = failureNote(failed(code, { "Retry-After": "7" }), de);
    const [, sentence = ""] = /^<p class="fault" role="alert">(.+)<\/p>$/s.exec(text) ?? [];
    assert.match(sentence, expected);
    assert.equal(sentence.includes(DETAIL), hasDetail, sentence);
  }
});

Deno.test("failureNote() prefers what the page knows, then the operation's sentence in English", () => {
  const known = { conflict: "Das geht nicht." };
  assert.match(failureNote(failed("conflict"), de, known).text, />Das geht nicht\.</);
  assert.match(failureNote(failed("conflict"), en).text, />The service says &lt;this&gt;\.</);
});

Deno.test("failedView() is a 500 when an answer broke off", () => {
  const response = new Response(null, { status: 200 });
  const view = failedView({ response }, de, { title: "Daten", back: "/operator/data/" });
  assert.equal(view.status, 500);
  const { text } = view.body;
  assert.match(text, /gerade nicht ausführen.+\n<p><a href="\/operator\/data\/">Zurück</s);
});

Deno.test("table() gives each cell the name of its column, and marks tables that a phone has no room for", () => {
  const cells = [{ row: "Ada" }, "waiting", { number: "3" }];
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
