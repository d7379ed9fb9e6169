/**
 * The rule that chooses the host to which commits go, by the timelines of the hosts. `host_monitor.ts` asks the
 * hosts for their timelines. The section `store/kv/` of `server/README.md` has the states of a host. @module
 */

/** The history to which the data of a server belongs: the cluster and its timeline. */
export interface Lineage {
  /**
   * The identifier of the cluster that `initdb` made. Standbys have the identifier of their primary. Timelines of two
   * clusters cannot be compared.
   */
  system: string;
  /** The number of the timeline: it grows with each promotion. */
  timeline: number;
}

/** What a host says of itself. */
export interface HostReport extends Lineage {
  takesWrites: boolean;
  isStandby: boolean;
  /** The highest timeline that a process has recorded in the host's own store; 0 if none is recorded. */
  recordedTimeline: number;
}

/** The chosen host, and what the rule has found out about the hosts. */
export interface Choice {
  /** The index of the host that is used; absent if no host may be used. */
  hostIndex?: number;
  /** Whether the host accepts commits and is not stale; otherwise the host can only be read. */
  isCurrent: boolean;
  /**
   * The indexes of the stale hosts that are no standbys. A host is stale if a higher timeline than its own is known.
   */
  staleIndexes: number[];
  /** The highest timeline that is known now; absent while no host has answered. */
  knownLineage?: Lineage;
}

/** Whether a higher timeline than that of a server is known. */
export const isOlder = (server: Lineage, knownLineage: Lineage | undefined): boolean =>
  knownLineage?.system === server.system && server.timeline < knownLineage.timeline;

/**
 * Chooses the host that is used.
 * @param reports the reports of the hosts in the order of `KV_URL`; `undefined` for a host that gave no report
 * @param knownLineage the highest timeline that earlier reports have shown
 * @param lastHostIndex the index of the host that was current last, which is preferred among hosts of one timeline
 */
export function choosePrimary(
  reports: readonly (HostReport | undefined)[],
  knownLineage: Lineage | undefined,
  lastHostIndex: number,
): Choice {
  const answers = reports.flatMap((report, hostIndex) => report ? { ...report, hostIndex } : []);
  // Standbys count as well, because a standby that follows a newer primary reports the timeline of that primary.
  const highestTimelines = new Map(knownLineage && [[knownLineage.system, knownLineage.timeline]]);
  for (const { system, timeline, recordedTimeline } of answers) {
    const earlier = highestTimelines.get(system) ?? 0;
    highestTimelines.set(system, Math.max(earlier, timeline, recordedTimeline));
  }
  const isStale = ({ system, timeline }: Lineage) => timeline < highestTimelines.get(system)!;
  const isOfOtherCluster = ({ system }: Lineage) =>
    knownLineage !== undefined && system !== knownLineage.system;
  // A server of another cluster comes last, so that commits go to it only if no server of the known cluster accepts
  // writes. Such a server was set up anew, for example by an upgrade of PostgreSQL.
  const usableHosts = answers.filter((report) => !isStale(report)).sort((a, b) =>
    Number(isOfOtherCluster(a)) - Number(isOfOtherCluster(b)) ||
    Number(a.hostIndex !== lastHostIndex) - Number(b.hostIndex !== lastHostIndex) ||
    a.hostIndex - b.hostIndex
  );
  const currentHost = usableHosts.find(({ takesWrites }) => takesWrites);
  const chosenHost = currentHost ?? usableHosts[0];
  const system = (currentHost ?? knownLineage ?? answers[0])?.system;
  const formerPrimaries = answers.filter((report) => !report.isStandby && isStale(report));
  return {
    ...chosenHost && { hostIndex: chosenHost.hostIndex },
    isCurrent: currentHost !== undefined,
    staleIndexes: formerPrimaries.map(({ hostIndex }) => hostIndex),
    ...system && { knownLineage: { system, timeline: highestTimelines.get(system)! } },
  };
}
