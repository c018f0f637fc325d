/**
 * Calls that a program may make beside the position of its user, in any order, over REST and MCP, while the market moves and
 * the user decides about what waits.
 */
import fc from 'fast-check';
import type { GuardedDesk, GuardedGateway } from './guarded-desk.ts';
import type { Json } from './json.ts';
import type { Seen } from './lost-protection.ts';
import { settled } from './outstanding.ts';
import { weightedRecord } from './property-runs.ts';
import { entryOf, weightRatioOf } from './stop-model.ts';
import { usd } from './trader.ts';

export const BASKETS = {
  long: [usd('BTC', 'BUY', '100')],
  short: [usd('BTC', 'SELL', '100')],
  pair: [usd('BTC', 'BUY', '100'), usd('ETH', 'SELL', '100')],
} as const;

export const bracket = fc.record({
  metric: fc.constantFrom('PERCENTAGE', 'DOLLAR', 'POSITION_VALUE', 'PRICE', 'PRICE_RATIO', 'WEIGHTED_RATIO'),
  /** Distance from the present value, a fraction of it. */
  far: fc.constantFrom(0.01, 0.02, 0.05, 0.1, 0.3),
  trails: fc.constantFrom('no', 'no', 'at_once', 'later'),
});
type AskedBracket = typeof bracket extends fc.Arbitrary<infer One> ? One : never;

const protection = fc.record({ stop: fc.option(bracket), goal: fc.option(fc.boolean(), { freq: 1 }) });
const nth = fc.nat(5);
const call = fc.oneof(
  weightedRecord(6, { do: fc.constant('protect' as const), with: protection }),
  weightedRecord(3, {
    do: fc.constantFrom('add' as const, 'trigger' as const, 'twap' as const),
    stop: fc.option(bracket, { freq: 1 }),
    replaces: fc.boolean(),
    /** Size of the second leg as a fraction of the first. */
    evenness: fc.constantFrom(1, 1, 0.6),
  }),
  weightedRecord(4, { do: fc.constantFrom('cancel' as const, 'pause' as const, 'resume' as const), nth }),
  weightedRecord(2, { do: fc.constant('move' as const), nth, further: fc.boolean() }),
  weightedRecord(1, {
    do: fc.constantFrom('cancel_all' as const, 'close_later' as const, 'reduce' as const),
  }),
  weightedRecord(1, { do: fc.constant('reverse' as const), carries: fc.boolean() }),
  weightedRecord(2, { do: fc.constantFrom('margin' as const, 'leverage' as const, 'keep_weights' as const) }),
  weightedRecord(4, { do: fc.constant('close_part' as const) }),
  weightedRecord(2, {
    do: fc.constantFrom(
      'close' as const,
      'close_over_time' as const,
      'close_all' as const,
      'outside' as const,
    ),
  }),
);
type Call = typeof call extends fc.Arbitrary<infer One> ? One : never;

export const step = fc.oneof(
  weightedRecord(8, { by: fc.constantFrom('REST' as const, 'MCP' as const), call }),
  weightedRecord(2, { by: fc.constant('USER' as const), approves: fc.boolean() }),
  weightedRecord(1, {
    by: fc.constant(
      'MARKET' as const,
    ) /** Back again in the long run, so that prices and lots stay in their proportion. */,
    factor: fc.constantFrom(0.98, 1 / 0.98),
  }),
);

/** One user with a position that a stop-loss protects, and a program beside him. */
export class Life {
  readonly desk: GuardedDesk;
  readonly #guarded: GuardedGateway;

  constructor(guarded: GuardedGateway, desk: GuardedDesk) {
    this.#guarded = guarded;
    this.desk = desk;
  }

  async see(): Promise<Seen> {
    const { desk } = this;
    const [{ positions }, { triggers }, { schedules }] = await Promise.all(
      ['/positions?status=OPEN', '/triggers', '/schedules'].map(async (path) => {
        return (await desk.rest('GET', path)).json;
      }),
    );
    const closing = [...triggers, ...schedules].filter(({ kind }: Json) => kind === 'CLOSE');
    return { positions, closing };
  }

  /** Orders end, and what is met fires. */
  async rest(): Promise<void> {
    await this.#guarded.gateway.pass();
    for (let looks = 0; looks < 100; looks += 1) {
      await settled();
      const { executions } = (await this.desk.rest('GET', '/executions?limit=10')).json;
      if (executions.every(({ status }: Json) => status !== 'IDLE' && status !== 'ACTIVE')) return;
      await this.#guarded.gateway.pass();
    }
  }

  /** The user closes his position when its first leg has tripled. @returns id of the trigger */
  async userClosesLater(position: Json): Promise<string> {
    const answer = await this.desk.user('POST', `/positions/${position.id}/close`, closingFarOff(position));
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json.id;
  }

  async take(by: 'REST' | 'MCP', asked: Call): Promise<void> {
    const { positions, closing } = await this.see();
    const [position] = positions;
    if (position === undefined) return;
    const about = closing[('nth' in asked ? asked.nth : 0) % Math.max(1, closing.length)];
    await (by === 'REST' ? this.#overRest(asked, position, about) : this.#overMcp(asked, position, about));
    await this.rest();
  }

  async #overRest(asked: Call, position: Json, about: Json | undefined): Promise<unknown> {
    const { desk } = this;
    const path = `/positions/${position.id}`;
    const kept =
      about === undefined
        ? ''
        : `/${'slices' in about || 'sliceCount' in about ? 'schedules' : 'triggers'}/${about.id}`;
    const evenness = 'evenness' in asked ? asked.evenness : 1;
    const legs = position.legs.map(({ ticker, side }: Json, at: number) =>
      usd(ticker, side, at === 0 ? '20' : decimal(20 * evenness)),
    );
    switch (asked.do) {
      case 'protect':
        return desk.rest('PUT', `${path}/brackets`, bracketsOf(asked.with, position));
      case 'add':
        return desk.rest('POST', '/trade/open', { type: 'MARKET', legs, ...broughtBy(asked, position) });
      case 'trigger': {
        const condition = { type: 'PRICE', symbol: 'BTC-PERP', direction: 'MORE_THAN', value: '1' };
        const met = { condition, allowImmediate: true };
        return desk.rest('POST', '/triggers/open', { legs, ...met, ...broughtBy(asked, position) });
      }
      case 'twap': {
        const slices = { durationSeconds: 600, intervalSeconds: 300 };
        const larger = position.legs.map(({ ticker, side }: Json) => usd(ticker, side, '60'));
        return desk.rest('POST', '/schedules', { legs: larger, ...slices, ...broughtBy(asked, position) });
      }
      case 'cancel':
      case 'pause':
      case 'resume':
        return about === undefined ? null : desk.rest('POST', `${kept}/${asked.do}`);
      case 'move': {
        if (about?.condition == null) return null;
        const value = Number(about.condition.value) * (asked.further ? 1.1 : 0.9);
        return desk.rest('PATCH', kept, { condition: { value: decimal(value) } });
      }
      case 'cancel_all':
        return desk.rest('POST', '/triggers/cancel-all');
      case 'close_later':
        return desk.rest('POST', `${path}/close`, closingFarOff(position));
      case 'reduce':
        return desk.rest('POST', `${path}/adjust`, { intent: 'REDUCE', fraction: '0.12' });
      case 'reverse':
        return desk.rest('POST', `${path}/reverse`, { brackets: asked.carries ? 'CARRY' : 'DROP' });
      case 'margin':
        return desk.rest('POST', `${path}/margin`, { symbol: 'BTC-PERP', amount: '-5' });
      case 'leverage':
        return desk.rest('PUT', '/leverage', { symbol: 'BTC-PERP', leverage: 40, marginMode: 'isolated' });
      case 'keep_weights':
        return desk.rest('PUT', `${path}/auto-rebalance`, KEPT_WEIGHTS);
      case 'close':
        return desk.rest('POST', `${path}/close`, { type: 'MARKET' });
      case 'close_part': {
        const value = decimal(Number(position.legs[0].markPrice) * 1.01);
        const condition = { type: 'PRICE', symbol: 'BTC-PERP', direction: 'MORE_THAN', value };
        return desk.rest('POST', `${path}/close`, { type: 'TRIGGER', fraction: '0.12', condition });
      }
      case 'close_over_time':
        return desk.rest('POST', `${path}/close`, {
          type: 'TWAP',
          durationSeconds: 600,
          intervalSeconds: 300,
        });
      case 'close_all':
        return desk.rest('POST', '/positions/close-all', {});
      case 'outside': {
        const order = {
          symbol: 'BTC-PERP',
          side: position.legs[0].side === 'BUY' ? 'SELL' : 'BUY',
          usd: '40',
        };
        return desk.rest('POST', `/trade-accounts/${desk.accountId}/paper/outside-order`, order);
      }
    }
  }

  async #overMcp(asked: Call, position: Json, about: Json | undefined): Promise<unknown> {
    const { desk } = this;
    const change = { account: desk.accountId, position_id: position.id };
    switch (asked.do) {
      case 'protect': {
        const { stopLoss, takeProfit } = bracketsOf(asked.with, position);
        const removed = { remove_stop_loss: stopLoss === null, remove_take_profit: takeProfit === null };
        return this.#place('preview_change', {
          ...{ ...change, action: 'protect', ...removed },
          ...flat('stop_loss', stopLoss),
          ...flat('take_profit', takeProfit),
        });
      }
      case 'add': {
        const of = (side: string) =>
          position.legs.filter((leg: Json) => leg.side === side).map(({ symbol }: Json) => symbol);
        const [long, short] = [of('BUY'), of('SELL')];
        return this.#place('preview_basket', {
          account: desk.accountId,
          ...(long.length > 0 ? { long, long_usd: '20' } : {}),
          ...(short.length > 0 ? { short, short_usd: '20' } : {}),
          ...flat('stop_loss', asked.stop === null ? undefined : stopOf(asked.stop, position)),
          existing_protection: asked.replaces ? 'REPLACE' : 'KEEP',
        });
      }
      case 'cancel':
        return about === undefined ? null : desk.tool('cancel', { ids: [about.id] });
      case 'cancel_all':
        return desk.tool('cancel', { all_mine: true });
      case 'reduce':
        return this.#place('preview_change', { ...change, action: 'reduce', pct: '12' });
      case 'reverse':
        return this.#place('preview_change', {
          ...change,
          action: 'reverse',
          carry_protection: asked.carries,
        });
      case 'margin':
        return this.#place('preview_change', {
          ...{ ...change, action: 'margin', margin_instrument: 'BTC-PERP', margin_usd: '-5' },
        });
      case 'keep_weights':
        return this.#place('preview_change', {
          ...{ ...change, action: 'keep_weights', keep_weights_min_drift_pct: '1' },
        });
      case 'close':
        return this.#place('preview_change', { ...change, action: 'close' });
      default:
        return this.#overRest(asked, position, about);
    }
  }

  async #place(tool: string, args: Readonly<Record<string, unknown>>): Promise<void> {
    const { data } = await this.desk.tool(tool, args);
    if (typeof data?.preview_id !== 'string') return;
    const { preview_id, summary } = data;
    await this.desk.tool('place_order', { preview_id, summary, reason: 'a test' });
  }

  /** The user decides what waits. True: something was approved. */
  async decide(approves: boolean): Promise<boolean> {
    let isAny = false;
    for (const question of await this.desk.questions()) {
      const answer = approves ? await this.desk.approve(question) : await this.desk.asked.deny(question.id);
      isAny ||= approves && answer.status === 200;
    }
    await this.rest();
    return isAny;
  }

  async market(factor: number): Promise<void> {
    await this.#guarded.gateway.gateway.paperVenue('paper').shock('BTC-PERP', factor);
    await this.rest();
  }
}

const KEPT_WEIGHTS = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.005' };
const decimal = (value: number) => String(Number(value.toPrecision(8)));

function closingFarOff({ legs }: Json): object {
  const value = decimal(Number(legs[0].markPrice) * 3);
  return { type: 'TRIGGER', condition: { type: 'PRICE', symbol: 'BTC-PERP', direction: 'MORE_THAN', value } };
}

/** A stop-loss at a distance from the present value of its metric. */
export function stopOf({ metric, far, trails }: AskedBracket, position: Json): Json {
  const entry = entryOf(position);
  const [first, second] = position.legs;
  const price = Number(first.markPrice);
  const sign = first.side === 'BUY' ? 1 : -1;
  const isOther = second === undefined ? metric.endsWith('RATIO') : metric === 'PRICE';
  const type = isOther ? 'PERCENTAGE' : metric;
  const ratio = weightRatioOf(position);
  /** Present value of the metric, how much of it is 1, and which way it gains. */
  const [now, unit, gains] = {
    PERCENTAGE: [0, 100, 1],
    DOLLAR: [0, entry, 1],
    POSITION_VALUE: [entry, entry, 1],
    PRICE: [price, price, sign],
    PRICE_RATIO: [price / Number(second?.markPrice ?? 1), price / Number(second?.markPrice ?? 1), 1],
    WEIGHTED_RATIO: [ratio, ratio, 1],
  }[type] as [number, number, number];
  const level = now === 0 ? unit * far : now - gains * unit * far;
  const activation = trails === 'later' ? { activation: decimal(now + gains * unit * 0.04) } : {};
  const trailing = trails === 'no' ? {} : { trailing: { delta: decimal(unit * far), ...activation } };
  return { type, value: decimal(level), ...trailing };
}

/** null: removed; left out: as it is. */
function bracketsOf(
  { stop, goal }: { stop: AskedBracket | null; goal: boolean | null },
  position: Json,
): Json {
  const takeProfit = goal === null ? {} : { takeProfit: goal ? { type: 'PERCENTAGE', value: '90' } : null };
  return { stopLoss: stop === null ? null : stopOf(stop, position), ...takeProfit };
}

function broughtBy(
  { stop, replaces }: { stop: AskedBracket | null; replaces: boolean },
  position: Json,
): object {
  return {
    ...(stop === null ? {} : { stopLoss: stopOf(stop, position) }),
    brackets: replaces ? 'REPLACE' : 'KEEP',
  };
}

/** A bracket in the fields of the tools. */
function flat(name: string, asked: Json | null | undefined): Readonly<Record<string, unknown>> {
  if (asked == null) return {};
  const { delta, activation } = asked.trailing ?? {};
  return {
    [`${name}_metric`]: asked.type,
    [`${name}_value`]: asked.value,
    ...(delta === undefined ? {} : { [`${name}_trailing_delta`]: delta }),
    ...(activation === undefined ? {} : { [`${name}_trailing_activation`]: activation }),
  };
}
