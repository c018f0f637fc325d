/**
 * A trader who does everything that can be done, by chance and from a seed: baskets, reversals, plans, ladders, triggers,
 * brackets, rebalances, cancels, brakes. What is refused is refused; what must never be answered is a complaint.
 */
import { Random } from '../../gateway/venues/paper/market/random.ts';
import type { Json } from './json.ts';
import { type TestLeg, type Trader, usd } from './trader.ts';

const TICKERS = ['BTC', 'ETH', 'SOL', 'DOGE', 'XRP', 'BNB', 'AVAX', 'LINK'] as const;
/** The market runs on between the price that is seen and the order: wide enough that most fill. */
const SLIPPAGE = '0.05';
const POLICIES = ['KEEP', 'UNWIND', 'RETRY'] as const;
const METRICS = ['PERCENTAGE', 'DOLLAR', 'WEIGHTED_RATIO'] as const;

export class DayTrader {
  readonly complaints: string[] = [];
  /** Number of accepted calls of each kind. */
  readonly accepted = new Map<string, number>();
  readonly #bot: Trader;
  readonly #random: Random;
  readonly #actions: readonly (readonly [weight: number, act: () => Promise<void>])[];

  constructor(bot: Trader, seed: number) {
    this.#bot = bot;
    this.#random = new Random(seed, 31);
    this.#actions = [
      [14, () => this.#open()],
      [6, () => this.#adjust()],
      [8, () => this.#close()],
      [4, () => this.#reverse()],
      [5, () => this.#trigger()],
      [4, () => this.#closeLater()],
      [6, () => this.#brackets()],
      [4, () => this.#schedule()],
      [3, () => this.#ladder()],
      [4, () => this.#autoRebalance()],
      // Many find too small a drift to trade.
      [14, () => this.#rebalance()],
      [2, () => this.#margin()],
      [5, () => this.#cancelSomething()],
      [2, () => this.#stopAndGo()],
      [1, () => this.#leverage()],
      [1, () => this.#brakes()],
    ];
  }

  async act(): Promise<void> {
    const total = this.#actions.reduce((sum, [weight]) => sum + weight, 0);
    let left = this.#random.uniform() * total;
    for (const [weight, act] of this.#actions) {
      left -= weight;
      if (left < 0) return act();
    }
  }

  /** Takes back everything that waits. */
  async endDay(): Promise<void> {
    for (const { id } of await this.#list('/ladders?limit=2000&status=ACTIVE', 'ladders'))
      await this.#call('cancel ladder', 'POST', `/ladders/${id}/cancel`);
    for (const { id } of await this.#list('/schedules?limit=2000&status=ACTIVE,PAUSED', 'schedules'))
      await this.#call('cancel schedule', 'POST', `/schedules/${id}/cancel`);
    await this.#call('cancel all triggers', 'POST', '/triggers/cancel-all');
    for (const { id } of await this.#list('/positions/lite', 'positions'))
      await this.#call('end rebalance', 'DELETE', `/positions/${id}/auto-rebalance`);
  }

  async #open(): Promise<void> {
    const setups = [
      {},
      {},
      { takeProfit: { type: 'PERCENTAGE', value: '2' }, stopLoss: { type: 'PERCENTAGE', value: '1.5' } },
    ];
    await this.#call('open', 'POST', '/trade/open', {
      type: 'MARKET',
      legs: this.#legs(),
      slippage: SLIPPAGE,
      onLegFailure: this.#pick(POLICIES),
      ...this.#pick(setups),
    });
  }

  async #adjust(): Promise<void> {
    const position = await this.#anyPosition();
    if (position === null) return;
    const intent = this.#pick(['INCREASE', 'REDUCE']);
    await this.#call('adjust', 'POST', `/positions/${position.id}/adjust`, {
      intent,
      fraction: this.#pick(['0.25', '0.5']),
      slippage: SLIPPAGE,
    });
  }

  async #close(): Promise<void> {
    if (this.#random.uniform() < 0.05) {
      await this.#call('close all', 'POST', '/positions/close-all', { slippage: SLIPPAGE });
      return;
    }
    const position = await this.#anyPosition();
    if (position === null) return;
    const how = this.#pick([
      { type: 'MARKET', fraction: this.#pick(['1', '0.5']) },
      { type: 'MARKET' },
      { type: 'TWAP', durationSeconds: 60, intervalSeconds: 15, fraction: this.#pick(['1', '0.5']) },
    ]);
    await this.#call(`close ${how.type}`, 'POST', `/positions/${position.id}/close`, {
      ...how,
      slippage: SLIPPAGE,
    });
  }

  async #reverse(): Promise<void> {
    const position = await this.#anyPosition();
    if (position === null) return;
    await this.#call('reverse', 'POST', `/positions/${position.id}/reverse`, {
      slippage: SLIPPAGE,
      onLegFailure: this.#pick(POLICIES),
    });
  }

  async #trigger(): Promise<void> {
    const legs = this.#legs();
    const condition = await this.#condition(legs);
    await this.#call('trigger', 'POST', '/triggers/open', {
      legs,
      condition,
      slippage: SLIPPAGE,
      allowImmediate: true,
      priceSource: this.#pick(['MARK', 'LAST', 'INDEX']),
    });
  }

  async #closeLater(): Promise<void> {
    const position = await this.#anyPosition();
    if (position === null) return;
    const condition = await this.#condition(position.legs);
    await this.#call('close TRIGGER', 'POST', `/positions/${position.id}/close`, {
      type: 'TRIGGER',
      condition: condition['type'] === 'PRICE' ? { ...condition, type: 'CROSS_ASSET_PRICE' } : condition,
      fraction: this.#pick(['1', '0.5']),
      slippage: SLIPPAGE,
      allowImmediate: true,
    });
  }

  async #condition(legs: readonly { readonly symbol: string }[]): Promise<Record<string, string>> {
    const direction = this.#pick(['MORE_THAN', 'LESS_THAN']);
    const away =
      direction === 'MORE_THAN' ? 1 + this.#random.uniform() / 80 : 1 - this.#random.uniform() / 80;
    const way = this.#random.uniform();
    if (way < 0.1) return { type: 'BTC_DOM', direction, value: this.#pick(['54', '56', '58']) };
    const symbol = this.#pick(legs).symbol;
    const [quote] = (await this.#list('/prices?connector=paper', 'prices')).filter(({ id }) => id === symbol);
    const value = (Number(quote?.mark ?? 1) * away).toPrecision(6);
    return { type: way < 0.3 ? 'CROSS_ASSET_PRICE' : 'PRICE', direction, value, symbol };
  }

  async #brackets(): Promise<void> {
    const position = await this.#anyValued();
    if (position === null) return;
    const type = this.#pick(METRICS);
    const gross = Number(position.grossNotional);
    const ratio = Number(position.markRatio ?? 1);
    const values = {
      PERCENTAGE: ['1', '1'],
      DOLLAR: [String(Math.round(gross / 80)), String(Math.round(gross / 80))],
      WEIGHTED_RATIO: [(ratio * 1.01).toPrecision(6), (ratio * 0.99).toPrecision(6)],
    } as const;
    const [up, down] = values[type];
    const trailing =
      type === 'PERCENTAGE' && this.#random.uniform() < 0.5 ? { trailing: { delta: '0.5' } } : {};
    await this.#call(`brackets ${type}`, 'PUT', `/positions/${position.id}/brackets`, {
      takeProfit: { type, value: up },
      stopLoss: this.#random.uniform() < 0.2 ? null : { type, value: down, ...trailing },
    });
  }

  async #schedule(): Promise<void> {
    await this.#call('schedule', 'POST', '/schedules', {
      legs: this.#legs('2000'),
      durationSeconds: this.#pick([60, 90]),
      intervalSeconds: this.#pick([10, 15, 30]),
      randomize: this.#random.uniform() < 0.5,
      missedSlicePolicy: this.#pick(['CATCH_UP', 'SKIP']),
      slippage: SLIPPAGE,
    });
  }

  async #ladder(): Promise<void> {
    const [leg] = this.#legs('500');
    if (leg === undefined) return;
    const [quote] = (await this.#list('/prices?connector=paper', 'prices')).filter(
      ({ id }) => id === leg.symbol,
    );
    const mark = Number(quote?.mark ?? 1);
    await this.#call('ladder', 'POST', '/ladders', {
      legs: [leg],
      metric: 'PRICE',
      direction: 'LESS_THAN',
      start: (mark * 0.998).toPrecision(6),
      end: (mark * 0.98).toPrecision(6),
      levels: 4,
      distribution: this.#pick(['LINEAR', 'GEOMETRIC']),
      sizing: this.#pick(['EQUAL', 'INCREASING', 'DECREASING']),
      allowImmediate: true,
      slippage: SLIPPAGE,
    });
  }

  async #autoRebalance(): Promise<void> {
    const position = await this.#anyPosition();
    if (position === null) return;
    await this.#call('auto-rebalance', 'PUT', `/positions/${position.id}/auto-rebalance`, {
      mode: 'TARGET_WEIGHTS',
      action: this.#pick(['TRADE', 'NOTIFY']),
      minimumDrift: '0.005',
      cooldownSeconds: 60,
    });
  }

  async #rebalance(): Promise<void> {
    // The largest: in others a drift is seldom an order's worth.
    const [position] = (await this.#positions()).sort(
      (one, other) => Number(other.grossNotional) - Number(one.grossNotional),
    );
    if (position === undefined) return;
    await this.#call('rebalance', 'POST', `/positions/${position.id}/rebalance`, { slippage: SLIPPAGE });
  }

  async #margin(): Promise<void> {
    const position = await this.#anyValued();
    const leg = position?.legs.find(({ marginMode }: Json) => marginMode === 'isolated');
    if (leg === undefined) return;
    const body = { symbol: leg.symbol, amount: this.#pick(['50', '-25']) };
    await this.#call('margin', 'POST', `/positions/${position?.id}/margin`, body);
  }

  async #cancelSomething(): Promise<void> {
    const [of, path] = this.#pick([
      ['triggers', '/triggers?limit=50&status=ACTIVE,PAUSED'],
      ['schedules', '/schedules?limit=50&status=ACTIVE,PAUSED'],
      ['ladders', '/ladders?limit=50&status=ACTIVE'],
      ['orders', '/orders?limit=50&status=PENDING,PARTIAL'],
    ] as const);
    const rows = await this.#list(path, of);
    if (rows.length === 0) return;
    const { id } = this.#pick(rows);
    await this.#call(`cancel ${of}`, 'POST', `/${of}/${id}/cancel`);
  }

  async #stopAndGo(): Promise<void> {
    const of = this.#pick(['triggers', 'schedules']);
    const rows = await this.#list(`/${of}?limit=50&status=ACTIVE`, of);
    if (rows.length === 0) return;
    const { id } = this.#pick(rows);
    await this.#call(`pause ${of}`, 'POST', `/${of}/${id}/pause`);
    await this.#call(`resume ${of}`, 'POST', `/${of}/${id}/resume`);
  }

  async #leverage(): Promise<void> {
    const setting = { symbol: 'LINK-PERP', leverage: this.#pick([3, 5]), marginMode: 'isolated' };
    await this.#call('leverage', 'PUT', '/leverage', setting);
  }

  async #brakes(): Promise<void> {
    await this.#call('pause', 'POST', '/safety/pause');
    await this.#open();
    await this.#close();
    await this.#call('resume', 'POST', '/safety/resume');
  }

  #legs(usdEach = String(Math.round(200 + this.#random.uniform() * 1_300))): readonly TestLeg[] {
    const tickers = [...TICKERS];
    return Array.from({ length: 1 + Math.floor(this.#random.uniform() * 3) }, () => {
      const [ticker = 'BTC'] = tickers.splice(Math.floor(this.#random.uniform() * tickers.length), 1);
      return usd(ticker, this.#random.uniform() < 0.5 ? 'BUY' : 'SELL', usdEach);
    });
  }

  #positions(): Promise<Json[]> {
    return this.#list('/positions?limit=200&status=OPEN', 'positions');
  }

  /** Its id and legs: most actions need no figures, which take the longest to answer. */
  async #anyPosition(): Promise<Json | null> {
    const positions = await this.#list('/positions/lite', 'positions');
    return positions.length === 0 ? null : this.#pick(positions);
  }

  /** With its figures; null where it has been closed meanwhile, too. */
  async #anyValued(): Promise<Json | null> {
    const position = await this.#anyPosition();
    if (position === null) return null;
    const answer = await this.#bot.call('GET', `/positions/${position.id}`);
    if (answer.status !== 200)
      this.complaints.push(`GET /positions/${position.id}: ${answer.status} ${answer.text}`);
    return answer.json?.status === 'OPEN' ? answer.json : null;
  }

  async #list(path: string, of: string): Promise<Json[]> {
    const answer = await this.#bot.call('GET', path);
    if (answer.status !== 200) this.complaints.push(`GET ${path}: ${answer.status} ${answer.text}`);
    return answer.json?.[of] ?? [];
  }

  async #call(name: string, method: string, path: string, body?: object): Promise<void> {
    const answer = await this.#bot.call(method, path, body);
    if (answer.status < 300) this.accepted.set(name, (this.accepted.get(name) ?? 0) + 1);
    // Refused for what the market or the basket is just now; anything else is a defect.
    else if (![400, 404, 409].includes(answer.status))
      this.complaints.push(`${method} ${path} (${JSON.stringify(body)}): ${answer.status} ${answer.text}`);
  }

  #pick<T>(from: readonly T[]): T {
    const picked = from[Math.floor(this.#random.uniform() * from.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }
}
