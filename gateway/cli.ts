/** Entry of the headless program. */
import { homedir } from 'node:os';
import { runCli } from './cli/run-cli.ts';
import { processTerminal } from './cli/terminal.ts';
import { systemClock } from './system/clock.ts';

const interruption = new AbortController();
/**
 * Two signals within this time are one Ctrl-C: the terminal sends it to this process, and npm passes it on once more.
 */
const SAME_KEYPRESS_MS = 500;
let interruptedAt = 0;

/** The first signal asks for a graceful end; the second signal ends the process at once. */
function onSignal(): void {
  const now = systemClock.now();
  if (!interruption.signal.aborted) {
    interruptedAt = now;
    interruption.abort();
  } else if (now - interruptedAt > SAME_KEYPRESS_MS) process.exit(1);
}
process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);

// A closed pipe ends the program: `tandem executions | head` ends when `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

runCli({
  argv: process.argv.slice(2),
  terminal: processTerminal(),
  env: process.env,
  homedir: homedir(),
  platform: process.platform,
  clock: systemClock,
  interrupted: interruption.signal,
}).then(
  // Not process.exit at once: output still in the pipes would be lost.
  (code) => finish(code),
  (error: unknown) => {
    process.stderr.write(
      `tandem: unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    finish(1);
  },
);

const LINGER_MS = 2_000;

/** Ends the program when the streams are flushed, or after a limit where a connection or a keychain call hangs. */
function finish(code: number): void {
  process.exitCode = code;
  setTimeout(() => process.exit(code), LINGER_MS).unref();
  process.stdin.unref?.();
}
