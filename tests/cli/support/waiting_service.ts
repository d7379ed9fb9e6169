/** A service whose people wait to be invited. @module */
import { printed } from "./cli.ts";
import { list, useImportService } from "./import_service.ts";
import { runOperator } from "./service.ts";

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
