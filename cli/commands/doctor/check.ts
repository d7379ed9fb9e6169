/**
 * What all checks of the doctor share: the types of checks, of their input and of their findings, and the functions that
 * make findings and run checks. `doctor.ts` has the table of all checks.
 *
 * @module
 */
import type { Clock } from "../../../shared/clock.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import type { Status } from "../../../shared/schemas.ts";
import type { ExchangeOptions } from "../../../shared/send.ts";
import type { Dns } from "../../context.ts";
import type { Signature } from "./signature.ts";

/** A check of the doctor. `Input` is the part of {@linkcode CheckInput} that the check reads. */
export interface DoctorCheck<Input = CheckInput> {
  name: string;
  /** Runs the check. @param earlierFindings the findings of the earlier checks */
  run: (input: Input, earlierFindings: Finding[]) => CheckFindings | Promise<CheckFindings>;
}

/** A line in the output of the doctor. */
export interface Finding {
  /** The name in the output: the name of the check, or the name that the check gives to this finding. */
  check: string;
  result: "ok" | "fault" | "unchecked";
  /** What the check found; for a fault also what to do; for `unchecked`, why the check was not done. */
  message: string;
}

/** A finding without a name. In the output, it gets the name of its check. */
export type UnnamedFinding = Omit<Finding, "check">;

/**
 * What a check has found: one finding, which gets the name of the check, or several findings with names of their own.
 * `undefined` if the check does not apply, for example if the service has no schedules.
 */
export type CheckFindings = UnnamedFinding | Finding[] | undefined;

/** What the checks get: how to call the service, and what is known about the service. */
export interface CheckInput {
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
  /** The sender of letters; absent if it is not known. */
  sender?: KnownSender;
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
export async function runChecks<Input>(
  checks: DoctorCheck<Input>[],
  input: Input,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, run } of checks) {
    const found = await run(input, findings) ?? [];
    findings.push(...Array.isArray(found) ? found : [{ check: name, ...found }]);
  }
  return findings;
}
