import { quotable } from "../../../shared/api_failure.ts";
import type { ListedClient } from "../../../shared/operator_schemas.ts";
import { EXIT } from "../../exit_codes.ts";
import { defineOperatorCommand } from "../../operator/command.ts";
import { CLIENT_LIST } from "../../operator/shapes.ts";
import { createStyle } from "../../output/style.ts";
import { formatTable } from "../../output/table.ts";

/** `waitlist clients list`: the OAuth clients of production. */
export default defineOperatorCommand({
  examples: [
    ["waitlist clients list", "their scopes, secrets and last use"],
    ["waitlist clients list --quiet", "their ids alone"],
    ["waitlist clients list --json | jq '.clients[] | select(.disabled)'", "for programs"],
  ],
  parse: () => undefined,
  async run(_options, { settings, context, connect }) {
    const { http, read } = await connect();
    const list = await read(CLIENT_LIST, http.GET("/operator/v1/clients"));
    const { stdout, variables } = context;
    if (settings.json) stdout.write(`${JSON.stringify(list, null, 2)}\n`);
    else if (settings.quiet) {
      stdout.write(list.clients.map(({ client_id }) => `${client_id}\n`).join(""));
    } else if (list.clients.length === 0) {
      stdout.write("There is no client yet; issue one with 'waitlist clients create'.\n");
    } else {
      const heading = ["client_id", "Name", "Scopes", "Created", "Last used", "Note"];
      stdout.write(formatTable(heading, list.clients.map(toRow), createStyle(stdout, variables)));
    }
    return EXIT.fine;
  },
});

function toRow(client: ListedClient): string[] {
  const { client_id, name, scopes, createdAt, lastUsed } = client;
  return [
    quotable(client_id),
    quotable(name, 40),
    scopes.join(" ") || "(none)",
    createdAt.slice(0, 10),
    lastUsed ?? "never",
    noteOn(client),
  ];
}

function noteOn({ disabled, secrets }: ListedClient): string {
  const days = secrets.flatMap(({ expiresAt }) => expiresAt ? [expiresAt.slice(0, 10)] : []);
  const last = days.toSorted().at(-1);
  return [
    ...disabled ? ["disabled"] : [],
    ...days.length === 1 ? [`an old secret works until ${last}`] : [],
    ...days.length > 1 ? [`${days.length} old secrets work, the last until ${last}`] : [],
  ].join("; ");
}
