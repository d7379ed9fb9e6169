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
  const [, quoted, token] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? token;
  if (boundary === undefined) return undefined;
  const separator = encoder.encode(`\r\n--${boundary}`);
  const first = separator.subarray(CRLF.length);
  if (!hasAt(body, first, 0)) return undefined;
  const parts: FormPart[] = [];
  let position = first.length;
  while (!hasAt(body, DASHES, position)) {
    if (parts.length === MAX_PARTS || !hasAt(body, CRLF, position)) return undefined;
    const headers = body.subarray(position, position + MAX_HEADER_BYTES);
    const headersEnd = find(headers, HEADERS_END, 0);
    const names = headersEnd < 0
      ? undefined
      : namesIn(decoder.decode(headers.subarray(0, headersEnd)));
    if (!names) return undefined;
    const start = position + headersEnd + HEADERS_END.length;
    const end = find(body, separator, start);
    if (end < 0) return undefined;
    parts.push({ ...names, bytes: body.subarray(start, end) });
    position = end + separator.length;
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

/** Returns the position of the first occurrence of `wanted` from `from` on; -1 if there is none. */
function find(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  const [first] = wanted;
  for (
    let position = bytes.indexOf(first!, from);
    position >= 0;
    position = bytes.indexOf(first!, position + 1)
  ) {
    if (hasAt(bytes, wanted, position)) return position;
  }
  return -1;
}

function hasAt(bytes: Uint8Array, wanted: Uint8Array, position: number): boolean {
  for (let index = 0; index < wanted.length; index++) {
    if (bytes[position + index] !== wanted[index]) return false;
  }
  return true;
}
