/**
 * One connection to a paper venue in its own process. If the connection ends before a request is answered, the answer
 * is null.
 */
import { connect, type Socket } from 'node:net';
import type { Clock } from '../../../engine/ports/system.ts';
import { createLineReader } from './line-reader.ts';
import type { SimMessage, SimMethod, SimMethods } from './sim-protocol.ts';

/** A deadline is counted in steps, so that it sees a standstill of this process whenever that ends. */
const STEP_MS = 500;
/** A step noticed later than this means that this process was suspended, not that the venue was slow. */
const STOOD_STILL_MS = 300;
/** Time left after a suspension to read answers that have arrived: timers run before sockets are read. */
const READING_MS = 1_000;

export type SimPush = Exclude<SimMessage, { kind: 'answer' | 'failure' }>;

export interface SimConnection {
  /** null: no answer came; the request may have been executed. */
  call<M extends SimMethod>(
    method: M,
    params: SimMethods[M]['params'],
  ): Promise<SimMethods[M]['result'] | null>;
  close(): void;
}

/** @throws when no process listens on the port */
export function connectSim(options: {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
  readonly onPush: (message: SimPush) => void;
  readonly onClose: () => void;
}): Promise<SimConnection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: options.host, port: options.port, noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.removeListener('error', reject);
      resolve(overSocket(socket, options));
    });
  });
}

function overSocket(socket: Socket, options: Parameters<typeof connectSim>[0]): SimConnection {
  const waiting = new Map<number, (result: unknown) => void>();
  let lastId = 0;
  const read = createLineReader(
    (line) => {
      const message: SimMessage = JSON.parse(line);
      if (message.kind === 'answer') waiting.get(message.id)?.(message.result);
      else if (message.kind === 'failure') waiting.get(message.id)?.(null);
      else options.onPush(message);
    },
    () => socket.destroy(),
  );
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    try {
      read(chunk);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      socket.destroy();
    }
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    for (const answer of [...waiting.values()]) answer(null);
    options.onClose();
  });
  return {
    call<M extends SimMethod>(method: M, params: SimMethods[M]['params']) {
      return new Promise<SimMethods[M]['result'] | null>((resolve) => {
        if (socket.destroyed) return resolve(null);
        lastId += 1;
        const id = lastId;
        const cancel = expire(options.clock, options.requestTimeoutMs, () => answer(null));
        const answer = (result: unknown) => {
          cancel();
          waiting.delete(id);
          // The peer is the same program: its answer to a method has that method's shape.
          resolve(result as SimMethods[M]['result'] | null);
        };
        waiting.set(id, answer);
        socket.write(`${JSON.stringify({ id, method, params })}\n`);
      });
    },
    close: () => socket.destroy(),
  };
}

/** Calls `run` once this process has run for `timeoutMs`: a step in which it was suspended is not counted. */
function expire(clock: Clock, timeoutMs: number, run: () => void): () => void {
  let cancel = () => {};
  const wait = (leftMs: number) => {
    const step = Math.min(leftMs, STEP_MS);
    const due = clock.uptime() + step;
    cancel = clock.after(step, () => {
      const stoodStill = clock.uptime() - due >= STOOD_STILL_MS;
      const left = stoodStill ? Math.max(leftMs, READING_MS) : leftMs - step;
      if (left > 0) wait(left);
      else run();
    });
  };
  wait(timeoutMs);
  return () => cancel();
}
