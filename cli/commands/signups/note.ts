/**
 * `waitlist signups note`: changes the note on a person.
 *
 * @module
 */
import type { NoteRequest } from "../../../shared/operator_schemas.ts";
import { UsageError } from "../../errors.ts";
import { defineAddressCommand } from "./address_command.ts";

export default defineAddressCommand({
  examples: [
    ['waitlist signups note ada@example.com --text "Met at the fair"', "sets the note"],
    ['waitlist signups note ada@example.com --text ""', "removes the note"],
  ],
  addresses: ["<email>", "the address"],
  declare: (command) => {
    command.option(
      "--text <note>",
      "the new note, which the person can read; an empty one removes the note",
    );
  },
  parse([email], { text }): NoteRequest {
    if (text === undefined) {
      throw new UsageError(
        'The note is missing; give --text with the note, or --text "" to remove the note',
      );
    }
    return { email: email!, note: String(text) };
  },
  async act(body, { connect }) {
    const person = await (await connect()).call("setNote", { body });
    const { email, note } = person;
    return {
      json: person,
      text: () =>
        note === undefined
          ? `${email} has no note.\n`
          : `${email} has a note, which the person can read on the self-service page.\n`,
    };
  },
});
