/** What must be true of every answer, and of everything that is stored, whatever was sent. @module */
import { Buffer } from "node:buffer";
import { signUpSchema } from "../../../server/waitlist/sign_up.ts";
import type { Contract } from "../../../shared/contract.ts";
import { assertDescribed, isDescribedPath } from "../../support/operator.ts";
import { everyEntry, storedSignUps } from "../../support/records.ts";
import { counterFindings } from "../../support/victim.ts";
import type { FuzzRequest } from "./requests.ts";
import type { RawAnswer } from "../../support/http_answer.ts";
import type { Kv } from "../../../server/store/kv/engine.ts";

/** Statuses of what is not the API. */
const PAGE_STATUSES = [200, 304, 308, 404, 405];

/** Statuses besides these of the paths that take forms. */
const FORM_STATUSES = [303, 400, 413, 415, 422];

/** The attributes of a page that are URLs. */
const URL_ATTRIBUTES = /(?:href|src|action|formaction)="[^"]*"/g;

const isFormPath = (path: string) => /^\/(place|de\/platz)\//.test(path);

/** Statuses that the operator surface answers where its document has no path. */
const NO_SUCH_PATH = [400, 401, 404, 429];

/** Statuses that Deno answers by itself, without a body, to what is no HTTP. */
const NO_HTTP = [400, 414, 431];

/** Those of the requests' `Host` values that are a host and a port. */
const PLAIN_HOSTS = [
  "",
  "localhost",
  "evil.example",
  "a",
  "b",
  "x:8000",
  "[::1]:8000",
  "x:99999",
  "1.2.3.999",
];

/** What software in front of the service may decode or normalize, so that no such path is the operator's. */
const AMBIGUOUS = /\\|%(?:2e|2f|5c)|\/\.\.?(?:\/|$)/i;

/** What is wrong with an answer, in sentences. */
export async function judgeAnswer(
  request: FuzzRequest,
  { status, headers, body }: RawAnswer,
  { check }: Contract,
): Promise<string[]> {
  const findings = [];
  if (status >= 500) findings.push(`The status is ${status}.`);
  if (headers.has("x-injected")) {
    findings.push("A header of the request came to stand in the answer.");
  }
  const isPage = /^text\/(html|markdown);/.test(headers.get("content-type") ?? "");
  if (isPage && body.includes("<x-fuzz>")) findings.push("Markup of the request is on a page.");
  // The service's own answers all say this.
  if (headers.get("x-content-type-options") !== "nosniff") {
    if (!NO_HTTP.includes(status) || body !== "") {
      findings.push(`${status} is none of our answers.`);
    }
    return findings;
  }
  // A target in absolute form names the host where no header does.
  const [, authority = ""] = /^http:\/\/([^/?#]*)/.exec(request.target) ?? [];
  const [, host = authority] = request.headers.findLast(([name]) => name === "Host") ?? [];
  if (!PLAIN_HOSTS.includes(host)) {
    const refused = status === 400 && headers.get("content-type") === "text/plain; charset=utf-8";
    if (!refused) findings.push(`The answer is ${status}, although the Host is '${host}'.`);
    return findings;
  }
  const path = pathOf(request);
  const { method } = request;
  const text = Buffer.from(body, "latin1").toString();
  if (/^(\/sandbox)?\/api(\/|$)/.test(path)) {
    findings.push(...check({ method, path, status, headers, body: text }));
  } else if (/^\/operator(\/|$)/.test(path)) {
    if (AMBIGUOUS.test(path)) {
      if (status !== 404 || !isPage) findings.push(`The answer to an ambiguous path is ${status}.`);
      return findings;
    }
    if (!/^\/operator\/v1(\/|$)/.test(path)) {
      const urls = [headers.get("location") ?? "", ...text.match(URL_ATTRIBUTES) ?? []];
      // A form may call anything a client_id, which may stand in a URL.
      const telling = urls.filter((url) => /@|%40/.test(url) && !/mailto:|[?&]id=/.test(url));
      findings.push(...telling.map((url) => `An address is in the URL ${url}.`));
      if (status !== 404 && headers.get("cache-control") !== "no-store") {
        findings.push("Caches may keep the page.");
      }
      return findings;
    }
    // What is not in its document is refused all the same, if only for the key.
    if (!isDescribedPath(path) && NO_SUCH_PATH.includes(status)) return findings;
    const response = new Response(method === "HEAD" ? null : text, { status, headers });
    await assertDescribed({ path, method }, response)
      .catch(({ message }) => findings.push(message));
  } else if (
    !PAGE_STATUSES.includes(status) && !(isFormPath(path) && FORM_STATUSES.includes(status))
  ) {
    findings.push(`The status is ${status} and the path is not the API's.`);
  }
  return findings;
}

/** The path that a request asks for. */
function pathOf({ target }: FuzzRequest): string {
  // Deno makes `/*` of the `*` of `OPTIONS *`.
  const path = target === "*" ? "/*" : target;
  const url = path.startsWith("http://") ? path : `http://localhost${path}`;
  return /^[^:]*:\/\/[^/?#]*([^?]*)/.exec(url)?.[1] || "/";
}

/** The members of a record and what each must look like. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const RECORD: Record<string, RegExp> = {
  createdAt: DATE_TIME,
  consentedAt: DATE_TIME,
  updatedAt: DATE_TIME,
  lang: /^(en|de)$/,
  source: /^(hero|cta)$/,
  role: /^[a-z0-9_-]{1,40}$/,
  building: /^[a-z0-9_-]{1,40}$/,
  state: /^(unconfirmed|waiting|invited|accepted)$/,
  invitedAt: DATE_TIME,
  invitationCode: /^[A-Za-z0-9_-]{20,64}$/,
  wave: /^[A-Za-z0-9_-]{1,64}$/,
  expiresAt: DATE_TIME,
  acceptedAt: DATE_TIME,
  reference: /^.{1,200}$/su,
  undeliverableAt: DATE_TIME,
  complainedAt: DATE_TIME,
};
const REQUIRED = ["createdAt", "consentedAt", "updatedAt", "lang", "state"];

/** The first parts of the keys that `server/README.md` lists. */
const PARTS = [
  ...[
    "address_key",
    "audit",
    "audit_of",
    "brake",
    "client",
    "console_key",
    "client_use",
    "consent_text",
    "credentials",
    "due",
    "erased",
  ],
  ...[
    "expiry",
    "last_done",
    "limit_counts",
    "mail",
    "new_letters",
    "outbox",
    "outbox_count",
    "person",
    "person_id",
  ],
  ...["place_keys", "restore", "root_key", "schema", "sign_up", "slugs", "statistics"],
  ...["invitation_code", "open_wave", "wave", "wave_count", "wave_member", "wave_named"],
  ...["line", "referral_code", "referred", "referrer", "by_referrals", "pending_referral"],
  "schedule",
];

/** What is wrong with what is stored, in sentences. */
export async function judgeStore(
  kv: Kv,
  now: number,
): Promise<{ records: number; findings: string[] }> {
  const findings = [];
  const records = Object.entries(await storedSignUps(kv));
  for (const [email, record] of records) {
    const keys = Object.entries(record);
    const good = signUpSchema.shape.email.safeParse(email).success &&
      email === email.toLowerCase() &&
      REQUIRED.every((name) => Object.hasOwn(record, name)) &&
      keys.every(([name, value]) => RECORD[name]?.test(String(value)));
    if (!good) findings.push(`${JSON.stringify(email)} has the record ${JSON.stringify(record)}.`);
  }
  findings.push(...await counterFindings(kv, now));
  for (const { key } of await everyEntry(kv)) {
    if (!PARTS.includes(String(key[0]))) findings.push(`There is a key ${JSON.stringify(key)}.`);
  }
  return { records: records.length, findings };
}
