/**
 * Limits the depth of JSON that comes from outside. Code that goes through a value, such as the check by a schema,
 * calls itself at each level, so deep JSON would overflow the stack.
 *
 * @module
 */

/** The greatest allowed depth. Records need fewer than 10 levels, and the stack has room for thousands of levels. */
const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The UTF-16 codes of `[` and `{`. */
const OPENING = new Set([0x5b, 0x7b]);
/** The UTF-16 codes of `]` and `}`. */
const CLOSING = new Set([0x5d, 0x7d]);

/** Whether objects and arrays in a JSON text are nested deeper than 64 levels. */
export function isNestedTooDeep(json: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (isInText && code === BACKSLASH) at++;
    else if (code === QUOTE) isInText = !isInText;
    else if (isInText) continue;
    else if (OPENING.has(code)) depth++;
    else if (CLOSING.has(code)) depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
