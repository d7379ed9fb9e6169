/**
 * Downloads the people of a wave with their invitation codes, as a file for operators who write to the people
 * themselves. @module
 */
import type { WavePeople } from "../../../shared/operator_schemas.ts";
import { createFormat, INVITED_FIELDS } from "../../../shared/signup_formats.ts";
import { failedView } from "../components.ts";
import { downloadPeople } from "../downloads.ts";
import type { SentFields } from "../forms.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";

export const CODES_PATH = "/operator/invite/codes/";

/** How many people each call of the operation reads. */
const PEOPLE_AT_ONCE = 500;

export const codesPage: ConsolePage = {
  path: CODES_PATH,
  // The page only acts on its form. Without the form, there is nothing to show.
  get: () => seeOther(PATHS.invite),
  post: downloadCodes,
};

async function downloadCodes(
  { operations, texts }: PageContext,
  form: SentFields,
): Promise<View | Response> {
  const id = form.get("wave") ?? "";
  const readPage = (after?: string) =>
    operations.listWavePeople({ id, limit: PEOPLE_AT_ONCE, export: true, ...after && { after } });
  const firstPage = await readPage();
  if ("failure" in firstPage) {
    return failedView(firstPage, texts, { title: texts.pages.invite, back: PATHS.invite });
  }
  // The first page is read before the download begins, so that a failure can still be shown on a page.
  async function* peopleFrom(startPage: WavePeople) {
    let page = startPage;
    yield page.people;
    while (page.next !== undefined) {
      const nextPage = await readPage(page.next);
      if ("failure" in nextPage) throw new Error("The list of people ended before it was complete");
      page = nextPage;
      yield page.people;
    }
  }
  const format = createFormat("csv", INVITED_FIELDS, texts.lang);
  return downloadPeople(peopleFrom(firstPage), format, `invited-${id}.csv`);
}
