/**
 * The forms of the page that imports people: the form that tries an import, and the form that imports the tried file.
 * `nameOfField` gives the names of the fields, which the results of an import show as well. @module
 */
import { type ConsoleTexts, type Html, markup, select } from "../../content/mod.ts";
import { nameIn } from "../components.ts";
import { button, field, postForm } from "../forms.ts";
import { IMPORT_PATH } from "../page_context.ts";
import { MAX_FILE_BYTES, MAX_ROWS, type TriedFile } from "./import_file.ts";
import {
  CHOOSABLE_FIELDS,
  columnMenu,
  fieldsOfSettings,
  type ImportSettings,
} from "./import_settings.ts";

/** How many digits of the file's digest the form shows. */
const SHOWN_DIGITS = 12;

const MULTIPART_FORM = markup` enctype="multipart/form-data"`;

/**
 * The form that tries an import.
 * @param options.columnNames the names from which the operator chooses columns; absent or empty if the form offers no
 * columns
 * @param options.isBelowImportForm whether the form that imports stands above this form. The page's main button is then
 * in the form that imports, and the field for the file has another name, because the name is also the field's id.
 */
export function trialForm(
  texts: ConsoleTexts,
  { settings, columnNames = [], isBelowImportForm = false }: {
    settings: ImportSettings;
    columnNames?: string[] | undefined;
    isBelowImportForm?: boolean;
  },
): Html {
  const { imports: labels } = texts;
  const { zone } = settings;
  const zoneAttributes =
    markup` value="${zone}" maxlength="64" autocomplete="off" spellcheck="false"`;
  return postForm(
    {
      action: IMPORT_PATH,
      fields: { step: "try" },
      // The script `upload.js` sends a form with the attribute `data-try`, so that the page keeps the chosen file.
      attributes: markup`${MULTIPART_FORM} data-try`,
    },
    markup`${fileField(isBelowImportForm ? "other_file" : "file", texts)}
${columnNames.length > 0 && columnMenus(columnNames, settings, texts)}
${field("zone", { label: labels.zone, attributes: zoneAttributes, hint: labels.zoneHint })}
${button(labels.try, isBelowImportForm ? undefined : "primary")}`,
  );
}

/** The menus with which the operator chooses a column for each field. */
function columnMenus(
  columnNames: string[],
  { columnsByField }: ImportSettings,
  texts: ConsoleTexts,
): Html {
  const { imports: labels } = texts;
  const choices = [
    ["", labels.noColumn] as const,
    ...Array.from(new Set(columnNames), (name) => [name, name] as const),
  ];
  const menus = CHOOSABLE_FIELDS.map((field) => {
    const chosen = columnsByField?.get(field);
    return select({ name: columnMenu(field), label: nameOfField(field, texts), chosen }, choices);
  });
  return markup`<fieldset>
<legend>${labels.columns}</legend>
<p class="hint">${labels.columnsHint}</p>
<div class="filters">
${menus}
</div>
</fieldset>`;
}

/**
 * The form that imports a tried file. The operator chooses the same file again.
 * @param count how many people the import adds or changes
 */
export function importForm(
  texts: ConsoleTexts,
  { name, fileDigest, trialDigest, settings }: TriedFile,
  count: number,
): Html {
  const { imports: labels, number } = texts;
  const shownDigest = markup`<code>${fileDigest.slice(0, SHOWN_DIGITS)}</code>`;
  const fields = { step: "import", trial: trialDigest, ...fieldsOfSettings(settings) };
  // The script `upload.js` removes the element with the attribute `data-again`, because it keeps the chosen file.
  return postForm(
    { action: IMPORT_PATH, fields, attributes: MULTIPART_FORM },
    markup`<p data-again>${labels.again({ name })} ${shownDigest}.</p>
${fileField("file", texts)}
${button(labels.submit({ count: number(count) }), "primary")}`,
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
