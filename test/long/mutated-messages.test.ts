/** Unknown words and fields, missing fields and NaN in messages of live venues stop no mark, lock no basket and hide no fill. */

import { expect } from 'chai';
import fc from 'fast-check';
import type { Json } from '../support/json.ts';
import { MUTATIONS, mutated } from '../support/mutations.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { forAllAsync, propertyRuns } from '../support/property-runs.ts';
import { StormRandom } from '../support/storm-random.ts';
import { until } from '../support/until.ts';
import * as hyperliquid from '../support/venues/hyperliquid/live-gateway.ts';
import * as lighter from '../support/venues/lighter/live-gateway.ts';
import type { CommonAct } from '../support/venues/shared/faults.ts';
import type { LiveAccountBase, LiveLeg, LiveUser } from '../support/venues/shared/live-account.ts';

/** The history waits 10 minutes for entries that cannot be booked (`HELD_MS`); the rest is for reading it again. */
const SETTLED_WITHIN_MS = 12 * 60_000;
const CHANGED_FOR_MS = 4_000;
const MARK_WITHIN_MS = 30_000;
const PAIR: readonly LiveLeg[] = [
  ['BTC', 'BUY', '200'],
  ['ETH', 'SELL', '200'],
];
const MARKS = { BTC: 100_000, ETH: 4_000, SOL: 200 };

interface MutationSuite {
  readonly connector: string;
  readonly live: LiveUser;
  readonly bot: hyperliquid.LiveAccount | lighter.LiveAccount;
  /** Changes each answer from now on. */
  readonly changeAnswers: (act: CommonAct) => void;
  /** Fills that the venue booked for the account. */
  readonly booked: () => readonly VenueTrade[];
  /** True: the places of its lists have a meaning, so that no other order of them is the same message. */
  readonly isOrdered: (message: Json) => boolean;
}

type VenueTrade = readonly [symbol: string, side: string, quantity: number, price: number];

/** One in `oneIn` messages has one place changed. */
interface Storm {
  readonly seed: number;
  readonly oneIn: number;
}

const storm: fc.Arbitrary<Storm> = fc.record({ seed: fc.nat(), oneIn: fc.constantFrom(1.5, 3, 10) });

function itSurvivesMutations(suite: () => MutationSuite): void {
  it('marks go on, baskets end, and each fill is booked once, whatever a share of the messages was like', async function () {
    this.timeout(3_600_000);
    await forAllAsync([storm], { ...propertyRuns(200, 3), endOnFailure: true }, (one) => run(suite(), one));
  });
}

async function run(suite: MutationSuite, { seed, oneIn }: Storm): Promise<void> {
  const { live, bot, connector, changeAnswers, booked, isOrdered } = suite;
  const markOf = async (id: string): Promise<string> => {
    const { prices } = (await live.ask('GET', `/prices?connector=${connector}`)).json;
    return prices.find((one: Json) => one.id === id)?.mark;
  };
  const { clock } = live.gateway;
  const random = new StormRandom(seed);
  const change = (message: Json): Json => {
    if (random.uniform() * oneIn > 1) return message;
    const kinds = MUTATIONS.filter((kind) => !isOrdered(message) || (kind !== 'turn' && kind !== 'double'));
    return mutated(message, { kind: random.pick(kinds), at: Math.floor(random.uniform() * 2 ** 30) });
  };
  await live.signIn();
  const before = booked().length;
  const told = await fillCount(bot);
  const known = await bot.ask('GET', '/positions?status=OPEN');
  expect(known.json.positions, 'it begins flat').to.deep.equal([]);

  bot.script.streamFaults({ change });
  changeAnswers({ do: 'change', json: change });
  const mark = String(MARKS.SOL + 1 + (seed % 7));
  bot.script.setMark('SOL', mark);
  const opened = await bot.tryOpen(PAIR);
  await clock.advance(CHANGED_FOR_MS);
  const open = await openPositions(bot);
  for (const { id } of open) await bot.ask('POST', `/positions/${id}/close`, { type: 'MARKET' });
  await clock.advance(CHANGED_FOR_MS);
  const second = random.uniform() < 0.5 ? await bot.tryOpen(PAIR.slice(0, 1)) : null;
  await clock.advance(CHANGED_FOR_MS);
  await until(
    clock,
    'a mark moves meanwhile',
    async () => (await markOf('SOL-PERP')) === mark,
    MARK_WITHIN_MS,
  );
  bot.script.streamFaults({});
  bot.script.clearFaults();

  for (const [symbol, price] of Object.entries(MARKS)) bot.script.setMark(symbol, String(price));
  for (const [symbol, price] of Object.entries(MARKS))
    await until(
      clock,
      `the mark of ${symbol} moves`,
      async () => Number(await markOf(`${symbol}-PERP`)) === price,
      MARK_WITHIN_MS,
    );
  for (const answer of [opened, second])
    if (answer?.status === 202) await bot.ended(answer.json.execution.id);
  await until(
    clock,
    'no basket is locked, and all is explained',
    async () => {
      for (const { id } of await openPositions(bot)) {
        const answer = await bot.ask('POST', `/positions/${id}/close`, { type: 'MARKET' });
        if (answer.status === 202) await bot.ended(answer.json.execution.id);
      }
      const isFlat = Object.keys(bot.held()).length === 0 && (await openPositions(bot)).length === 0;
      if (
        isFlat &&
        (await bot.unexplained())?.length === 0 &&
        (await fillCount(bot)) - told >= booked().length - before
      )
        return true;
      await clock.advance(5_000);
      await live.signIn();
      return false;
    },
    SETTLED_WITHIN_MS,
  );
  const fills = (await allFills(bot)).slice(0, (await fillCount(bot)) - told);
  const sorted = (trades: readonly VenueTrade[]) => trades.map(String).toSorted();
  expect(sorted(fills.map(tradeOf))).to.deep.equal(sorted(booked().slice(before)));
  expect(bot.held()).to.deep.equal({});
}

function tradeOf({ symbol, side, quantity, price }: Json): VenueTrade {
  return [symbol, side, Number(quantity), Number(price)];
}

async function allFills(bot: LiveAccountBase): Promise<readonly Json[]> {
  const found: Json[] = [];
  for (let cursor = ''; ; ) {
    const { json } = await bot.ask('GET', `/fills?limit=200${cursor}`);
    found.push(...json.fills.filter(({ cause }: Json) => cause === 'TRADE'));
    if (json.nextCursor == null) return found;
    cursor = `&cursor=${encodeURIComponent(json.nextCursor)}`;
  }
}

const fillCount = async (bot: LiveAccountBase) => (await allFills(bot)).length;

async function openPositions(bot: LiveAccountBase): Promise<readonly Json[]> {
  return (await bot.ask('GET', '/positions?status=OPEN')).json.positions;
}

/** By the market's index at Lighter. */
const SYMBOLS: Readonly<Record<number, string>> = { 0: 'ETH-PERP', 1: 'BTC-PERP', 2: 'SOL-PERP' };

describe('API: Hyperliquid, emulated: mutated messages', () => {
  const live = hyperliquid.liveGatewayForSuite();
  const bot = openForEachTest(() => live.account());
  itSurvivesMutations(() => ({
    ...{ live, bot, connector: 'hyperliquid' },
    changeAnswers: (act) => bot.script.fault({ ...act, on: '*', times: null }),
    booked: () =>
      bot.script
        .state(bot.address)
        .fills.map(({ coin, side, sz, px }: Json) => [
          ...[`${coin}-PERP`, side === 'B' ? 'BUY' : 'SELL', Number(sz), Number(px)],
        ]) as never,
    // An instrument's id is its place in these lists.
    isOrdered: (message) => message?.channel === 'allDexsAssetCtxs' || message?.[0]?.universe !== undefined,
  }));
});

describe('API: Lighter, emulated: mutated messages', () => {
  const live = lighter.liveGatewayForSuite();
  const bot = openForEachTest(() => live.account());
  itSurvivesMutations(() => ({
    ...{ live, bot, connector: 'lighter' },
    changeAnswers: (act) => bot.script.fault({ ...act, on: '*', times: null }),
    booked: () =>
      bot.script.state(bot.index).trades.map((trade: Json) => {
        const isAsk = String(trade.ask_account_id) === String(bot.index);
        return [SYMBOLS[trade.market_id], isAsk ? 'SELL' : 'BUY', Number(trade.size), Number(trade.price)];
      }) as never,
    isOrdered: () => false,
  }));
});
