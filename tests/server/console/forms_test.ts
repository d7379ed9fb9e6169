import assert from "node:assert/strict";
import { confirmView } from "../../../server/console/forms.ts";
import { markup } from "../../../server/content/mod.ts";

Deno.test("confirmView() marks its button as dangerous only when `cannotUndo` says that the action cannot be undone", () => {
  const page = {
    title: "Delete it?",
    body: markup`<p>All of it.</p>`,
    action: "/operator/",
    fields: {},
    submit: "Delete",
    cancel: markup`<a href="/operator/">Back</a>`,
  };
  const { text: harmless } = confirmView(page).body;
  assert.match(harmless, /<button class="primary" type="submit">Delete</);
  assert.doesNotMatch(harmless, /danger|<strong>/);
  const { text: final } = confirmView({ ...page, cannotUndo: "This cannot be undone." }).body;
  assert.match(final, /<strong>This cannot be undone\.<\/strong>/);
  assert.match(final, /<button class="danger" type="submit">Delete</);
});
