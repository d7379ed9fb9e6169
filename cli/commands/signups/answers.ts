/**
 * `waitlist signups answers`: changes the role and the use case of a person.
 *
 * @module
 */
import type { AnswersRequest } from "../../../shared/operator_schemas.ts";
import { UsageError } from "../../errors.ts";
import { defineAddressCommand } from "./address_command.ts";

export default defineAddressCommand({
  examples: [
    ["waitlist signups answers ada@example.com --role founder --building analytics", "sets both"],
    ['waitlist signups answers ada@example.com --role ""', "removes the role"],
  ],
  addresses: ["<email>", "the address"],
  declare: (command) => {
    command
      .option("--role <slug>", "the new role; an empty one removes the role")
      .option("--building <slug>", "the new use case; an empty one removes the use case");
  },
  parse([email], { role, building }): AnswersRequest {
    if (role === undefined && building === undefined) {
      throw new UsageError("There is nothing to change; give --role, --building or both");
    }
    return {
      email: email!,
      ...role !== undefined && { role: String(role) || null },
      ...building !== undefined && { building: String(building) || null },
    };
  },
  async act(body, { connect }) {
    const person = await (await connect()).call("setAnswers", { body });
    const { email, role = "none", building = "none" } = person;
    return {
      json: person,
      text: () => `${email}: the role is ${role}, the use case is ${building}.\n`,
    };
  },
});
