/** Good calls of the routes of what waits, each with the thing it acts on made before; anything else is not its own. */
import type { TestGateway } from './gateway.ts';
import type { TestAnswer } from './gateway-client.ts';
import { FAR } from './resting-faults.ts';
import type { SurfaceRoute } from './service-surface.ts';
import { routeName } from './service-surface.ts';
import type { SurfaceCall } from './surface-calls.ts';
import { PAIR, type TestLeg, type Trader, usd } from './trader.ts';

const NOBODY = '018f0000-0000-7000-8000-000000000000';
const TRIGGER = { legs: PAIR, condition: FAR };
const SCHEDULE = { legs: [usd('LINK', 'BUY', '600')], durationSeconds: 600, intervalSeconds: 60 };
const ALERT = { condition: FAR };
export const LADDER = {
  legs: PAIR,
  metric: 'PRICE',
  symbol: 'BTC-PERP',
  direction: 'MORE_THAN',
  start: '90000000',
  end: '99000000',
  levels: 3,
  distribution: 'LINEAR',
  sizing: 'EQUAL',
};
/** Waits below the price of SOL, whose symbol is that of its only leg. */
export const FALLING_LADDER = {
  ...{ legs: [usd('SOL', 'BUY', '3000')], metric: 'PRICE', direction: 'LESS_THAN', start: '100', end: '80' },
  ...{ levels: 5, distribution: 'LINEAR', sizing: 'EQUAL' },
};
const BRACKETS = { takeProfit: { type: 'PERCENTAGE', value: '50' } };
const REBALANCE = { mode: 'TARGET_WEIGHTS', action: 'NOTIFY', minimumDrift: '0.5' };
const TURNED: readonly TestLeg[] = [usd('AVAX', 'SELL', '200'), usd('LTC', 'BUY', '200')];
const ISOLATED: readonly TestLeg[] = [usd('XRP', 'BUY', '500')];
const DRIFTED: readonly TestLeg[] = [usd('BNB', 'BUY', '1000'), usd('DOGE', 'SELL', '1000')];
/** Time for which a venue says nothing of an account: its orders stay open. */
const SILENT_MS = 1_500;

type Made = Pick<SurfaceCall, 'path' | 'body'>;

export class RestingCalls {
  readonly #gateway: TestGateway;
  readonly #bot: Trader;
  /** Last position opened on each of the baskets above. */
  readonly #opened = new Map<readonly TestLeg[], string>();

  constructor(gateway: TestGateway, bot: Trader) {
    this.#gateway = gateway;
    this.#bot = bot;
  }

  /** @param admitted the call will be let in, so what it uses up must be there */
  async call(route: SurfaceRoute, admitted: boolean): Promise<Made | null> {
    const { path } = route;
    const on = async (make: () => Promise<string>, body?: object): Promise<Made> => {
      const at = path.replace(/\{\w+\}/, admitted ? await make() : NOBODY);
      return body === undefined ? { path: at } : { path: at, body };
    };
    const trigger = () => this.#made('/triggers/open', TRIGGER);
    const schedule = () => this.#made('/schedules', SCHEDULE);
    const alert = () => this.#made('/alerts', ALERT);
    const ladder = () => this.#made('/ladders', LADDER);
    const position = () => this.#position(TURNED);
    const config = () => this.#configured();
    switch (routeName(route)) {
      case 'POST /alerts':
        return { path, body: ALERT };
      case 'GET /alerts/{id}':
      case 'POST /alerts/{id}/cancel':
        return on(alert);
      case 'PATCH /alerts/{id}':
        return on(alert, { condition: { value: '98000000' } });
      case 'POST /triggers/open':
        return { path, body: TRIGGER };
      case 'GET /triggers/{id}':
      case 'POST /triggers/{id}/cancel':
      case 'POST /triggers/{id}/pause':
        return on(trigger);
      case 'PATCH /triggers/{id}':
        return on(trigger, { condition: { value: '98000000' } });
      case 'POST /triggers/{id}/resume':
        return on(() => this.#paused('/triggers', trigger));
      case 'POST /triggers/cancel-all':
        if (admitted) await trigger();
        return { path };
      case 'POST /schedules':
        return { path, body: SCHEDULE };
      case 'GET /schedules/{id}':
      case 'POST /schedules/{id}/pause':
      case 'POST /schedules/{id}/cancel':
        return on(schedule);
      case 'POST /schedules/{id}/resume':
        return on(() => this.#paused('/schedules', schedule));
      case 'POST /ladders':
        return { path, body: LADDER };
      case 'GET /ladders/{ladderId}':
      case 'POST /ladders/{ladderId}/cancel':
        return on(ladder);
      case 'PUT /positions/{id}/brackets':
      case 'POST /positions/{id}/brackets/plan':
        return on(position, BRACKETS);
      case 'POST /positions/{id}/reverse':
        return on(position, {});
      case 'POST /positions/close-all':
        if (admitted) await position();
        return { path, body: {} };
      case 'POST /positions/{id}/margin':
        return on(() => this.#isolated(), { symbol: 'XRP-PERP', amount: '10' });
      case 'PUT /positions/{id}/auto-rebalance':
        return on(position, REBALANCE);
      case 'GET /positions/{id}/auto-rebalance':
      case 'POST /positions/{id}/auto-rebalance/pause':
      case 'DELETE /positions/{id}/auto-rebalance':
        return on(config);
      case 'POST /positions/{id}/auto-rebalance/resume':
        return on(() => this.#pausedConfig());
      case 'POST /positions/{id}/rebalance/plan':
        return on(position, {});
      case 'POST /positions/{id}/rebalance':
        return on(() => this.#drifted(), {});
      case 'GET /orders/{id}':
        return on(async () => (await this.#bot.call('GET', '/orders?limit=1')).json.orders[0].id);
      case 'POST /orders/{id}/cancel':
        return on(() => this.#openOrder());
      case 'POST /orders/cancel-all':
        if (admitted) await this.#openOrder();
        return { path };
      case 'POST /notifications/read':
        return { path, body: { before: this.#gateway.clock.now() } };
      case 'POST /notifications/unread':
        return { path, body: { id: NOBODY } };
      case 'POST /safety/resume':
        if (admitted) await this.#bot.call('POST', '/safety/pause');
        return { path };
      case 'POST /safety/panic':
        return { path, body: { confirm: 'CLOSE ALL' } };
      default:
        return null;
    }
  }

  /** After the answer: closing executions have ended, and trading goes on. */
  async settle(answer: TestAnswer): Promise<void> {
    for (const { id, tradeAccountId } of answer.json?.executions ?? []) {
      if (answer.status === 202 && tradeAccountId === this.#bot.accountId) await this.#bot.ended(id);
    }
    const isPaused = answer.json?.paused === true || answer.json?.safety?.paused === true;
    if (isPaused) await this.#bot.call('POST', '/safety/resume');
  }

  async #made(path: string, body: object): Promise<string> {
    return (await this.#asked('POST', path, body)).json.id;
  }

  async #paused(of: string, make: () => Promise<string>): Promise<string> {
    const id = await make();
    await this.#asked('POST', `${of}/${id}/pause`);
    return id;
  }

  /** A position of its own: what was opened on the basket before is closed first. */
  async #position(legs: readonly TestLeg[]): Promise<string> {
    const before = this.#opened.get(legs);
    if (before !== undefined) {
      const closing = await this.#bot.call('POST', `/positions/${before}/close`, { type: 'MARKET' });
      if (closing.status === 202) await this.#bot.ended(closing.json.execution.id);
      else if (closing.json.errorCode === 'RESOURCE_BUSY') return this.#position(legs);
    }
    const { json } = await this.#asked('POST', '/trade/open', { type: 'MARKET', legs });
    const { positionId } = await this.#bot.ended(json.execution.id);
    this.#opened.set(legs, positionId);
    return positionId;
  }

  async #configured(): Promise<string> {
    const id = await this.#position(TURNED);
    await this.#asked('PUT', `/positions/${id}/auto-rebalance`, REBALANCE);
    return id;
  }

  async #pausedConfig(): Promise<string> {
    const id = await this.#configured();
    await this.#asked('POST', `/positions/${id}/auto-rebalance/pause`);
    return id;
  }

  async #isolated(): Promise<string> {
    const setting = { symbol: 'XRP-PERP', leverage: 5, marginMode: 'isolated' };
    if (!this.#opened.has(ISOLATED)) await this.#asked('PUT', '/leverage', setting);
    return this.#position(ISOLATED);
  }

  /** One leg of an addition has not filled. */
  async #drifted(): Promise<string> {
    const id = await this.#position(DRIFTED);
    this.#gateway.gateway.paperVenue('paper').setFaults({
      rules: [{ match: { symbol: 'BNB-PERP' }, action: { kind: 'fill', fraction: '0' } }],
    });
    const { json } = await this.#asked('POST', '/trade/open', { type: 'MARKET', legs: DRIFTED });
    await this.#bot.ended(json.execution.id);
    return id;
  }

  /** An order that nobody knows the end of for a while. */
  async #openOrder(): Promise<string> {
    this.#gateway.gateway.paperVenue('paper').setFaults({
      rules: [
        { match: { order: 1 }, action: { kind: 'drop_answer' } },
        { match: { order: 1 }, action: { kind: 'fill', fraction: '0' } },
        { match: { order: 1 }, action: { kind: 'silent_account', forMs: SILENT_MS } },
      ],
    });
    const legs = [usd('SOL', 'BUY', '100')];
    const { json } = await this.#asked('POST', '/trade/open', { type: 'MARKET', legs });
    return json.execution.orders[0].id;
  }

  async #asked(method: string, path: string, body?: object): Promise<TestAnswer> {
    const answer = await this.#bot.call(method, path, body);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }
}
