/**
 * Finds out the outcome of each commit, on every engine alike. An engine may give no answer to a commit. The commit may
 * then have gone through, or may still go through later, because nothing stops a client or a server that is at work on
 * the commit. So each commit carries a proof: an entry of this process that the commit checks and writes, and that no
 * other commit uses at the same time. The entry tells afterwards whether the commit went through.
 *
 * No layer above this one deals with lost answers. `retry()` decides whether a failed change is tried again. @module
 */
import { readOne, retry } from "./calls.ts";
import { Commit, type Engine, type Kv, NoAnswer, UnknownOutcome, type Version } from "./engine.ts";
import { proofKey, PROOFS } from "./keys.ts";
import { pages } from "./pages.ts";

/** An entry that only one commit at a time checks and writes. */
interface Proof {
  key: ReturnType<typeof proofKey>;
  /** The version that the next commit checks; `null` while the entry is absent. */
  version: Version | null;
  /**
   * The number of the last commit that carried the proof; 0 before the first commit. Each commit writes its number as
   * the value of the entry.
   */
  commitNumber: number;
}

/** The shortest time for which a proof is kept after its last commit, in milliseconds. No commit takes that long. */
const UNUSED_MS = 60 * 60 * 1000;

/**
 * Gives a KV whose commits say whether they went through. They throw `UnknownOutcome` only if this cannot be found out.
 */
export function withKnownOutcomes(engine: Engine): Kv {
  /**
   * The proofs (entries that only one commit at a time checks and writes) that no commit uses now. A proof whose commit
   * has an unknown outcome does not return to this list.
   */
  const freeProofs: Proof[] = [];
  let proofCount = 0;
  let processId: Promise<string> | undefined;
  /**
   * When the last sweep was, in milliseconds since 1970, and the versions that the proofs had then, by the keys of the
   * proofs.
   */
  let lastSweep = { at: -Infinity, versions: new Map<string, Version>() };

  async function createProof(): Promise<Proof> {
    processId ??= retry(() => engine.processId());
    try {
      return { key: proofKey(await processId, proofCount++), version: null, commitNumber: 0 };
    } catch (error) {
      processId = undefined;
      throw error;
    }
  }

  /** Makes a commit with a proof. @returns `"stale"` if the commit failed because the proof has changed meanwhile */
  async function commitWithProof(
    commit: Commit,
    proof: Proof,
  ): Promise<Version | "conflict" | "stale"> {
    proof.commitNumber++;
    const provenCommit = new Commit().check(proof, ...commit.checks);
    provenCommit.writes.push(...commit.writes);
    provenCommit.set(proof.key, proof.commitNumber);

    let outcome: Version | "conflict";
    try {
      outcome = await engine.commit(provenCommit);
    } catch (error) {
      if (error instanceof NoAnswer) return await settleUnanswered(error, proof);
      if (!(error instanceof UnknownOutcome)) freeProofs.push(proof);
      throw error;
    }
    if (outcome === "conflict") return await explainConflict(proof);
    proof.version = outcome;
    freeProofs.push(proof);
    return outcome;
  }

  /**
   * Finds out why the last commit of a proof had a conflict. The commit itself may have caused the conflict: the
   * engine's client may have sent the commit twice because it got no answer, and the second commit then finds the
   * writes of the first.
   * @returns the version of the commit if the commit went through; `"stale"` if something else has changed the proof;
   * `"conflict"` if another check of the commit failed
   */
  async function explainConflict(proof: Proof): Promise<Version | "conflict" | "stale"> {
    const stored = await retry(() => readOne<number>(engine, proof.key)).catch((error) => {
      throw new UnknownOutcome(error);
    });
    const isMade = stored.value === proof.commitNumber;
    if (!isMade && stored.version !== proof.version) return "stale";
    proof.version = stored.version;
    freeProofs.push(proof);
    return isMade ? stored.version! : "conflict";
  }

  /**
   * Finds out whether the last commit of a proof, which got no answer, went through.
   * @returns the version of the commit
   * @throws the cause of `noAnswer` if the commit did not go through
   */
  async function settleUnanswered(noAnswer: NoAnswer, proof: Proof): Promise<Version> {
    const version = await fixOutcome(proof).catch(() => {
      throw new UnknownOutcome(noAnswer.cause);
    });
    freeProofs.push(proof);
    if (version === undefined) throw noAnswer.cause;
    return version;
  }

  /**
   * Finds out whether the last commit of a proof, which got no answer, went through, and keeps it from going through
   * later: changes the proof that the commit checks. The new value is the number of the commit, which is negative if
   * the commit did not go through.
   * @returns the version of the commit; `undefined` if it did not go through and never will
   */
  function fixOutcome(proof: Proof): Promise<Version | undefined> {
    const { commitNumber } = proof;
    let commitVersion: Version | undefined;
    return retry(async () => {
      for (;;) {
        const stored = await readOne<number>(engine, proof.key);
        const isMade = stored.value === commitNumber;
        if (isMade) commitVersion ??= stored.version!;
        const isSettled = isMade || stored.value === -commitNumber;
        if (isSettled && !engine.traits.readsUnconfirmed) {
          proof.version = stored.version;
          return commitVersion;
        }
        // Writes the proof, so that the check of a commit that arrives later fails. If the commit was already made, the
        // new write, once acknowledged, confirms the commit (`readsUnconfirmed`).
        const value = isMade ? commitNumber : -commitNumber;
        const outcome = await engine.commit(new Commit().check(stored).set(proof.key, value));
        if (outcome === "conflict") continue;
        proof.version = outcome;
        return commitVersion;
      }
    });
  }

  /**
   * Removes the proofs that no commit has used for an hour, such as those of processes that have ended. If a process
   * still has a removed proof, the next commit with this proof fails as stale, and is made again with another proof.
   */
  async function sweep(now: number): Promise<void> {
    if (Math.abs(now - lastSweep.at) < UNUSED_MS) return;
    const versions = new Map<string, Version>();
    for await (const page of pages(engine, PROOFS)) {
      for (const proof of page) {
        if ("fault" in proof) continue;
        const keyText = JSON.stringify(proof.key);
        if (lastSweep.versions.get(keyText) !== proof.version) versions.set(keyText, proof.version);
        else await engine.commit(new Commit().check(proof).delete(proof.key));
      }
    }
    lastSweep = { at: now, versions };
    await engine.sweep(now);
  }

  return {
    ...engine,
    async commit(commit) {
      for (;;) {
        const outcome = await commitWithProof(commit, freeProofs.pop() ?? await createProof());
        // Another commit or the sweep has changed the entry that served as the proof. The next try uses the entry of
        // another proof, and the sweep removes the stale one. The tries come to an end, because no other process knows
        // the key of a new proof.
        if (outcome !== "stale") return outcome;
      }
    },
    sweep,
  };
}
