/** A paper venue in its own process that is killed and started again on its files, and makes trouble of every kind. */

import type { Random } from '../../../gateway/venues/paper/market/random.ts';
import type { FaultAction, FaultRule, FaultScript } from '../../../gateway/venues/paper/venue/faults.ts';
import { type SimInspector, type SimProcess, startSim } from '../../support/sim-client.ts';
import { tapSim } from '../../support/sim-tap.ts';

export interface MortalVenue {
  /** Port at which the gateway connects. */
  readonly port: number;
  /** Number of times that each client order id was sent. */
  readonly sent: ReadonlyMap<string, number>;
  kill(): Promise<void>;
  start(): Promise<void>;
  inspect(): Promise<SimInspector>;
  close(): Promise<void>;
}

/** Orders after a start among which the trouble is spread. */
const FAULTY_ORDERS = 4_000;
/** One order in eight. */
const FAULT_SHARE = 8;

const TROUBLE: readonly FaultAction[] = [
  { kind: 'reject', reason: 'other', message: 'not now' },
  { kind: 'fill', fraction: '0.5' },
  { kind: 'fill', fraction: '0.3' },
  // The rest is below the venue's minimum and not worth another attempt.
  { kind: 'fill', fraction: '0.97' },
  { kind: 'delay', delayMs: 400 },
  { kind: 'drop_answer' },
  { kind: 'duplicate_fill' },
  { kind: 'disconnect_stream', forMs: 200 },
];

export async function startMortalVenue(dataDir: string, random: Random): Promise<MortalVenue> {
  const launch = async (port: number) => {
    const started = await startSim({ dataDir, profile: 'realistic', seed: 7, port });
    const inspector = await started.inspect();
    await inspector.setFaults(trouble(random));
    inspector.close();
    return started;
  };
  let sim: SimProcess = await launch(0);
  const { port: simPort } = sim;
  const tap = await tapSim(simPort);
  return {
    port: tap.port,
    sent: tap.sent,
    kill: () => sim.stop('SIGKILL'),
    async start() {
      sim = await launch(simPort);
    },
    inspect: () => sim.inspect(),
    async close() {
      tap.close();
      await sim.stop('SIGTERM');
    },
  };
}

function trouble(random: Random): FaultScript {
  const rules: FaultRule[] = [];
  for (let order = 1; order <= FAULTY_ORDERS; order += 1) {
    const action = TROUBLE[Math.floor(random.uniform() * TROUBLE.length * FAULT_SHARE)];
    if (action !== undefined) rules.push({ match: { order }, action });
  }
  return { rules };
}
