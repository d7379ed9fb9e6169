/** Reads the flag `--map`. @module */
import { quotable } from "../../../../shared/api_failure.ts";
import { FIELDS_BY_PLAIN_NAME, plainName } from "../../../../shared/import_file/names.ts";
import { trimInvisible } from "../../../../shared/invisible.ts";
import { INVITED_FIELDS } from "../../../../shared/signup_formats.ts";
import { UsageError } from "../../../errors.ts";

/**
 * Matches one pair of `--map`. The pattern lists the fields, because the name of a column may itself have a comma or an
 * equals sign.
 */
const PAIR = new RegExp(`\\s*(.+?)\\s*=\\s*(|${INVITED_FIELDS.join("|")})\\s*(?:,|$)`, "iuy");

/** Reads `--map`, such as `"Email Address=email,OPTIN_TIME=consentedAt"`. The flag may be given several times. */
export function parseMap(texts: string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (const text of texts) {
    for (let at = 0; at < text.length || text === "";) {
      PAIR.lastIndex = at;
      const [pair = "", column = "", field = ""] = PAIR.exec(text) ?? [];
      const name = trimInvisible(column);
      if (name === "") {
        throw new UsageError(
          `--map is wrong from '${
            quotable(text.slice(at), 80)
          }' on; give each column, an equals sign and ` +
            `a field, such as --map "Email Address=email,OPTIN_TIME=consentedAt". The fields are: ` +
            INVITED_FIELDS.join(", "),
        );
      }
      if (map.has(name)) {
        throw new UsageError(`--map names the column '${quotable(column, 40)}' twice; remove one`);
      }
      map.set(name, FIELDS_BY_PLAIN_NAME.get(plainName(field)) ?? "");
      at += pair.length;
    }
  }
  return map;
}
