/** Baskets at a steady rate, whatever the answers take (open loop), and how soon after each 202 its completion is heard. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuBetween, cpuTime } from '../cpu-meter.ts';
import { LatencyHistogram } from '../latency-histogram.ts';
import { HttpConnection } from './http-connection.ts';
import type { FillResult, FillTask } from './load-protocol.ts';
import { watchLoopDelay } from './loop-delay.ts';
import { stringAt } from './message-fields.ts';
import { WsClient } from './ws-client.ts';

const LONGEST_WAIT_MS = 5_000;
const CONNECTIONS = 16;

interface Awaited {
  ackedAt: number | null;
  endedAt: number | null;
  counted: boolean;
  outcome: string | null;
}

export async function runFill(task: FillTask): Promise<FillResult> {
  const afterAck = new LatencyHistogram();
  const ack = new LatencyHistogram();
  const executions = new Map<string, Awaited>();
  const tally = { sent: 0, completed: 0, failed: 0, refused: 0, early: 0 };

  function seen(id: string): Awaited {
    let found = executions.get(id);
    if (found === undefined) {
      found = { ackedAt: null, endedAt: null, counted: false, outcome: null };
      executions.set(id, found);
    }
    return found;
  }

  function settle(one: Awaited): void {
    if (!one.counted || one.ackedAt === null || one.endedAt === null) return;
    if (one.outcome !== 'execution.completed') {
      tally.failed += 1;
      return;
    }
    tally.completed += 1;
    if (one.endedAt < one.ackedAt) tally.early += 1;
    afterAck.record((one.endedAt - one.ackedAt) * 1_000);
  }

  const subscribed = signal();
  const listener = await WsClient.open(task.port, '/ws', {
    message: (payload) => {
      const receivedAt = performance.now();
      const text = payload.toString();
      if (text.includes('"op":"error"')) subscribed.reject(new Error(text));
      if (text.includes('"seq":{')) subscribed.resolve();
      const event = stringAt(text, '"event":"');
      if (event !== 'execution.completed' && event !== 'execution.failed') return;
      const one = seen(stringAt(text, '"entityId":"') ?? '');
      one.endedAt = receivedAt;
      one.outcome = event;
      settle(one);
    },
    closed: () => subscribed.reject(new Error('the WebSocket was closed')),
  });
  listener.send({ op: 'auth', id: 1, apiKey: task.apiKey });
  listener.send({ op: 'subscribe', id: 2, channels: [`user:${task.tradeAccountId}`] });
  await subscribed.promise;

  const free = await Promise.all(Array.from({ length: CONNECTIONS }, () => HttpConnection.open(task.port)));
  const opened = [...free];
  const broken = signal();

  function post(connection: HttpConnection, request: Uint8Array, counted: boolean): void {
    const sentAt = performance.now();
    if (counted) tally.sent += 1;
    connection.send(
      Buffer.from(request),
      (status, body) => {
        const receivedAt = performance.now();
        free.push(connection);
        const id = stringAt(body.toString(), '"id":"');
        if (status !== 202 || id === null) {
          if (counted) tally.refused += 1;
          return;
        }
        if (counted) ack.record((receivedAt - sentAt) * 1_000);
        const one = seen(id);
        one.ackedAt = receivedAt;
        one.counted = counted;
        settle(one);
      },
      broken.reject,
    );
  }

  async function drive(): Promise<Pick<FillResult, 'serverCpu' | 'loadBusy' | 'delayMs'>> {
    const delay = watchLoopDelay();
    const startedAt = performance.now();
    const warm = Math.round((task.warmUpMs * task.perSecond) / 1_000);
    const total = warm + Math.round((task.measureMs * task.perSecond) / 1_000);
    let cpuBefore = cpuTime(task.serverPid);
    let busyBefore = performance.eventLoopUtilization();
    for (let index = 0; index < total; index += 1) {
      if (index === warm) {
        cpuBefore = cpuTime(task.serverPid);
        busyBefore = performance.eventLoopUtilization();
      }
      const dueIn = startedAt + (index * 1_000) / task.perSecond - performance.now();
      if (dueIn > 0) await sleep(dueIn);
      const connection = free.pop() ?? (await HttpConnection.open(task.port));
      if (!opened.includes(connection)) opened.push(connection);
      const request = task.requests[index % task.requests.length];
      if (request !== undefined) post(connection, request, index >= warm);
    }
    const serverCpu = cpuBetween(cpuBefore, cpuTime(task.serverPid));
    const loadBusy = performance.eventLoopUtilization(busyBefore).utilization;
    const giveUpAt = performance.now() + LONGEST_WAIT_MS;
    while (tally.completed + tally.failed + tally.refused < tally.sent && performance.now() < giveUpAt) {
      await sleep(20);
    }
    return { serverCpu, loadBusy, delayMs: delay() };
  }

  try {
    const cost = await Promise.race([
      drive(),
      broken.promise.then(() => Promise.reject(new Error('broken'))),
    ]);
    const missing = tally.sent - tally.completed - tally.failed - tally.refused;
    return { ...tally, missing, afterAckUs: afterAck.counts(), ackUs: ack.counts(), ...cost };
  } finally {
    listener.close();
    for (const connection of opened) connection.close();
  }
}

/** A promise with its ends. */
function signal() {
  let resolve: () => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<void>((onDone, onFail) => {
    resolve = onDone;
    reject = onFail;
  });
  // Whoever awaits it hears of the failure; without anybody waiting it is no unhandled one.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
