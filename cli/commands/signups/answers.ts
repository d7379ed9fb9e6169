/**
 * `waitlist signups answers`: changes the role and the use case of a person.
 *
 * @module
 */
import type { AnswersRequest } from "../../../shared/operator_schemas.ts";
import { defineCommand } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { OPERATOR } from "../../operator/client.ts";

export default defineCommand({
  access: OPERATOR,
  examples: [
    ["waitlist signups answers ada@example.com --role founder --building analytics", "sets both"],
    ['waitlist signups answers ada@example.com --role ""', "removes the role"],
  ],
  declare: (command) => {
    command
      .argument("<email>", "the address")
      .option("--role <slug>", "the new role; an empty one removes the role")
      .option("--building <slug>", "the new use case; an empty one removes the use case");
  },
  parse({ args, flags: { role, building } }): AnswersRequest {
    if (role === undefined && building === undefined) {
      throw new UsageError("There is nothing to change; give --role, --building or both");
    }
    return {
      email: args[0]!,
      ...role !== undefined && { role: String(role) || null },
      ...building !== undefined && { building: String(building) || null },
    };
  },
  async run(body, { connect, print }) {
    const person = await (await connect()).call("setAnswers", { body });
    const { email, role = "none", building = "none" } = person;
    return print({
      json: person,
      text: () => `${email}: the role is ${role}, the use case is ${building}.\n`,
    });
  },
});
