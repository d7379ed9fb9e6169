/**
 * All commands with their names and summaries. The definition of a command is under `commands/`. It is loaded only if
 * the name of the command is on the command line, or for `waitlist completion`.
 *
 * @module
 */
import type { RunnableCommand } from "./command.ts";
import type { TreeEntry } from "./tree_entry.ts";

// The modules with several commands. The module of a single command is imported beside the name of the command.
const loadValidate = () => import("./commands/validate.ts");
const loadClients = () => import("./commands/clients.ts");
const loadWaves = () => import("./commands/waves.ts");
const loadInvitations = () => import("./commands/invitations.ts");
const loadSchedules = () => import("./commands/waves/schedules.ts");
const loadJobs = () => import("./commands/jobs.ts");
const loadLetters = () => import("./commands/letters.ts");
const loadOutbox = () => import("./commands/outbox.ts");
const loadWebhooks = () => import("./commands/webhooks.ts");
const loadCounters = () => import("./commands/counters.ts");

/** All commands, in the order in which the help lists them. */
export const COMMANDS: TreeEntry[] = [
  command(
    "status",
    "show whether the service is up, its clock and its limits",
    () => import("./commands/status.ts"),
  ),
  command("token", "get an access token", () => import("./commands/token.ts")),
  command("stats", "show the waitlist's statistics", () => import("./commands/stats.ts")),
  command("join", "sign an address up for the waitlist", () => import("./commands/join.ts")),
  command(
    "validate",
    "check every operation of a service against its OpenAPI document",
    loadValidate,
  ),
  command(
    "doctor",
    "find out what is wrong with a running service: setup, proxy, e-mails, backups",
    () => import("./commands/doctor.ts"),
  ),
  command("smoke", "run the whole sandbox flow, and validate the sandbox", loadValidate),
  group("clients", "issue and manage production's OAuth clients (operator)", [
    command("create", "issue a client; its secret is shown once", loadClients),
    command("list", "show the clients and their last use", loadClients),
    command("rotate", "give a client a new secret; the old one works for some days", loadClients),
    command("disable", "issue no more tokens to a client", loadClients),
    command("enable", "issue tokens to a disabled client again", loadClients),
    command("rename", "give a client another name", loadClients),
    command("delete", "remove a client and its secrets for good", loadClients),
  ]),
  command(
    "overview",
    "show people by state, sign-ups, e-mails and events (operator)",
    () => import("./commands/overview.ts"),
  ),
  group("signups", "look after the people on the waitlist (operator)", [
    command(
      "list",
      "list people by state, or by a part of their address",
      () => import("./commands/signups/list.ts"),
    ),
    command(
      "export",
      "write the list, as CSV or NDJSON",
      () => import("./commands/signups/export.ts"),
    ),
    command(
      "show",
      "show the stored data of a person, for an access request",
      () => import("./commands/signups/show.ts"),
    ),
    command(
      "proof",
      "show how a person gave consent, in words, or as a page to print",
      () => import("./commands/signups/proof.ts"),
    ),
    command(
      "import",
      "add sign-ups from a file, CSV or NDJSON",
      () => import("./commands/signups/import.ts"),
    ),
    command(
      "invite",
      "invite the next people, or people by their addresses",
      () => import("./commands/signups/invite.ts"),
    ),
    command(
      "remind",
      "ask people again to confirm",
      () => import("./commands/signups/remind.ts"),
    ),
    command(
      "undeliverable",
      "send no more e-mails to some addresses",
      () => import("./commands/signups/undeliverable.ts"),
    ),
    command(
      "deliverable",
      "send e-mails to such addresses again",
      () => import("./commands/signups/deliverable.ts"),
    ),
    command(
      "correct",
      "give a person another address",
      () => import("./commands/signups/correct.ts"),
    ),
    command(
      "answers",
      "change the role and the use case of a person",
      () => import("./commands/signups/answers.ts"),
    ),
    command(
      "note",
      "change the note on a person",
      () => import("./commands/signups/note.ts"),
    ),
    command(
      "erase",
      "remove a person, for an erasure request, or people by state and age",
      () => import("./commands/signups/erase.ts"),
    ),
  ]),
  group("waves", "look after waves of invitations, which run by themselves (operator)", [
    command("list", "list the waves with their people and e-mails", loadWaves),
    command("show", "show how far a wave is", loadWaves),
    command("people", "list the people of a wave, or write them to a file", loadWaves),
    command("pause", "let a wave invite nobody until you resume it", loadWaves),
    command("resume", "continue a wave, and send its missing e-mails", loadWaves),
    command("cancel", "end a wave; people who are invited stay invited", loadWaves),
    command(
      "schedule",
      "start a wave each day or each week",
      () => import("./commands/waves/schedule.ts"),
    ),
    {
      ...command("schedules", "list the schedules of waves with their next runs", loadSchedules),
      entries: [
        command("pause", "let a schedule start no wave until you resume it", loadSchedules),
        command("resume", "continue a schedule with its next run", loadSchedules),
        command("cancel", "end a schedule; the waves that it has started go on", loadSchedules),
      ],
    },
  ]),
  group("jobs", "remind or erase everybody who fits a selection (operator)", [
    command("start", "start a job, which goes on by itself", loadJobs),
    command("list", "list the jobs of the last 90 days", loadJobs),
    command("show", "show how far a job is", loadJobs),
    command("cancel", "end a job; what it has done stays done", loadJobs),
  ]),
  group("invitations", "look after single invitations, and send a test (operator)", [
    command("renew", "let an invitation expire later", loadInvitations),
    command("resend", "send the invitation again to one person", loadInvitations),
    command("test", "send a test of an invitation to your own address", loadInvitations),
  ]),
  group("outbox", "look after e-mails and events in the outbox (operator)", [
    command("list", "list the e-mails and events that wait, or that were refused", loadOutbox),
    command("retry", "try e-mails and events again", loadOutbox),
  ]),
  group("letters", "list what became of e-mails, and send a test e-mail (operator)", [
    command("list", "list the e-mails of the last 90 days that were taken or refused", loadLetters),
    command("test", "send one e-mail, and show the mail server's answer", loadLetters),
  ]),
  group("webhooks", "look after the events to WEBHOOK_URL (operator)", [
    command("test", "send a test event, and show whether the receiver accepts it", loadWebhooks),
    command("deliveries", "show the last events and the receiver's answers", loadWebhooks),
    command("resend", "send an event again", loadWebhooks),
  ]),
  group("counters", "check the statistics' counters against the records (operator)", [
    command("verify", "recount all records and show the differences", loadCounters),
    command(
      "repair",
      "correct the counters and the lists of people by an exact recount",
      loadCounters,
    ),
  ]),
  {
    ...command(
      "backup",
      "write the whole store to a file (operator)",
      () => import("./commands/backup.ts"),
    ),
    entries: [
      command(
        "verify",
        "check a whole backup without a service, and show what it holds",
        () => import("./commands/backup/verify.ts"),
      ),
    ],
  },
  command(
    "restore",
    "put a backup into an empty store (operator)",
    () => import("./commands/restore.ts"),
  ),
  command(
    "audit",
    "show the audit log: what operators have done (operator)",
    () => import("./commands/audit.ts"),
  ),
  group("keys", "manage the keys that sign access tokens (operator)", [
    command(
      "rotate",
      "make a new key; issued tokens stay valid",
      () => import("./commands/keys.ts"),
    ),
  ]),
  {
    name: "completion",
    summary: "print the script by which a shell completes commands and flags",
    async load() {
      const { completionCommand } = await import("./commands/completion.ts");
      return completionCommand(COMMANDS);
    },
  },
];

/**
 * Makes the entry of a command. `load` imports the module of the command, whose default export is the command itself,
 * or an object with several commands by name.
 */
function command<Name extends string>(
  name: Name,
  summary: string,
  load: () => Promise<{ default: RunnableCommand | Record<Name, RunnableCommand> }>,
): TreeEntry {
  return {
    name,
    summary,
    async load() {
      const { default: exported } = await load();
      return isCommand(exported) ? exported : exported[name];
    },
  };
}

function isCommand(exported: object): exported is RunnableCommand {
  return "execute" in exported;
}

function group(name: string, summary: string, entries: TreeEntry[]): TreeEntry {
  return { name, summary, entries };
}
