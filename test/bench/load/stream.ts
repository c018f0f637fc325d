/** Many WebSocket clients on one price channel, some of them on the account too, one of the load's processes for all. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuBetween, cpuTime } from '../cpu-meter.ts';
import { LatencyHistogram } from '../latency-histogram.ts';
import { HttpConnection } from './http-connection.ts';
import type { StreamResult, StreamTask } from './load-protocol.ts';
import { watchLoopDelay } from './loop-delay.ts';
import { numberAt } from './message-fields.ts';
import { WsClient } from './ws-client.ts';

const DRAIN_MS = 1_000;
const SUBSCRIBED_WITHIN_MS = 20_000;
const TIME_LENGTH = '2026-01-01T00:00:00.000Z'.length;

interface Reader {
  readonly client: WsClient;
  subscribed: boolean;
  /** Last `seq` heard, 0 before the first. */
  seq: number;
  events: number;
}

export async function runStream(task: StreamTask): Promise<StreamResult> {
  const update = Buffer.from(`{"channel":"${task.channel}","event":"update","timestamp":"`);
  const personal = Buffer.from(`{"channel":"user:${task.tradeAccountId}"`);
  const ack = Buffer.from('{"op":"ack","id":"subscribe"');
  const delivery = new LatencyHistogram();
  const timestamps = new Set<string>();
  const readers: Reader[] = [];
  const stalled = new Set<number>();
  const totals = { updates: 0, updateBytes: 0, holes: 0, closed: 0 };
  let counting = false;
  /** All clients get the same text one after the other, so its time is parsed once. */
  let last = { text: '', at: 0 };

  function onUpdate(index: number, payload: Buffer): void {
    if (!counting) return;
    const receivedAt = Date.now();
    const text = payload.toString('latin1', update.length, update.length + TIME_LENGTH);
    if (text !== last.text) {
      last = { text, at: Date.parse(text) };
      timestamps.add(text);
    }
    totals.updates += 1;
    totals.updateBytes += payload.length;
    if (!stalled.has(index)) delivery.record((receivedAt - last.at) * 1_000);
  }

  function onPrivate(reader: Reader, payload: Buffer): void {
    const seq = numberAt(payload.toString('latin1'), '"seq":') ?? 0;
    if (reader.seq !== 0 && seq !== reader.seq + 1) totals.holes += Math.abs(seq - reader.seq - 1);
    reader.seq = seq;
    reader.events += 1;
  }

  async function connect(index: number): Promise<void> {
    const holder: { reader: Reader | null } = { reader: null };
    const client = await WsClient.open(task.port, '/ws', {
      message: (payload) => {
        if (startsWith(payload, update)) onUpdate(index, payload);
        else if (holder.reader === null) return;
        else if (startsWith(payload, personal)) onPrivate(holder.reader, payload);
        else if (startsWith(payload, ack)) holder.reader.subscribed = true;
      },
      closed: () => {
        totals.closed += 1;
      },
    });
    const reader: Reader = { client, subscribed: false, seq: 0, events: 0 };
    holder.reader = reader;
    readers.push(reader);
    const isPrivate = index < task.privateClients;
    if (isPrivate) client.send({ op: 'auth', id: 'auth', apiKey: task.apiKey });
    const channels = isPrivate ? [task.channel, `user:${task.tradeAccountId}`] : [task.channel];
    client.send({ op: 'subscribe', id: 'subscribe', channels });
  }

  async function placeOrders(http: HttpConnection, until: number): Promise<void> {
    for (let index = 0; performance.now() < until; index += 1) {
      const request = task.requests[index % task.requests.length];
      if (request === undefined) return;
      await new Promise<void>((resolve, reject) => {
        http.send(
          Buffer.from(request),
          (status, body) => {
            if (status === 202) resolve();
            else reject(new Error(`expected 202, got ${status}: ${body.toString().slice(0, 200)}`));
          },
          reject,
        );
      });
      await sleep(1_000 / task.requestsPerSecond);
    }
  }

  async function stall(): Promise<void> {
    for (let index = 0; index < task.stalledClients; index += 1) {
      stalled.add(index);
      readers[index]?.client.pause();
    }
    await sleep(task.measureMs / 2);
    for (const index of stalled) readers[index]?.client.resume();
  }

  const http = await HttpConnection.open(task.port);
  try {
    // Private clients first and one by one: their place in `readers` is their index.
    for (let index = 0; index < task.clients; index += 1) await connect(index);
    const giveUpAt = performance.now() + SUBSCRIBED_WITHIN_MS;
    while (readers.some(({ subscribed }) => !subscribed)) {
      if (performance.now() > giveUpAt) throw new Error('not every client was subscribed in time');
      await sleep(20);
    }
    await sleep(500);
    const cpuBefore = cpuTime(task.serverPid);
    const busyBefore = performance.eventLoopUtilization();
    const delay = watchLoopDelay();
    const startedAt = performance.now();
    counting = true;
    await Promise.all([sleep(task.measureMs), stall(), placeOrders(http, startedAt + task.measureMs)]);
    counting = false;
    const elapsedMs = performance.now() - startedAt;
    const serverCpu = cpuBetween(cpuBefore, cpuTime(task.serverPid));
    const loadBusy = performance.eventLoopUtilization(busyBefore).utilization;
    const delayMs = delay();
    await sleep(DRAIN_MS);
    const listeners = readers.slice(0, task.privateClients);
    const most = Math.max(0, ...listeners.map(({ events }) => events));
    const behind = listeners.reduce((sum, { events }) => sum + (most - events), 0);
    return {
      clients: readers.length,
      elapsedMs,
      updates: totals.updates,
      updateBytes: totals.updateBytes,
      distinctUpdates: timestamps.size,
      deliveryUs: delivery.counts(),
      privateEvents: listeners.reduce((sum, { events }) => sum + events, 0),
      privateEventsPerClient: most,
      privateLost: totals.holes + behind,
      closed: totals.closed,
      serverCpu,
      loadBusy,
      delayMs,
    };
  } finally {
    http.close();
    for (const { client } of readers) client.close();
  }
}

function startsWith(payload: Buffer, prefix: Buffer): boolean {
  return payload.length >= prefix.length && payload.compare(prefix, 0, prefix.length, 0, prefix.length) === 0;
}
