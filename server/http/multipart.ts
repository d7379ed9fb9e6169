/**
 * Splits the body of a form with a file (`multipart/form-data`, RFC 7578) into its parts. `Response.formData()` is not
 * used, because it would stop all other work for 250 ms with a file of 8 MB, and for seconds with many parts. @module
 */

/** A field of a form. */
export interface FormPart {
  name: string;
  /** The name of the file; absent for a field that is not a file. */
  fileName?: string;
  /** The value. It shares the memory of the body. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** How many parts a form may have. The forms of the console have fewer than 20 fields. */
const MAX_PARTS = 100;

/** How many bytes the headers of a part may have. They hold the name of the field and of the file. */
const MAX_HEADER_BYTES = 8_192;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const CRLF = encoder.encode("\r\n");
const HEADERS_END = encoder.encode("\r\n\r\n");

/** The text after the last separator. */
const DASHES = encoder.encode("--");

/**
 * Returns the parts of a body in their order; `undefined` if the body is malformed or cut, or has too many parts. A
 * text in front of the first part is refused, because no browser sends such a text.
 *
 * @param contentType the header `Content-Type`, which has the boundary between the parts
 */
export function splitMultipart(
  body: Uint8Array<ArrayBuffer>,
  contentType: string,
): FormPart[] | undefined {
  const { quoted, token } =
    /;\s*boundary=(?:"(?<quoted>[^"]+)"|(?<token>[^\s;"]+))/i.exec(contentType)?.groups ?? {};
  const boundary = quoted ?? token;
  if (boundary === undefined) return undefined;
  const separator = encoder.encode(`\r\n--${boundary}`);
  // The separator in front of the first part has no line end.
  const firstSeparator = separator.subarray(CRLF.length);
  if (!hasBytesAt(body, firstSeparator, 0)) return undefined;
  const parts: FormPart[] = [];
  let position = firstSeparator.length;
  while (!hasBytesAt(body, DASHES, position)) {
    if (parts.length === MAX_PARTS || !hasBytesAt(body, CRLF, position)) return undefined;
    const headers = body.subarray(position, position + MAX_HEADER_BYTES);
    const headersEnd = indexOfBytes(headers, HEADERS_END, 0);
    if (headersEnd < 0) return undefined;
    const names = namesIn(decoder.decode(headers.subarray(0, headersEnd)));
    const valueStart = position + headersEnd + HEADERS_END.length;
    const valueEnd = indexOfBytes(body, separator, valueStart);
    if (!names || valueEnd < 0) return undefined;
    parts.push({ ...names, bytes: body.subarray(valueStart, valueEnd) });
    position = valueEnd + separator.length;
  }
  return parts;
}

/** Returns the names in the headers of a part; `undefined` if the field has no name. */
function namesIn(headers: string): Pick<FormPart, "name" | "fileName"> | undefined {
  const [, parameters = ""] = /^content-disposition:[ \t]*form-data(;.*)$/im.exec(headers) ?? [];
  const name = /;[ \t]*name="([^"]*)"/i.exec(parameters)?.[1];
  const fileName = /;[ \t]*filename="([^"]*)"/i.exec(parameters)?.[1];
  if (name === undefined) return undefined;
  return {
    name: unescapeName(name),
    ...fileName !== undefined && { fileName: unescapeName(fileName) },
  };
}

/** Undoes the escapes of a name (HTML standard, "multipart/form-data encoding algorithm"). */
function unescapeName(name: string): string {
  return name.replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n");
}

/** Returns the position of the first occurrence of `pattern` at or after `start`; -1 if there is none. */
function indexOfBytes(bytes: Uint8Array, pattern: Uint8Array, start: number): number {
  const [firstByte] = pattern;
  let position = bytes.indexOf(firstByte!, start);
  while (position >= 0 && !hasBytesAt(bytes, pattern, position)) {
    position = bytes.indexOf(firstByte!, position + 1);
  }
  return position;
}

/** Whether `bytes` has `pattern` at `position`. */
function hasBytesAt(bytes: Uint8Array, pattern: Uint8Array, position: number): boolean {
  for (let index = 0; index < pattern.length; index++) {
    if (bytes[position + index] !== pattern[index]) return false;
  }
  return true;
}
