/**
 * The messages about files that cannot be read or written.
 *
 * @module
 */

/**
 * Returns the message about a file that could not be read, with the next step and without a full stop.
 *
 * @param name the name of the file as the message has it, such as `'list.csv'`
 */
export function cannotRead(name: string, error: unknown): string {
  const nextStep = isAccessDenied(error) ? "check the permissions of the file" : "check the path";
  return `Cannot read ${name}: ${explainFileError(error, { flags: "--allow-read", nextStep })}`;
}

/**
 * Returns the message about a file that could not be written, with the next step and without a full stop.
 *
 * @param name the name of the file as the message has it, such as `'list.csv'`
 */
export function cannotWrite(
  name: string,
  error: unknown,
  {
    flags = "--allow-read and --allow-write",
    nextStep = "solve this problem, and run the command again",
  }: { flags?: string; nextStep?: string } = {},
): string {
  return `Cannot write ${name}: ${explainFileError(error, { flags, nextStep })}`;
}

/**
 * Returns the reason of a failure, and the next step.
 *
 * @param options.flags the flags of Deno that give the needed permissions
 * @param options.nextStep what to do if the reason is not a permission of Deno
 */
function explainFileError(
  error: unknown,
  { flags, nextStep }: { flags: string; nextStep: string },
): string {
  const { code } = error as NodeJS.ErrnoException;
  if (lacksPermission(error)) {
    return `Deno does not permit this without ${flags}; install this program again with ${flags}`;
  }
  if (code === "ENOENT") return `there is no such file or folder; ${nextStep}`;
  if (code === "EISDIR") return `it is a folder; ${nextStep}`;
  if (isAccessDenied(error)) return `access is denied; ${nextStep}`;
  const reason = (error as Error).message.replace(/ \(os error \d+\).*/, "");
  return `the system reports '${reason}'; ${nextStep}`;
}

/** Whether an error means that the system does not let this account use the file. */
function isAccessDenied(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EACCES" || code === "EPERM";
}

/** Whether an error means that the program lacks a permission of Deno. */
export function lacksPermission(error: unknown): boolean {
  return (error as Error).name === "NotCapable";
}
