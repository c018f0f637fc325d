/** A gateway that is started, killed and started again on one data folder; its clients wait while there is none. */

import type { GatewayClient } from '../../support/gateway-client.ts';
import {
  errorRecords,
  type GatewayProcess,
  type GatewayProcessOptions,
  launchGateway,
} from '../../support/gateway-process.ts';
import { processClient } from './process-client.ts';

export interface RunningGateway {
  readonly client: GatewayClient;
  readonly port: number;
  /** Rises with every start. */
  readonly generation: number;
}

export class MortalGateway {
  readonly #options: () => GatewayProcessOptions;
  readonly #complain: (complaint: string) => void;
  #process: GatewayProcess | null = null;
  #running: RunningGateway | null = null;
  #waiting: ((gateway: RunningGateway | null) => void)[] = [];
  #closed = false;
  /** Moving average. */
  startMs = 500;
  starts = 0;

  constructor(options: () => GatewayProcessOptions, complain: (complaint: string) => void) {
    this.#options = options;
    this.#complain = complain;
  }

  /** null: it does not run. */
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  /** Starts it and does not wait. */
  launch(): void {
    if (this.#process !== null) throw new Error('the gateway runs already');
    this.starts += 1;
    this.#process = launchGateway(this.#options());
  }

  /** Starts it and waits until it serves. */
  async start(): Promise<RunningGateway> {
    const began = performance.now();
    this.launch();
    if (this.#process === null) throw new Error('unreachable');
    const { url, port } = await this.#process.ready;
    this.startMs = 0.8 * this.startMs + 0.2 * (performance.now() - began);
    const running = { client: processClient(url), port, generation: this.starts };
    this.#running = running;
    for (const resolve of this.#waiting.splice(0)) resolve(running);
    return running;
  }

  /** null: none will come any more. */
  whenRunning(): Promise<RunningGateway | null> {
    if (this.#running !== null || this.#closed) return Promise.resolve(this.#running);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async kill(): Promise<void> {
    const { signal, code, log } = await this.#end('SIGKILL');
    if (signal !== 'SIGKILL')
      this.#complain(`start ${this.starts} ended by itself (${code}): ${log.join('\n')}`);
  }

  async stop(): Promise<void> {
    const { signal, code, log } = await this.#end('SIGTERM');
    if (code !== 0) this.#complain(`stop of start ${this.starts}: ${signal ?? code}, ${log.join('\n')}`);
  }

  /** Kills what may still run and sends waiting clients home. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#process !== null) await this.#end('SIGKILL');
    for (const resolve of this.#waiting.splice(0)) resolve(null);
  }

  async #end(asked: 'SIGKILL' | 'SIGTERM') {
    const process = this.#process;
    if (process === null) throw new Error('the gateway does not run');
    this.#running = null;
    const { code, signal } = await process.stop(asked);
    this.#process = null;
    for (const record of errorRecords(process.errorLines)) this.#complain(`start ${this.starts}: ${record}`);
    return { code, signal, log: process.errorLines };
  }
}
