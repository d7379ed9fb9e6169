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
  load?: () => Promise<RunnableCommand>;
  entries?: TreeEntry[];
}
