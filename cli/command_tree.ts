/**
 * The command tree. A command is one entry here and one definition under `commands/`, which is loaded
 * when its name is on the command line.
 *
 * @module
 */
import type { RunnableCommand } from "./command.ts";

/** A place in the tree: a command, or a group of commands. */
export type Entry =
  & { name: string; summary: string }
  & ({ load: () => Promise<RunnableCommand> } | { entries: Entry[] });

const clients = () => import("./commands/clients.ts");
const signups = () => import("./commands/signups.ts");
const counters = () => import("./commands/counters.ts");
const validate = () => import("./commands/validate.ts");

/** All commands, in the order in which the help lists them. */
export const ENTRIES: Entry[] = [
  {
    name: "status",
    summary: "show whether the service is up, its clock and its limits",
    load: async () => (await import("./commands/status.ts")).default,
  },
  {
    name: "token",
    summary: "get an access token",
    load: async () => (await import("./commands/token.ts")).default,
  },
  {
    name: "stats",
    summary: "show the waitlist's statistics",
    load: async () => (await import("./commands/stats.ts")).default,
  },
  {
    name: "join",
    summary: "sign an address up for the waitlist",
    load: async () => (await import("./commands/join.ts")).default,
  },
  {
    name: "validate",
    summary: "check every operation of a service against its OpenAPI document",
    load: async () => (await validate()).default.validate,
  },
  {
    name: "smoke",
    summary: "run the whole sandbox flow, validation included",
    load: async () => (await validate()).default.smoke,
  },
  group("clients", "issue and manage production's OAuth clients (operator)", [
    {
      name: "create",
      summary: "issue a client; its secret is shown once",
      load: async () => (await clients()).default.create,
    },
    {
      name: "list",
      summary: "show the clients and their last use",
      load: async () => (await clients()).default.list,
    },
    {
      name: "rotate",
      summary: "give a client a new secret, beside the old one for a while",
      load: async () => (await clients()).default.rotate,
    },
    {
      name: "disable",
      summary: "give a client no more tokens",
      load: async () => (await clients()).default.disable,
    },
    {
      name: "enable",
      summary: "give a disabled client tokens again",
      load: async () => (await clients()).default.enable,
    },
  ]),
  group("signups", "export, import, show and erase sign-ups (operator)", [
    {
      name: "export",
      summary: "write the list, as CSV or NDJSON",
      load: async () => (await import("./commands/signups/export.ts")).default,
    },
    {
      name: "show",
      summary: "show the stored data of a person, for an access request",
      load: async () => (await signups()).default.show,
    },
    {
      name: "import",
      summary: "add sign-ups from a file, CSV or NDJSON",
      load: async () => (await import("./commands/signups/import.ts")).default,
    },
    {
      name: "erase",
      summary: "remove a person, for an erasure request",
      load: async () => (await signups()).default.erase,
    },
  ]),
  group("counters", "check the statistics' counters against the records (operator)", [
    {
      name: "verify",
      summary: "recount all records and show the differences",
      load: async () => (await counters()).default.verify,
    },
    {
      name: "repair",
      summary: "correct the counters by an exact recount",
      load: async () => (await counters()).default.repair,
    },
  ]),
  {
    name: "backup",
    summary: "write all that a new store needs into a file (operator)",
    load: async () => (await import("./commands/backup.ts")).default,
  },
  {
    name: "restore",
    summary: "put a backup into an empty store (operator)",
    load: async () => (await import("./commands/restore.ts")).default,
  },
  group("keys", "manage the keys that sign access tokens (operator)", [
    {
      name: "rotate",
      summary: "make a new key; no token is refused on the way",
      load: async () => (await import("./commands/keys.ts")).default.rotate,
    },
  ]),
];

function group(name: string, summary: string, entries: Entry[]): Entry {
  return { name, summary, entries };
}
