/**
 * What `validate` calls: for every operation the good case and bad ones, each with the answer that the
 * contract gives. In production a good sign-up fills in the honeypot and a bad one lacks its consent,
 * so that nothing is stored even by a service that checks less than it should.
 *
 * @module
 */
import type { EnvironmentName } from "../../../shared/environments.ts";
import { isObject } from "../../../shared/schemas.ts";
import type { Case } from "./case.ts";
import { SERVICE_CASES, STATS_CASES } from "./read_cases.ts";
import { SIGN_UP_CASES } from "./sign_up_cases.ts";
import { TOKEN_CASES } from "./token_cases.ts";

const CASES = [...SERVICE_CASES, ...TOKEN_CASES, ...STATS_CASES, ...SIGN_UP_CASES];

const METHODS = ["get", "head", "post", "put", "patch", "delete", "options", "trace"];

/** The cases of an environment, in the order of calling, of those paths that the document describes. */
export function casesFor(document: unknown, environment: EnvironmentName): Case[] {
  const paths = pathsOf(document);
  return CASES.filter(({ path, sandboxOnly }) =>
    path in paths && (environment === "sandbox" || !sandboxOnly)
  );
}

/** How a document's operations differ from those that there are cases for. */
export function coverageFaults(document: unknown): string[] {
  const described = new Set(
    Object.entries(pathsOf(document)).flatMap(([path, item]) =>
      METHODS.filter((method) => isObject(item) && method in item)
        .map((method) => `${method.toUpperCase()} ${path}`)
    ),
  );
  const called = new Set(
    CASES.filter(({ status }) => status !== 405).map(({ method, path }) => `${method} ${path}`),
  );
  return [
    ...[...called.difference(described)].map((name) => `the document does not describe ${name}`),
    ...[...described.difference(called)].map((name) => `this program has no case for ${name}`),
  ];
}

function pathsOf(document: unknown): Record<string, unknown> {
  return isObject(document) && isObject(document.paths) ? document.paths : {};
}
