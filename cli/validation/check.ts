import type { Style } from "../output/style.ts";
import { quotable } from "../../shared/api_failure.ts";

/** One thing that was looked at, and what is wrong with it. */
export interface Check {
  /** The operation, or what else was looked at. */
  operation: string;
  /** What it is to do, as in "getStatus says that the service is up". */
  does: string;
  /** The call; absent where none was made. */
  call?: { method: string; path: string; status: number | undefined; milliseconds: number };
  /** Empty when the check holds. */
  faults: string[];
}

/** A check in one line. */
export function formatCheck({ operation, does, call, faults }: Check, style: Style): string {
  const mark = faults.length === 0 ? style.green("ok  ") : style.red("FAIL");
  const called = call
    ? style.dim(` (${call.method} ${call.path}: ${call.status ?? "no answer"})`)
    : "";
  const wrong = faults.length === 0
    ? ""
    : `: ${faults.map((fault) => quotable(fault, 500)).join("; ")}`;
  return `${mark} ${operation} ${does}${called}${wrong}\n`;
}
