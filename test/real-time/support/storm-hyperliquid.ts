/** The emulated Hyperliquid in a storm. */
import { randomBytes } from 'node:crypto';
import { addressOf, toHex } from '../../../gateway/venues/live/hyperliquid/signing/keys.ts';
import { launchEmulator, type RemoteEmulator } from '../../support/venues/hyperliquid/emulator.ts';
import type { Fault } from '../../support/venues/hyperliquid/faults.ts';
import { DEFAULT_UNIVERSE } from '../../support/venues/hyperliquid/state/universe.ts';
import { commonReading, EmulatedExchange, type ExchangeAccount, lostAnswers } from './emulated-exchange.ts';
import type { VenueReading } from './storm-audit.ts';

const LEG_REFUSED = {
  on: 'order',
  do: 'refuse_leg',
  leg: 1,
  text: 'Insufficient margin to place order. asset=1',
} as const;
const FAULTS: readonly Fault[] = [
  ...lostAnswers('order'),
  { on: 'orderStatus', do: 'status', code: 503 },
  { on: 'userFillsByTime', do: 'status', code: 503 },
  { on: 'clearinghouseState', do: 'delay', beforeMs: 3_000 },
  { on: '*', do: 'status', code: 429 },
  { ...LEG_REFUSED, leg: 0, text: 'Insufficient margin to place order. asset=0' },
  { ...LEG_REFUSED, text: 'Order would increase open interest too quickly. asset=1' },
  { ...LEG_REFUSED, text: 'Order price too far from oracle. asset=1', times: 3 },
];

export class HyperliquidInStorm extends EmulatedExchange<RemoteEmulator> {
  readonly connector = 'hyperliquid';

  protected launchEmulator() {
    return launchEmulator({ pulseMs: 500 });
  }

  protected sizeDecimals(ticker: string): number {
    return DEFAULT_UNIVERSE.find(({ name }) => name === ticker)?.szDecimals ?? 0;
  }

  protected priceText(_: string, price: number): string {
    return String(Number(price.toPrecision(5)));
  }

  async account(): Promise<ExchangeAccount> {
    const address = addressOf(randomBytes(32));
    const agent = randomBytes(32);
    const { script } = this;
    await script.setWeightPerMinute(null);
    await script.addAccount({ address, deposit: '1000000' });
    await script.addAgent(address, addressOf(agent));
    await script.setRequests(address, 0, 1_000_000);
    return {
      credentials: { accountAddress: address, agentPrivateKey: toHex(agent) },
      tradeElsewhere: (ticker, side, usd) => this.tradeElsewhere(address, ticker, side, usd),
      look: () => this.#look(address),
    };
  }

  async fault(): Promise<void> {
    await this.script.fault(this.random.pick(FAULTS));
  }

  async refuseLeg(): Promise<void> {
    await this.script.fault(LEG_REFUSED);
  }

  async #look(address: string): Promise<VenueReading> {
    const state = await this.script.state(address);
    return {
      ...commonReading(state),
      fills: state.fills.map(({ tid, coin, side, sz, px, fee }) => ({
        ...{ tradeId: String(tid), symbol: `${coin}-PERP`, side: side === 'B' ? 'BUY' : 'SELL' },
        ...{ quantity: sz, price: px, fee },
      })),
      ...{ balance: state.collateral, deposits: state.deposits },
    };
  }
}
