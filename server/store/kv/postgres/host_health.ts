/**
 * Says what is wrong with the hosts of `KV_URL`, by their answers to the last poll. `host_monitor.ts` asks
 * the hosts. @module
 */
import type { PostgresLocation } from "../../../config/mod.ts";
import { DeadlineError } from "../../../runtime/mod.ts";
import type { StoreHealth } from "../engine.ts";
import {
  codeOf,
  findDurabilityFault,
  hostAddress,
  refusalCode,
  type ServerReport,
  UnfitServer,
} from "./connection.ts";
import type { Choice, HostReport, Lineage } from "./primary.ts";

/** The report of a server, and the timeline that is recorded in its store. */
export type PolledReport = ServerReport & HostReport;

/** The hosts as the last poll has found them. */
export interface PolledHosts {
  location: PostgresLocation;
  /**
   * The last answer of each host: a report, or the error because of which there is no report. An answer may be newer
   * than the choice, because a poll does not always wait for late hosts.
   */
  answers: readonly (PolledReport | Error)[];
  choice: Choice;
  /** Whether the store's table was there at an earlier poll. */
  hadTable: boolean;
}

export const NO_ANSWER = "no server answers";

/** The code with which a server says that there is no such database. */
const NO_DATABASE = "3D000";

/** The error of a host that is a former primary. */
export class StaleServer extends Error {}

/**
 * Gives the report of the host that is used; `undefined` if no host may be used, or if the last answer of the chosen
 * host is an error. The next poll then chooses again.
 */
export function reportOfUsedHost({ answers, choice }: PolledHosts): PolledReport | undefined {
  const answer = choice.hostIndex === undefined ? undefined : answers[choice.hostIndex];
  return answer instanceof Error ? undefined : answer;
}

/** Gives a sentence if the settings of the used host let it lose acknowledged commits. */
export function durabilityFaultOf(polledHosts: PolledHosts): string | undefined {
  const report = reportOfUsedHost(polledHosts);
  return report && findDurabilityFault(report);
}

/** Gives the troubles of the store by the last answers of the hosts. */
export function healthOf(polledHosts: PolledHosts): StoreHealth {
  const { choice: { hostIndex, isCurrent, staleIndexes }, hadTable } = polledHosts;
  const warning = staleIndexes.map((index) => describeStaleHost(polledHosts, index)).join(" ");
  const health: StoreHealth = warning === "" ? {} : { warning };
  const report = reportOfUsedHost(polledHosts);
  if (!report) {
    // The used host gave an error after it was chosen. The store has no fault yet, because the next poll chooses again.
    if (hostIndex !== undefined) return health;
    const fault = faultOf(polledHosts);
    return {
      ...health,
      ...fault instanceof StaleServer && { refusal: fault.message },
      ...codeOf(fault) === NO_DATABASE && { vanished: describeVanishedStore("database") },
    };
  }
  if (hadTable && !report.hasTable) {
    return { ...health, vanished: describeVanishedStore("schema or its table") };
  }
  const refusal = refusalOf(report, { isCurrent, hadTable });
  return { ...health, ...refusal !== undefined && { refusal } };
}

/** Gives the reason why the used host accepts no commits of this service; `undefined` if it accepts them. */
function refusalOf(
  report: PolledReport,
  { isCurrent, hadTable }: { isCurrent: boolean; hadTable: boolean },
): string | undefined {
  if (!isCurrent) return "No server of KV_URL takes writes";
  const fault = findDurabilityFault(report);
  if (fault) return fault;
  if (!hadTable || report.mayWrite) return undefined;
  return "The role of KV_URL may not write to the table waitlist.kv. Grant it the rights of " +
    'server/docs/deploy.md, "Rights and settings"';
}

/**
 * Gives the error because of which no host is used. If there are several errors, prefers an error that waiting does not
 * mend.
 */
export function faultOf(polledHosts: PolledHosts): Error {
  const [staleIndex] = polledHosts.choice.staleIndexes;
  if (staleIndex !== undefined) {
    return new StaleServer(
      `All servers that answer are former primaries: ${describeStaleHost(polledHosts, staleIndex)}`,
    );
  }
  const faults = polledHosts.answers.filter((answer) => answer instanceof Error);
  return faults.find((fault) => fault instanceof UnfitServer) ??
    faults.find((fault) => refusalCode(fault)) ??
    faults.find((fault) => !(fault instanceof DeadlineError)) ?? faults[0] ??
    new Error(NO_ANSWER);
}

/**
 * Says that a host is a former primary, and what to do about it. The sentence has the timeline of the host only if the
 * report is no error.
 * @param report the report of the host; by default, its last answer, which may be an error of a later poll
 */
export function describeStaleHost(
  { location, answers, choice: { knownLineage } }: PolledHosts,
  hostIndex: number,
  report: Pick<Lineage, "timeline"> | Error | undefined = answers[hostIndex],
): string {
  const own = !report || report instanceof Error
    ? "its timeline"
    : `its timeline ${report.timeline}`;
  return `${
    hostAddress(location, hostIndex)
  } is a former primary, because ${own} is lower than the timeline ` +
    `${knownLineage?.timeline} of another server. Stop the former primary, and set it up anew as a standby.`;
}

const describeVanishedStore = (missing: "database" | "schema or its table"): string =>
  `The ${missing} is gone, so nothing is stored any more. Stop the service, and restore the ` +
  "server's own backup; if there is none, make a new database and restore a backup of the service into it";
