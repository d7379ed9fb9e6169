import assert from "node:assert/strict";
import { type ListPage, listSection } from "../../../../server/console/outbox/lists.ts";
import { readConsoleTexts } from "../../../../server/content/mod.ts";
import type { Overview } from "../../../../shared/operator_schemas.ts";
import { textOf } from "../../../support/console_forms.ts";
import { START } from "../../../support/service.ts";

/** Shows a page of the refused items of a wave, which a search has found among other items. */
async function showSearch(found: Partial<ListPage["content"]>): Promise<string> {
  const { en: texts } = await readConsoleTexts();
  // The cast is needed because the section reads only these counters of an overview.
  const overview = { outbox: { due: 0, held: 0, refused: 2_000 } } as Overview;
  const content = { list: "refused", items: [], wave: "first", hasMore: true, ...found };
  const page = {
    content: content as ListPage["content"],
    isFirst: true,
    nextQuery: { at: new Date(START).toISOString(), id: "i" },
  };
  const nobody = { letters: false, events: false };
  const pageContext = { texts, now: START, personPath: () => "/", may: () => false };
  const { text } = listSection(page, pageContext, {
    overview,
    sends: { letters: true, events: true },
    mayRetry: nobody,
    rejectedWaiting: { letters: [], mayBeMore: false },
  });
  return textOf(text);
}

Deno.test("listSection() says how many items it has grouped by their answers while a search goes on", async () => {
  const groups = [
    { code: "5.1.1", example: "550 5.1.1 no such user", count: 20 },
    { code: "5.7.1", example: "550 5.7.1 policy", count: 10 },
  ];
  assert.match(await showSearch({ groups }), /The oldest 30, by the code of the answer:/);
});

Deno.test("listSection() does not call a list empty while a search goes on", async () => {
  const text = await showSearch({ groups: [] });
  assert.match(text, /Only the invitations of the wave ‘first’\. Show everything Search on/);
});
