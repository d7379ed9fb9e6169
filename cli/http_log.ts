/**
 * Shows requests and responses on standard error, for `--verbose`. It masks access tokens, client secrets, operator
 * keys, cookies, links to self-service pages, and invitation codes with their links.
 *
 * @module
 */
import type { Context } from "./context.ts";
import type { Settings } from "./settings.ts";

/**
 * Returns the `fetch` for the requests of a command. With `--verbose`, this `fetch` shows each request and each
 * response.
 */
export function chooseFetch({ verbose }: Settings, context: Context): typeof fetch {
  return verbose ? logHttp(context) : context.fetch;
}

/** How many characters of a body are shown. */
const MAX_BODY_LENGTH = 2_000;

/** The mark at the beginning of each line: `>` for a request, `<` for a response. */
type Direction = ">" | "<";

/** Wraps a `fetch` so that it shows each request and each response. */
export function logHttp(
  { fetch, stderr, clock }: Pick<Context, "fetch" | "stderr" | "clock">,
): typeof fetch {
  const show = (direction: Direction, firstLine: string, headers: Headers, body: string) => {
    const lines = [firstLine, ...[...headers].map(([name, value]) => maskHeader(name, value))];
    if (body) lines.push("", ...shorten(maskBody(body, direction)).split("\n"));
    const shownLines = lines.map((line) => {
      const printable = line.replace(/\p{Cc}/gu, " ");
      return `${direction} ${printable}`.trimEnd() + "\n";
    });
    stderr.write(shownLines.join(""));
  };
  return async (input, init) => {
    const request = new Request(input, init);
    show(">", `${request.method} ${request.url}`, request.headers, await textOf(request));
    const sentAt = clock.now();
    const response = await fetch(request);
    const body = await textOf(response);
    const ms = clock.now() - sentAt;
    show("<", `${response.status} after ${ms} ms`, response.headers, body);
    return response;
  };
}

/** Returns the body as text. A stream of lines is not read here, because it may be long and slow. */
async function textOf(message: Request | Response): Promise<string> {
  if (message.headers.get("content-type")?.startsWith("application/x-ndjson")) return "(a stream)";
  // An error is not thrown here, because the caller reads the same body and reports the error.
  return await message.clone().text().catch(() => "(the body broke off)");
}

function maskHeader(name: string, value: string): string {
  if (name === "authorization") return `${name}: ${value.split(" ")[0]} ***`;
  return /cookie/.test(name) ? `${name}: ***` : `${name}: ${value}`;
}

/** The members of JSON whose values are secrets. */
const SECRET_MEMBERS = [
  "access_token",
  "client_secret",
  "placeUrl",
  "invitationUrl",
  "invitationCode",
];

/** Masks the secrets in JSON and in the body of a form. */
function maskBody(body: string, direction: Direction): string {
  // Only a request has an invitation code as `code`. The member `code` of an answer names the kind of a failure.
  const names = [...SECRET_MEMBERS, ...direction === ">" ? ["code"] : []].join("|");
  const member = new RegExp(`("(?:${names})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?`, "g");
  return body
    .replace(member, '$1"***"')
    .replace(/((?:^|&)client_secret=)[^&]*/g, "$1***");
}

function shorten(text: string): string {
  return text.length <= MAX_BODY_LENGTH
    ? text
    : `${text.slice(0, MAX_BODY_LENGTH)}… (${text.length} characters)`;
}
