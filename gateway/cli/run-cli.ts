/** Finds the command that is meant, runs it with its context and turns its end into an exit code. */
import type { Clock } from '../engine/ports/system.ts';
import { VERSION } from '../version.ts';
import { CliError } from './cli-error.ts';
import type { Command, CommandContext } from './command.ts';
import { type CommandSummary, commandHelp, programHelp } from './help.ts';
import { suggestion } from './nearest.ts';
import { type FlagSpec, parseFlags } from './parse-flags.ts';
import { stripControls } from './table.ts';
import type { Terminal } from './terminal.ts';

interface CommandEntry extends CommandSummary {
  /** Loads the command when it is used: `start` must not load the other commands, nor they `start`. */
  readonly load: () => Promise<{ readonly command: Command }>;
  /** The command parses its own flags (settings), so that one table defines them. */
  readonly ownFlags?: boolean;
}

// biome-ignore format: a table is read by its columns
const COMMANDS: readonly CommandEntry[] = [
  { name: 'start', summary: 'Start the gateway', ownFlags: true, load: () => import('./commands/start.ts') },
  { name: 'status', summary: 'Is it running, and how are its venues', load: () => import('./commands/status.ts') },
  { name: 'doctor', summary: 'What is wrong with this installation and how to mend it', ownFlags: true, load: () => import('./commands/doctor.ts') },
  { name: 'keys create', summary: 'Make an API key (and the first user)', load: () => import('./commands/keys-create.ts') },
  { name: 'keys list', summary: 'List API keys', load: () => import('./commands/keys-list.ts') },
  { name: 'keys revoke', summary: 'Revoke an API key', load: () => import('./commands/keys-revoke.ts') },
  { name: 'agents list', summary: 'List connected agents, and keys with limits', load: () => import('./commands/agents-list.ts') },
  { name: 'agents pause', summary: 'Stop one agent, or all, from opening anything', load: () => import('./commands/agents-pause.ts') },
  { name: 'agents resume', summary: 'Let a paused agent go on', load: () => import('./commands/agents-resume.ts') },
  { name: 'agents limits', summary: 'Show what an agent may do, or limit all of them together', load: () => import('./commands/agents-limits.ts') },
  { name: 'accounts', summary: 'List trade accounts', load: () => import('./commands/accounts.ts') },
  { name: 'venue check', summary: 'Look whether everything works at a live venue', load: () => import('./commands/venue-check.ts') },
  { name: 'venue arm', summary: 'Let a live account open positions, up to its caps', load: () => import('./commands/venue-arm.ts') },
  { name: 'venue disarm', summary: 'Let a live account open nothing any more', load: () => import('./commands/venue-disarm.ts') },
  { name: 'open', summary: 'Open a basket: long and short legs in one call', load: () => import('./commands/open.ts') },
  { name: 'positions', summary: 'List positions', load: () => import('./commands/positions.ts') },
  { name: 'close', summary: 'Close a position or a part of it', load: () => import('./commands/close.ts') },
  { name: 'executions', summary: 'List executions, or show one with its orders', load: () => import('./commands/executions.ts') },
  { name: 'reviews', summary: 'Fills under review after a venue lost its history', load: () => import('./commands/reviews.ts') },
  { name: 'venue connect', summary: 'Connect an account at a venue', load: () => import('./commands/venue-connect.ts') },
  { name: 'approvals', summary: 'List the orders that wait for you', load: () => import('./commands/approvals.ts') },
  { name: 'approve', summary: 'Approve an order of an agent or a program', load: () => import('./commands/approve.ts') },
  { name: 'deny', summary: 'Deny an order of an agent or a program', load: () => import('./commands/deny.ts') },
  { name: 'connect', summary: 'Show how an agent is connected', load: () => import('./commands/connect.ts') },
  { name: 'mcp', summary: 'Connect an agent over standard input and output', load: () => import('./commands/mcp.ts') },
  { name: 'tail', summary: 'Show live events', load: () => import('./commands/tail.ts') },
];

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

/** Runs one command line. Exit code: 0 done, 1 failed, 2 wrong usage. Writes an error as one line. */
export async function runCli(around: CliSurroundings): Promise<number> {
  try {
    return await dispatch(around);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    around.terminal.err(stripControls(`tandem: ${error.message}`));
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
    const lines = about === undefined ? programHelp(COMMANDS) : commandHelp((await about.load()).command);
    for (const line of lines) terminal.out(line);
    return first === undefined ? 2 : 0;
  }
  const entry = findCommand(argv);
  const rest = argv.slice(entry.name.split(' ').length);
  const { command } = await entry.load();
  if (isHelp(rest)) {
    for (const line of commandHelp(command)) terminal.out(line);
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
  const context: CommandContext = { ...around, argv: rest, flags, version: VERSION };
  return command.run(context);
}

/** `--help` anywhere before a `--`. */
function isHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).some((word) => word === '--help' || word === '-h');
}

function findCommand(argv: readonly string[]): CommandEntry {
  const [first = '', second = ''] = argv;
  const exact = COMMANDS.find((entry) => entry.name === first || entry.name === `${first} ${second}`);
  if (exact !== undefined) return exact;
  const group = COMMANDS.filter((entry) => entry.name.startsWith(`${first} `));
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
