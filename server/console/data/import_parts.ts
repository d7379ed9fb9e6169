/**
 * The parts of the page that imports a file: the form that tries the import, and the results of the try and of the
 * import. @module
 */
import { CAMPAIGN_FIELDS } from "../../../shared/campaigns.ts";
import { type Column, leftOutNames, type ReadHeader } from "../../../shared/import_file/columns.ts";
import type { ImportReport } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup, select } from "../../content/mod.ts";
import { createAnswerFinder, mergeImported, validateImportLine } from "../../waitlist/mod.ts";
import {
  breakable,
  type Cell,
  type Fact,
  facts,
  nameIn,
  type Names,
  section,
  showTime,
  statusNote,
  table,
} from "../components.ts";
import { button, field, postForm } from "../forms.ts";
import { IMPORT_PATH, type PageContext, PATHS } from "../page_context.ts";
import {
  CHOSEN_FIELDS,
  columnMenu,
  fieldsOfSettings,
  type ImportFile,
  type ImportSettings,
  MAX_FILE_BYTES,
  MAX_ROWS,
} from "./import_file.ts";

/** The largest number of refused rows that a page shows. */
const SHOWN_REFUSALS = 20;

/** The largest number of rows that a page shows as they would be stored. */
const SAMPLE_ROWS = 3;

/** The fields of the rows that a page shows as they would be stored. */
const SAMPLE_FIELDS = [
  "email",
  "consentedAt",
  "createdAt",
  "lang",
  "source",
  "role",
  "building",
  ...CAMPAIGN_FIELDS,
  "state",
  "note",
] as const;

/** How many digits of a digest a page shows. */
const SHOWN_DIGITS = 12;

/** A file whose import was tried. */
export interface TriedFile extends ImportFile {
  name: string;
  /** The SHA-256 of the file, in hexadecimal digits. */
  digest: string;
  /**
   * The result of `trialDigest()` (`import_file.ts`). The form that imports sends this text again, so that the console
   * refuses an import that was not tried.
   */
  trial: string;
  settings: ImportSettings;
}

const MULTIPART_FORM = markup` enctype="multipart/form-data"`;

/** The field to choose the file. */
function fileField(name: string, { imports: labels, number }: ConsoleTexts): Html {
  const megabytes = number(MAX_FILE_BYTES / 1024 / 1024);
  return field(name, {
    label: labels.file,
    attributes: markup` type="file" required accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv"`,
    hint: labels.fileHint({ megabytes, rows: number(MAX_ROWS) }),
  });
}

/**
 * The form that tries an import.
 * @param options.names the names of the file's columns, from which the operator chooses; absent or empty if the form
 * offers no columns
 * @param options.isSecond whether the page also has the form that imports; the main button is then in that form
 */
export function tryForm(
  texts: ConsoleTexts,
  { settings: { zone, columns }, names, isSecond = false }: {
    settings: ImportSettings;
    names?: string[] | undefined;
    isSecond?: boolean;
  },
): Html {
  const { imports: labels } = texts;
  const choices = [
    ["", labels.noColumn] as const,
    ...Array.from(new Set(names), (name) => [name, name] as const),
  ];
  const menus = names && names.length > 0 && markup`<fieldset>
<legend>${labels.columns}</legend>
<p class="hint">${labels.columnsHint}</p>
<div class="filters">
${
    CHOSEN_FIELDS.map((name) =>
      select(
        { name: columnMenu(name), label: nameOfField(name, texts), chosen: columns?.get(name) },
        choices,
      )
    )
  }
</div>
</fieldset>`;
  const zoneInput = markup` value="${zone}" maxlength="64" autocomplete="off" spellcheck="false"`;
  return postForm(
    // The script `upload.js` sends a form with the attribute `data-try`, so that the page keeps the chosen file.
    {
      action: IMPORT_PATH,
      fields: { step: "try" },
      attributes: markup`${MULTIPART_FORM} data-try`,
    },
    markup`${fileField(isSecond ? "other_file" : "file", texts)}
${menus}
${field("zone", { label: labels.zone, attributes: zoneInput, hint: labels.zoneHint })}
${button(labels.try, isSecond ? undefined : "primary")}`,
  );
}

/** Says how larger files are imported. */
export function cliHint({ imports: labels }: ConsoleTexts): Html {
  return markup`<p class="soft">${labels.larger} <code>waitlist signups import list.csv</code></p>`;
}

/** The result of a try, and the form that imports the file. Without new or changed people, there is no such form. */
export function triedPart(
  pageContext: Pick<PageContext, "texts" | "answers" | "now">,
  report: ImportReport,
  tried: TriedFile,
): Html {
  const { texts } = pageContext;
  const { imports: labels, number } = texts;
  const { name, digest, trial, settings, header } = tried;
  const count = report.new + report.merged;
  const shownDigest = markup`<code>${digest.slice(0, SHOWN_DIGITS)}</code>`;
  const fields = { step: "import", trial, ...fieldsOfSettings(settings) };
  const submit = postForm(
    { action: IMPORT_PATH, fields, attributes: MULTIPART_FORM },
    markup`<p data-again>${labels.again({ name })} ${shownDigest}.</p>
${fileField("file", texts)}
${button(labels.submit({ count: number(count) }), "primary")}`,
  );
  const names = header?.names;
  const chosen = header ? chosenColumns(header) : new Map<string, string>();
  const otherTry = tryForm(texts, {
    settings: { zone: settings.zone, columns: chosen },
    names,
    isSecond: count > 0,
  });
  return markup`${statusNote(labels.tried({ name }))}
${figures(texts, report)}
<p class="hint">${labels.twice}</p>
${refusedTable(texts, report)}
${header && section("columns", labels.columns, columnFacts(texts, header))}
${sampleTable(pageContext, report, tried)}
${
    count > 0
      ? section("submit", labels.second, submit)
      : markup`<p class="empty">${labels.nothing}</p>`
  }
${section("others", labels.others, otherTry)}`;
}

/** The result of the import. */
export function importedPart(texts: ConsoleTexts, report: ImportReport): Html {
  const { imports: labels } = texts;
  return markup`${statusNote(labels.done, report.refused > 0 ? "warning" : "notice")}
${figures(texts, report)}
${refusedTable(texts, report)}
<p class="actions"><a class="button" href="${PATHS.people}">${texts.pages.people}</a>
<a class="button" href="${IMPORT_PATH}">${labels.another}</a></p>`;
}

function figures({ imports: labels, number }: ConsoleTexts, report: ImportReport): Html {
  const { outcomes } = labels;
  return facts([
    [outcomes.new, number(report.new)],
    [outcomes.merged, number(report.merged)],
    [outcomes.unchanged, number(report.unchanged)],
    [outcomes.refused, number(report.refused)],
  ], "figures");
}

/** The first refused rows. The reasons are in English, because the operation gives them in English. */
function refusedTable(
  texts: ConsoleTexts,
  { refused, refusals }: ImportReport,
): Html | undefined {
  if (refused === 0) return undefined;
  const { imports: labels, number } = texts;
  const shown = refusals.slice(0, SHOWN_REFUSALS);
  return table({
    caption: labels.refusedCaption({ count: number(shown.length), whole: number(refused) }),
    head: [labels.line, labels.reason],
    rows: shown.map(({ line, reason }) => [
      String(line),
      markup`<span lang="en">${nameField(reason, texts)}</span>`,
    ]),
  });
}

/** Replaces the field's name at the beginning of a reason by the name that the page shows. */
const nameField = (reason: string, texts: ConsoleTexts): string =>
  reason.replace(
    /^The field (\w+)(?= is )/,
    (_, name) => `The field ‘${nameOfField(name, texts)}’`,
  );

/** Says which column holds which field, and which columns are left out. */
function columnFacts(texts: ConsoleTexts, header: ReadHeader): Html {
  const used = header.columns.flatMap((column, index): Fact[] => {
    const field = fieldOf(column);
    return field === undefined ? [] : [[nameOfField(field, texts), header.names[index]]];
  });
  const leftOut = leftOutNames(header).join(", ");
  return facts([...used, [texts.imports.leftOut, leftOut]]);
}

/**
 * Shows the first rows as they would be stored for new people, so that an operator notices a column with wrong values.
 * Each row is a column of the table. Rows that the import refuses are left out.
 */
function sampleTable(
  { texts, answers, now }: Pick<PageContext, "texts" | "answers" | "now">,
  { refusals }: ImportReport,
  { first }: Pick<ImportFile, "first">,
): Html | undefined {
  const { imports: labels } = texts;
  const findAnswer = createAnswerFinder(answers);
  const options = { at: new Date(now).toISOString(), id: "" };
  const refused = new Set(refusals.map(({ line }) => line));
  const sample = first.filter(({ number }) => !refused.has(number)).flatMap(({ number, json }) => {
    const verdict = validateImportLine(json, now, findAnswer);
    if ("reason" in verdict) return [];
    const { imported } = verdict;
    return [{
      number,
      record: { email: imported.email, ...mergeImported(undefined, imported, options) },
    }];
  }).slice(0, SAMPLE_ROWS);
  if (sample.length === 0) return undefined;
  const shown = SAMPLE_FIELDS.filter((name) => sample.some(({ record }) => record[name]));
  return table({
    caption: labels.sample,
    head: [labels.field, ...sample.map(({ number }) => labels.lineNumber({ line: number }))],
    rows: shown.map((name) => [
      { row: nameOfField(name, texts) },
      ...sample.map(({ record }) => showField(name, record[name], texts)),
    ]),
  });
}

/** Shows the value of a field of {@linkcode SAMPLE_FIELDS}. */
function showField(
  name: typeof SAMPLE_FIELDS[number],
  value: string | undefined,
  texts: ConsoleTexts,
): Cell {
  if (value === undefined) return undefined;
  if (name === "email") return breakable(value);
  if (name === "consentedAt" || name === "createdAt") return showTime(value, texts);
  const { words, answers } = texts;
  const names: Partial<Record<typeof name, Names>> = {
    lang: words.langs,
    source: words.sources,
    role: answers.role,
    building: answers.building,
    state: words.states,
  };
  return nameIn(names[name] ?? {}, value);
}

/** Returns the names of the columns by the fields that they hold. */
function chosenColumns({ names, columns }: ReadHeader): Map<string, string> {
  return new Map(columns.flatMap((column, index) => {
    const field = fieldOf(column);
    // `names` has a name for every column.
    return field === undefined ? [] : [[field, names[index]!] as const];
  }));
}

const fieldOf = (column: Column) => typeof column === "object" ? column.field : undefined;

/** Returns the name of a field for a page, or `name` itself for a field without such a name, such as `referralCode`. */
function nameOfField(name: string, { imports, words }: ConsoleTexts): string {
  return nameIn({ ...words.fields, ...imports.fields }, name);
}
