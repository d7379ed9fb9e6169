/**
 * The one shape of the doctor's checks, and the facts that they look at. `doctor.ts` has the table of them.
 *
 * @module
 */
import type { Clock } from "../../../shared/clock.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import type { Status } from "../../../shared/schemas.ts";
import type { ExchangeOptions } from "../../../shared/send.ts";
import type { Dns } from "../../context.ts";
import type { Signature } from "./signature.ts";

/** One check. */
export interface DoctorCheck<Facts = DoctorFacts> {
  name: string;
  /** Looks at one thing. `found` has the findings of the checks before. */
  run: (facts: Facts, found: Finding[]) => Verdicts | Promise<Verdicts>;
}

/** What the doctor says of one thing. */
export interface Finding {
  /** The name of the thing. */
  check: string;
  result: "ok" | "fault" | "unchecked";
  /** How it is; for a fault also what to do, and for an unchecked thing why it was not looked at. */
  message: string;
}

/** A finding that has the name of its check. */
export type Verdict = Omit<Finding, "check">;

/** What a check finds: one thing, several things that have names of their own, or nothing to say. */
export type Verdicts = Verdict | Finding[] | undefined;

/** What the checks look at. */
export interface DoctorFacts {
  /** The address that is called. */
  baseUrl: string;
  /** How the service is called. */
  options: ExchangeOptions & { clock: Clock };
  /** The answer of the status probe. */
  status: Status;
  /** When the status probe was called, and when its answer had come, by this computer's clock (ms since 1970). */
  calledAt: { sent: number; received: number };
  /** What only an operator can see. */
  overview?: Overview;
  /** Why there is no overview, although there is an operator key. */
  overviewFault?: Verdict;
  /** The sender of letters, if the overview names one. */
  sender?: KnownSender | undefined;
  dns: Dns;
}

/** The sender of letters. */
export interface KnownSender {
  /** The domain of the address in `MAIL_FROM`. */
  domain: string;
  /** The domain of the envelope's sender; `undefined` if it is not known. */
  envelope: string | undefined;
  /** The DKIM signature of letters; `undefined` if it is not known. */
  signature: Signature | undefined;
}

/** Says that something is as it should be. */
export function ok(message: string): Verdict {
  return { result: "ok", message };
}

/** Says that something is wrong, and what to do. */
export function fault(message: string, toDo: string): Verdict {
  return { result: "fault", message: `${message}; ${toDo}` };
}

/** Says why something was not looked at. */
export function unchecked(message: string): Verdict {
  return { result: "unchecked", message };
}

/** Runs checks one after the other. */
export async function runChecks<Facts>(
  checks: DoctorCheck<Facts>[],
  facts: Facts,
): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { name, run } of checks) {
    const verdict = await run(facts, found) ?? [];
    found.push(...Array.isArray(verdict) ? verdict : [{ check: name, ...verdict }]);
  }
  return found;
}
