/** A number of connections, each with one request under way: the rate is what the server makes of it. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuBetween, cpuTime } from '../cpu-meter.ts';
import { LatencyHistogram } from '../latency-histogram.ts';
import { HttpConnection } from './http-connection.ts';
import type { ClosedLoopResult, ClosedLoopTask } from './load-protocol.ts';

/** Rejects when any answer has another status than asked, or a connection breaks. */
export async function runClosedLoop(task: ClosedLoopTask): Promise<ClosedLoopResult> {
  const requests = task.requests.map((bytes) => Buffer.from(bytes));
  if (requests.length < task.connections) throw new Error('fewer requests than connections');
  const connections = await Promise.all(
    Array.from({ length: task.connections }, () => HttpConnection.open(task.port)),
  );
  const latency = new LatencyHistogram();
  let counting = false;
  let stopping = false;

  function drive(connection: HttpConnection, first: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let next = first;
      const send = (): void => {
        const request = requests[next];
        if (request === undefined) throw new Error('no request to send');
        next += task.connections;
        if (next >= requests.length) next = first;
        const sentAt = performance.now();
        connection.send(
          request,
          (status, body) => {
            if (status !== task.status) {
              reject(new Error(`expected ${task.status}, got ${status}: ${body.toString().slice(0, 200)}`));
              return;
            }
            if (counting) latency.record((performance.now() - sentAt) * 1_000);
            if (stopping) resolve();
            else send();
          },
          reject,
        );
      };
      send();
    });
  }

  async function measure(): Promise<Omit<ClosedLoopResult, 'latencyUs'>> {
    await sleep(task.rampMs);
    const cpuBefore = cpuTime(task.serverPid);
    const busyBefore = performance.eventLoopUtilization();
    const startedAt = performance.now();
    counting = true;
    await sleep(task.measureMs);
    counting = false;
    const elapsedMs = performance.now() - startedAt;
    const serverCpu = cpuBetween(cpuBefore, cpuTime(task.serverPid));
    const loadBusy = performance.eventLoopUtilization(busyBefore).utilization;
    stopping = true;
    return { answers: latency.count, elapsedMs, serverCpu, loadBusy };
  }

  try {
    const [measured] = await Promise.all([measure(), ...connections.map(drive)]);
    return { ...measured, latencyUs: latency.counts() };
  } finally {
    stopping = true;
    for (const connection of connections) connection.close();
  }
}
