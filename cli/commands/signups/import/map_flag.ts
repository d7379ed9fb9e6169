/** Reads the flag `--map`. @module */
import { quotable } from "../../../../shared/api_failure.ts";
import { FIELDS_BY_PLAIN_NAME, plainName } from "../../../../shared/import_file/names.ts";
import { trimInvisible } from "../../../../shared/invisible.ts";
import { INVITED_FIELDS } from "../../../../shared/signup_formats.ts";
import { UsageError } from "../../../errors.ts";

/**
 * Matches one pair of `--map`: the name of a column, and a field or nothing. The pattern lists the fields, because the
 * name of a column may itself have a comma or an equals sign.
 */
const PAIR = new RegExp(`\\s*(.+?)\\s*=\\s*(|${INVITED_FIELDS.join("|")})\\s*(?:,|$)`, "iuy");

/** How many characters of a wrong text are quoted at most. */
const MAX_TEXT_LENGTH = 80;

/** How many characters of the name of a column or a field are quoted at most. */
const MAX_NAME_LENGTH = 40;

/**
 * Reads `--map`, such as `"Email Address=email,OPTIN_TIME=consentedAt"`. The flag may be given several times.
 *
 * @returns the field of each named column, by the name of the column; the field is "" for a column to leave out
 */
export function parseMap(texts: string[]): Map<string, string> {
  const fieldsByColumn = new Map<string, string>();
  for (const text of texts) {
    let position = 0;
    // The loop also runs for an empty text, which is refused like any other text without a pair.
    do {
      PAIR.lastIndex = position;
      const [pair = "", column = "", field = ""] = PAIR.exec(text) ?? [];
      const name = trimInvisible(column);
      if (name === "") throw wrongMapError(text.slice(position));
      if (fieldsByColumn.has(name)) {
        throw new UsageError(
          `--map names the column '${
            quotable(column, MAX_NAME_LENGTH)
          }' twice; remove one of the two pairs`,
        );
      }
      // `PAIR` also accepts a field such as `EMAIL`. The text after `??` is the result only for a column to leave out.
      fieldsByColumn.set(name, FIELDS_BY_PLAIN_NAME.get(plainName(field)) ?? "");
      position += pair.length;
    } while (position < text.length);
  }
  return fieldsByColumn;
}

/** Makes the error about a part of `--map` that does not begin with a pair of a column and a field. */
function wrongMapError(wrongText: string): UsageError {
  const text = quotable(wrongText, MAX_TEXT_LENGTH);
  const fields = INVITED_FIELDS.join(", ");
  const [, field] = /^\s*[^\s=][^=]*=\s*([^=,]*[^=,\s])/.exec(wrongText) ?? [];
  if (field !== undefined) {
    const name = quotable(field, MAX_NAME_LENGTH);
    return new UsageError(
      `--map has '${text}', but there is no field '${name}'; the fields are ${fields}`,
    );
  }
  return new UsageError(
    `--map has '${text}', which is not a pair of a column and a field; give pairs such as ` +
      `--map "Email Address=email,OPTIN_TIME=consentedAt", in which each field is one of ${fields}`,
  );
}
