import type { z } from "zod";
import { quote } from "../waitlist/quote.ts";

/**
 * Makes a sentence of the first thing that is wrong with a body. A schema's own messages say what to
 * send, such as `give 1 to 100 characters`.
 */
export function explain(issues: z.core.$ZodIssue[], body: unknown): string {
  const [issue] = issues;
  if (!issue || (issue.path.length === 0 && issue.code === "invalid_type")) {
    return "The body must be a JSON object.";
  }
  if (issue.code === "unrecognized_keys") {
    return `Field ${quote(issue.keys[0])} is not known here; leave it out.`;
  }
  const field = issue.path.join(".");
  return `Field ${quote(field)} is ${quote(valueAt(body, issue.path))}; ${issue.message}.`;
}

function valueAt(body: unknown, path: PropertyKey[]): unknown {
  return path.reduce((value, key) => (value as Record<PropertyKey, unknown>)?.[key], body);
}
