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
  resumeAdvice: "run the same command again; it does not correct the address twice",
  examples: [
    ["waitlist signups correct ada@exmaple.com ada@example.com", "asks first"],
    ["waitlist signups correct ada@exmaple.com ada@example.com --yes", "without asking"],
  ],
  addresses: ["<old>", "the present address"],
  hasYes: true,
  declare: (command) => {
    command.argument("<new>", "the new address");
  },
  parse: ([present, corrected]) => ({ present: present!, corrected: corrected! }),
  async act({ present, corrected }, { settings, connect, confirm }) {
    // Both addresses are checked before the user is asked, so that nobody confirms an address that the service then
    // refuses.
    const { emailSchema, storedEmailSchema } = await import("../../../shared/email_schema.ts");
    checkAddress("present", present, storedEmailSchema);
    checkAddress("new", corrected, emailSchema);
    await confirm(
      `Correct ${present} to ${corrected} at ${settings.baseUrl}? The proof of consent ends, ` +
        "and so does an invitation code; if the service sends mail, a letter goes to the new address.",
    );
    const body = { email: present, newEmail: corrected };
    const correction = await (await connect()).call("correctSignup", { body });
    return { json: correction, text: () => describe(body, correction) };
  },
});

/** Throws a `UsageError` if a text is no address that the service accepts. */
function checkAddress(
  which: "present" | "new",
  text: string,
  schema: { safeParse: (text: string) => { success: boolean } },
): void {
  if (schema.safeParse(text.trim()).success) return;
  throw new UsageError(
    `The ${which} address is '${
      quotable(text, 254)
    }', which is no e-mail address; give one such as ada@example.com`,
  );
}

const LETTERS = {
  confirmation: " A letter asks the new address to confirm.",
  invitation: " A letter invites the new address, with a new code.",
} as const;

function describe(
  { email, newEmail }: CorrectionRequest,
  { outcome, state, letter, correctedAt }: Correction,
): string {
  if (outcome === "corrected_before") {
    return `Nothing to do: ${email} was corrected to ${newEmail} before, at ${correctedAt}.\n`;
  }
  return `Corrected: ${email} is now ${newEmail}, and ${state}.${letter ? LETTERS[letter] : ""}\n`;
}
