/** The operations that send a test letter or a test invitation to any address, without the outbox. @module */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { addressSchema, filterSchemas } from "../../shared/people_query.ts";
import type { SendTestLetter } from "../letters/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { TestLetterBatch, TestLetterStore } from "../store/operators/mod.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import { invitationUrlOf, type Lang, LANGS } from "../waitlist/mod.ts";
import { type OperatorFailure, switchedOffFailure } from "./failure.ts";
import { expiresSchema, linkSchema, pastExpiryFailure } from "./fields.ts";
import type { Operations } from "./operation.ts";

/** The code in test invitations. It cannot be a person's code, because a person's code has 20 characters or more. */
const TEST_CODE = "test-not-valid";

/**
 * How many letters of a kind an operator may send on one UTC day, with the name of these letters in messages. A test
 * invitation in two languages is two letters.
 */
const DAY_LIMITS = {
  letter: { most: 20, name: "test e-mails" },
  invitation: { most: 5, name: "test invitations" },
} as const satisfies Record<TestLetterBatch["kind"], { most: number; name: string }>;

/** The failure of a test letter to an address from which a letter was reported as spam. */
const COMPLAINT_FAILURE: OperatorFailure = {
  failure: "conflict",
  message: "The mailbox has reported an e-mail as spam; lift that first.",
};

const testLetterSchema: z.ZodType<Schemas.LetterTestRequest> = z.strictObject({
  email: addressSchema,
  lang: filterSchemas.lang,
});

const LANGS_RULE = `give a list of 1 to ${LANGS.length} of ${LANGS.join(", ")}`;

const testInvitationSchema: z.ZodType<Schemas.InvitationTestRequest> = z.strictObject({
  email: addressSchema,
  link: linkSchema,
  expires: expiresSchema.exactOptional(),
  langs: z.array(z.enum(LANGS, LANGS_RULE), LANGS_RULE).min(1, LANGS_RULE)
    .max(LANGS.length, LANGS_RULE).exactOptional(),
});

interface TestNeeds
  extends
    Pick<PeopleStore, "findRecordAndComplaint">,
    Pick<TestLetterStore, "countTestLetters">,
    Pick<Runtime, "now"> {
  /** Sends one test letter. `undefined` if mail is off. */
  sendTestLetter: SendTestLetter | undefined;
}

/** Makes the operations that send test letters. */
export function testLetterOperations(
  { findRecordAndComplaint, countTestLetters, now, sendTestLetter }: TestNeeds,
): Pick<Operations, "testLetter" | "testInvitation"> {
  /**
   * Counts letters before they are sent, so that calls at the same time cannot exceed the limit of a day together.
   * @returns the failure if the letters would exceed the limit
   */
  async function countOrRefuse(
    batch: TestLetterBatch,
    entry: Schemas.AuditEntry,
  ): Promise<OperatorFailure | undefined> {
    const { most } = DAY_LIMITS[batch.kind];
    const { sentToday, isCounted } = await countTestLetters(batch, most, entry);
    return isCounted ? undefined : dayLimitFailure(sentToday, batch.kind);
  }

  return {
    testLetter: {
      body: testLetterSchema,
      async act({ email, lang = "en" }, call) {
        if (!sendTestLetter) return switchedOffFailure("e-mails", "MAIL_URL");
        if ((await findRecordAndComplaint(email)).complainedAt !== undefined) {
          return COMPLAINT_FAILURE;
        }
        const batch = { operator: call.operator.name, kind: "letter", size: 1 } as const;
        const failure = await countOrRefuse(batch, await call.auditEntryAbout([email]));
        if (failure) return failure;
        const { at, ...attempt } = await sendTestLetter(email, lang);
        return { at: new Date(at).toISOString(), ...attempt };
      },
    },

    testInvitation: {
      body: testInvitationSchema,
      async act({ email, link, expires, langs = ["en"] }, call) {
        if (!sendTestLetter) return switchedOffFailure("e-mails", "MAIL_URL");
        if (expires && Date.parse(expires) <= now()) return pastExpiryFailure(expires);
        if ((await findRecordAndComplaint(email)).complainedAt !== undefined) {
          return COMPLAINT_FAILURE;
        }
        const distinctLangs = new Set<Lang>(langs);
        const failure = await countOrRefuse(
          { operator: call.operator.name, kind: "invitation", size: distinctLangs.size },
          await call.auditEntryAbout([email], { lang: [...distinctLangs].join(", ") }),
        );
        if (failure) return failure;
        const invitation = {
          invitationUrl: invitationUrlOf(link, TEST_CODE),
          ...expires && { expiresAt: expires },
        };
        const letters = await Promise.all(
          Array.from(distinctLangs, async (lang): Promise<Schemas.TestedInvitation> => {
            const { at, ...attempt } = await sendTestLetter(email, lang, invitation);
            return { lang, at: new Date(at).toISOString(), ...attempt };
          }),
        );
        return { letters };
      },
    },
  };
}

/**
 * Makes the failure of a test that would exceed the limit of a day. A test in several languages, which are several
 * letters, can exceed the limit although some letters are left.
 *
 * @param sentToday how many letters of this kind the operator has sent today
 */
function dayLimitFailure(sentToday: number, kind: TestLetterBatch["kind"]): OperatorFailure {
  const { most, name } = DAY_LIMITS[kind];
  const left = most - sentToday;
  const advice = left > 0
    ? `send ${left} now, or all tomorrow (UTC)`
    : "send this one tomorrow (UTC)";
  const message =
    `You have sent ${sentToday} ${name} today, and may send ${most} a day; ${advice}.`;
  return { failure: "conflict", message };
}
