/** The responses of the self-service: pages, redirects, the file with a person's data, and refusals. @module */
import { answerText, type BodyFailure, describeFailure, errorAnswer } from "../http/mod.ts";
import {
  type Lang,
  SELF_SERVICE_PATHS,
  type SelfServiceOwner,
  type SignUpRecord,
} from "../waitlist/mod.ts";
import { SELF_SERVICE_HEADERS } from "./security_headers.ts";
import type { SelfServicePages } from "./self_service_pages.ts";
import type { SentAnswersOutcome, ShownDetails } from "./self_service_slots.ts";
import { languageOf } from "./serve.ts";

/** A person on the list, with the pages in the person's language. */
export interface KnownPerson extends SelfServiceOwner {
  token: string;
  record: SignUpRecord;
  pages: SelfServicePages;
}

/** Reads the data of a person that the page shows besides the record. */
interface DetailReader {
  readDetails: (email: string, record: SignUpRecord) => Promise<ShownDetails>;
}

/** The error of a body that is not UTF-8. */
const NOT_UTF8 = {
  status: 400,
  code: "invalid_request",
  message: "The body is not valid UTF-8; send it as UTF-8.",
} as const;

/** The functions that make responses. */
export interface Responses {
  /** Answers with HTML. The status is 200 by default. */
  html: (request: Request, html: string, status?: number) => Response;
  /** Answers with the self-service page of a person. The status is 409 if the answers could not be saved. */
  personPage: (
    calls: DetailReader,
    request: Request,
    options: { person: KnownPerson; answersOutcome: SentAnswersOutcome },
  ) => Promise<Response>;
  /** Answers a request whose token names nobody on the list. */
  noPersonPage: (request: Request, lang?: Lang) => Response;
  /** Answers with the data of a person as a file. */
  download: (data: object) => Response;
  /** Redirects to a path. The browser requests the path with GET (303). */
  seeOther: (location: string) => Response;
  /** Redirects to the self-service page. @param ending the ending of the URL, after the token */
  backToPerson: (person: KnownPerson, ending?: string) => Response;
  /** Answers with an error if the form of a request cannot be read. The error is JSON, like the errors of the API. */
  refusal: (failure: BodyFailure) => Response;
}

/** Makes the functions that make responses. @param options.headers the security headers of every response */
export function createResponses(
  { pages, headers: security }: {
    pages: Record<Lang, SelfServicePages>;
    headers: Record<string, string>;
  },
): Responses {
  const headers = { ...security, ...SELF_SERVICE_HEADERS };

  const html = (request: Request, text: string, status = 200) =>
    answerText(request, text, {
      status,
      headers: { ...headers, "Content-Type": "text/html; charset=utf-8" },
    });

  const seeOther = (location: string) =>
    new Response(null, { status: 303, headers: { ...headers, Location: location } });

  return {
    html,
    async personPage({ readDetails }, request, { person, answersOutcome }) {
      const details = await readDetails(person.email, person.record);
      const page = person.pages.personHtml({ ...person, ...details, answersOutcome });
      return html(request, page, answersOutcome === "full" ? 409 : 200);
    },
    noPersonPage: (request, lang = languageOf(request)) => pages[lang].answerNoPerson(request),
    download: (data) =>
      new Response(`${JSON.stringify(data, null, 2)}\n`, {
        headers: {
          ...headers,
          "Content-Type": "application/json",
          "Content-Disposition": 'attachment; filename="waitlist-data.json"',
        },
      }),
    seeOther,
    backToPerson: ({ token, pages: { consent } }, ending = "") =>
      seeOther(`${SELF_SERVICE_PATHS[consent.lang]}?t=${token}${ending}`),
    refusal(failure) {
      const { status, json, headers: headersOfFailure } = errorAnswer(
        failure.failure === "not_utf8" ? NOT_UTF8 : describeFailure(failure),
      );
      return new Response(json, {
        status,
        headers: { ...headers, ...headersOfFailure, "Content-Type": "application/json" },
      });
    },
  };
}
