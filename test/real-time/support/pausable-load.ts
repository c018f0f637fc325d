/** Workers of a load on a gateway that comes and goes: while there is none they wait, and between two turns they can be paused. */
import { setTimeout as sleep } from 'node:timers/promises';
import { NoAnswer } from '../../support/gateway-client.ts';
import type { RunningGateway } from './mortal-gateway.ts';

export interface PausableLoad {
  /** Resolves when nothing is under way any more. */
  pause(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
}

export interface LoadWorker {
  turn(running: RunningGateway): Promise<unknown>;
  /** Milliseconds until the next turn. */
  readonly pauseMs?: () => number;
  /** A turn failed, and not because the gateway was away. */
  complain(complaint: string): void;
}

/** @param gateway resolves once a gateway serves; null: none will come any more */
export function startLoad(
  workers: readonly LoadWorker[],
  gateway: () => Promise<RunningGateway | null>,
): PausableLoad {
  let stopped = false;
  let paused: Promise<void> | null = null;
  let goOn = () => {};
  let busy = 0;

  async function work({ turn, pauseMs, complain }: LoadWorker): Promise<void> {
    while (!stopped) {
      if (paused !== null) {
        await paused;
        continue;
      }
      const running = await gateway();
      if (running === null) return;
      if (stopped || paused !== null) continue;
      busy += 1;
      try {
        await turn(running);
      } catch (error) {
        if (!(error instanceof NoAnswer))
          complain(`the load broke: ${error instanceof Error ? error.stack : error}`);
      } finally {
        busy -= 1;
      }
      if (pauseMs !== undefined) await sleep(pauseMs());
    }
  }

  const working = workers.map(work);
  return {
    async pause() {
      paused ??= new Promise((resolve) => {
        goOn = resolve;
      });
      while (busy > 0) await sleep(5);
    },
    resume() {
      paused = null;
      goOn();
    },
    async stop() {
      stopped = true;
      paused = null;
      goOn();
      await Promise.all(working);
    },
  };
}
