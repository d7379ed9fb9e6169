/**
 * The page "People": the form with the filters (`filter_form.ts`), the saved filters and the list (`people_list.ts`).
 * The other files of this folder have the pages that act on several people, the pages of jobs, and the pages of one
 * person. @module
 */
import { markup } from "../../content/mod.ts";
import { failedView, statusNote } from "../components.ts";
import { pathWith, toFields } from "../forms.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";
import { chosenPeoplePage } from "./chosen.ts";
import { correctAddressPage } from "./correct_address_page.ts";
import { filterForm } from "./filter_form.ts";
import { jobPage, jobsPage } from "./jobs.ts";
import { type ListQuery, readListQuery, requestOf, valuesOf } from "./list_query.ts";
import { peopleList } from "./people_list.ts";
import { personPage } from "./person.ts";
import { proofPage } from "./proof_page.ts";
import { filterLinks, filtersPage, saveFilterForm } from "./saved_filters.ts";
import { selectionPage } from "./selection.ts";

const peoplePage: ConsolePage = {
  path: PATHS.people,
  get: (pageContext) =>
    peopleView(pageContext, readListQuery(pageContext.encryptedFields ?? pageContext.query)),
  async post(pageContext, form) {
    const listQuery = readListQuery(form);
    if (!listQuery.search && !listQuery.after) {
      return seeOther(pathWith(PATHS.people, valuesOf(listQuery)));
    }
    // The query is encrypted, because a search and a position hold an address or a part of an address.
    const path = pageContext.encryptedPath(PATHS.people, toFields(valuesOf(listQuery)));
    return path ? seeOther(path) : await peopleView(pageContext, listQuery);
  },
};

async function peopleView(pageContext: PageContext, listQuery: ListQuery): Promise<View> {
  const { operations, texts, encryptedFields } = pageContext;
  const title = texts.pages.people;
  const listed = await operations.listSignups(requestOf(listQuery));
  if ("failure" in listed) {
    // After a refusal, the link leads to the list without filters, because the same filters would be refused again.
    const filters = listed.failure === "invalid_request"
      ? {}
      : valuesOf({ ...listQuery, search: "", after: undefined });
    const back = pathWith(PATHS.people, filters);
    return failedView(listed, texts, { title, back });
  }
  // The address of a person whom the operator has just erased. After the erasure, the page of the person leads here.
  const erased = encryptedFields?.get("erased");
  return {
    title,
    ...listed.people.length > 0 && { script: "choose.js" },
    body: markup`${erased !== undefined && statusNote(texts.people.erased({ email: erased }))}
${await filterLinks(pageContext)}
${await filterForm(listQuery, pageContext)}
${saveFilterForm(listQuery, pageContext)}
${await peopleList(listed, listQuery, pageContext)}`,
  };
}

export const PEOPLE_PAGES: ConsolePage[] = [
  peoplePage,
  chosenPeoplePage,
  selectionPage,
  jobPage,
  jobsPage,
  filtersPage,
  personPage,
  correctAddressPage,
  proofPage,
];
