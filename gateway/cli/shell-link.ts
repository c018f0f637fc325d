/** A gateway that the desktop app has started: told to stop by it, and telling it when it is ready and who asks. */
import { type FromGateway, type ToGateway, toGateway } from '../contract/shell-link.ts';
import { openParentPort } from '../system/parent-port.ts';
import { CliError } from './cli-error.ts';

export interface ShellLink {
  tell(message: FromGateway): void;
  /** Aborted when the app says stop, or is gone. */
  readonly stopped: AbortSignal;
  /** Everything but `stop`. What came before is handed over at once. */
  onAsked(listener: (message: Exclude<ToGateway, { kind: 'stop' }>) => void): void;
}

/** @throws CliError when the program was not started by another one that listens */
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
