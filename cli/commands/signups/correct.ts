/**
 * `waitlist signups correct`: gives a person another address.
 *
 * @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import type { Correction, CorrectionRequest } from "../../../shared/operator_schemas.ts";
import { UsageError } from "../../errors.ts";
import { defineAddressCommand } from "./address_command.ts";

export default defineAddressCommand({
  resumeAdvice: "to go on, run the same command again; it does not correct the address twice",
  examples: [
    ["waitlist signups correct ada@exmaple.com ada@example.com", "asks first"],
    ["waitlist signups correct ada@exmaple.com ada@example.com --yes", "without asking"],
  ],
  addresses: ["<old>", "the present address"],
  hasYes: true,
  declare: (command) => {
    command.argument("<new>", "the new address");
  },
  parse: ([email, newEmail]) => ({ email: email!, newEmail: newEmail! }),
  async act(body, { settings, connect, confirm }) {
    // Both addresses are checked before the user is asked, so that nobody confirms an address that the service then
    // refuses.
    const { emailSchema, storedEmailSchema } = await import("../../../shared/email_schema.ts");
    const { email, newEmail } = body;
    checkAddress("present", email, storedEmailSchema);
    checkAddress("new", newEmail, emailSchema);
    await confirm(
      `Correct ${email} to ${newEmail} at ${settings.baseUrl}? The proof of consent ends, ` +
        "and so does an invitation code; if the service sends mail, an e-mail goes to the new address.",
    );
    const correction = await (await connect()).call("correctSignup", { body });
    return { json: correction, text: () => describeCorrection(body, correction) };
  },
});

/** How many characters of a wrong address are shown at most. */
const MAX_ADDRESS_LENGTH = 254;

/** Throws a `UsageError` if a text is no address that the service accepts. */
function checkAddress(
  adjective: "present" | "new",
  text: string,
  schema: { safeParse: (text: string) => { success: boolean } },
): void {
  if (schema.safeParse(text.trim()).success) return;
  const shown = quotable(text, MAX_ADDRESS_LENGTH);
  throw new UsageError(
    `The ${adjective} address is '${shown}', which is not an e-mail address; give an address such as ada@example.com`,
  );
}

/** What a letter to the new address does, by the kind of the letter. */
const LETTER_SENTENCES = {
  confirmation: " An e-mail asks the new address to confirm.",
  invitation: " An e-mail invites the new address, with a new code.",
} as const;

function describeCorrection(
  { email, newEmail }: CorrectionRequest,
  { outcome, state, letter, correctedAt }: Correction,
): string {
  if (outcome === "corrected_before") {
    return `Nothing to do: ${email} was corrected to ${newEmail} before, at ${correctedAt}.\n`;
  }
  return `Corrected: ${email} is now ${newEmail}, and ${state}.${
    letter ? LETTER_SENTENCES[letter] : ""
  }\n`;
}
