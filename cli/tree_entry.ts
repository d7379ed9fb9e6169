/**
 * The type of the entries in the tree of commands.
 *
 * @module
 */
import type { RunnableCommand } from "./command.ts";

/** A command, a group of commands, or a command with further commands below it. */
export interface TreeEntry {
  name: string;
  summary: string;
  /** Loads the definition of the command. Absent for a group. */
  load?: () => Promise<RunnableCommand>;
  /** The commands below this entry. */
  entries?: TreeEntry[];
}
