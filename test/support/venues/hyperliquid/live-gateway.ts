/** The composed gateway with armed live accounts at an emulated Hyperliquid. */
import { hyperliquid, hyperliquidInfo } from '../../../../gateway/venues/live/hyperliquid/connector.ts';
import { createHyperliquid } from '../../../../gateway/venues/live/hyperliquid/hyperliquid-venue.ts';
import { createFakeClock, type FakeClock } from '../../fake-clock.ts';
import type { TestGateway } from '../../gateway.ts';
import { startGatewayWithVenue, withVenue } from '../shared/gateway-with-venue.ts';
import {
  gatewayForEachTest,
  gatewayForSuite,
  LiveGatewayBase,
  ScriptedAccount,
} from '../shared/live-gateway.ts';
import { accountAt } from './adapter.ts';
import { type Emulator, startEmulator } from './emulator.ts';

export type { LiveLeg } from '../shared/live-account.ts';

/**
 * @param limited the connector has the venue's own limit, not room for many accounts: connecting one takes a tenth of a
 * minute's requests
 * @param takeOver the folder is a copy, of whose original its user says that it is stopped
 */
function startAt(
  { url, wsUrl }: Emulator,
  dataDir: string,
  clock: FakeClock,
  limited: boolean,
  takeOver = false,
): Promise<TestGateway> {
  const info = hyperliquidInfo('mainnet', url);
  const roomy = withVenue(hyperliquid, info, (host) =>
    createHyperliquid({
      ...{ info, network: 'mainnet', origin: url, streamUrl: wsUrl, host },
      weightPerMinute: 1_000_000,
    }),
  );
  const settings = { hyperliquidUrl: url, takeOver };
  return startGatewayWithVenue(clock, limited ? hyperliquid : roomy, settings, { dataDir });
}

export class LiveGateway extends LiveGatewayBase<Emulator> {
  readonly #limited: boolean;

  private constructor(emulator: Emulator, gateway: TestGateway, token: string, limited: boolean) {
    super(emulator, gateway, token, 'hyperliquid');
    this.#limited = limited;
  }

  /** @param dataDir a temporary folder, which whoever made it removes */
  static async start(
    dataDir: string,
    prepare: (emulator: Emulator) => void = () => {},
    limited = false,
  ): Promise<LiveGateway> {
    const clock = createFakeClock();
    const emulator = await startEmulator({ pulseMs: 500, clock });
    prepare(emulator);
    const gateway = await startAt(emulator, dataDir, clock, limited);
    return new LiveGateway(emulator, gateway, (await gateway.register()).accessToken, limited);
  }

  /** Stops the gateway and starts it again on the same folder, at the same venue. */
  async restart(whileDown: () => void = () => {}): Promise<void> {
    const { dataDir, clock } = this.gateway;
    await this.gateway.close();
    whileDown();
    this.gateway = await startAt(this.emulator, dataDir, clock, this.#limited);
  }

  /** Another gateway at the same venue, whose folder has the same user. To be closed by `gateway.close`. */
  async beside(dataDir: string): Promise<LiveGateway> {
    const gateway = await startAt(this.emulator, dataDir, this.gateway.clock, this.#limited, true);
    const beside = new LiveGateway(this.emulator, gateway, '', this.#limited);
    await beside.signIn();
    return beside;
  }

  /**
   * A new account with 10,000 USDC, connected, its history begun, armed.
   * @param prepare called before it is connected
   */
  async account(prepare: (emulator: Emulator, address: string) => void = () => {}): Promise<LiveAccount> {
    const { address, agent, access } = accountAt(this.emulator, '10000');
    prepare(this.emulator, address);
    const id = await this.connect(`live ${address.slice(2, 8)}`, access.credentials);
    return new LiveAccount(this, id, address, agent);
  }
}

/** One gateway for all tests of a suite. Call it in `describe`. */
export const liveGatewayForSuite = (): LiveGateway => gatewayForSuite((folder) => LiveGateway.start(folder));

/** A new gateway for each test of a suite. Call it in `describe`. */
export const liveGatewayForEachTest = (): LiveGateway =>
  gatewayForEachTest((folder) => LiveGateway.start(folder));

export class LiveAccount extends ScriptedAccount<Emulator> {
  /** At the venue, lower case. */
  readonly address: string;
  readonly agent: string;

  constructor(live: LiveGateway, id: string, address: string, agent: string) {
    super(live, id, address);
    this.address = address.toLowerCase();
    this.agent = agent;
  }

  /** The same account in another gateway. */
  on(live: LiveGateway): LiveAccount {
    return new LiveAccount(live, this.id, this.address, this.agent);
  }
}
