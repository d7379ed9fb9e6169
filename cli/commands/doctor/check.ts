/**
 * The types of the doctor's checks, of their findings, and of the facts that the checks get. `doctor.ts` has the table
 * of all checks.
 *
 * @module
 */
import type { Clock } from "../../../shared/clock.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import type { Status } from "../../../shared/schemas.ts";
import type { ExchangeOptions } from "../../../shared/send.ts";
import type { Dns } from "../../context.ts";
import type { Signature } from "./signature.ts";

/** A check of the doctor. */
export interface DoctorCheck<Facts = DoctorFacts> {
  name: string;
  /** Runs the check. @param earlier the findings of the earlier checks */
  run: (facts: Facts, earlier: Finding[]) => CheckResult | Promise<CheckResult>;
}

/** A line in the output of the doctor. */
export interface Finding {
  /** The name of the check, or the name that the check gives to this finding. */
  check: string;
  result: "ok" | "fault" | "unchecked";
  /** What the check found; for a fault also what to do; for `unchecked`, why the check was not done. */
  message: string;
}

/** A finding without a name. In the output, it gets the name of its check. */
export type UnnamedFinding = Omit<Finding, "check">;

/**
 * The result of a check: one finding, which gets the name of the check, or several findings with names of their own.
 * `undefined` if the check does not apply, for example if the service has no schedules.
 */
export type CheckResult = UnnamedFinding | Finding[] | undefined;

/** The facts from which the checks find out what is wrong. */
export interface DoctorFacts {
  /** The origin of the service that the command calls, such as `https://waitlist.example`. */
  baseUrl: string;
  /** The options for further calls of the service. */
  callOptions: ExchangeOptions & { clock: Clock };
  /** The answer of the status probe. */
  status: Status;
  /**
   * The times at which the status probe was called and at which the answer had arrived, by this computer's clock, in
   * milliseconds since 1970.
   */
  statusProbeTimes: { sentAt: number; answeredAt: number };
  /** The service's overview; absent without an operator key, and if the overview could not be read. */
  overview?: Overview;
  /** Why the overview is absent, although there is an operator key. */
  overviewFault?: UnnamedFinding;
  /** The sender of letters; `undefined` if it is not known. */
  sender: KnownSender | undefined;
  dns: Dns;
}

/** What is known about the sender of the service's letters. */
export interface KnownSender {
  /** The domain of the address in `MAIL_FROM`. */
  domain: string;
  /** The domain of the envelope's sender; `undefined` if it is not known. */
  envelopeDomain: string | undefined;
  /** The DKIM signature of letters; `undefined` if it is not known. */
  signature: Signature | undefined;
}

/** Makes the finding of a check that passed. */
export function ok(message: string): UnnamedFinding {
  return { result: "ok", message };
}

/** Makes the finding of a check that failed. */
export function fault(message: string, toDo: string): UnnamedFinding {
  return { result: "fault", message: `${message}; ${toDo}` };
}

/** Makes the finding of a check that was not done. */
export function unchecked(message: string): UnnamedFinding {
  return { result: "unchecked", message };
}

/** Runs checks one after the other. */
export async function runChecks<Facts>(
  checks: DoctorCheck<Facts>[],
  facts: Facts,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, run } of checks) {
    const result = await run(facts, findings) ?? [];
    findings.push(...Array.isArray(result) ? result : [{ check: name, ...result }]);
  }
  return findings;
}
