/** The operation that sends a test invitation to any address, without inviting anybody on the list. @module */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { addressSchema } from "../../shared/people_query.ts";
import type { SendTestLetter } from "../letters/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { TestLetterStore } from "../store/operators/mod.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import { invitationUrl, type Lang, LANGS } from "../waitlist/mod.ts";
import { isOff, type OperatorFailure } from "./failure.ts";
import { expiresSchema, linkSchema, notAhead } from "./fields.ts";
import type { Operations } from "./operation.ts";

/** The code in test invitations. It cannot be a person's code, because those have 20 characters or more. */
const TEST_CODE = "test-not-valid";

/** How many test letters an operator may send on one UTC day. A test in two languages is two letters. */
const LETTERS_A_DAY = 5;

const LANGS_RULE = `give a list of 1 to ${LANGS.length} of ${LANGS.join(", ")}`;

const testSchema: z.ZodType<Schemas.InvitationTestRequest> = z.strictObject({
  email: addressSchema,
  link: linkSchema,
  expires: expiresSchema.exactOptional(),
  langs: z.array(z.enum(LANGS, LANGS_RULE), LANGS_RULE).min(1, LANGS_RULE)
    .max(LANGS.length, LANGS_RULE).exactOptional(),
});

interface TestNeeds
  extends
    Pick<PeopleStore, "findComplaint">,
    Pick<TestLetterStore, "countTestLetters">,
    Pick<Runtime, "now"> {
  /** Sends one test letter. `undefined` if mail is off. */
  sendTestLetter: SendTestLetter | undefined;
}

export function testInvitationOperation(
  { findComplaint, countTestLetters, now, sendTestLetter }: TestNeeds,
): Pick<Operations, "testInvitation"> {
  return {
    testInvitation: {
      body: testSchema,
      async act({ email, link, expires, langs = ["en"] }, call) {
        if (!sendTestLetter) return isOff("letters", "MAIL_URL");
        if (expires && Date.parse(expires) <= now()) return notAhead(expires);
        if ((await findComplaint(email)).complainedAt !== undefined) return COMPLAINED;
        const wanted = new Set<Lang>(langs);
        // The letters are counted before they are sent, so that calls at the same time send no more.
        const { before, isCounted } = await countTestLetters(
          call.operator.name,
          { letters: wanted.size, most: LETTERS_A_DAY },
          await call.auditEntryOf([email], { lang: [...wanted].join(", ") }),
        );
        if (!isCounted) return tooMany(before);
        const invitation = {
          invitationUrl: invitationUrl(link, TEST_CODE),
          ...expires && { expiresAt: expires },
        };
        const letters = Array.from(wanted, async (lang): Promise<Schemas.TestedInvitation> => {
          const { at, ...tested } = await sendTestLetter(email, lang, invitation);
          return { lang, at: new Date(at).toISOString(), ...tested };
        });
        return { letters: await Promise.all(letters) };
      },
    },
  };
}

const COMPLAINED: OperatorFailure = {
  failure: "conflict",
  message: "The mailbox has reported a letter as spam; lift that first.",
};

/** @param before how many letters the operator has sent today */
function tooMany(before: number): OperatorFailure {
  const message =
    `You have sent ${before} test invitations today, and may send ${LETTERS_A_DAY} a day; ` +
    "send this one tomorrow (UTC).";
  return { failure: "conflict", message };
}
