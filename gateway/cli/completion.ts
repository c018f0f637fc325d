/** Completion scripts, made of the command table. They complete commands, flags and values that are known; files elsewhere. */
import type { DescribedCommand } from './command.ts';
import type { FlagSpec } from './parse-flags.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export function isShell(word: string): word is Shell {
  return SHELLS.some((shell) => shell === word);
}

export function completionScript(shell: Shell, commands: readonly DescribedCommand[]): string {
  if (shell === 'bash') return bash(commands);
  return shell === 'zsh' ? zsh(commands) : fish(commands);
}

interface Place {
  /** Words typed so far: `''`, `keys`, `keys list`. */
  readonly typed: string;
  readonly next: readonly { readonly word: string; readonly summary: string }[];
  readonly flags: readonly FlagSpec[];
}

const HELP: FlagSpec = { name: '--help', kind: 'switch', help: 'Show this' };

/** Every place in a command line where a word may follow. */
function places(commands: readonly DescribedCommand[]): Place[] {
  const typed = new Set(['', ...commands.flatMap(({ name }) => [name.split(' ')[0] ?? name, name])]);
  return [...typed].map((place) => {
    const start = place === '' ? '' : `${place} `;
    const found = commands.find(({ name }) => name === place);
    const next = new Map<string, string>();
    for (const { name, summary } of commands) {
      if (!name.startsWith(start) || name === place) continue;
      const [word = ''] = name.slice(start.length).split(' ');
      // Of a group that is no command itself, the names of its commands say what it is.
      if (!next.has(word)) next.set(word, name === start + word ? summary : groupOf(commands, start + word));
    }
    const flags = found === undefined ? [] : found.command.flags.filter(({ hidden }) => hidden !== true);
    return {
      typed: place,
      next: [...next].map(([word, summary]) => ({ word, summary })),
      flags: [...flags, HELP],
    };
  });
}

function groupOf(commands: readonly DescribedCommand[], group: string): string {
  const inside = commands.filter(({ name }) => name.startsWith(`${group} `));
  return inside.map(({ name }) => name.slice(group.length + 1)).join(', ');
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Flags whose next word is their value, and what it may be (empty: anything). */
function valued(flags: readonly FlagSpec[]) {
  return flags.filter(({ kind }) => kind !== 'switch').map(({ name, values = [] }) => ({ name, values }));
}

/** The lines that find `$cmd`, what has been typed of the command; bash and zsh read them alike. */
function findTyped(all: readonly Place[]): string[] {
  const known = `|${all.map(({ typed }) => typed).join('|')}|`;
  return [
    '    case $word in -*) break ;; esac',
    `    next=\${cmd:+$cmd }$word`,
    `    case ${quoted(known)} in *"|$next|"*) cmd=$next ;; *) break ;; esac`,
  ];
}

function bash(commands: readonly DescribedCommand[]): string {
  const all = places(commands);
  return [
    '# bash completion of tandem: source <(tandem completion bash)',
    '_tandem() {',
    `  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} cmd= word next i`,
    '  COMPREPLY=()',
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    `    word=\${COMP_WORDS[i]}`,
    ...findTyped(all),
    '  done',
    '  case "$cmd|$prev" in',
    ...all.flatMap(({ typed, flags }) =>
      valued(flags).map(({ name, values }) =>
        values.length === 0
          ? `    ${quoted(`${typed}|${name}`)}) return ;;`
          : `    ${quoted(`${typed}|${name}`)}) COMPREPLY=($(compgen -W ${quoted(values.join(' '))} -- "$cur")); return ;;`,
      ),
    ),
    '  esac',
    '  case $cmd in',
    ...all.map(({ typed, next, flags }) => {
      const words = [...next.map(({ word }) => word), ...flags.map(({ name }) => name)];
      return `    ${quoted(typed)}) word=${quoted(words.join(' '))} ;;`;
    }),
    '  esac',
    '  COMPREPLY=($(compgen -W "$word" -- "$cur"))',
    '}',
    'complete -o default -F _tandem tandem',
  ].join('\n');
}

function zsh(commands: readonly DescribedCommand[]): string {
  const all = places(commands);
  const described = (word: string, summary: string) => quoted(`${word.replaceAll(':', '\\:')}:${summary}`);
  return [
    '#compdef tandem',
    '# zsh completion of tandem: source <(tandem completion zsh), after compinit',
    '_tandem() {',
    `  local cmd= word next prev=\${words[CURRENT-1]} i`,
    '  local -a found',
    '  for ((i = 2; i < CURRENT; i++)); do',
    `    word=\${words[i]}`,
    ...findTyped(all),
    '  done',
    '  case "$cmd|$prev" in',
    ...all.flatMap(({ typed, flags }) =>
      valued(flags).map(({ name, values }) =>
        values.length === 0
          ? `    ${quoted(`${typed}|${name}`)}) _files; return ;;`
          : `    ${quoted(`${typed}|${name}`)}) compadd -- ${values.map(quoted).join(' ')}; return ;;`,
      ),
    ),
    '  esac',
    '  case $cmd in',
    ...all.map(({ typed, next, flags }) => {
      const words = [
        ...next.map(({ word, summary }) => described(word, summary)),
        ...flags.map(({ name, help }) => described(name, help)),
      ];
      return `    ${quoted(typed)}) found=(${words.join(' ')}) ;;`;
    }),
    '  esac',
    '  _describe tandem found',
    '}',
    'compdef _tandem tandem',
  ].join('\n');
}

function fish(commands: readonly DescribedCommand[]): string {
  const all = places(commands);
  const text = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const known = all.map(({ typed }) => text(typed)).join(' ');
  const at = (typed: string) => `-n ${text(`__tandem_at ${text(typed)}`)}`;
  return [
    '# fish completion of tandem: tandem completion fish > ~/.config/fish/completions/tandem.fish',
    'function __tandem_at',
    '  set -l typed',
    '  for word in (commandline -opc)[2..-1]',
    "    if string match -q -- '-*' $word",
    '      break',
    '    end',
    '    set -l next (string join " " -- $typed $word)',
    `    if not contains -- "$next" ${known}`,
    '      break',
    '    end',
    '    set -a typed $word',
    '  end',
    '  test (string join " " -- $typed | string collect -a) = "$argv[1]"',
    'end',
    'complete -c tandem -f',
    ...all.flatMap(({ typed, next, flags }) => [
      ...next.map(
        ({ word, summary }) => `complete -c tandem ${at(typed)} -a ${text(word)} -d ${text(summary)}`,
      ),
      ...flags.map(({ name, kind, values = [], help }) => {
        const takes =
          kind === 'switch' ? '' : values.length === 0 ? ' -r -F' : ` -x -a ${text(values.join(' '))}`;
        return `complete -c tandem ${at(typed)} -l ${name.slice(2)}${takes} -d ${text(help)}`;
      }),
    ]),
  ].join('\n');
}
