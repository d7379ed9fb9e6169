/** How deep JSON is nested, which is looked at before it is read by functions that call themselves. @module */

/** Far more than any record has, and far less than the stack of a program holds. */
const MAX_DEPTH = 64;

const QUOTE = 0x22, BACKSLASH = 0x5c;
const BEGINS = new Set([0x5b, 0x7b]), ENDS = new Set([0x5d, 0x7d]);

/** Whether objects and arrays of a JSON text are nested too deep to be read. */
export function isNestedTooDeep(json: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (isInText && code === BACKSLASH) at++;
    else if (code === QUOTE) isInText = !isInText;
    else if (isInText) continue;
    else if (BEGINS.has(code)) depth++;
    else if (ENDS.has(code)) depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
