/**
 * The form by which a mail program asks to take a person off the list with one click (RFC 8058). `self_service.ts` has
 * the route of the form. @module
 */
import {
  type BodyFailure,
  hasTooManyFields,
  mediaType,
  MULTIPART,
  readForm,
  readText,
  TOO_MANY_FIELDS,
} from "../http/mod.ts";

/** The field of the form, and the only value that the field may have (RFC 8058 §3.1). */
const ONE_CLICK_FIELD = "List-Unsubscribe";
const ONE_CLICK_VALUE = "One-Click";

/**
 * Checks whether the body of a request asks to leave the list (RFC 8058 §3.2). Returns a fault if the body does not ask
 * for this. Mail programs send the form as `multipart/form-data` or URL-encoded.
 */
export async function findOneClickFault(request: Request): Promise<BodyFailure | undefined> {
  const value = await readOneClickValue(request);
  if (typeof value === "object") return value;
  if (value === ONE_CLICK_VALUE) return undefined;
  const message = `To leave the list, send the form field ${ONE_CLICK_FIELD}=${ONE_CLICK_VALUE}.`;
  return { failure: "invalid_request", message };
}

/**
 * Reads the value of the field {@linkcode ONE_CLICK_FIELD}. Returns `undefined` if the form does not have this field,
 * and a failure if the body cannot be read.
 */
async function readOneClickValue(request: Request): Promise<string | undefined | BodyFailure> {
  const type = request.headers.get("content-type") ?? "";
  if (mediaType(type) !== MULTIPART) {
    const read = await readForm(request);
    return "failure" in read ? read : read.form.values.get(ONE_CLICK_FIELD);
  }
  const read = await readText(request);
  if ("failure" in read) return read;
  // The number of empty lines limits the number of fields, because the value of each field follows an empty line (RFC
  // 7578 §4).
  if (hasTooManyFields(read.text, "\r\n\r\n")) return TOO_MANY_FIELDS;
  try {
    const form = await new Response(read.text, { headers: { "Content-Type": type } }).formData();
    const value = form.get(ONE_CLICK_FIELD);
    // If the field has a file in place of a text, the field has no value.
    return typeof value === "string" ? value : undefined;
  } catch {
    // A body that cannot be read as a form does not have the field.
    return undefined;
  }
}
