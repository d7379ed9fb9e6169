/** A service with four people. @module */
import assert from "node:assert/strict";
import { CONSENT, useImportService } from "./import_service.ts";
import { runOperator } from "./service.ts";

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
