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

/**
 * A service with people of whom some have recommended the list: bo, cy and an alias of di came by the link of ada, and
 * di by that of bo. Ada signed up first.
 */
export async function useReferrals() {
  const service = await useImportService();
  const rows = [
    "ada@example.com,2024-05-01T00:00:00Z,Ada1234567,",
    "bo@example.com,2024-05-02T00:00:00Z,Bob1234567,Ada1234567",
    "cy@example.com,2024-05-03T00:00:00Z,Cy01234567,Ada1234567",
    "di+1@example.com,2024-05-04T00:00:00Z,Di11234567,Ada1234567",
    "di@example.com,2024-05-05T00:00:00Z,,Bob1234567",
  ].map((row) => `${CONSENT},${row}`);
  const csv = ["consentedAt,email,createdAt,referralCode,referredBy", ...rows].join("\n");
  await printed(service.import([await service.file("list.csv", csv)]));
  return {
    run: (args: string[]) => runOperator(service.url, args),
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
