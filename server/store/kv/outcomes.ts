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
   * How many commits have carried the proof. Each commit writes its own number as the value of the entry: 1 for the
   * first commit with this proof.
   */
  commitCount: number;
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
      return { key: proofKey(await processId, proofCount++), version: null, commitCount: 0 };
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
    const commitNumber = ++proof.commitCount;
    const withProof = new Commit().check(proof, ...commit.checks);
    withProof.writes.push(...commit.writes);
    withProof.set(proof.key, commitNumber);

    const answer = await engine.commit(withProof).catch((error) => {
      if (error instanceof NoAnswer) return error;
      if (!(error instanceof UnknownOutcome)) freeProofs.push(proof);
      throw error;
    });
    if (answer instanceof NoAnswer) return await settleUnanswered(answer, proof, commitNumber);
    if (answer === "conflict") return await explainConflict(proof, commitNumber);
    proof.version = answer;
    freeProofs.push(proof);
    return answer;
  }

  /**
   * Finds out why a commit had a conflict. The commit itself may have caused the conflict: the engine's client may have
   * sent the commit twice because it got no answer, and the second commit then finds the writes of the first.
   * @returns the version of the commit if the commit went through; `"stale"` if something else has changed the proof;
   * `"conflict"` if another check of the commit failed
   */
  async function explainConflict(
    proof: Proof,
    commitNumber: number,
  ): Promise<Version | "conflict" | "stale"> {
    const stored = await retry(() => readOne<number>(engine, proof.key)).catch((error) => {
      throw new UnknownOutcome(error);
    });
    const isMade = stored.value === commitNumber;
    if (!isMade && stored.version !== proof.version) return "stale";
    proof.version = stored.version;
    freeProofs.push(proof);
    return isMade ? stored.version! : "conflict";
  }

  /**
   * Finds out whether a commit without an answer went through.
   * @returns the version of the commit
   * @throws the cause of `answer` if the commit did not go through
   */
  async function settleUnanswered(
    answer: NoAnswer,
    proof: Proof,
    commitNumber: number,
  ): Promise<Version> {
    const version = await settle(proof, commitNumber).catch(() => {
      throw new UnknownOutcome(answer.cause);
    });
    freeProofs.push(proof);
    if (version === undefined) throw answer.cause;
    return version;
  }

  /**
   * Finds out whether a commit without an answer went through, and keeps it from going through later: changes the
   * proof that the commit checks. The new value is the number of the commit, which is negative if the commit did not go
   * through.
   * @returns the version of the commit; `undefined` if it did not go through and never will
   */
  function settle(proof: Proof, commitNumber: number): Promise<Version | undefined> {
    let version: Version | undefined;
    return retry(async () => {
      for (;;) {
        const stored = await readOne<number>(engine, proof.key);
        const isMade = stored.value === commitNumber;
        if (isMade) version ??= stored.version!;
        const isSettled = isMade || stored.value === -commitNumber;
        if (isSettled && !engine.traits.readsUnconfirmed) {
          proof.version = stored.version;
          return version;
        }
        // Writes the proof, so that the check of a commit that arrives later fails. If the commit was already made, the
        // new write, once acknowledged, confirms the commit (`readsUnconfirmed`).
        const value = isMade ? commitNumber : -commitNumber;
        const written = await engine.commit(new Commit().check(stored).set(proof.key, value));
        if (written === "conflict") continue;
        proof.version = written;
        return version;
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
        // The next try uses another proof, and the sweep removes the stale proof. The tries come to an end, because no
        // other process knows the key of a new proof.
        if (outcome !== "stale") return outcome;
      }
    },
    sweep,
  };
}
