/** Gateways in processes of their own, for suites that start, stop and kill them. */
import type { GatewayClient } from '../../support/gateway-client.ts';
import {
  buildGateway,
  type GatewayProcess,
  type GatewayProcessOptions,
  launchGateway,
} from '../../support/gateway-process.ts';
import { processClient } from './process-client.ts';

export interface StartedGateway extends GatewayClient {
  readonly url: string;
  readonly port: number;
  readonly process: GatewayProcess;
}

export interface GatewayProcesses {
  launch(options: GatewayProcessOptions): GatewayProcess;
  /** The same, and waits until it serves. */
  start(options: GatewayProcessOptions): Promise<StartedGateway>;
  /** Kills those that still run. */
  killAll(): Promise<unknown>;
}

/** Call it in `describe`: at its end whatever still runs is killed, and temporary folders are removed. */
export function gatewayProcesses(): GatewayProcesses {
  const running = new Set<GatewayProcess>();
  const killAll = () => Promise.all([...running].map((process) => process.stop('SIGKILL')));
  function launch(options: GatewayProcessOptions): GatewayProcess {
    const process = launchGateway(options);
    running.add(process);
    void process.ended.then(() => running.delete(process));
    return process;
  }
  before(function () {
    this.timeout(90_000);
    buildGateway();
  });
  after(() => killAll());
  return {
    launch,
    killAll,
    async start(options) {
      const process = launch(options);
      const { url, port } = await process.ready;
      return { ...processClient(url), url, port, process };
    },
  };
}
