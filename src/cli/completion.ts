// sluice completion: what a shell needs to complete commands and options. It is made from the
// commands themselves, so it knows all of them and starts nothing when a key is pressed.
import { InvalidArgumentError, type Command } from "commander";
import { addCommand } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** Words that may follow, by the commands before them, as in `/channel/edit`. */
type Table = ReadonlyMap<string, readonly string[]>;

export function addCompletionCommand(program: Command, terminal: Terminal): void {
  addCommand(program, "completion", {
    description: "print what a shell needs to complete commands: bash, zsh or fish",
    examples: [
      'eval "$(sluice completion bash)"',
      "mkdir -p ~/.zsh/completions && sluice completion zsh > ~/.zsh/completions/_sluice",
      "sluice completion fish | source",
    ],
  })
    .argument("<shell>", "bash, zsh or fish", shellArgument)
    .action((shell: keyof typeof scripts) => {
      terminal.write(scripts[shell](tableOf(program)));
    });
}

function shellArgument(text: string): keyof typeof scripts {
  if (text === "bash" || text === "zsh" || text === "fish") return text;
  throw new InvalidArgumentError("It must be bash, zsh or fish.");
}

function tableOf(command: Command, path = ""): Table {
  const below = command.commands.map((child) => tableOf(child, `${path}/${child.name()}`));
  const options = command.options.flatMap(({ long }) => long ?? []);
  const words = [...command.commands.map((child) => child.name()), ...options, "--help"];
  return new Map([[path, words], ...below.flatMap((table) => [...table])]);
}

const scripts = { bash: toBash, zsh: toZsh, fish: toFish };

function toBash(table: Table): string {
  return `# sluice completion for bash
_sluice() {
  local path="" word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path/$word" in
      ${commandsIn(table).join("|")}) path="$path/$word" ;;
    esac
  done
  case "$path" in
${rows(table, (path, words) => `    "${path}") words="${words}" ;;`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _sluice sluice
`;
}

function toZsh(table: Table): string {
  return `#compdef sluice
# sluice completion for zsh
_sluice() {
  local path_so_far="" word candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$path_so_far/$word" in
      ${commandsIn(table).join("|")}) path_so_far="$path_so_far/$word" ;;
    esac
  done
  case "$path_so_far" in
${rows(table, (path, words) => `    "${path}") candidates="${words}" ;;`)}
  esac
  compadd -- \${=candidates}
}
if [ "$funcstack[1]" = "_sluice" ]; then _sluice; else compdef _sluice sluice; fi
`;
}

function toFish(table: Table): string {
  return `# sluice completion for fish
function __sluice_words
    set -l path ""
    for word in (commandline -opc)[2..-1]
        switch "$path/$word"
            case ${commandsIn(table).join(" ")}
                set path "$path/$word"
        end
    end
    switch "$path"
${rows(table, (path, words) => `        case "${path}"\n            string split " " "${words}"`)}
    end
end
complete -c sluice -f -a "(__sluice_words)"
`;
}

function commandsIn(table: Table): string[] {
  return [...table.keys()].filter((path) => path !== "");
}

function rows(table: Table, render: (path: string, words: string) => string): string {
  return [...table].map(([path, words]) => render(path, [...new Set(words)].join(" "))).join("\n");
}
