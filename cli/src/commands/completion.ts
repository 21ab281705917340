import { objectTypeNames } from '@cadastre/rpsl';
import { Argument, type Command, type Option } from 'commander';
import type { Run } from '../action.js';
import { type Io, say } from '../io.js';

const shells = { bash: bashScript, zsh: zshScript, fish: fishScript };

type Shell = keyof typeof shells;

/** Adds `cadastre completion`; add it after the other commands, which it completes. */
export function addCompletionCommand(program: Command, io: Io, run: Run): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(shells)))
    .addHelpText(
      'after',
      `
Examples:
  bash   source <(cadastre completion bash)                         in ~/.bashrc
  zsh    source <(cadastre completion zsh)                          in ~/.zshrc, after compinit
  fish   cadastre completion fish > ~/.config/fish/completions/cadastre.fish`,
    )
    .action(run((shell: Shell) => print(io, program, shell)));
}

async function print(io: Io, program: Command, shell: Shell): Promise<void> {
  say(io, shells[shell](placesOf(program, '')));
}

/** The possible words after a command. */
interface Place {
  /** Names of commands, each after a slash: "/api-key/create"; empty for the program itself. */
  path: string;
  /** Subcommands, and values of the argument if there is a choice; a value that ends with a slash has more after it. */
  words: { text: string; description: string }[];
  options: readonly Option[];
}

function placesOf(command: Command, path: string): Place[] {
  const subcommands = command.commands.map((one) => ({ text: one.name(), description: one.description() }));
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? startsOf(argument));
  const words = [...subcommands, ...choices.map((text) => ({ text, description: '' }))];
  const own = { path, words, options: command.createHelp().visibleOptions(command) };
  return [own, ...command.commands.flatMap((one) => placesOf(one, `${path}/${one.name()}`))];
}

/** How the values of an argument begin: those that are type/key with a type. */
function startsOf(argument: Argument): string[] {
  return /^objects?$/.test(argument.name()) ? objectTypeNames.map((type) => `${type}/`) : [];
}

/** Finds the command in `words`, an array of the words before the cursor; the same in bash and zsh. */
function findPath(places: Place[], words: string): string {
  const known = places.flatMap(({ path }) => (path === '' ? [] : [path]));
  return `  local place='' word
  for word in ${words}; do
    case "$place/$word" in
      ${known.join('|')}) place="$place/$word" ;;
    esac
  done`;
}

/** Sets `found`: the values of the option before the cursor, or the words that may follow the command. */
function findWords(places: Place[], previous: string): string {
  const values = places.flatMap(({ path, options }) =>
    options.flatMap(({ long, argChoices, required }) =>
      argChoices || required ? [`    '${path} ${long}') found='${(argChoices ?? []).join(' ')}' ;;`] : [],
    ),
  );
  const lists = places.map(({ path, words, options }) => {
    const all = [...words.map(({ text }) => text), ...options.map(({ long }) => long)];
    return `    '${path} '*) found='${all.join(' ')}' ;;`;
  });
  return `  local found=''
  case "$place ${previous}" in
${[...values, ...lists].join('\n')}
  esac`;
}

function bashScript(places: Place[]): string {
  return `# Completion of cadastre for bash.
_cadastre() {
${findPath(places, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
${findWords(places, `\${COMP_WORDS[COMP_CWORD-1]}`)}
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [[ "\${COMPREPLY[0]}" != */ ]] || compopt -o nospace 2>/dev/null
}
complete -o default -F _cadastre cadastre`;
}

function zshScript(places: Place[]): string {
  return `#compdef cadastre
_cadastre() {
${findPath(places, `"\${(@)words[2,CURRENT-1]}"`)}
${findWords(places, `\${words[CURRENT-1]}`)}
  local -a whole starts
  whole=(\${\${=found}:#*/}) starts=(\${(M)\${=found}:#*/})
  compadd -S '' -- $starts
  compadd -- $whole || (( $#starts )) || _files
}
compdef _cadastre cadastre`;
}

function fishScript(places: Place[]): string {
  const lines = places.flatMap(({ path, words, options }) => {
    const at = `complete -c cadastre -n "__cadastre_at '${path}'"`;
    return [
      ...words.map(({ text, description }) => `${at} -f -a ${text} -d ${quoted(description)}`),
      ...options.map(({ long, required, argChoices, description }) => {
        const values = argChoices ? ` -f -a ${quoted(argChoices.join(' '))}` : '';
        return `${at} -l ${long?.slice(2)}${required ? ' -r' : ''}${values} -d ${quoted(description)}`;
      }),
    ];
  });
  const known = places.flatMap(({ path }) => (path === '' ? [] : [path])).join(' ');
  return `# Completion of cadastre for fish.
function __cadastre_at
    set -l place ''
    for word in (commandline -opc)[2..-1]
        contains -- "$place/$word" ${known}; and set place "$place/$word"
    end
    test "$place" = "$argv[1]"
end
${lines.join('\n')}`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
