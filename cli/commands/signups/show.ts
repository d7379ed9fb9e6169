import { printable } from "../../../shared/api_failure.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { isObject } from "../../../shared/schemas.ts";
import { defineCommand } from "../../command.ts";
import { OPERATOR } from "../../operator/client.ts";
import { formatFields } from "../../print.ts";

/** `waitlist signups show`: what is kept of a person. */
export default defineCommand({
  access: OPERATOR,
  examples: [
    ["waitlist signups show ada@example.com", "for an access request"],
    ["waitlist signups show ada@example.com --json", "as JSON, to hand over"],
    ["waitlist signups show ada@example.com --quiet", "says by the exit code whether it is there"],
  ],
  declare: (command) => {
    command.argument("<email>", "the person's address");
  },
  parse: ({ args }) => ({ email: args[0]! }),
  async run(body, { connect, print }) {
    const signup = await (await connect()).call("showSignup", { body });
    const { history, ...kept } = signup;
    const fields = [...fieldsOf(kept), ...history.map(describeEntry)];
    return print({ json: signup, text: (style) => formatFields(fields, style), note: KEPT_ELSE });
  },
});

const KEPT_ELSE =
  "The person's own page, at placeUrl, also has the times of the last e-mails before the " +
  "confirmation, and what still waits to be sent.\n";

/** A line for what an operator did about the address. */
function describeEntry({ at, action, operator = "" }: AuditEntry): [name: string, value: string] {
  return ["history", printable(`${at} ${action} ${operator}`.trim(), MAX_LENGTH)];
}

/** The longest text that is shown; a link to a person's page is the longest of a record. */
const MAX_LENGTH = 2_000;

/** The fields of an object; those of objects in it, or in a list in it, have its name and a dot before theirs. */
function fieldsOf(object: object, before = ""): [name: string, value: string][] {
  return Object.entries(object).flatMap(([name, value]) => {
    const objects = [value].flat().filter(isObject);
    return objects.length > 0
      ? objects.flatMap((each) => fieldsOf(each, `${before}${name}.`))
      : [[before + name, printable(String(value), MAX_LENGTH)] as [string, string]];
  });
}
