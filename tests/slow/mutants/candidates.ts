/** The mutants that can be drawn, and how the mutants of an earlier run are found again in a changed source. @module */
import { readSources } from "../../support/project_files.ts";
import { type Mutant, mutantsOf } from "./faults.ts";

/** The rooms whose mutants are drawn. */
export const ROOMS = ["waitlist", "oauth", "limits", "http", "api", "store/people"];

/** A mutant of the project as it is now. */
export interface Candidate extends Mutant {
  id: string;
  /** The text of the line without its indentation, and the place's offset in it. */
  code: string;
  column: number;
}

/** A mutant of an earlier run, as its results have it. */
export type EarlierMutant =
  & Pick<Candidate, "id" | "path" | "line" | "fault" | "code">
  & Partial<Pick<Candidate, "column" | "around" | "within">>;

/** A mutant and what it was in the earlier run. */
export type FoundMutant = Candidate & { earlier?: string };

/** Lists all mutants of all rooms. */
export async function allCandidates(): Promise<Candidate[]> {
  const sources = await readSources(ROOMS.map((room) => `server/${room}`));
  return sources.flatMap(({ path, text }) => candidatesOf(path, text));
}

/** Lists all mutants of a module. */
export function candidatesOf(path: string, text: string): Candidate[] {
  const lines = text.split("\n");
  return mutantsOf(path, text).map((mutant) => {
    const line = lines[mutant.line - 1]!;
    const indentation = line.length - line.trimStart().length;
    const column = mutant.start - text.lastIndexOf("\n", mutant.start - 1) - 1 - indentation;
    return { ...mutant, id: `${path}:${mutant.start}:${mutant.fault}`, code: line.trim(), column };
  });
}

/** Finds the room of a module. */
export const roomOf = (path: string): string =>
  ROOMS.find((room) => path.startsWith(`server/${room}/`))!;

/**
 * Finds the mutants of an earlier run again: the same fault in the same statement or line. If there is only one
 * such place, a mutant is also found in another file of its room, or in its function with other names in the statement. No two mutants become the same one.
 * @returns the mutants that are still there, and those of which nothing is left
 */
export function findAgain(
  candidates: Candidate[],
  earlier: EarlierMutant[],
): { found: FoundMutant[]; lost: EarlierMutant[] } {
  const found = new Map<EarlierMutant, FoundMutant>();
  const taken = new Set<string>();
  for (const [isSame, mustBeOne] of RULES) {
    for (const before of earlier.filter((before) => !found.has(before))) {
      const same = candidates.filter((now) =>
        !taken.has(now.id) && now.fault === before.fault && isSame(now, before)
      ).toSorted((a, b) => Math.abs(a.line - before.line) - Math.abs(b.line - before.line));
      const [first] = same;
      if (!first || (mustBeOne && same.length > 1)) continue;
      taken.add(first.id);
      found.set(before, { ...first, earlier: before.id });
    }
  }
  return {
    found: earlier.flatMap((before) => found.get(before) ?? []),
    lost: earlier.filter((before) => !found.has(before)),
  };
}

type IsSame = (now: Candidate, before: EarlierMutant) => boolean;

const inSameFile: IsSame = (now, { path }) => now.path === path;
const inSameRoom: IsSame = (now, { path }) => roomOf(now.path) === roomOf(path);
const inSameFunction: IsSame = (now, { within }) => now.within === within;
const inSameStatement: IsSame = (now, { around }) => now.around === around;
/** Results of earlier versions of this tool have no column. */
const inSameLine: IsSame = (now, { code, column }) =>
  now.code === code && (column === undefined || now.column === column);

/** Whether the statements differ only in names and words. */
const inLikeStatement: IsSame = (now, { around }) =>
  around !== undefined && shapeOf(now.around) === shapeOf(around);
const shapeOf = (code: string): string => code.replace(/[#\w$]*[A-Za-z_$][\w$]*/g, "$$");

const all = (...rules: IsSame[]): IsSame => (now, before) =>
  rules.every((rule) => rule(now, before));

/** The rules, the surest first, and whether a rule counts only if one mutant fits. */
const RULES: [IsSame, boolean][] = [
  [all(inSameFile, inSameFunction, inSameStatement, inSameLine), false],
  [all(inSameFile, inSameFunction, inSameLine), false],
  [all(inSameFile, inSameFunction, inSameStatement), false],
  [all(inSameFile, inSameStatement), false],
  [all(inSameFile, inSameLine), false],
  [all(inSameFile, inSameFunction, inLikeStatement), true],
  [all(inSameRoom, inSameFunction, inSameStatement), true],
  [all(inSameRoom, inSameStatement), true],
  [all(inSameRoom, inSameLine), true],
];
