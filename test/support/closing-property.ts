/**
 * Random lives of an account: baskets that share instruments, trades past the gateway, closes, close-alls, panics, fills in
 * part, refusals, orders that get lost, deaths at any commit or sending. What must hold whatever happens is compared by books
 * of our own: nothing that closes opens, baskets and what is unassigned add up to the venue, transfers cancel.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Fill } from '../../gateway/domain/model.ts';
import type { Store } from '../../gateway/engine/ports/store.ts';
import { createPositionService } from '../../gateway/engine/positions/position-service.ts';
import { createSafetyDesk } from '../../gateway/engine/safety/safety-service.ts';
import { type EngineDesk, engineDesk, leg, PRINCIPAL } from './engine-desk.ts';
import { type Exact, exact, exactText, totalOf } from './exact.ts';
import { keepLedger, type LedgerFill } from './independent-ledger.ts';
import { weightedRecord } from './property-runs.ts';
import type { Behaviour } from './scripted-venue.ts';

const SYMBOLS = ['AAA', 'BBB', 'CCC'] as const;
/** Each instrument is long in one and short in another. */
const BASKETS = [
  [['AAA', 'BUY']],
  [
    ['AAA', 'SELL'],
    ['BBB', 'BUY'],
  ],
  [
    ['AAA', 'BUY'],
    ['BBB', 'SELL'],
  ],
  [
    ['BBB', 'BUY'],
    ['CCC', 'SELL'],
  ],
  [['CCC', 'BUY']],
] as const;
/** Longer than a reading of the venue's positions may be old when it is planned by. */
const AWARE_MS = 1_500;

const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  weightedRecord(3, {
    fraction: fc.constantFrom('0', '0.3', '0.97'),
    parts: fc.integer({ min: 1, max: 3 }),
    streamed: fc.constantFrom(0 as const, 1 as const, 2 as const),
  }),
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { rejects: { reason: 'expired', message: 'too late' } } as const,
      { rejects: { reason: 'other', message: 'not now' } } as const,
      { lost: true },
      { answer: 'silent' } as const,
      { answer: 'without_fills', lookups: ['done_without_fills'] } as const,
    ),
  },
);

const step = fc.oneof(
  weightedRecord(4, {
    do: fc.constant('open' as const),
    basket: fc.nat(4),
    usd: fc.integer({ min: 12, max: 900 }),
  }),
  weightedRecord(3, {
    do: fc.constant('close' as const),
    basket: fc.nat(4),
    fraction: fc.constantFrom('1', '1', '0.5', '0.97'),
  }),
  weightedRecord(3, {
    do: fc.constant('outside' as const),
    symbol: fc.constantFrom(...SYMBOLS),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    steps: fc.integer({ min: 1, max: 9_000 }),
    told: fc.constantFrom('streamed' as const, 'history' as const),
  }),
  weightedRecord(4, {
    do: fc.constant('sell outside' as const),
    basket: fc.nat(4),
    leg: fc.nat(1),
    thousandths: fc.constantFrom(300, 1_000, 1_400),
    afterwards: fc.constantFrom(
      'close' as const,
      'close each' as const,
      'close all' as const,
      'panic' as const,
      'nothing' as const,
    ),
  }),
  weightedRecord(1, { do: fc.constant('close each' as const), fraction: fc.constantFrom('1', '0.97') }),
  { weight: 1, arbitrary: fc.constant({ do: 'close all' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'panic' as const }) },
  weightedRecord(1, { do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 40_000 }) }),
);

const death = fc.record({
  at: fc.constantFrom('commit' as const, 'before' as const, 'after' as const),
  nth: fc.integer({ min: 1, max: 12 }),
});

export const closingScenario = fc.record({
  steps: fc.array(step, { minLength: 2, maxLength: 9 }),
  behaviours: fc.array(behaviour, { maxLength: 12 }),
  deaths: fc.array(death, { maxLength: 2 }),
});
type Scenario = typeof closingScenario extends fc.Arbitrary<infer T> ? T : never;
type Step = Scenario['steps'][number];

/** Runs one life to its end and compares throughout. Throws with what broke. */
export async function liveThrough(store: Store, scenario: Scenario): Promise<void> {
  const desk = await engineDesk(store);
  desk.venue.keepRules();
  const { behaviours } = scenario;
  let orders = 0;
  desk.venue.behave(() => behaviours[orders++] ?? {});
  await desk.start();
  const deaths = [...scenario.deaths];
  arm(desk, deaths.shift());
  for (const one of scenario.steps) {
    await act(desk, one).catch(() => undefined);
    await desk.quiet();
    await revive(desk, deaths);
    await desk.advanceTo(() => !desk.isAlive || desk.allHaveEnded);
    await revive(desk, deaths);
    await desk.pass(AWARE_MS);
    await revive(desk, deaths);
  }
  desk.dieAfterCommit = () => false;
  desk.dieAtSend = null;
  desk.venue.behave(() => ({}));
  await settle(desk);
  await addsUp(desk);
  await nothingOpened(desk);
  await everythingCloses(desk);
  desk.kill();
}

function arm(desk: EngineDesk, one: Scenario['deaths'][number] | undefined): void {
  if (one === undefined) return;
  let seen = 0;
  if (one.at === 'commit') {
    desk.dieAfterCommit = () => {
      seen += 1;
      return seen === one.nth;
    };
    return;
  }
  const { at } = one;
  const from = desk.venue.batches.length;
  desk.dieAfterCommit = () => {
    if (desk.venue.batches.length - from === one.nth - 1) desk.dieAtSend = at;
    return false;
  };
}

/** The state on disk after a death is that of the last commit: it must add up at once. */
async function revive(desk: EngineDesk, deaths: Scenario['deaths']): Promise<void> {
  while (!desk.isAlive) {
    await addsUp(desk, 'at a death');
    await desk.start();
    arm(desk, deaths.shift());
    await desk.advanceTo(() => !desk.isAlive || desk.allHaveEnded);
  }
}

async function act(desk: EngineDesk, one: Step): Promise<void> {
  switch (one.do) {
    case 'open': {
      const legs = (BASKETS[one.basket] ?? []).map(([symbol, side]) => leg(symbol, side, String(one.usd)));
      void desk.open(legs, { onLegFailure: 'KEEP' }).catch(() => undefined);
      return;
    }
    case 'close': {
      const open = desk.state.positions.of(desk.account.id);
      const position = open[one.basket % Math.max(1, open.length)];
      if (position !== undefined) void desk.close(position.id, one.fraction).catch(() => undefined);
      return;
    }
    case 'outside': {
      const { side, told } = one;
      const quantity = exactText(BigInt(one.steps) * STEP);
      desk.venue.trade({ symbol: `${one.symbol}-PERP`, side, quantity, told });
      return desk.pass(AWARE_MS);
    }
    case 'sell outside': {
      const open = desk.state.positions.of(desk.account.id);
      const position = open[one.basket % Math.max(1, open.length)];
      const held = position?.legs.filter(({ quantity }) => quantity !== '0') ?? [];
      const sold = held[one.leg % Math.max(1, held.length)];
      if (position === undefined || sold === undefined) return;
      const steps = (exact(sold.quantity) * BigInt(one.thousandths)) / 1_000n / STEP;
      const quantity = exactText(steps * STEP);
      if (quantity === '0') return;
      desk.venue.trade({
        symbol: sold.symbol,
        side: sold.side === 'BUY' ? 'SELL' : 'BUY',
        quantity,
        told: 'streamed',
      });
      await desk.pass(AWARE_MS);
      if (one.afterwards === 'close') void desk.close(position.id).catch(() => undefined);
      else if (one.afterwards === 'close each') await act(desk, { do: 'close each', fraction: '0.97' });
      else if (one.afterwards !== 'nothing') await act(desk, { do: one.afterwards });
      return;
    }
    case 'close each':
      // At the same time, as calls of their own.
      for (const { id } of desk.state.positions.of(desk.account.id))
        void desk.close(id, one.fraction).catch(() => undefined);
      return;
    case 'close all':
      void closeAll(desk).catch(() => undefined);
      return;
    case 'panic':
      void panic(desk)
        .then(() => desk.tradingPause.move(PRINCIPAL.kind === 'session' ? PRINCIPAL.userId : '', 'resume'))
        .catch(() => undefined);
      return;
    case 'pass':
      return desk.pass(one.ms);
  }
}

function closeAll(desk: EngineDesk) {
  const command = { account: desk.account, idempotency: null, answer: () => '{}' };
  const asked = { connector: null, slippage: null, clientId: null };
  return createPositionService(desk.engine.accept).closeAll(PRINCIPAL, command, asked);
}

/** With nothing that waits: what panic does to positions. */
function panic(desk: EngineDesk) {
  const nothing = new Proxy(
    {},
    { get: () => async () => ({ ok: true, value: { cancelled: [], failed: [] } }) },
  );
  const none = nothing as Parameters<typeof createSafetyDesk>[0]['services']['triggers'];
  const services = new Proxy({}, { get: () => none }) as Parameters<typeof createSafetyDesk>[0]['services'];
  return createSafetyDesk({
    deps: desk.engine.accept,
    tradingPause: desk.tradingPause,
    accountsOf: () => [desk.account],
    moneyOf: () => ({ mode: 'PAPER', network: null }),
    services,
  }).service.panic(PRINCIPAL, false, {
    id: randomUUID(),
    userId: PRINCIPAL.userId,
    action: 'trading.panic',
    subjectId: PRINCIPAL.userId,
    method: 'session',
    client: null,
    ip: null,
    says: null,
    at: desk.clock.now(),
  });
}

/** Everything that the venue knows is known here too. */
async function settle(desk: EngineDesk): Promise<void> {
  await desk.advanceTo(() => desk.allHaveEnded);
  for (let again = 0; again < 2; again += 1) {
    await desk.pass(16_000);
    await desk.advanceUntil(desk.engine.syncAccount(desk.account));
    await desk.advanceTo(() => desk.allHaveEnded);
  }
}

const signed = ({ side, quantity }: Pick<Fill, 'side' | 'quantity'>): Exact =>
  side === 'BUY' ? exact(quantity) : -exact(quantity);

const STEP = exact('0.001');

/** Σ baskets + what is in none = the trades on record; and at the end, everything is on record. */
async function addsUp(desk: EngineDesk, when = 'at the end'): Promise<void> {
  const fills = await desk.fills();
  const positions = await desk.positions();
  const trades = new Set(desk.venue.fills.map(({ tradeId }) => tradeId));
  const lots = (await desk.store.unassignedLots()).filter(
    ({ tradeAccountId, source }) => tradeAccountId === desk.account.id && source !== 'ADJUSTMENT',
  );
  for (const ticker of SYMBOLS) {
    const symbol = `${ticker}-PERP`;
    const own = fills.filter((fill) => fill.symbol === symbol);
    const between = own.filter(({ quantity }) => exact(quantity) % STEP !== 0n);
    expect(between, `${symbol}: quantities between two steps, ${when}`).to.deep.equal([]);
    const of = (isOf: (fill: Fill) => boolean) => totalOf(own.filter(isOf), signed);
    const recorded = of(({ tradeId }) => trades.has(tradeId.split('#')[0] ?? ''));
    const adjusted = of((fill) => causeOf(fill) === 'ADJUSTMENT');
    const loose = of(({ positionId }) => positionId === null);
    const legs = positions.flatMap(({ legs }) => legs.filter((one) => one.symbol === symbol));
    const explained = totalOf(legs, signed) + loose;
    expect(exactText(explained), `${symbol}: baskets and unassigned, ${when}`).to.equal(
      exactText(recorded + adjusted),
    );
    const left = totalOf(
      lots.filter((lot) => lot.symbol === symbol),
      ({ quantity }) => quantity,
    );
    expect(exactText(left), `${symbol}: what is left of the lots, ${when}`).to.equal(exactText(loose));
    const transfers = of((fill) => causeOf(fill) === 'INTERNAL');
    expect(exactText(transfers), `${symbol}: transfers, ${when}`).to.equal('0');
    if (when === 'at the end')
      expect(exactText(recorded), `${symbol}: what is on record`).to.equal(desk.venue.held(symbol));
  }
  expect(
    fills.filter(
      (fill) => fill.executionId !== null && fill.positionId === null && causeOf(fill) === 'TRADE',
    ),
    'fills of ours in no basket',
  ).to.deep.equal([]);
}

/** Fills had no cause before there was more than one. */
function causeOf(fill: Omit<Fill, 'cause'> & { readonly cause?: string | null }): string {
  return fill.cause ?? 'TRADE';
}

async function nothingOpened(desk: EngineDesk): Promise<void> {
  const executions = await desk.allEnded();
  const positions = await desk.positions();
  const rows = (await desk.fills()).map(
    (fill): LedgerFill => ({
      ...fill,
      cause: causeOf(fill),
      timestamp: new Date(fill.timestamp).toISOString(),
    }),
  );
  const books = keepLedger(rows, desk.venue.fills, {
    executionCreated: new Map(executions.map(({ id, createdAt }) => [id, createdAt])),
    positionCreated: new Map(positions.map(({ id, createdAt }) => [id, createdAt])),
    unawareMs: 0,
  });
  expect({ lost: books.lost, doubled: books.doubled, opened: books.opened }).to.deep.equal({
    lost: [],
    doubled: [],
    opened: [],
  });
}

/** On a venue that does as it is told, panic ends with nothing in a basket, and the venue with what others traded. */
async function everythingCloses(desk: EngineDesk): Promise<void> {
  await desk.advanceUntil(panic(desk));
  await settle(desk);
  expect(
    (await desk.positions()).filter(({ status }) => status === 'OPEN').map(({ legs }) => legs),
    'open after a panic',
  ).to.deep.equal([]);
  for (const ticker of SYMBOLS) {
    const symbol = `${ticker}-PERP`;
    const outside = desk.venue.fills.filter((fill) => fill.symbol === symbol && fill.clientOrderId === null);
    const sold = (side: Fill['side']) => totalOf(outside, (fill) => (fill.side === side ? signed(fill) : 0n));
    const held = exact(desk.venue.held(symbol));
    const isOurs = held !== 0n && (held > sold('BUY') || held < sold('SELL'));
    expect(isOurs, `${symbol}: ${exactText(held)} left at the venue`).to.equal(false);
  }
}
