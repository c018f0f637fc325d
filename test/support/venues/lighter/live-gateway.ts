/** The composed gateway with armed live accounts at an emulated Lighter. */
import { lighter, lighterInfo } from '../../../../gateway/venues/live/lighter/connector.ts';
import { createLighter } from '../../../../gateway/venues/live/lighter/lighter-venue.ts';
import { createFakeClock } from '../../fake-clock.ts';
import type { TestGateway } from '../../gateway.ts';
import { startGatewayWithVenue, withVenue } from '../shared/gateway-with-venue.ts';
import { gatewayForSuite, LiveGatewayBase, ScriptedAccount } from '../shared/live-gateway.ts';
import { accountAt } from './adapter.ts';
import { type Emulator, startEmulator } from './emulator.ts';

export class LiveGateway extends LiveGatewayBase<Emulator> {
  private constructor(emulator: Emulator, gateway: TestGateway, token: string) {
    super(emulator, gateway, token, 'lighter');
  }

  /** @param dataDir a temporary folder, which whoever made it removes */
  static async start(dataDir: string): Promise<LiveGateway> {
    const clock = createFakeClock();
    const emulator = await startEmulator({ pulseMs: 500, clock });
    const { url, wsUrl } = emulator;
    const info = lighterInfo('mainnet', url);
    // Room for many requests: connecting one account takes a tenth of a minute's.
    const roomy = withVenue(lighter, info, (host) =>
      createLighter({
        ...{ info, network: 'mainnet', origin: url, streamUrl: wsUrl, host },
        perMinute: 1_000_000,
      }),
    );
    const gateway = await startGatewayWithVenue(clock, roomy, { lighterUrl: url }, { dataDir });
    return new LiveGateway(emulator, gateway, (await gateway.register()).accessToken);
  }

  /** A new account with 10,000 USDC, connected, its history begun, armed. */
  async account(): Promise<LiveAccount> {
    const { index, access } = accountAt(this.emulator, { collateral: '10000' });
    const id = await this.connect(`live ${index}`, access.credentials);
    return new LiveAccount(this, id, index);
  }
}

/** One gateway for all tests of a suite. Call it in `describe`. */
export const liveGatewayForSuite = (): LiveGateway => gatewayForSuite((folder) => LiveGateway.start(folder));

export class LiveAccount extends ScriptedAccount<Emulator> {
  /** Its number at the venue. */
  readonly index: number;

  constructor(live: LiveGateway, id: string, index: number) {
    super(live, id, index);
    this.index = index;
  }
}
