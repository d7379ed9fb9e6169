/**
 * `waitlist signups show`: shows the stored data of a person.
 *
 * @module
 */
import { printable } from "../../../shared/api_failure.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { isObject } from "../../../shared/schemas.ts";
import { formatFields } from "../../format.ts";
import { defineAddressCommand } from "./address_command.ts";

/** Names the data that only the self-service page shows. */
const MORE_DATA_NOTE =
  "The self-service page, at placeUrl, also has the times of the last e-mails before the " +
  "confirmation, and the e-mails that still wait.\n";

/** The longest value that is shown, in characters. The longest value of a record is the link to the self-service page. */
const MAX_VALUE_LENGTH = 2_000;

export default defineAddressCommand({
  examples: [
    ["waitlist signups show ada@example.com", "for an access request"],
    ["waitlist signups show ada@example.com --json", "as JSON, to hand over"],
    ["waitlist signups show ada@example.com --quiet", "exit code 6 if the address is unknown"],
  ],
  addresses: ["<email>", "the person's address"],
  parse: ([email]) => ({ email: email! }),
  async act(body, { connect }) {
    const signup = await (await connect()).call("showSignup", { body });
    const { history, ...record } = signup;
    const fields = [...fieldsOf(record), ...history.map(describeEntry)];
    return { json: signup, text: (style) => formatFields(fields, style), note: MORE_DATA_NOTE };
  },
});

/** Makes a line from an entry of the audit log about the address. */
function describeEntry({ at, action, operator = "" }: AuditEntry): [name: string, value: string] {
  return ["history", printable(`${at} ${action} ${operator}`.trim(), MAX_VALUE_LENGTH)];
}

/**
 * Returns the name and the value of each field that is no empty list. A field of an inner object, or of an object in a
 * list, gets a name such as `proof.putAt`.
 *
 * @param prefix the text in front of each name, such as `proof.`
 */
function fieldsOf(object: object, prefix = ""): [name: string, value: string][] {
  return Object.entries(object).flatMap(([name, value]) => {
    // An empty list, such as the letters of a person who got no letters, has no line.
    if (Array.isArray(value) && value.length === 0) return [];
    const objects = [value].flat().filter(isObject);
    return objects.length > 0
      ? objects.flatMap((inner) => fieldsOf(inner, `${prefix}${name}.`))
      : [[prefix + name, printable(String(value), MAX_VALUE_LENGTH)] as [string, string]];
  });
}
