/**
 * The forms of the page that imports people: the form that tries an import, and the form that imports the tried file.
 * `nameOfField` and `nameFieldIn` give the names of the fields, which the results of an import show as well. @module
 */
import { type ConsoleTexts, type Html, markup, select } from "../../content/mod.ts";
import { nameIn } from "../components.ts";
import { button, field, postForm, zoneSuggestions } from "../forms.ts";
import { IMPORT_PATH } from "../page_context.ts";
import { MAX_FILE_BYTES, MAX_ROWS, type TriedFile } from "./import_file.ts";
import {
  CHOOSABLE_FIELDS,
  columnMenu,
  fieldsOfSettings,
  type ImportSettings,
  uncertainColumns,
} from "./import_settings.ts";

/** How many digits of the file's digest the form shows. */
const SHOWN_DIGITS = 12;

const MULTIPART_FORM = markup` enctype="multipart/form-data"`;

/** The names from which the operator chooses columns for fields. */
export interface OfferedColumns {
  /** The names of the columns. If there are none, the form offers no columns. */
  names: string[];
  /** The hints below the menus, by field. */
  hints?: ReadonlyMap<string, string>;
}

/** What the form that tries an import shows. */
export interface TrialForm {
  /** The zone and the columns with which the fields of the form are filled. */
  settings: ImportSettings;
  /** The columns that the form offers; absent if it offers none. */
  offered: OfferedColumns | undefined;
  /**
   * Why the form is shown: for the first try of a file, to ask for the time zone that the tried file lacks, or to try
   * again with other choices.
   */
  purpose: "first try" | "time zone" | "other choices";
  /** Whether the form has the main button of the page. */
  isMain: boolean;
}

/** The form that tries an import. A form that asks for the time zone has the menus of the columns folded. */
export function trialForm(
  { settings, offered = { names: [] }, purpose, isMain }: TrialForm,
  texts: ConsoleTexts,
): Html {
  // Below the result of a try, the field for the file has another name, because the name is also the field's id, and the
  // form that imports the tried file has the same field.
  const isAgain = purpose !== "first try";
  const asksForZone = purpose === "time zone";
  const { imports: labels } = texts;
  const { zone } = settings;
  const zoneAttributes =
    markup` value="${zone}" maxlength="64" list="zone-known" autocomplete="off" spellcheck="false"`;
  const zoneHint = asksForZone ? labels.zoneExample : `${labels.zoneExample} ${labels.zoneHint}`;
  const menus = offered.names.length > 0 && columnMenus(offered, settings, texts);
  return postForm(
    {
      action: IMPORT_PATH,
      fields: { step: "try" },
      // The script `upload.js` sends a form with the attribute `data-try`, so that the page keeps the chosen file.
      attributes: markup`${MULTIPART_FORM} data-try`,
    },
    markup`${fileField(isAgain ? "other_file" : "file", texts)}
${field("zone", { label: labels.zone, attributes: zoneAttributes, hint: zoneHint })}
${zoneSuggestions()}
${
      menus && asksForZone
        ? markup`<details><summary>${labels.changeColumns}</summary>${menus}</details>`
        : menus
    }
${button(isAgain ? labels.tryAgain : labels.try, isMain ? "primary" : undefined)}`,
  );
}

/** The menus with which the operator chooses a column for each field. */
function columnMenus(
  { names, hints }: OfferedColumns,
  { columnsByField }: ImportSettings,
  texts: ConsoleTexts,
): Html {
  const { imports: labels } = texts;
  const choices = [
    ["", labels.noColumn] as const,
    ...Array.from(new Set(names), (name) => [name, name] as const),
  ];
  const menus = CHOOSABLE_FIELDS.map((field) => {
    const menu = {
      name: columnMenu(field),
      label: nameOfField(field, texts),
      chosen: columnsByField?.get(field),
      hint: hints?.get(field),
    };
    return select(menu, choices);
  });
  return markup`<fieldset>
<legend>${labels.columns}</legend>
<p class="hint">${labels.columnsHint}</p>
<div class="filters">
${menus}
</div>
</fieldset>`;
}

/** Returns the hints below the menus of those fields that several columns could hold, by field. */
export function uncertaintyHints(
  columnsByField: ReadonlyMap<string, string>,
  names: string[],
  { imports: labels }: ConsoleTexts,
): Map<string, string> {
  const hints = Array.from(
    uncertainColumns(columnsByField, names),
    ([field, columns]) => [field, labels.uncertain({ columns: columns.join(", ") })] as const,
  );
  return new Map(hints);
}

/**
 * The form that imports a tried file. The operator chooses the same file again.
 * @param options.count how many people the import adds or changes
 * @param options.isMain whether the form has the main button of the page
 */
export function importForm(
  texts: ConsoleTexts,
  { name, fileDigest, trialDigest, settings }: TriedFile,
  { count, isMain }: { count: number; isMain: boolean },
): Html {
  const { imports: labels, number } = texts;
  const shownDigest = markup`<code>${fileDigest.slice(0, SHOWN_DIGITS)}</code>`;
  const fields = { step: "import", trial: trialDigest, ...fieldsOfSettings(settings) };
  // The script `upload.js` hides the element with the attribute `data-again`, because it keeps the chosen file.
  return postForm(
    { action: IMPORT_PATH, fields, attributes: MULTIPART_FORM },
    markup`<div data-again>
<p>${labels.again({ name })} ${shownDigest}.</p>
${fileField("file", texts)}
</div>
${button(labels.submit({ count: number(count) }), isMain ? "primary" : undefined)}`,
  );
}

/** The field to choose the file. */
function fileField(name: string, { imports: labels, number }: ConsoleTexts): Html {
  const megabytes = number(MAX_FILE_BYTES / 1024 / 1024);
  return field(name, {
    label: labels.file,
    attributes: markup` type="file" required accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv"`,
    hint: labels.fileHint({ megabytes, rows: number(MAX_ROWS) }),
  });
}

/** Returns the name that a page shows for a field, or `field` itself if it has no such name, such as `referralCode`. */
export function nameOfField(field: string, { imports, words }: ConsoleTexts): string {
  return nameIn({ ...words.fields, ...imports.fields }, field);
}

/**
 * Matches the field at the beginning of a reason why a row is refused, such as "The field role is 'x'; it must be …",
 * and the field in the reason for a row without a consent time.
 */
const FIELD_OF_REASON = /(?<=^The field )\w+(?= is )|(?<=\()consentedAt(?=\))/;

/**
 * Puts the name that a page shows for a field into a reason, in place of the field. The reason stays in English, because
 * the operation gives it in English.
 */
export function nameFieldIn(reason: string, texts: ConsoleTexts): string {
  return reason.replace(FIELD_OF_REASON, (field) => `‘${nameOfField(field, texts)}’`);
}
