/** Finds the command that is meant, runs it with its context and turns its end into an exit code. */
import type { Clock } from '../engine/ports/system.ts';
import { VERSION } from '../version.ts';
import { CliError } from './cli-error.ts';
import { CLIENT_FLAGS, type CommandContext } from './command.ts';
import { COMMANDS, type CommandEntry, describedCommands } from './command-table.ts';
import { failureJson } from './failure.ts';
import { commandHelp, programHelp } from './help.ts';
import { suggestion } from './nearest.ts';
import { namingOptions } from './option-names.ts';
import { type FlagSpec, parseFlags } from './parse-flags.ts';
import { stripControls } from './table.ts';
import type { Terminal } from './terminal.ts';

/** Flags that somebody may try who has a secret to give. */
const SECRET_FLAG = /^--?(\w+-)*(secret|private-?key|key|password|passphrase)(=|$)/i;
const NO_SECRETS =
  'secrets are never taken from the command line, where other programs and the history of the shell see them: type them when asked, or send them on standard input';

const HELP: FlagSpec = { name: '--help', short: '-h', kind: 'switch', help: 'Show this', hidden: true };

export interface CliSurroundings {
  readonly argv: readonly string[];
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homedir: string;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  readonly interrupted: AbortSignal;
}

/**
 * Runs one command line. Exit code: 0 done, 1 failed, 2 wrong usage. Writes an error as one line on standard error, with
 * `--json` as an object on standard output too.
 */
export async function runCli(around: CliSurroundings): Promise<number> {
  try {
    return await dispatch(around);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    around.terminal.err(stripControls(`tandem: ${error.message}`));
    // A program that asked for JSON gets a JSON document of a failure too.
    if (wantsJson(around.argv)) around.terminal.out(failureJson(error));
    return error.exitCode;
  }
}

async function dispatch(around: CliSurroundings): Promise<number> {
  const { argv, terminal } = around;
  const [first] = argv;
  if (first === '--version' || first === '-v') {
    terminal.out(VERSION);
    return 0;
  }
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    const words = argv.slice(1).join(' ');
    const about = COMMANDS.find((entry) => entry.name === words);
    const lines =
      about === undefined ? programHelp(COMMANDS) : commandHelp((await about.load()).command, inGroup(words));
    for (const line of lines) terminal.out(line);
    return first === undefined ? 2 : 0;
  }
  const entry = findCommand(argv);
  const rest = argv.slice(entry.name.split(' ').length);
  const { command } = await entry.load();
  if (isHelp(rest)) {
    for (const line of commandHelp(command, inGroup(entry.name))) terminal.out(line);
    return 0;
  }
  const parsed = parseFlags(entry.ownFlags === true ? [] : rest, [...command.flags, HELP]);
  if (!parsed.ok) {
    const secret = rest.some((word) => SECRET_FLAG.test(word)) ? `; ${NO_SECRETS}` : '';
    throw new CliError(`${parsed.error.join('; ')}${secret}; see tandem ${entry.name} --help`, 2);
  }
  const flags = parsed.value;
  const [least, most] = command.words;
  const stray = flags.words[most];
  if (stray !== undefined)
    throw new CliError(`unexpected argument '${stray}'; see tandem ${entry.name} --help`, 2);
  if (flags.words.length < least) throw new CliError(`usage: tandem ${command.usage}`, 2);
  const context: CommandContext = {
    ...around,
    argv: rest,
    flags,
    version: VERSION,
    everyCommand: describedCommands,
  };
  try {
    if (command.waitsForStart !== false && CLIENT_FLAGS.every((flag) => command.flags.includes(flag)))
      await (await import('./starting-gateway.ts')).waitWhileStarting(context);
    return await command.run(context);
  } catch (error) {
    throw namingOptions(error, [...command.flags, ...(command.said ?? [])]);
  }
}

function isHelp(argv: readonly string[]): boolean {
  return beforeEnd(argv).some((word) => word === '--help' || word === '-h');
}

function wantsJson(argv: readonly string[]): boolean {
  return beforeEnd(argv).some((word) => word === '--json' || word === '--json=true');
}

/** Arguments before a `--`. */
function beforeEnd(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

/** The commands of two words that begin with this one. */
function inGroup(name: string): readonly CommandEntry[] {
  return COMMANDS.filter((entry) => entry.name.startsWith(`${name} `));
}

function findCommand(argv: readonly string[]): CommandEntry {
  const [first = '', second = ''] = argv;
  const exact =
    COMMANDS.find((entry) => entry.name === `${first} ${second}`) ??
    COMMANDS.find((entry) => entry.name === first);
  if (exact !== undefined) return exact;
  const group = inGroup(first);
  if (group.length > 0) {
    const names = group.map((entry) => entry.name.slice(first.length + 1));
    const hint =
      second === '' || second.startsWith('-') ? '' : `; unknown: '${second}'${suggestion(second, names)}`;
    throw new CliError(`tandem ${first} needs one of: ${names.join(', ')}${hint}`, 2);
  }
  if (first.startsWith('-')) throw new CliError(`name a command before ${first}; see tandem --help`, 2);
  throw new CliError(
    `unknown command '${first}'${suggestion(
      first,
      COMMANDS.map((entry) => entry.name),
    )}; see tandem --help`,
    2,
  );
}
