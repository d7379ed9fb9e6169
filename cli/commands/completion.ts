/**
 * `waitlist completion`: prints the script by which a shell completes the names of commands and flags.
 *
 * @module
 */
import { Command } from "commander";
import { defineCommand, type RunnableCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import type { TreeEntry } from "../tree_entry.ts";

/** What may follow a command on the command line. */
interface Completion {
  /** The names of the command, separated by spaces; empty for the program itself. */
  path: string;
  /** The names of the commands below the command, with their summaries. */
  commands: { name: string; summary: string }[];
  /** The long forms of the command's flags, with their descriptions. */
  flags: { name: string; description: string }[];
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

type Shell = keyof typeof SCRIPTS;

/** Makes the command. @param entries all commands of the program */
export function completionCommand(entries: TreeEntry[]): RunnableCommand {
  return defineCommand({
    access: { declare() {}, prepare: () => () => Promise.resolve(undefined) },
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
      const script = SCRIPTS[shell](await completionsOf(entries));
      return print({ json: { shell, script }, text: () => script, quiet: script });
    },
  });
}

/** Lists what may follow each command, the program itself first. */
async function completionsOf(entries: TreeEntry[], path = ""): Promise<Completion[]> {
  const below = await Promise.all(entries.map(async (entry) => {
    const name = `${path} ${entry.name}`.trim();
    const command = new Command();
    (await entry.load?.())?.declare(command);
    const flags = command.options.flatMap(({ long, description }) =>
      long ? [{ name: long, description }] : []
    );
    const [own, ...others] = await completionsOf(entry.entries ?? [], name);
    return [{ ...own!, flags }, ...others];
  }));
  const commands = entries.map(({ name, summary }) => ({ name, summary }));
  return [{ path, commands, flags: [] }, ...below.flat()];
}

function bashScript(completions: Completion[]): string {
  const cases = completions.map(({ path, commands, flags }) => {
    const words = [...commands, ...flags].map(({ name }) => name).join(" ");
    return `    "${path}") words="${words}" ;;`;
  });
  return `# Completes the commands and flags of waitlist in Bash.
_waitlist() {
  local path="" word words paths=${quote(completions.map(({ path }) => path).join("\n"))}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if grep -qxF -- "\${path:+$path }$word" <<<"$paths"; then path="\${path:+$path }$word"; fi
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _waitlist waitlist
`;
}

function zshScript(completions: Completion[]): string {
  const described = (name: string, text: string) => quote(`${name.replaceAll(":", "\\:")}:${text}`);
  const cases = completions.map(({ path, commands, flags }) => {
    const words = [
      ...commands.map(({ name, summary }) => described(name, summary)),
      ...flags.map(({ name, description }) => described(name, description)),
    ];
    return `    "${path}") candidates=(${words.join(" ")}) ;;`;
  });
  return `#compdef waitlist
# Completes the commands and flags of waitlist in Zsh.
_waitlist() {
  local place="" word
  local -a candidates known
  known=(${completions.map(({ path }) => quote(path)).join(" ")})
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if (( \${known[(Ie)\${place:+$place }$word]} )); then place="\${place:+$place }$word"; fi
  done
  case "$place" in
${cases.join("\n")}
  esac
  _describe waitlist candidates || _files
}
if [ "$funcstack[1]" = "_waitlist" ]; then _waitlist; else compdef _waitlist waitlist; fi
`;
}

function fishScript(completions: Completion[]): string {
  const lines = completions.flatMap(({ path, commands, flags }) => {
    const condition = `-n ${quote(`test (__waitlist_path) = ${quote(path)}`)}`;
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
