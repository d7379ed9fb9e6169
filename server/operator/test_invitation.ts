/** The operation that sends a test invitation to any address, without inviting anybody on the list. @module */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { addressSchema } from "../../shared/people_query.ts";
import type { SendTestLetter } from "../letters/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { AuditStore } from "../store/audit/mod.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import { invitationUrl, type Lang, LANGS, utcDay } from "../waitlist/mod.ts";
import { isOff, type OperatorFailure } from "./failure.ts";
import { expiresSchema, linkSchema, notAhead } from "./fields.ts";
import type { Operations } from "./operation.ts";

/** The code in test invitations. It cannot be a person's code, because those have 20 characters or more. */
const TEST_CODE = "test-not-valid";

/** How many test invitations an operator may send on one UTC day. */
const TESTS_A_DAY = 5;

/** How many entries of the audit log are read at most in order to count the test invitations of the day. */
const READ_AT_MOST = 5_000;

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
    Pick<AuditStore, "writeAuditEntry" | "readNewestAuditEntries">,
    Pick<Runtime, "now"> {
  /** Sends one test letter. `undefined` if mail is off. */
  sendTestLetter: SendTestLetter | undefined;
}

export function testInvitationOperation(
  { findComplaint, writeAuditEntry, readNewestAuditEntries, now, sendTestLetter }: TestNeeds,
): Pick<Operations, "testInvitation"> {
  /** Counts the test invitations that an operator has sent on this UTC day. */
  async function countTests(operator: string): Promise<number> {
    const since = `${utcDay(now(), 0)}T00:00:00.000Z`;
    let count = 0;
    for await (const { entries } of readNewestAuditEntries({ since, most: READ_AT_MOST })) {
      count += entries.filter(({ value }) =>
        value.action === "testInvitation" && value.operator === operator
      ).length;
    }
    return count;
  }

  return {
    testInvitation: {
      body: testSchema,
      async act({ email, link, expires, langs = ["en"] }, call) {
        if (!sendTestLetter) return isOff("letters", "MAIL_URL");
        if (expires && Date.parse(expires) <= now()) return notAhead(expires);
        if ((await findComplaint(email)).complainedAt !== undefined) return COMPLAINED;
        if (await countTests(call.operator.name) >= TESTS_A_DAY) return TOO_MANY;
        const wanted = new Set<Lang>(langs);
        await writeAuditEntry(await call.auditEntryOf([email], { lang: [...wanted].join(", ") }));
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

const TOO_MANY: OperatorFailure = {
  failure: "conflict",
  message: `You have sent ${TESTS_A_DAY} test invitations today; send the next one tomorrow (UTC).`,
};
