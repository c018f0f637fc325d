/**
 * A client that listens to an account through every restart of the gateway: after each it resumes from the last event it
 * heard. It keeps what it heard, so that it can be compared with what is on disk in the end.
 */
import type { AccountAccess, ToldEvent } from '../../support/account-state.ts';
import type { Json } from '../../support/json.ts';
import { connectRealtime } from '../../support/realtime-client.ts';

export interface EventFollower {
  readonly heard: readonly ToldEvent[];
  /** Anything that a resuming client must never see. */
  readonly complaints: readonly string[];
  /** Joins the gateway on this port. Resolves early when it dies meanwhile. */
  join(port: number): Promise<void>;
  leave(): void;
}

export function followEvents(account: AccountAccess): EventFollower {
  const channel = `user:${account.accountId}`;
  const heard: ToldEvent[] = [];
  const complaints: string[] = [];
  let end = () => {};

  function take(message: Json): void {
    if (message.channel !== channel) return;
    if (message.event === 'resync') {
      complaints.push(`told to resync at ${message.seq} after ${heard.length}`);
    } else if (message.seq !== heard.length + 1) {
      complaints.push(`heard seq ${message.seq} after ${heard.length}`);
    } else {
      heard.push({ seq: message.seq, event: message.event, entityId: message.data.entityId });
    }
  }

  return {
    heard,
    complaints,
    async join(port) {
      end();
      try {
        const socket = await connectRealtime(`ws://127.0.0.1:${port}/ws`);
        end = () => socket.end();
        const died = socket.closed.then(() => null);
        const authenticated = await Promise.race([socket.ask({ op: 'auth', apiKey: account.key }), died]);
        if (authenticated === null) return;
        socket.ws.on('message', (data) => take(JSON.parse(data.toString())));
        const subscribe = { op: 'subscribe', channels: [channel], resumeFrom: heard.length };
        await Promise.race([socket.ask(subscribe), died]);
      } catch (error) {
        // The gateway was killed before the connection stood.
        if (!(error instanceof Error && 'code' in error)) throw error;
      }
    },
    leave: () => end(),
  };
}
