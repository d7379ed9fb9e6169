import type { WavePeople } from "../../../shared/operator_schemas.ts";
import { createFormat, INVITED_FIELDS } from "../../../shared/signup_formats.ts";
import { downloadPeople } from "../answer_lines.ts";
import { failedView } from "../components.ts";
import { type ConsolePage, PATHS, seeOther } from "../page_context.ts";

export const CODES_PATH = "/operator/invite/codes/";

/** The people of a wave and their codes as CSV, for those who write to people by other means. */
export const codesPage: ConsolePage = {
  path: CODES_PATH,
  get: () => seeOther(PATHS.invite),
  async post({ operations, texts }, form) {
    const id = form.get("wave") ?? "";
    const read = (after?: string) =>
      operations.GET("/operator/v1/waves/{id}/people", {
        params: { path: { id }, query: { limit: 500, export: true, ...after && { after } } },
      });
    const first = await read();
    if (!first.data) {
      return failedView(first, texts, { title: texts.pages.invite, back: PATHS.invite });
    }
    async function* people() {
      for (let page: WavePeople | undefined = first.data;;) {
        if (!page) throw new Error("The list of people ended before it was complete");
        yield page.people.map((person) => JSON.stringify(person));
        if (page.next === undefined) return;
        page = (await read(page.next)).data;
      }
    }
    const format = createFormat("csv", INVITED_FIELDS, texts.lang);
    return downloadPeople(people(), format, `invited-${id}.csv`);
  },
};
