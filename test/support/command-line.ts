/** Runs one command line in this process, as `tandem …` would. */
import { runCli } from '../../gateway/cli/run-cli.ts';
import type { Clock } from '../../gateway/engine/ports/system.ts';
import { systemClock } from '../../gateway/system/clock.ts';
import { type RecordingTerminal, recordingTerminal } from './recording-terminal.ts';

export interface CommandEnd {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CommandSurroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly terminal?: RecordingTerminal;
  readonly interrupted?: AbortSignal;
  readonly homedir?: string;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

export async function tandem(argv: readonly string[], around: CommandSurroundings = {}): Promise<CommandEnd> {
  const terminal = around.terminal ?? recordingTerminal();
  const code = await runCli({
    argv,
    terminal,
    env: around.env ?? {},
    homedir: around.homedir ?? '/nonexistent',
    platform: process.platform,
    clock: around.clock ?? systemClock,
    interrupted: around.interrupted ?? new AbortController().signal,
  });
  return { code, out: terminal.outLines.join('\n'), err: terminal.errLines.join('\n') };
}
