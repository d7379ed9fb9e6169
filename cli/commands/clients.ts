/**
 * `waitlist clients`: issues and manages production's OAuth clients.
 *
 * @module
 */
import { quotable } from "../../shared/api_failure.ts";
import type { ListedClient, RequestedClient } from "../../shared/operator_schemas.ts";
import { askFirst } from "../ask_first.ts";
import { defineCommand, parseNoOptions, type RunnableCommand } from "../command.ts";
import { parseOverlap } from "../flag_values.ts";
import { formatFields, formatMinute, formatTable } from "../format.ts";
import { OPERATOR_ACCESS } from "../operator/client.ts";

/** How many characters of the name of a client the table shows at most. */
const MAX_NAME_LENGTH = 40;

/**
 * The warning about a client without a scope. It is written with `--quiet` too, but not with `--json`. The missing
 * scope is no error, because the user may want such a client.
 */
const NO_SCOPE_WARNING = "waitlist: The client has no scope, so its tokens permit nothing; " +
  "to read the statistics, create a client with --scope waitlist:stats:read.\n";

const create = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    [
      'waitlist clients create --name "Dashboard" --scope waitlist:stats:read',
      "a client that may read the statistics",
    ],
    ["waitlist clients create --name Test", "a client whose tokens permit nothing"],
    ["waitlist clients create --name CI --scope waitlist:stats:read --json", "for programs"],
  ],
  declare: (command) => {
    command
      .requiredOption("--name <name>", "a name for the client")
      .option("--scope <scope...>", "the scopes of its tokens; none if left out");
  },
  parse: ({ flags }) => ({ name: flags.name, scopes: flags.scope ?? [] }) as RequestedClient,
  async run(body, { settings, context, connect, print }) {
    const newClient = await (await connect()).call("createClient", { body });
    const { client_id, client_secret } = newClient;
    if (newClient.scopes.length === 0 && !settings.json) context.stderr.write(NO_SCOPE_WARNING);
    return print({
      json: newClient,
      quiet: `${client_id}\n${client_secret}\n`,
      text: (style) =>
        formatFields([["client_id", client_id], ["client_secret", client_secret]], style),
      note: "Save the secret now; it is not shown again.\n",
    });
  },
});

const list = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist clients list", "with scopes, secrets and last use"],
    ["waitlist clients list --quiet", "only the ids"],
    ["waitlist clients list --json | jq '.clients[] | select(.disabled)'", "for programs"],
  ],
  parse: parseNoOptions,
  async run(_options, { connect, print }) {
    const answer = await (await connect()).call("listClients", {});
    const { clients } = answer;
    return print({
      json: answer,
      quiet: clients.map(({ client_id }) => `${client_id}\n`).join(""),
      text(style) {
        if (clients.length === 0) {
          return "There is no client yet; issue one with 'waitlist clients create'.\n";
        }
        const heading = ["client_id", "Name", "Scopes", "Created", "Last used (UTC)", "Note"];
        return formatTable(heading, clients.map(toRow), style, {
          mayDrop: ["Created"],
          mayShorten: ["Scopes", "Note", "Name"],
        });
      },
    });
  },
});

function toRow(client: ListedClient): string[] {
  const { client_id, name, scopes, createdAt, lastUsed } = client;
  return [
    quotable(client_id),
    quotable(name, MAX_NAME_LENGTH),
    scopes.join(" ") || "(none)",
    createdAt.slice(0, 10),
    formatMinute(lastUsed ?? "never"),
    noteOn(client),
  ];
}

/** Describes what is unusual about a client: that it is disabled, and that old secrets still work. */
function noteOn({ disabled, secrets }: ListedClient): string {
  const expiryDays = secrets.flatMap(({ expiresAt }) => expiresAt ? [expiresAt.slice(0, 10)] : []);
  const lastExpiryDay = expiryDays.toSorted().at(-1);
  const notes: string[] = [];
  if (disabled) notes.push("disabled");
  if (expiryDays.length === 1) notes.push(`an old secret works until ${lastExpiryDay}`);
  if (expiryDays.length > 1) {
    notes.push(`${expiryDays.length} old secrets work, the last until ${lastExpiryDay}`);
  }
  return notes.join("; ");
}

const rotate = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist clients rotate kVx2Qd0nRzM4aTfW", "the old secret works for another 7 days"],
    ["waitlist clients rotate kVx2Qd0nRzM4aTfW --overlap 12h", "for another 12 hours"],
    ["waitlist clients rotate kVx2Qd0nRzM4aTfW --overlap 0s", "ends the old secrets; asks first"],
  ],
  declare: (command) => {
    command
      .argument("<client_id>", "the client")
      .option("--overlap <time>", "how long the old secret stays valid, such as 30m or 7d", "7d")
      .option("-y, --yes", "with --overlap 0s, do not ask first");
  },
  parse: ({ args, flags }) => ({
    client_id: args[0]!,
    overlapSeconds: parseOverlap(String(flags.overlap)),
    yes: flags.yes === true,
  }),
  async run({ client_id, overlapSeconds, yes }, { context, connect, print }) {
    if (overlapSeconds === 0 && !yes) {
      await askFirst(`End all present secrets of ${client_id} at once?`, context);
    }
    const input = { path: { client_id }, body: { overlapSeconds } };
    const rotation = await (await connect()).call("rotateClient", input);
    return print({
      json: rotation,
      quiet: `${rotation.client_secret}\n`,
      text: (style) =>
        formatFields([
          ["client_id", rotation.client_id],
          ["client_secret", rotation.client_secret],
          ["old one until", rotation.oldSecretUntil],
        ], style),
      note: "Save the secret now; it is not shown again. It is valid within a second.\n",
    });
  },
});

const disable = defineSwitch("disableClient", {
  examples: [
    ["waitlist clients disable kVx2Qd0nRzM4aTfW", "it gets no new tokens"],
    ["waitlist clients disable kVx2Qd0nRzM4aTfW --json", "shows the client afterwards"],
    ["waitlist clients list --json | jq '.clients[] | select(.disabled)'", "lists disabled ones"],
  ],
  doneText:
    "Disabled: within a second it gets no new tokens. Its present tokens end within 15 min.",
});

const enable = defineSwitch("enableClient", {
  examples: [
    ["waitlist clients enable kVx2Qd0nRzM4aTfW", "it gets tokens again"],
    ["waitlist clients enable kVx2Qd0nRzM4aTfW --json", "shows the client afterwards"],
    ["waitlist clients list", "shows which ones are disabled"],
  ],
  doneText: "Enabled: within a second it gets tokens again.",
});

const rename = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    ['waitlist clients rename kVx2Qd0nRzM4aTfW "Sales dashboard"', "its id and secrets stay"],
  ],
  declare: (command) => {
    command.argument("<client_id>", "the client").argument("<name>", "the new name");
  },
  parse: ({ args }) => ({ client_id: args[0]!, name: args[1]! }),
  async run({ client_id, name }, { connect, print }) {
    const input = { path: { client_id }, body: { name } };
    const client = await (await connect()).call("renameClient", input);
    return print({
      json: client,
      text: () => `${quotable(client_id)} is now called '${quotable(client.name)}'.\n`,
    });
  },
});

const remove = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist clients delete kVx2Qd0nRzM4aTfW", "asks first; 'disable' stops it for a while"],
    ["waitlist clients delete kVx2Qd0nRzM4aTfW --yes", "without asking"],
  ],
  declare: (command) => {
    command.argument("<client_id>", "the client").option("-y, --yes", "do not ask first");
  },
  parse: ({ args, flags }) => ({ client_id: args[0]!, yes: flags.yes === true }),
  async run({ client_id, yes }, { context, connect, print }) {
    if (!yes) await askFirst(`Delete ${client_id} with its secrets for good?`, context);
    const client = await (await connect()).call("deleteClient", { path: { client_id } });
    return print({
      json: client,
      text: () => `Deleted: '${quotable(client.name)}'. Its present tokens end within 15 min.\n`,
    });
  },
});

/** Makes the command that disables or enables a client. */
function defineSwitch(
  id: "disableClient" | "enableClient",
  { examples, doneText }: { examples: RunnableCommand["examples"]; doneText: string },
): RunnableCommand {
  return defineCommand({
    access: OPERATOR_ACCESS,
    examples,
    declare: (command) => {
      command.argument("<client_id>", "the client");
    },
    parse: ({ args }) => ({ client_id: args[0]! }),
    async run(path, { connect, print }) {
      const client = await (await connect()).call(id, { path });
      return print({ json: client, text: () => `${doneText}\n` });
    },
  });
}

export default { create, list, rotate, rename, disable, enable, delete: remove };
