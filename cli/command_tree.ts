/**
 * The command tree. A command is one entry here and one file under `commands/`, which is loaded when
 * its name is on the command line.
 *
 * @module
 */
import type { RunnableCommand } from "./command.ts";

/** A place in the tree: a command, or a group of them. */
export type Entry =
  & { name: string; summary: string }
  & ({ load: () => Promise<{ default: RunnableCommand }> } | { entries: Entry[] });

/** All commands, in the order in which the help lists them. */
export const ENTRIES: Entry[] = [
  {
    name: "status",
    summary: "show whether the service is up, its clock and its limits",
    load: () => import("./commands/status.ts"),
  },
  {
    name: "token",
    summary: "get an access token",
    load: () => import("./commands/token.ts"),
  },
  {
    name: "stats",
    summary: "show the waitlist's statistics",
    load: () => import("./commands/stats.ts"),
  },
  {
    name: "join",
    summary: "sign an address up for the waitlist",
    load: () => import("./commands/join.ts"),
  },
  {
    name: "validate",
    summary: "hold every operation of a service against its OpenAPI document",
    load: () => import("./commands/validate.ts"),
  },
  {
    name: "smoke",
    summary: "run the whole sandbox flow, validation included",
    load: () => import("./commands/smoke.ts"),
  },
  {
    name: "clients",
    summary: "issue production's OAuth clients and look after them (operator)",
    entries: [
      {
        name: "create",
        summary: "issue a client; its secret is shown once",
        load: () => import("./commands/clients/create.ts"),
      },
      {
        name: "list",
        summary: "show the clients and their last use",
        load: () => import("./commands/clients/list.ts"),
      },
      {
        name: "rotate",
        summary: "give a client a new secret, beside the old one for a while",
        load: () => import("./commands/clients/rotate.ts"),
      },
      {
        name: "disable",
        summary: "give a client no more tokens",
        load: () => import("./commands/clients/disable.ts"),
      },
      {
        name: "enable",
        summary: "give a disabled client tokens again",
        load: () => import("./commands/clients/enable.ts"),
      },
    ],
  },
  {
    name: "signups",
    summary: "look after the people on the waitlist (operator)",
    entries: [
      {
        name: "export",
        summary: "get the list out, as CSV or NDJSON",
        load: () => import("./commands/signups/export.ts"),
      },
      {
        name: "show",
        summary: "show what is kept of a person, for an access request",
        load: () => import("./commands/signups/show.ts"),
      },
      {
        name: "import",
        summary: "take sign-ups from a file, CSV or NDJSON",
        load: () => import("./commands/signups/import.ts"),
      },
      {
        name: "erase",
        summary: "remove a person, for an erasure request",
        load: () => import("./commands/signups/erase.ts"),
      },
    ],
  },
  {
    name: "counters",
    summary: "hold the statistics' counters against the records (operator)",
    entries: [
      {
        name: "verify",
        summary: "recount all records and tell what differs",
        load: () => import("./commands/counters/verify.ts"),
      },
      {
        name: "repair",
        summary: "correct the counters by an exact recount",
        load: () => import("./commands/counters/repair.ts"),
      },
    ],
  },
  {
    name: "backup",
    summary: "write all that a new store needs into a file (operator)",
    load: () => import("./commands/backup.ts"),
  },
  {
    name: "restore",
    summary: "put a backup into an empty store (operator)",
    load: () => import("./commands/restore.ts"),
  },
  {
    name: "keys",
    summary: "look after the keys that sign access tokens (operator)",
    entries: [
      {
        name: "rotate",
        summary: "make a new key; no token is refused on the way",
        load: () => import("./commands/keys/rotate.ts"),
      },
    ],
  },
];
