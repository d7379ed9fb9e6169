/**
 * Referral codes in the address of sign-ups: whatever stands in the query, the answer is that to the same sign-up
 * without it, except that a form on a page with error messages repeats a well-formed code. @module
 */
import fc from "fast-check";
import { putPerson } from "../../support/self_service.ts";
import { changeRecord, random } from "../../support/records.ts";
import { START, startTestService, type TestService, WITH_MAIL } from "../../support/service.ts";
import { newReferralCode } from "../../../server/waitlist/referrals.ts";
import { giveReferralCode } from "../../../server/waitlist/transitions.ts";
import { anyBody, type Body, signUpBody } from "./bodies.ts";
import { unicodeText } from "../../support/unicode_text.ts";

/** A person on the list, whose code is known. */
const ADA = "ada@example.com";

const letters = fc.constantFrom(..."ABCXYZabcxyz0189");
const wellFormed = fc.string({ unit: letters, minLength: 10, maxLength: 10 });

/** The values of a query's `r`. */
const codes = (known: string): fc.Arbitrary<readonly string[]> =>
  fc.oneof<fc.WeightedArbitrary<readonly string[]>[]>(
    { weight: 3, arbitrary: wellFormed.map((code) => [code]) },
    { weight: 2, arbitrary: fc.constant([known]) },
    {
      weight: 2,
      arbitrary: fc.constantFrom([""], ["short"], [`${known}0`], [` ${known}`], ['"><x-fuzz>'], [
        "%",
      ]),
    },
    { weight: 1, arbitrary: unicodeText({ maxLength: 30 }).map((text) => [text]) },
    { weight: 1, arbitrary: fc.constantFrom([known, known], [known, ""], ["x", known]) },
    { weight: 1, arbitrary: fc.array(wellFormed, { minLength: 2, maxLength: 3 }) },
  );

interface SignUpRequest {
  path: string;
  body: Body;
  accept: string;
}

const signUpRequest: fc.Arbitrary<SignUpRequest> = fc.record({
  path: fc.constantFrom(
    "/api/v1/waitlist",
    "/api/v1/waitlist",
    "/api/waitlist",
    "/sandbox/api/v1/waitlist",
  ),
  body: fc.oneof(signUpBody, signUpBody, anyBody),
  accept: fc.constantFrom("*/*", "text/html", "application/json"),
});

/**
 * Sends so many sign-ups, each without and with a query, in either order; the same seed makes the same ones.
 * @returns what is wrong, in sentences
 */
export async function fuzzReferralCodes(cases: number, seed: number): Promise<string[]> {
  await using service = await startTestService({
    ...WITH_MAIL,
    REFERRALS: "on",
    TRUSTED_PROXY_HOPS: "1",
  });
  await putPerson(service.kv, { email: ADA, state: "waiting" });
  const known = newReferralCode(random);
  await changeRecord(
    service.kv,
    ADA,
    (record) => giveReferralCode(record, known, new Date(START).toISOString()),
  );
  const property = fc.asyncProperty(
    signUpRequest,
    codes(known),
    fc.boolean(),
    async (request, values, isFirst) => {
      const query = `?${new URLSearchParams(values.map((value) => ["r", value.toWellFormed()]))}`;
      const [first, second] = isFirst ? [query, ""] : ["", query];
      const answers = [
        await send(service, request, first),
        await send(service, request, second),
      ];
      const [one, other] = answers.map((answer) =>
        values.length === 1 ? answer.replaceAll(`?r=${values[0]}`, "") : answer
      );
      if (one !== other) throw new Error(`The answers differ:\n${one}\n${other}`);
    },
  );
  const result = await fc.check(property, { numRuns: cases, seed });
  if (!result.failed) return [];
  const { message } = result.errorInstance as Error;
  return [`${message}\n${JSON.stringify(result.counterexample)}`];
}

let sources = 0;

/** Sends a sign-up from a new address, and gives status, headers and body of the answer as a text. */
async function send(
  service: TestService,
  { path, body, accept }: SignUpRequest,
  query: string,
): Promise<string> {
  const n = sources++;
  const response = await service.request(path + query, {
    method: "POST",
    headers: {
      "Content-Type": body.type,
      Accept: accept,
      "X-Forwarded-For": `10.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}`,
    },
    body: body.bytes.slice(),
  });
  const headers = [...response.headers].filter(([name]) => name !== "x-request-id");
  return JSON.stringify([response.status, headers, await response.text()], null, 1);
}
