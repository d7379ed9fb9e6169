/** A service with four people, and a service whose people wait to be invited. @module */
import assert from "node:assert/strict";
import { CONSENT, list, useImportService } from "./import_service.ts";
import { runOperator } from "./service.ts";
import { printed } from "./cli.ts";

/** Their names. */
export const PEOPLE = ["ada", "adam", "bo", "cy"];

const STATES = ["waiting", "unconfirmed", "invited", "unconfirmed"];

/** A service with four people, and a way to run the commands of `signups` there. */
export async function usePeople() {
  const service = await useImportService();
  const rows = PEOPLE.map((name, n) =>
    `${name}@example.com,${CONSENT},2024-05-0${n + 1}T00:00:00Z,de,${STATES[n]}`
  );
  const csv = ["email,consentedAt,createdAt,lang,state", ...rows].join("\n");
  const { code, stderr } = await service.import([await service.file("list.csv", csv)]);
  assert.equal(code, 0, stderr);
  return {
    ...service,
    run: (args: string[], confirm?: (question: string) => boolean, stdin = "") =>
      runOperator(service.url, ["signups", ...args], { stdin, ...confirm && { confirm } }),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** The option with the link to invite to. */
export const LINK = ["--link", "https://app.example.com/?code={code}"];

/** A service with so many people who wait, and a way to run `signups invite` there. */
export async function useWaiting(count: number, variables?: Record<string, string>) {
  const service = await useImportService(variables);
  await printed(service.import([await service.file("list.csv", list(count))]));
  const output = await service.file("people.csv", "");
  return {
    ...service,
    output,
    invite: (args: string[], confirm?: (question: string) => boolean, at = service.url) =>
      runOperator(at, ["signups", "invite", ...args], { ...confirm && { confirm } }),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
