import type { AnswersRequest } from "../../../shared/operator_schemas.ts";
import { defineCommand } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { OPERATOR } from "../../operator/client.ts";

/** `waitlist signups answers`: changes the role and the use case of a person. */
export default defineCommand({
  access: OPERATOR,
  examples: [
    ["waitlist signups answers ada@example.com --role founder --building analytics", "sets both"],
    ['waitlist signups answers ada@example.com --role ""', "takes the role away"],
  ],
  declare: (command) => {
    command
      .argument("<email>", "the address")
      .option("--role <slug>", "the role; empty takes it away")
      .option("--building <slug>", "the use case; empty takes it away");
  },
  parse({ args, flags: { role, building } }): AnswersRequest {
    if (role === undefined && building === undefined) {
      throw new UsageError("Give --role or --building, or both");
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
