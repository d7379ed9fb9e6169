/**
 * The parts into which the rows of counters are divided, so that commits do not wait for each other's counters: a
 * commit writes its counters to a part that no other call under way uses (`sendCommit()` in `mod.ts` has the exception).
 *
 * Each numbered part belongs to one process. Part 0 belongs to no process: it gets the counters of a part to which no
 * commit has written for some time. @module
 */
import type { Version } from "../engine.ts";
import type { Connection, StoredRow } from "./connection.ts";
import type { Connections } from "./connections.ts";
import { FOLD_PART, NEW_PART } from "./table.ts";

/** The parts of counters, as one process uses them. */
export class CounterParts {
  readonly #connections: Connections;
  /** The numbers of this process's parts that no call under way uses. */
  readonly #freeParts: string[] = [];
  /** The parts of all processes at the last call of `foldUnusedParts()`, each with the version of its last commit. */
  #earlierVersions = new Map<string, Version>();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Gives the number of a part for the counters of a commit. No other commit gets the part before `giveBack()`. */
  async take(connection: Connection): Promise<string> {
    const freePart = this.#freeParts.pop();
    if (freePart !== undefined) return freePart;
    const [[newPart] = []] = await connection.query(NEW_PART);
    return newPart!;
  }

  giveBack(part: string): void {
    this.#freeParts.push(part);
  }

  /**
   * Moves the counters to part 0 from each part to which no commit has written since the last call of this function.
   * @param partRows the present parts of all processes, as `READ_PARTS` gives them
   */
  async foldUnusedParts(partRows: StoredRow[]): Promise<void> {
    const versions = new Map(partRows as [part: string, Version][]);
    for (const [part, version] of versions) {
      if (this.#earlierVersions.get(part) !== version) continue;
      await this.#connections.write((connection) =>
        connection.query(FOLD_PART, [part, version], "fold")
      );
    }
    this.#earlierVersions = versions;
  }
}
