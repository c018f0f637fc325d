/** Type of a command and of its context, and shared flags. */
import type { Clock } from '../engine/ports/system.ts';
import { usage } from './cli-error.ts';
import type { FlagSpec, ParsedFlags } from './parse-flags.ts';
import { type Column, renderTable } from './table.ts';
import type { Terminal } from './terminal.ts';

export interface Command {
  /** The command line without the program's name: `keys create [flags]`. */
  readonly usage: string;
  /** One or more lines under the usage. */
  readonly about: readonly string[];
  readonly flags: readonly FlagSpec[];
  /** Options without a flag, with the fields of the request that they fill (option-names.ts). */
  readonly said?: readonly { readonly name: string; readonly fields: readonly string[] }[];
  /** False: it talks to a gateway and does not wait while one starts. Default: it waits. */
  readonly waitsForStart?: false;
  /** How many words may follow the command: `[minimum, maximum]`. */
  readonly words: readonly [number, number];
  /** Resolves with the exit code. Rejects with CliError for expected failures. */
  run(context: CommandContext): Promise<number>;
}

/** A command with everything that is known of it. */
export interface DescribedCommand {
  readonly name: string;
  readonly summary: string;
  readonly command: Command;
}

export interface CommandContext {
  readonly flags: ParsedFlags;
  /** The flags as given, for commands that parse settings with them. */
  readonly argv: readonly string[];
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homedir: string;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  readonly version: string;
  /** Loads every command, for what describes them all. */
  readonly everyCommand: () => Promise<readonly DescribedCommand[]>;
  /** Aborted at the first Ctrl-C; a second one ends the process. */
  readonly interrupted: AbortSignal;
}

export const JSON_FLAG: FlagSpec = { name: '--json', kind: 'switch', help: 'Print JSON instead of tables' };

export const DATA_DIR_FLAG: FlagSpec = {
  name: '--data-dir',
  kind: 'text',
  value: '<folder>',
  help: "The gateway's data folder",
};

/** Flags of every command that talks to a running gateway. */
export const CLIENT_FLAGS: readonly FlagSpec[] = [
  JSON_FLAG,
  {
    name: '--url',
    kind: 'text',
    value: '<url>',
    help: 'Address of the gateway (TANDEM_URL, else the one that runs on the data folder)',
  },
  { name: '--port', kind: 'text', value: '<port>', help: 'Its port on this machine' },
  DATA_DIR_FLAG,
];
export const YES_FLAG: FlagSpec = { name: '--yes', kind: 'switch', help: 'Do not ask' };
export const ACCOUNT_FLAG: FlagSpec = {
  name: '--account',
  kind: 'text',
  value: '<id|alias>',
  help: 'Trade account, by its alias or id (TANDEM_ACCOUNT, else the only one on paper: none that trades at a venue is taken unnamed)',
};

const MOST_ROWS = 2_000;
export const LIMIT_FLAG: FlagSpec = {
  name: '--limit',
  kind: 'text',
  fields: ['limit'],
  value: '<n>',
  help: `At most so many, up to ${MOST_ROWS} (20)`,
};

/** Value of `--limit` as text for the query. */
export function limitOf(context: CommandContext): string {
  const text = context.flags.texts.get('--limit') ?? '20';
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > MOST_ROWS)
    throw usage(`--limit must be a number from 1 to ${MOST_ROWS}, not '${text}'`);
  return text;
}

export function isOn(context: CommandContext, flag: string): boolean {
  return context.flags.switches.get(flag) === true;
}

export function printJson(terminal: Terminal, value: unknown): void {
  terminal.out(JSON.stringify(value, null, 2));
}

/** Prints the answer as it came with `--json`, else by `print`. */
export function printAnswer(context: CommandContext, answer: unknown, print: () => void): void {
  if (isOn(context, '--json')) printJson(context.terminal, answer);
  else print();
}

/**
 * Prints a list as a table. @param none text for an empty list @param nextCursor of the page, if it has a next one
 */
export function printList<T>(
  { terminal }: CommandContext,
  rows: readonly T[],
  columns: readonly Column<T>[],
  none: string,
  nextCursor?: string,
): void {
  if (rows.length === 0) {
    terminal.out(none);
    return;
  }
  for (const line of renderTable(columns, rows)) terminal.out(line);
  if (nextCursor !== undefined) terminal.err('There are more: raise --limit.');
}
