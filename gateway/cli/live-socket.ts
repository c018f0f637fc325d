/** The command line's own WebSocket to the gateway. */
import { WebSocket } from 'ws';
import type { Ended } from '../client/connection.ts';
import { createBackoff } from '../system/backoff.ts';
import { CliError } from './cli-error.ts';
import type { CommandContext } from './command.ts';
import type { AccountAccess } from './reach-gateway.ts';
import { stripControls } from './table.ts';

/** WebSockets to the gateway, with a message for each lost connection. */
export function watchedSocket(
  context: CommandContext,
  { url, agent }: Pick<AccountAccess['gateway'], 'url' | 'agent'>,
) {
  const backoff = createBackoff({ baseMs: 250, maxMs: 10_000, random: Math.random });
  let connectedBefore = false;
  let fault: string | null = null;
  return {
    Socket: class extends WebSocket {
      constructor(address: string) {
        super(address, {
          handshakeTimeout: 10_000,
          perMessageDeflate: false,
          ...(agent === null ? {} : { agent }),
        });
        fault = null;
        this.on('error', (error) => {
          fault ??= error.message;
        });
      }
    },
    connected() {
      connectedBefore = true;
      backoff.reset();
    },
    /** Reports a lost connection and returns the delay before the next one, ms. */
    lost({ code, text }: Ended): number {
      const end = code === null ? (fault ?? 'closed') : stripControls(text || 'refused');
      // A refusal before the first subscription (a wrong channel, a revoked key) will not go away by trying again.
      if (!connectedBefore) throw new CliError(`no live connection to ${url}: ${end}`);
      const delayMs = backoff.nextDelayMs();
      context.terminal.err(`Connection lost (${end}); trying again in ${(delayMs / 1000).toFixed(1)} s`);
      return delayMs;
    },
  };
}
