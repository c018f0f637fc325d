/**
 * A trader on a gateway in this process who also trades past it, and who looks at the venue itself: what closing tests need.
 * Everything goes over HTTP, except the look at the paper venue's own books.
 */
import { expect } from 'chai';
import type { VenuePosition } from '../../gateway/engine/ports/venue.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';
import type { Json } from './json.ts';
import { openForEachTest } from './open-for-tests.ts';
import { type TestLeg, type Trader, trader } from './trader.ts';
import { until } from './until.ts';
import { unwrap } from './unwrap.ts';

export type Connector = 'paper' | 'paper-cross';

export const base = (symbol: string, side: 'BUY' | 'SELL', amount: string): TestLeg => ({
  symbol: `${symbol}-PERP`,
  side,
  mode: 'BASE',
  amount,
});

export class ClosingDesk {
  readonly gateway: TestGateway;
  readonly bot: Trader;
  readonly connector: Connector;

  private constructor(gateway: TestGateway, bot: Trader, connector: Connector) {
    this.gateway = gateway;
    this.bot = bot;
    this.connector = connector;
  }

  static async open(connector: Connector = 'paper', options: TestGatewayOptions = {}): Promise<ClosingDesk> {
    const gateway = await startTestGateway({ hasCross: connector === 'paper-cross', ...options });
    return new ClosingDesk(gateway, await trader(gateway, { connector }), connector);
  }

  /** One more trader on a gateway that runs already. */
  static async join(gateway: TestGateway, connector: Connector, email: string): Promise<ClosingDesk> {
    return new ClosingDesk(gateway, await trader(gateway, { connector, email }), connector);
  }

  get venue() {
    return this.gateway.gateway.paperVenue(this.connector);
  }

  /** Answers with the status that is expected, or fails with the answer. */
  async post(path: string, body?: object, status = 202): Promise<Json> {
    const answer = await this.bot.call('POST', path, body);
    expect(answer.status, `POST ${path}: ${answer.text}`).to.equal(status);
    return answer.json;
  }

  async get(path: string): Promise<Json> {
    const answer = await this.bot.call('GET', path);
    expect(answer.status, `GET ${path}: ${answer.text}`).to.equal(200);
    return answer.json;
  }

  /** Opens a basket that must fill; the id of its position. */
  async basket(legs: readonly TestLeg[], over?: Readonly<Record<string, unknown>>): Promise<string> {
    const execution = await this.bot.open(legs, over);
    expect(execution.status, JSON.stringify(execution)).to.equal('COMPLETED');
    return execution.positionId;
  }

  /** A trade past the gateway; what the venue answered. */
  async outside(order: Readonly<Record<string, unknown>>): Promise<Json> {
    return this.post(`/trade-accounts/${this.bot.accountId}/paper/outside-order`, order, 200);
  }

  /** The execution at its end, with no expectation of which. */
  async close(positionId: string, over: object = {}): Promise<Json> {
    const { execution } = await this.post(`/positions/${positionId}/close`, { type: 'MARKET', ...over });
    return this.bot.ended(execution.id);
  }

  panic(): Promise<Json> {
    return this.post('/safety/panic', { confirm: 'CLOSE ALL' });
  }

  /** Positions at the venue itself, without zeros. */
  async venuePositions(): Promise<Readonly<Record<string, string>>> {
    const { accountId } = this.bot;
    const held = unwrap(
      await this.venue.positions({ tradeAccountId: accountId, exchangeIdentifier: accountId }),
    ).filter(({ quantity }: VenuePosition) => quantity !== '0');
    return Object.fromEntries(held.map(({ symbol, quantity }) => [symbol, quantity]));
  }

  async isFlat(): Promise<boolean> {
    const [positions, held] = [await this.bot.positions(), await this.venuePositions()];
    return positions.length === 0 && Object.keys(held).length === 0;
  }

  async position(id: string): Promise<Json> {
    return this.get(`/positions/${id}`);
  }

  untilClosed(id: string): Promise<Json> {
    return until(this.gateway.clock, `position ${id} is closed`, async () => {
      const position = await this.position(id);
      return position.status === 'CLOSED' && position;
    });
  }

  async fills(positionId?: string): Promise<readonly Json[]> {
    const { fills } = await this.get('/fills?limit=2000&orderBy=timestamp');
    return positionId === undefined ? fills : fills.filter((fill: Json) => fill.positionId === positionId);
  }

  /** Signed quantity and source of everything at the venue that is in no basket. */
  async unassigned(): Promise<readonly Json[]> {
    return (await this.get('/positions/unassigned')).items;
  }

  async notifications(): Promise<readonly Json[]> {
    return (await this.get('/notifications?limit=100')).notifications;
  }

  /** A notification that names the position, of whatever category. */
  untilTold(positionId: string): Promise<Json> {
    return until(this.gateway.clock, `a notification tells of position ${positionId}`, async () =>
      (await this.notifications()).find(({ parameters }) => parameters.positionId === positionId),
    );
  }

  end(): Promise<void> {
    return this.gateway.close();
  }
}

/** A new desk for each test of a suite. Call it in `describe`. */
export const closingDeskForEachTest = (connector?: Connector): ClosingDesk =>
  openForEachTest(
    () => ClosingDesk.open(connector),
    (desk) => desk.end(),
  );
