import { createFormat, INVITED_FIELDS } from "../../../shared/signup_formats.ts";
import { failedView } from "../components.ts";
import { downloadPeople } from "../downloads.ts";
import { type ConsolePage, PATHS, seeOther } from "../page_context.ts";

export const CODES_PATH = "/operator/invite/codes/";

/** The people of a wave and their codes as CSV, for operators who write to people by other means. */
export const codesPage: ConsolePage = {
  path: CODES_PATH,
  get: () => seeOther(PATHS.invite),
  async post({ operations, texts }, form) {
    const id = form.get("wave") ?? "";
    const read = (after?: string) =>
      operations.listWavePeople({ id, limit: 500, export: true, ...after && { after } });
    const first = await read();
    if ("failure" in first) {
      return failedView(first, texts, { title: texts.pages.invite, back: PATHS.invite });
    }
    const firstPage = first;
    async function* people() {
      for (let page = firstPage;;) {
        yield page.people;
        if (page.next === undefined) return;
        const next = await read(page.next);
        if ("failure" in next) throw new Error("The list of people ended before it was complete");
        page = next;
      }
    }
    const format = createFormat("csv", INVITED_FIELDS, texts.lang);
    return downloadPeople(people(), format, `invited-${id}.csv`);
  },
};
