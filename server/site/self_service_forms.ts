/**
 * The bodies that the person's page takes.
 *
 * @module
 */
import {
  type BodyFailure,
  hasTooManyFields,
  MAX_BODY_BYTES,
  mediaType,
  MULTIPART,
  readForm,
  readText,
  TOO_MANY_FIELDS,
} from "../http/mod.ts";

/**
 * Reads whether a body asks to leave with one click (RFC 8058 §3.2), for which mail programs send either kind of
 * form.
 *
 * @returns true, or why the body is refused
 */
export async function readOneClick(request: Request): Promise<true | BodyFailure> {
  const [name, value] = ["List-Unsubscribe", "One-Click"];
  const message = `To leave the list, send the form field ${name}=${value}.`;
  const type = request.headers.get("content-type") ?? "";
  if (mediaType(type) !== MULTIPART) {
    const read = await readForm(request);
    if ("failure" in read) return read;
    return read.form.values.get(name) === value || { failure: "invalid_request", message };
  }
  const read = await readText(request, MAX_BODY_BYTES);
  if ("failure" in read) return read;
  // An empty line stands before the value of each field (RFC 7578 §4).
  if (hasTooManyFields(read.text, "\r\n\r\n")) return TOO_MANY_FIELDS;
  const form = new Response(read.text, { headers: { "Content-Type": type } }).formData();
  const given = await form.then((form) => form.get(name), () => undefined);
  return given === value || { failure: "invalid_request", message };
}

/** Gives the status, code and message of a refused form; the codes are those of the API. */
export function describeRefusal(
  failure: BodyFailure,
): { status: number; error: string; message: string } {
  const invalid = { status: 400, error: "invalid_request" };
  switch (failure.failure) {
    case "unsupported_media_type":
    case "unsupported_content_encoding":
      return {
        status: 415,
        error: "unsupported_media_type",
        message: "Send the body as application/x-www-form-urlencoded, without a content coding.",
      };
    case "payload_too_large":
      return {
        status: 413,
        error: "payload_too_large",
        message: `The body has more than ${MAX_BODY_BYTES} bytes; send less.`,
      };
    case "not_utf8":
      return { ...invalid, message: "The body is not valid UTF-8; send it as UTF-8." };
    case "body_cut":
      return { ...invalid, message: "The body did not arrive whole; send it again." };
    case "invalid_json":
      return { ...invalid, message: "The body is not a form; send a form." };
    case "invalid_request":
      return { ...invalid, message: failure.message };
  }
}
