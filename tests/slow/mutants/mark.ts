/**
 * Notes which marked places of the source run during which test. The isolate of the tests says by `beginTest()` which
 * test runs. Other threads and processes read the number of the test from a file. A process that may not write there
 * notes nothing. @module
 */

/** The environment variable that names the folder of the notes; if it is absent, nothing is noted. */
export const FOLDER_VARIABLE = "MUTANT_MARKS";

const files = openFiles();
const bytes = new Uint32Array(1);
const seen = new Set<number>();
let isIsolateOfTests = false;
let currentTest = 0;

/** Says which test begins; 0 stands for none. */
export function beginTest(number: number): void {
  isIsolateOfTests = true;
  change(number);
  if (!files) return;
  bytes[0] = number;
  files.current.seekSync(0, Deno.SeekMode.Start);
  files.current.writeSync(new Uint8Array(bytes.buffer));
}

/** Notes that a place runs. */
export function ran(place: number): void {
  if (!files) return;
  if (!isIsolateOfTests) {
    files.current.seekSync(0, Deno.SeekMode.Start);
    files.current.readSync(new Uint8Array(bytes.buffer));
    if (bytes[0] !== currentTest) change(bytes[0]!);
  }
  if (seen.has(place)) return;
  seen.add(place);
  files.ran.writeSync(new TextEncoder().encode(`${currentTest} ${place}\n`));
}

function change(number: number): void {
  currentTest = number;
  seen.clear();
}

function openFiles() {
  try {
    const folder = Deno.env.get(FOLDER_VARIABLE);
    if (!folder) return;
    return {
      /** Has the number of the current test. */
      current: Deno.openSync(`${folder}/current`, { read: true, write: true, create: true }),
      /** Has a line with the number of a test and that of a place. */
      ran: Deno.openSync(`${folder}/ran`, { append: true, create: true }),
    };
  } catch {
    return;
  }
}
