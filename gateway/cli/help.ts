import type { Command } from './command.ts';

export interface CommandSummary {
  readonly name: string;
  readonly summary: string;
}

export function programHelp(commands: readonly CommandSummary[]): string[] {
  const longest = Math.max(...commands.map((command) => command.name.length));
  return [
    'Tandem: a local gateway for pair and basket trading.',
    '',
    'Usage: tandem <command> [flags]',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(longest)}  ${command.summary}`),
    '',
    '`tandem <command> --help` shows its flags, `tandem --version` the version.',
    'Exit codes: 0 done, 1 it failed, 2 asked wrongly. `tandem man | man -l -` is the manual, `tandem completion --help` completes it.',
  ];
}

/** @param group commands of two words that begin with the name of this one */
export function commandHelp(command: Command, group: readonly CommandSummary[] = []): string[] {
  const shown = command.flags.filter((flag) => flag.hidden !== true);
  const titles = shown.map((flag) => `${flag.name}${flag.value === undefined ? '' : ` ${flag.value}`}`);
  const longest = Math.max(0, ...titles.map((title) => title.length));
  const nameWidth = Math.max(0, ...group.map(({ name }) => name.length));
  return [
    `Usage: tandem ${command.usage}`,
    '',
    ...command.about,
    ...(group.length === 0 ? [] : ['', 'Commands:']),
    ...group.map(({ name, summary }) => `  ${name.padEnd(nameWidth)}  ${summary}`),
    ...(shown.length === 0 ? [] : ['', 'Flags:']),
    ...shown.map((flag, index) => `  ${(titles[index] ?? '').padEnd(longest)}  ${flag.help}`),
  ];
}
