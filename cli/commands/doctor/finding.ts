/** What the doctor has found out about one thing. */
export interface Finding {
  /** The name of what was looked at. */
  check: string;
  result: "ok" | "fault" | "unchecked";
  /** What is so; for a fault also what to do, and for the others why it could not be looked at. */
  message: string;
}

/** Says that something is as it should be. */
export function fine(check: string, message: string): Finding {
  return { check, result: "ok", message };
}

/** Says that something is wrong, and what to do. */
export function faulty(check: string, message: string): Finding {
  return { check, result: "fault", message };
}

/** Says why something was not looked at. */
export function unchecked(check: string, message: string): Finding {
  return { check, result: "unchecked", message };
}
