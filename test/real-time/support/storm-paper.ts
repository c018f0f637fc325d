/** Paper venues in a storm: one in a process of its own, one in the gateway's. */
import type { FaultAction, FaultRule, FaultScript } from '../../../gateway/venues/paper/venue/faults.ts';
import { moneyOf } from '../../support/audit-account.ts';
import type { GatewayClient } from '../../support/gateway-client.ts';
import type { GatewayProcessOptions } from '../../support/gateway-process.ts';
import { type SimInspector, type SimProcess, startSim } from '../../support/sim-client.ts';
import { trader } from '../../support/trader.ts';
import { type StormAccount, StormPromises } from './storm-account.ts';
import type { VenueReading } from './storm-audit.ts';
import type { StormVenue } from './storm-venue.ts';

const SPEED = 300;
/** A storm of ten minutes sends fewer than eleven times as many. */
const REFUSED_ORDERS = 2_000;
const REFUSED: FaultAction = { kind: 'reject', reason: 'other', message: 'not now' };
const HALF: FaultAction = { kind: 'fill', fraction: '0.5' };

export interface PaperStormOptions {
  /** The gateway's, whose venue is looked into when it has stopped. */
  readonly dataDir: string;
  readonly venueDir: string;
  readonly profile: 'realistic' | 'thin' | 'brutal';
}

export class PaperStorm implements StormVenue {
  readonly alwaysFails = false;
  readonly #options: PaperStormOptions;
  #sim: SimProcess | null = null;

  constructor(options: PaperStormOptions) {
    this.#options = options;
  }

  get pid(): number | null {
    return this.#sim?.pid ?? null;
  }

  get gatewayOptions(): Omit<GatewayProcessOptions, 'dataDir'> {
    return {
      profile: this.#options.profile,
      flags: ['--paper-speed', String(SPEED)],
      ...(this.#sim === null ? {} : { simPort: this.#sim.port }),
    };
  }

  async start(): Promise<void> {
    const { venueDir, profile } = this.#options;
    this.#sim = await startSim({ dataDir: venueDir, profile, seed: 7, speed: SPEED });
    const inspector = await this.#sim.inspect();
    await inspector.setFaults(refusals());
    inspector.close();
  }

  async connect(client: GatewayClient): Promise<readonly StormAccount[]> {
    const accounts: StormAccount[] = [];
    for (const [index, connector] of (['paper', 'paper-cross', 'paper'] as const).entries()) {
      const { key, accountId } = await trader(client, { email: `storm${index}@example.test`, connector });
      accounts.push({ key, accountId, connector, tradeOutside: null, promises: new StormPromises() });
    }
    return accounts;
  }

  async look(account: StormAccount): Promise<VenueReading | null> {
    if (account.connector !== 'paper') return null;
    const inspector = await this.#sim?.inspect();
    if (inspector === undefined) throw new Error('there is no venue');
    try {
      return await look(inspector, account);
    } finally {
      inspector.close();
    }
  }

  async lookInside(accounts: readonly StormAccount[]): Promise<ReadonlyMap<StormAccount, VenueReading>> {
    const { dataDir, profile } = this.#options;
    const readings = new Map<StormAccount, VenueReading>();
    const own = await startSim({ dataDir, connector: 'paper-cross', profile });
    for (const account of accounts) {
      const inspector = await own.inspect();
      readings.set(account, await look(inspector, account));
      inspector.close();
    }
    await own.stop();
    return readings;
  }

  /** It fails only where the storm stops it, and a rest stops nothing. */
  rest(): void {}

  /** An outside order asks the venue itself. */
  isSilence(complaint: string): boolean {
    return /\/paper\/outside-order.*The venue did not answer/s.test(complaint);
  }

  async close(): Promise<void> {
    await this.#sim?.stop('SIGKILL');
  }
}

/** Every eleventh order is refused, and every thirteenth fills in part. */
function refusals(): FaultScript {
  const orders = Array.from({ length: REFUSED_ORDERS }, (_, order) => order + 1);
  return {
    rules: [
      ...orders.map((nth): FaultRule => ({ match: { order: 11 * nth }, action: REFUSED })),
      ...orders.map((nth): FaultRule => ({ match: { order: 13 * nth }, action: HALF })),
    ],
  };
}

/** Reads all lists at one moment: the market goes on, and funding is paid every few seconds. */
async function look(inspector: SimInspector, { accountId }: StormAccount): Promise<VenueReading> {
  const account = { tradeAccountId: accountId, exchangeIdentifier: accountId };
  for (;;) {
    const [fills, funding] = [await inspector.fills(account), await inspector.funding(account)];
    const reading = {
      positions: await inspector.positions(account),
      orders: await inspector.orders(account),
      ...moneyOf(await inspector.balances(account)),
      fills: await inspector.fills(account),
      funding: await inspector.funding(account),
    };
    if (fills.length === reading.fills.length && funding.length === reading.funding.length) return reading;
  }
}
