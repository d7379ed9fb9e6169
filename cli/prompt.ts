import process from "node:process";
import { confirm, isCancel, password } from "@clack/prompts";
import type { Prompt } from "./context.ts";

/** Questions on standard error, so that a piped result stays clean. */
export const terminalPrompt: Prompt = {
  async secret(message) {
    const answer = await password({ message, mask: "", output: process.stderr });
    return isCancel(answer) ? undefined : answer ?? "";
  },
  async confirm(message) {
    const answer = await confirm({ message, initialValue: false, output: process.stderr });
    return isCancel(answer) ? undefined : answer;
  },
};
