/**
 * Link of a gateway to the desktop app that started it: receives the request to stop, reports readiness and agents'
 * consent requests.
 */
import { type FromGateway, type ToGateway, toGateway } from '../contract/shell-link.ts';
import { openParentPort } from '../system/parent-port.ts';
import { CliError } from './cli-error.ts';

export interface ShellLink {
  tell(message: FromGateway): void;
  /** Aborted when the app sends `stop`, or is gone. */
  readonly stopped: AbortSignal;
  /** Listens to all messages but `stop`; earlier ones are handed over at once. */
  onAsked(listener: (message: Exclude<ToGateway, { kind: 'stop' }>) => void): void;
}

/** @throws CliError when no parent process listens */
export function openShellLink(): ShellLink {
  const port = openParentPort();
  if (port === null) throw new CliError('--shell is for the desktop app, which starts the gateway itself', 2);
  const ending = new AbortController();
  const early: Exclude<ToGateway, { kind: 'stop' }>[] = [];
  let listener: ((message: Exclude<ToGateway, { kind: 'stop' }>) => void) | null = null;
  port.onClosed(() => ending.abort());
  port.onMessage((raw) => {
    const message = toGateway.safeParse(raw);
    if (!message.success) return;
    if (message.data.kind === 'stop') ending.abort();
    else if (listener === null) early.push(message.data);
    else listener(message.data);
  });
  return {
    tell: (message) => port.post(message),
    stopped: ending.signal,
    onAsked(next) {
      listener = next;
      for (const message of early.splice(0)) next(message);
    },
  };
}
