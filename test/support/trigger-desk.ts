/** The engine's desk with what waits for the market: triggers, brackets and ladders. */

import { expect } from 'chai';
import type { Condition } from '../../gateway/domain/condition-table.ts';
import type { Ladder } from '../../gateway/domain/ladder.ts';
import type { NotificationCategory } from '../../gateway/domain/notification.ts';
import type { Trigger } from '../../gateway/domain/trigger.ts';
import type { EngineError } from '../../gateway/engine/core/errors.ts';
import type { CandleHistory } from '../../gateway/engine/ports/market.ts';
import type { Store } from '../../gateway/engine/ports/store.ts';
import type { ClosePosition } from '../../gateway/engine/positions/change-position.ts';
import type { CreateLadder } from '../../gateway/engine/resting/triggers/ladder-service.ts';
import type { OpenAlert, OpenTrigger, Watch } from '../../gateway/engine/resting/triggers/new-trigger.ts';
import type { ChangeTrigger } from '../../gateway/engine/resting/triggers/trigger-change.ts';
import { Triggers } from '../../gateway/engine/resting/triggers/triggers.ts';
import { type EngineDesk, engineDesk, leg, PRINCIPAL } from './engine-desk.ts';
import { unwrap } from './unwrap.ts';

export const AAA = 'AAA-PERP';
export const BBB = 'BBB-PERP';
export const PAIR = [leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')];

export interface TriggerDesk {
  readonly desk: EngineDesk;
  /** Over all lives; none at first. */
  readonly hours: RecordedHours;
  /** Services of the current life. */
  readonly services: Triggers;
  /** Makes one that opens the pair; its id. */
  open(over?: Partial<OpenTrigger>): Promise<string>;
  alert(changes?: Partial<OpenAlert>): Promise<string>;
  /** Error of a trigger that is refused. */
  refused(over: Partial<OpenTrigger>): Promise<EngineError>;
  /** Makes one that closes; its id. */
  closes(positionId: string, over?: Partial<ClosePosition & Watch>): Promise<string>;
  ladder(over?: Partial<CreateLadder>): Promise<string>;
  ladderRefused(over: Partial<CreateLadder>): Promise<EngineError>;
  /** Changes a trigger, which then does not fire at once. */
  change(id: string, change: Partial<ChangeTrigger>): ReturnType<Triggers['triggers']['change']>;
  /** As it is on disk. */
  trigger(id: string): Promise<Trigger>;
  storedLadder(id: string): Promise<Ladder>;
  /** Triggers of a ladder, by rung. */
  rungs(id: string): Promise<readonly Trigger[]>;
  /** Triggers of the account, oldest first. */
  triggers(): Promise<readonly Trigger[]>;
  /** Categories, oldest first. */
  notifications(): Promise<readonly NotificationCategory[]>;
  /** A new mark of an instrument, then `ms` that pass; without them only what needs no time goes on. */
  moveMark(symbol: string, mark: string, ms?: number): Promise<void>;
  /** Moves time until the trigger has ended; as it is then. */
  ended(id: string): Promise<Trigger>;
  /** Fails unless the trigger completes at this mark of AAA. */
  firesAt(id: string, mark: string): Promise<void>;
  /** Fails unless the trigger is active at this mark of AAA. */
  waitsAt(id: string, mark: string): Promise<void>;
  /** Opens the pair at once; the position's id. */
  position(): Promise<string>;
}

export const over = (value: string): Condition => ({
  type: 'PRICE',
  direction: 'MORE_THAN',
  value,
  symbol: AAA,
});
export const under = (value: string): Condition => ({
  type: 'PRICE',
  direction: 'LESS_THAN',
  value,
  symbol: AAA,
});

const WATCH: Watch = {
  condition: over('110'),
  priceSource: 'MARK',
  expiresAt: null,
  allowImmediate: false,
  onMissed: 'FIRE',
};

const OPEN: OpenTrigger = {
  ...WATCH,
  legs: PAIR,
  totalUsd: null,
  slippage: '0.01',
  onLegFailure: 'KEEP',
  takeProfit: null,
  stopLoss: null,
  clientId: null,
};

/** Five rungs at 90, 85, … 70, 200 USD of AAA each. */
const LADDER: CreateLadder = {
  legs: [leg('AAA', 'BUY', '1000')],
  totalUsd: null,
  metric: 'PRICE',
  symbol: AAA,
  direction: 'LESS_THAN',
  start: '90',
  end: '70',
  levels: 5,
  distribution: 'LINEAR',
  sizing: 'EQUAL',
  allowImmediate: false,
  expiresAt: null,
  slippage: '0.01',
  onLegFailure: 'KEEP',
  clientId: null,
};

const BOUNDS: OpenAlert['bounds'] = {
  most: 10,
  ofAgent: { waiting: 10, aDay: 10 },
  ofKey: { waiting: 10, aDay: 10 },
};

const PAGE = { limit: 10_000, after: null };

/** Closing prices of hours, by the hour's end: what a gateway recorded over a time that no test waits for. */
export class RecordedHours {
  readonly #closes = new Map<number, Readonly<Record<string, string>>>();

  /** Requests that are answered with an error. */
  fails: (request: Parameters<CandleHistory['closes']>[0]) => boolean = () => false;

  /** The prices at the end of an hour, epoch ms; instruments left out have none. */
  put(at: number, prices: Readonly<Record<string, string>>): void {
    this.#closes.set(at, { ...this.#closes.get(at), ...prices });
  }

  /** Requests are answered after it. */
  comes: Promise<void> | null = null;

  readonly closes: CandleHistory['closes'] = async (request) => {
    if (this.comes !== null) await this.comes;
    if (this.fails(request)) throw new Error('no candles');
    const { symbols, from, to } = request;
    return [...this.#closes]
      .filter(([at]) => at > from && at <= to)
      .sort(([a], [b]) => a - b)
      .flatMap(([at, of]) => {
        const prices = symbols.flatMap((symbol) => of[symbol] ?? []);
        return prices.length === symbols.length ? [{ at, prices }] : [];
      });
  };
}

export async function triggerDesk(shared?: Store): Promise<TriggerDesk> {
  const desk = await engineDesk(shared);
  const hours = new RecordedHours();
  let services: Triggers | null = null;
  desk.around = (engine) => {
    services?.stop();
    services = new Triggers(engine.accept, hours);
    return services;
  };
  await desk.start();
  const live = (): Triggers => {
    if (services === null) throw new Error('the engine is not running');
    return services;
  };
  const command = () => ({
    account: desk.account,
    idempotency: null,
    answer: (made: Trigger) => JSON.stringify({ id: made.id }),
  });
  const ladderCommand = () => ({
    ...command(),
    answer: (made: { readonly ladder: Ladder }) => JSON.stringify({ id: made.ladder.id }),
  });
  const trigger = async (id: string): Promise<Trigger> => {
    const found = await desk.store.trigger(desk.account.id, id);
    if (found === null) throw new Error(`no trigger ${id}`);
    return found;
  };
  const ended = async (id: string): Promise<Trigger> => {
    for (;;) {
      const found = await trigger(id);
      if (!['ACTIVE', 'PAUSED', 'TRIGGERED'].includes(found.status)) return found;
      const commits = desk.commits.length;
      await desk.advanceTo(() => desk.commits.length > commits);
    }
  };
  const idOf = (json: string): string => JSON.parse(json).id;
  return {
    desk,
    hours,
    get services() {
      return live();
    },
    async moveMark(symbol, mark, ms) {
      desk.venue.setMark(symbol, mark);
      await (ms === undefined ? desk.quiet() : desk.pass(ms));
    },
    async open(changes = {}) {
      return idOf(unwrap(await live().triggers.open(PRINCIPAL, command(), { ...OPEN, ...changes })).json);
    },
    async alert(changes = {}) {
      const { legs, totalUsd } = OPEN;
      const asked = { ...WATCH, legs, totalUsd, bounds: BOUNDS, ...changes };
      return idOf(unwrap(await live().triggers.tell(PRINCIPAL, command(), asked)).json);
    },
    async refused(changes) {
      const made = await live().triggers.open(PRINCIPAL, command(), { ...OPEN, ...changes });
      if (made.ok) throw new Error('the trigger was not refused');
      return made.error;
    },
    async closes(positionId, changes = {}) {
      const asked = { ...WATCH, positionId, fraction: '1', slippage: null, clientId: null, ...changes };
      return idOf(unwrap(await live().triggers.close(PRINCIPAL, command(), asked)).json);
    },
    async ladder(changes = {}) {
      return idOf(
        unwrap(await live().ladders.create(PRINCIPAL, ladderCommand(), { ...LADDER, ...changes })).json,
      );
    },
    async ladderRefused(changes) {
      const made = await live().ladders.create(PRINCIPAL, ladderCommand(), { ...LADDER, ...changes });
      if (made.ok) throw new Error('the ladder was not refused');
      return made.error;
    },
    change: (id, change) =>
      live().triggers.change(PRINCIPAL, desk.account, id, { allowImmediate: false, ...change }),
    trigger,
    async storedLadder(id) {
      const found = await desk.store.ladder(desk.account.id, id);
      if (found === null) throw new Error(`no ladder ${id}`);
      return found;
    },
    rungs: (id) => desk.store.triggersOfLadder(id),
    async triggers() {
      const page = await desk.store.triggers({ tradeAccountId: desk.account.id }, PAGE);
      return page.rows.toReversed();
    },
    async notifications() {
      const owner = { userId: desk.account.userId, tradeAccountIds: [desk.account.id] };
      const page = await desk.store.notifications(owner, PAGE);
      return page.rows.map(({ category }) => category).toReversed();
    },
    ended,
    async firesAt(id, mark) {
      desk.venue.setMark(AAA, mark);
      expect((await ended(id)).status).to.equal('COMPLETED');
    },
    async waitsAt(id, mark) {
      desk.venue.setMark(AAA, mark);
      await desk.quiet();
      expect((await trigger(id)).status).to.equal('ACTIVE');
    },
    async position() {
      const { positionId } = await desk.opened(PAIR);
      if (positionId === null) throw new Error('nothing was opened');
      return positionId;
    },
  };
}
