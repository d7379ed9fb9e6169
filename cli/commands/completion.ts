/**
 * `waitlist completion`: prints the script by which a shell completes the names of commands and flags.
 *
 * Each script finds the command before the cursor in the same way. It begins with an empty path and reads the command
 * line word by word. It appends a word to the path if the longer path is the path of a command, and skips the word
 * otherwise. In this way it skips flags and their values.
 *
 * @module
 */
import { Command } from "commander";
import { defineCommand, NO_ACCESS, type RunnableCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import type { TreeEntry } from "../tree_entry.ts";

/** What may follow a command on the command line. */
interface Completion {
  /** The names of the command, separated by spaces; empty for the program itself. */
  path: string;
  /** The names of the commands below the command, with their summaries. */
  commands: { name: string; summary: string }[];
  flags: Flag[];
}

/** A flag of a command, in its long form such as `--limit`. */
interface Flag {
  name: string;
  description: string;
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

type Shell = keyof typeof SCRIPTS;

/** Makes the command. @param entries all commands of the program */
export function completionCommand(entries: TreeEntry[]): RunnableCommand {
  return defineCommand({
    access: NO_ACCESS,
    examples: [
      ["waitlist completion bash > ~/.local/share/bash-completion/completions/waitlist", "Bash"],
      ["waitlist completion zsh > ~/.zfunc/_waitlist", "Zsh, with ~/.zfunc in fpath"],
      ["waitlist completion fish > ~/.config/fish/completions/waitlist.fish", "fish"],
    ],
    declare: (command) => {
      command.argument("<shell>", "bash, zsh or fish");
    },
    parse({ args: [shell = ""] }): Shell {
      if (Object.hasOwn(SCRIPTS, shell)) return shell as Shell;
      throw new UsageError(`The shell is '${shell}'; give bash, zsh or fish`);
    },
    async run(shell, { print }) {
      const script = SCRIPTS[shell](await listCompletions("", { entries, flags: [] }));
      return print({ json: { shell, script }, text: () => script, quiet: script });
    },
  });
}

/**
 * Lists what may follow a command, and then what may follow each command below this command in the tree.
 *
 * @param path the names of the command, separated by spaces; empty for the program itself
 */
async function listCompletions(
  path: string,
  { entries, flags }: { entries: TreeEntry[]; flags: Flag[] },
): Promise<Completion[]> {
  const commands = entries.map(({ name, summary }) => ({ name, summary }));
  const completionsBelow = await Promise.all(entries.map(async (entry) => {
    const entryPath = `${path} ${entry.name}`.trim();
    const below = { entries: entry.entries ?? [], flags: await flagsOf(entry) };
    return await listCompletions(entryPath, below);
  }));
  return [{ path, commands, flags }, ...completionsBelow.flat()];
}

/** Returns the flags of a command. A group of commands has no flags. */
async function flagsOf({ load }: TreeEntry): Promise<Flag[]> {
  const command = new Command();
  (await load?.())?.declare(command);
  return command.options.flatMap(({ long, description }) =>
    long ? [{ name: long, description }] : []
  );
}

/** Makes the script for Bash, which runs `_waitlist` to fill `COMPREPLY`, the list of proposed words. */
function bashScript(completions: Completion[]): string {
  const cases = completions.map(({ path, commands, flags }) => {
    const words = [...commands, ...flags].map(({ name }) => name).join(" ");
    return `    "${path}") words="${words}" ;;`;
  });
  // Shell code for the path with the next word appended. A space stands between them, unless the path is empty.
  const longerPath = "${path:+$path }$word";
  return `# Completes the commands and flags of waitlist in Bash.
_waitlist() {
  local path="" word words paths=${quote(completions.map(({ path }) => path).join("\n"))}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if grep -qxF -- "${longerPath}" <<<"$paths"; then path="${longerPath}"; fi
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _waitlist waitlist
`;
}

/**
 * Makes the script for Zsh, which is used in two ways. If the file is in a folder of `fpath`, Zsh runs the file as the
 * body of the function `_waitlist`. If a user reads the file with `source`, the file must only define the function. The
 * last line of the script tells the two ways apart.
 */
function zshScript(completions: Completion[]): string {
  // A word with its description, in the form that `_describe` takes.
  const describedWord = (name: string, text: string) =>
    quote(`${name.replaceAll(":", "\\:")}:${text}`);
  const cases = completions.map(({ path, commands, flags }) => {
    const words = [
      ...commands.map(({ name, summary }) => describedWord(name, summary)),
      ...flags.map(({ name, description }) => describedWord(name, description)),
    ];
    return `    "${path}") candidates=(${words.join(" ")}) ;;`;
  });
  // Shell code for the path with the next word appended. A space stands between them, unless the path is empty. The
  // script calls the path `place`, because `path` is a special variable of Zsh.
  const longerPath = "${place:+$place }$word";
  // Shell code for the index of the longer path in the list of all paths; 0 if the list does not contain this path.
  const indexInKnown = `\${known[(Ie)${longerPath}]}`;
  return `#compdef waitlist
# Completes the commands and flags of waitlist in Zsh.
_waitlist() {
  local place="" word
  local -a candidates known
  known=(${completions.map(({ path }) => quote(path)).join(" ")})
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if (( ${indexInKnown} )); then place="${longerPath}"; fi
  done
  case "$place" in
${cases.join("\n")}
  esac
  _describe waitlist candidates || _files
}
if [ "$funcstack[1]" = "_waitlist" ]; then _waitlist; else compdef _waitlist waitlist; fi
`;
}

/**
 * Makes the script for fish, which has a line with `complete` for each word that may follow a command. The condition in
 * the line compares the path of this command with the path that `__waitlist_path` finds on the command line.
 */
function fishScript(completions: Completion[]): string {
  const lines = completions.flatMap(({ path, commands, flags }) => {
    const condition = `-n ${quote(`test (__waitlist_path) = ${quote(path)}`)}`;
    // Without -f, fish also proposes the names of files. The lines for flags have no -f, because a file may follow a
    // flag.
    return [
      ...commands.map(({ name, summary }) =>
        `complete -c waitlist -f ${condition} -a ${name} -d ${quote(summary)}`
      ),
      ...flags.map(({ name, description }) =>
        `complete -c waitlist ${condition} -l ${name.slice(2)} -d ${quote(description)}`
      ),
    ];
  });
  return `# Completes the commands and flags of waitlist in fish.
set -g __waitlist_paths ${completions.map(({ path }) => quote(path)).join(" ")}
function __waitlist_path
  set -l place ""
  for word in (commandline -opc)[2..]
    set -l longer (string trim "$place $word")
    if contains -- "$longer" $__waitlist_paths
      set place "$longer"
    end
  end
  echo "$place"
end
${lines.join("\n")}
`;
}

/** Quotes a text for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
