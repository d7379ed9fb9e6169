/**
 * The page "People": the list with its filters and its search. `list_query.ts` reads and writes the filters and the
 * order, `selection.ts` acts on everybody who fits the filters, and `chosen.ts` acts on people who are chosen one by
 * one. `person.ts`, `correct.ts` and `proof_page.ts` have pages of one person. @module
 */
import { WAVE_ID } from "../../../shared/name_patterns.ts";
import type { Overview, SignupPage, StoredSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup, select } from "../../content/mod.ts";
import { CAMPAIGN_FIELDS } from "../../waitlist/mod.ts";
import {
  breakable,
  type Cell,
  failedView,
  makeRows,
  nameIn,
  pager,
  showTime,
  stateBadge,
  statusNote,
  table,
} from "../components.ts";
import {
  answerField,
  button,
  campaignFields,
  field,
  filterField,
  pathWith,
  postForm,
  toFields,
} from "../forms.ts";
import {
  type ConsolePage,
  IMPORT_PATH,
  type PageContext,
  PATHS,
  seeOther,
  type View,
} from "../page_context.ts";
import { actButtons, CHOSEN_PATH, chosenPeoplePage } from "./chosen.ts";
import { correctPersonPage } from "./correct.ts";
import { jobPage, JOBS_PATH, jobsPage } from "./jobs.ts";
import {
  type ListQuery,
  PEOPLE_ON_PAGE,
  readListQuery,
  requestOf,
  valuesOf,
} from "./list_query.ts";
import { personPage } from "./person.ts";
import { proofPage } from "./proof_page.ts";
import { filterLinks, filtersPage, saveFilterForm } from "./saved_filters.ts";
import { downloadButton, selectionButtons, selectionPage } from "./selection.ts";

const peoplePage: ConsolePage = {
  path: PATHS.people,
  get: (pageContext) =>
    listView(pageContext, readListQuery(pageContext.encryptedFields ?? pageContext.query)),
  async post(pageContext, form) {
    const listQuery = readListQuery(form);
    if (!listQuery.search && !listQuery.after) {
      return seeOther(pathWith(PATHS.people, valuesOf(listQuery)));
    }
    // The query is encrypted, because a search and a position hold an address or a part of an address.
    const path = pageContext.encryptedPath(PATHS.people, toFields(valuesOf(listQuery)));
    return path ? seeOther(path) : await listView(pageContext, listQuery);
  },
};

async function listView(pageContext: PageContext, listQuery: ListQuery): Promise<View> {
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
${filterForm(listQuery, await readMenus(pageContext), pageContext)}
${saveFilterForm(listQuery, pageContext)}
${await peopleList(listed, listQuery, pageContext)}`,
  };
}

/** The values that the filters offer: all roles, use cases and counted campaigns, and the newest waves. */
interface Menus {
  role: string[];
  building: string[];
  campaigns: Overview["campaigns"];
  wave: string[];
}

/** Reads the answers, campaigns and waves that the filters offer. A menu whose values cannot be read is empty. */
async function readMenus({ operations }: PageContext): Promise<Menus> {
  const [overview, listed] = await Promise.all([
    operations.getOverview({}),
    operations.listWaves({}),
  ]);
  const { byRole = {}, byBuilding = {}, campaigns } = "failure" in overview ? {} : overview;
  const waves = "failure" in listed ? [] : listed.waves;
  return {
    role: Object.keys(byRole),
    building: Object.keys(byBuilding),
    campaigns,
    wave: waves.map(({ wave }) => wave),
  };
}

function filterForm(listQuery: ListQuery, menus: Menus, pageContext: PageContext): Html {
  const { texts } = pageContext;
  const { search, state, lang, source, wave, mark, referrals } = listQuery;
  const { reached, since, until, oldest } = listQuery;
  const { people: labels, words, activity } = texts;
  const orders = [["newest", labels.newest], ["oldest", labels.oldest]] as const;
  const steps = [["", words.all], ...Object.entries(words.steps)] as const;
  const order = { name: "order", label: labels.order, chosen: oldest ? "oldest" : "newest" };
  const searchInput = markup` type="search" minlength="3" maxlength="254" value="${search}"
 autocapitalize="none" spellcheck="false"`;
  const { undeliverable, complained } = texts.invite.reasons;
  const marks = [["", words.all], ...Object.entries({ undeliverable, complained })] as const;
  // The field for the wave is not a menu, because the page knows only the newest waves.
  const waveInput = markup` value="${wave}" list="wave-known" maxlength="64"
 pattern="${WAVE_ID.source}" autocapitalize="none" autocomplete="off" spellcheck="false"`;
  const answerMenu = (name: "role" | "building") =>
    answerField(name, {
      texts,
      value: listQuery[name],
      suggestions: menus[name],
      emptyLabel: words.all,
      isMenu: true,
    });
  const referralsInput = markup` type="number" min="1" step="1" value="${referrals}"`;
  const isOpen = source || wave || mark || referrals || reached || since || until ||
    CAMPAIGN_FIELDS.some((name) => listQuery[name]);
  return postForm(
    // Without `autocomplete="off"`, a browser that goes back to an earlier list would show the later choices.
    { action: PATHS.people, attributes: markup` class="filters" autocomplete="off"` },
    markup`${field("search", { label: labels.search, attributes: searchInput })}
${filterField("state", { words, chosen: state })}
${filterField("lang", { words, chosen: lang })}
${answerMenu("role")}
${answerMenu("building")}
${select(order, orders)}
<details${isOpen && markup` open`}><summary>${labels.moreFilters}</summary>
<div class="filters">
${filterField("source", { words, chosen: source })}
${campaignFields(texts, { valueOf: (name) => listQuery[name], counts: menus.campaigns })}
${field("wave", { label: texts.invite.wave, attributes: waveInput })}
<datalist id="wave-known">${menus.wave.map((id) => markup`<option value="${id}">`)}</datalist>
${field("since", { label: activity.since, attributes: markup` type="date" value="${since}"` })}
${field("until", { label: activity.until, attributes: markup` type="date" value="${until}"` })}
${select({ name: "reached", label: labels.reached, chosen: reached }, steps)}
${select({ name: "mark", label: labels.mark, chosen: mark }, marks)}
${field("referrals", { label: labels.atLeastReferrals, attributes: referralsInput })}
</div></details>
${button(words.show, "primary")}
${downloadButton(pageContext)}`,
  );
}

async function peopleList(
  page: SignupPage,
  listQuery: ListQuery,
  pageContext: PageContext,
): Promise<Html> {
  const { people, next } = page;
  const { texts, query, may, encryptedPath, yieldToCalls } = pageContext;
  const { people: labels, words } = texts;
  const { after, oldest, ...filters } = listQuery;
  const { state, lang, source, role, building } = words.fields;
  const order = oldest ? labels.oldest : labels.newest;
  const hasReferrals = people.some(({ referrals }) => referrals !== undefined);
  const rows = table({
    caption: labels.caption({ count: people.length, order }),
    head: [
      labels.chosen,
      words.address,
      state,
      labels.createdAt,
      lang,
      source,
      role,
      building,
      ...hasReferrals ? [{ number: labels.referrals }] : [],
    ],
    rows: await makeRows(people, (person, index) => [
      ...rowOf(person, index, pageContext),
      ...hasReferrals ? [{ number: referralsOf(person, texts) }] : [],
    ], { yieldToCalls }),
  });
  // The script `choose.js` reads its texts from these attributes, and puts the number of chosen rows in the place
  // of `{count}`.
  const attributes = markup` class="rows" data-choose-all="${labels.chooseAll}" data-chosen="${
    labels.countChosen({ count: "{count}" })
  }"`;
  // All rows are in one form. The button that the operator presses says what to do with all chosen people.
  const list = postForm(
    { action: CHOSEN_PATH, fields: { list: query.toString() }, attributes },
    markup`${rows}
${actButtons(pageContext)}`,
  );
  const hasFilter = Object.values(filters).some(Boolean);
  const nobody = hasFilter ? labels.none : texts.overview.nobody;
  const empty = after ? labels.noOthers : nobody;
  const isEmptyList = people.length === 0 && !hasFilter && !after;
  const importLink = isEmptyList && may("importSignups") &&
    markup`<p><a class="button" href="${IMPORT_PATH}">${texts.imports.title}</a></p>`;
  const pathFrom = (after: ListQuery["after"]) =>
    encryptedPath(PATHS.people, toFields(valuesOf({ ...listQuery, after })));
  // A search stops after it has read 3,500 entries of KV, so a page can have fewer people than `PEOPLE_ON_PAGE`
  // although more people follow. The link to the next page then says that the search goes on.
  const nextLabel = people.length === PEOPLE_ON_PAGE || !next ? words.nextPage : labels.goOn;
  const pages = pager([
    [words.firstPage, after && pathFrom(undefined)],
    [nextLabel, next && pathFrom(next)],
  ]);
  const progress = progressOf(page, oldest, texts);
  return markup`${progress && markup`<p role="status">${progress}</p>`}
${people.length > 0 ? list : !next && markup`<p class="empty">${empty}</p>`}
${importLink}
${pages}
${(people.length > 0 || next) && selectionButtons(page, listQuery, pageContext)}
<p><a href="${JOBS_PATH}">${texts.jobs.title}</a></p>`;
}

/**
 * Says how many people the list has, or how many people a search has found and how far the search has come. Returns
 * `undefined` if neither is known.
 */
function progressOf(
  { people, count, searched, next }: SignupPage,
  oldest: boolean,
  { people: labels, number, date }: ConsoleTexts,
): string | undefined {
  if (count) return labels.count({ count: number(count) });
  if (!searched) return undefined;
  const hits = number(searched.hits);
  if (!next) return people.length > 0 ? labels.hits({ hits }) : undefined;
  const day = date((searched.until ?? next.createdAt).slice(0, 10));
  const searchedTo = oldest ? labels.searchedUp({ day }) : labels.searchedBack({ day });
  return `${labels.hitsSoFar({ hits })}. ${searchedTo}.`;
}

const referralsOf = ({ referrals }: StoredSignup, { number }: ConsoleTexts): string =>
  referrals === undefined ? "" : number(referrals);

function rowOf(person: StoredSignup, index: number, pageContext: PageContext): Cell[] {
  const { texts, personPath, query } = pageContext;
  const { words, invite, people: labels } = texts;
  const { id = "", email, state = "waiting", createdAt, lang, source, role = "", building = "" } =
    person;
  const label = labels.choose({ email });
  const path = pathWith(personPath(id), { list: query.toString() });
  const fault = person.complainedAt
    ? words.complained
    : person.undeliverableAt && invite.reasons.undeliverable;
  return [
    markup`<input type="checkbox" name="chosen_${index}" value="${email}" aria-label="${label}">`,
    { row: markup`<a href="${path}">${breakable(email)}</a>` },
    markup`${stateBadge(texts, state)}${fault && markup` <span class="badge bad">${fault}</span>`}`,
    showTime(createdAt, texts),
    words.langs[lang],
    source && words.sources[source],
    nameIn(texts.answers.role, role),
    nameIn(texts.answers.building, building),
  ];
}

export const PEOPLE_PAGES: ConsolePage[] = [
  peoplePage,
  chosenPeoplePage,
  selectionPage,
  jobPage,
  jobsPage,
  filtersPage,
  personPage,
  correctPersonPage,
  proofPage,
];
