/**
 * Panic in random states: dust that nets to nothing, margin used up, thin books, a trade past the gateway a moment before,
 * busy baskets, a halted instrument. Afterwards the venue holds nothing, or the gateway names exactly what is left and why.
 * TANDEM_LONG=1: 200 states. PANIC_SEED repeats the choices of a run.
 */
import { expect } from 'chai';
import { base, ClosingDesk, type Connector } from '../support/closing-desk.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { StormRandom } from '../support/storm-random.ts';
import { usd } from '../support/trader.ts';
import { until, whileTimePasses } from '../support/until.ts';

const STATES = process.env['TANDEM_LONG'] === '1' ? 200 : 8;
const SEED = Number(process.env['PANIC_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const HALTED = 'AVAX-PERP';
/** By the gateway's clock. */
const PATIENCE_MS = 20_000;

type Maker = (desk: ClosingDesk, random: StormRandom) => Promise<void>;

const usdLegs = (random: StormRandom, tickers: readonly string[], high: number) =>
  tickers.map((ticker) => usd(ticker, random.side(), random.between(30, high).toFixed(0)));

/** Whatever a state needs that the market does not give just now is left out: every state is a state. */
const tried = async (desk: ClosingDesk, path: string, body: object) => {
  const { status, json } = await desk.bot.call('POST', path, body);
  if (status === 202 && json.execution !== undefined) return desk.bot.ended(json.execution.id);
  return null;
};
const opened = (desk: ClosingDesk, legs: readonly Json[]) =>
  tried(desk, '/trade/open', { type: 'MARKET', legs, onLegFailure: 'KEEP', slippage: '0.1' });

const MAKERS: Readonly<Record<string, Maker>> = {
  async 'netted dust'(desk) {
    const step = desk.connector === 'paper' ? '0.03' : '0.02';
    const reduced = async (execution: Json | null) => {
      if (execution === null) return;
      const targets = [{ symbol: 'SOL-PERP', quantity: step }];
      await tried(desk, `/positions/${execution.positionId}/adjust`, { intent: 'REDUCE', targets });
    };
    await reduced(await opened(desk, [usd('BTC', 'BUY', '20000'), base('SOL', 'BUY', '1')]));
    await reduced(await opened(desk, [base('SOL', 'SELL', '1'), usd('ETH', 'BUY', '2000')]));
  },
  async 'margin used up'(desk, random) {
    for (const [one, other] of [
      ['BUY', 'SELL'],
      ['BUY', 'SELL'],
    ] as const) {
      await opened(desk, [usd('BTC', one, '300000')]);
      await opened(desk, [usd('BTC', other, '300000')]);
    }
    if (random.uniform() < 0.5) await opened(desk, [usd('BTC', 'SELL', '9000'), usd('ETH', 'BUY', '90')]);
  },
  async 'several baskets that share instruments'(desk, random) {
    for (const tickers of [
      ['BTC', 'ETH'],
      ['ETH', 'SOL'],
      ['SOL', 'BTC', 'XRP'],
    ])
      await opened(desk, usdLegs(random, tickers, 8_000));
  },
  async 'more than the book holds'(desk, random) {
    await opened(desk, usdLegs(random, ['LINK', 'XRP'], 60_000));
    await opened(desk, usdLegs(random, ['LINK', 'SOL'], 60_000));
  },
  async 'a trade past the gateway just before'(desk, random) {
    await opened(desk, usdLegs(random, ['BTC', 'SOL'], 4_000));
    for (const { legs } of await desk.bot.positions()) {
      const leg = random.pick<Json>(legs);
      const order = {
        symbol: leg.symbol,
        side: leg.side === 'BUY' ? 'SELL' : 'BUY',
        usd: Math.max(15, Number(leg.notional) * random.pick([0.5, 1, 1.5])).toFixed(2),
      };
      const path = `/trade-accounts/${desk.bot.accountId}/paper/outside-order`;
      // The venue takes its time to answer.
      await whileTimePasses(desk.gateway.clock, desk.bot.call('POST', path, order));
    }
  },
  async 'busy baskets'(desk, random) {
    await opened(desk, usdLegs(random, ['BTC', 'ETH'], 3_000));
    const body = { type: 'MARKET', onLegFailure: 'RETRY', slippage: '0.1' };
    await Promise.all([
      desk.bot.call('POST', '/trade/open', { ...body, legs: usdLegs(random, ['ETH', 'XRP'], 3_000) }),
      desk.bot.call('POST', '/trade/open', { ...body, legs: usdLegs(random, ['SOL'], 3_000) }),
    ]);
  },
  async 'a halted instrument'(desk, random) {
    await opened(desk, [usd('AVAX', random.side(), '900'), usd('BTC', random.side(), '900')]);
    await opened(desk, usdLegs(random, ['SOL', 'ETH'], 900));
  },
};

interface State {
  readonly name: string;
  readonly connector: Connector;
  readonly profile: 'frictionless' | 'thin';
  readonly random: StormRandom;
}

describe(`panic in ${STATES} random states (PANIC_SEED=${SEED})`, function () {
  this.timeout(300_000 + STATES * 20_000);
  const gateways = new Map<State['profile'], TestGateway>();
  before(async () => {
    for (const profile of ['frictionless', 'thin'] as const)
      gateways.set(profile, await startTestGateway({ hasCross: true, settings: { paperProfile: profile } }));
  });
  after(() => Promise.all([...gateways.values()].map((gateway) => gateway.close())));

  it('ends flat, or names what is left', async () => {
    const random = new StormRandom(SEED);
    const names = Object.keys(MAKERS);
    const states = Array.from(
      { length: STATES },
      (_, index): State => ({
        // Each kind once, so that a sample has them all.
        name: names[index] ?? random.pick(names),
        connector: random.uniform() < 0.7 ? 'paper' : 'paper-cross',
        profile: random.uniform() < 0.5 ? 'frictionless' : 'thin',
        random: random.fork(index),
      }),
    );
    const wrong: string[] = [];
    let slowestMs = 0;
    for (const [index, state] of states.entries()) {
      const gateway = gatewayOf(state);
      const began = gateway.clock.now();
      const said = await panicIn(gateway, state, index).catch((error: unknown) => String(error));
      slowestMs = Math.max(slowestMs, gateway.clock.now() - began);
      if (said !== null)
        wrong.push(`state ${index}, ${state.name} (${state.connector}, ${state.profile}): ${said}`);
    }
    console.log(`      ${STATES} states, the slowest took ${slowestMs} ms of its gateway's time`);
    expect(wrong.sort().join('\n')).to.equal('');
  });

  function gatewayOf({ profile }: State): TestGateway {
    const gateway = gateways.get(profile);
    if (gateway === undefined) throw new Error(`no gateway with ${profile} markets`);
    return gateway;
  }
});

/** null: as it must be; else what was wrong. */
async function panicIn(gateway: TestGateway, state: State, index: number): Promise<string | null> {
  const desk = await ClosingDesk.join(gateway, state.connector, `panic${index}@example.test`);
  await MAKERS[state.name]?.(desk, state.random);
  const halted = state.name === 'a halted instrument';
  if (halted) halt(desk, true);
  try {
    const answer = await desk.panic();
    let left: Readonly<Record<string, string>> = {};
    let said = '';
    await until(
      gateway.clock,
      'flat, or named',
      async () => {
        left = await desk.venuePositions();
        const open = await desk.bot.positions();
        if (Object.keys(left).length === 0 && open.length === 0) return true;
        const told = (await desk.notifications()).filter(({ category }) => category.includes('PANIC'));
        said = JSON.stringify([{ ...answer, executions: null }, await desk.get('/safety'), told]);
        const isNamed = Object.keys(left).every((symbol) => said.includes(symbol));
        return isNamed && open.length > 0 === halted && (await nothingRuns(desk));
      },
      PATIENCE_MS,
    );
    // Everything left is named: a halted leg, or a trade outside Tandem.
    const wrong = Object.keys(left).filter((symbol) => !said.includes(symbol));
    return wrong.length === 0 ? null : `left without a word: ${JSON.stringify(left)}`;
  } catch (error) {
    const open = (await desk.bot.positions()).map(({ id }) => id);
    return `${error}; the venue holds ${JSON.stringify(await desk.venuePositions())}, baskets open: ${open.length}`;
  } finally {
    if (halted) halt(desk, false);
  }
}

async function nothingRuns(desk: ClosingDesk): Promise<boolean> {
  const { executions } = await desk.get('/executions?limit=200&includeSchedule=true&includeTriggers=true');
  return executions.every(({ status }: Json) => status !== 'IDLE' && status !== 'ACTIVE');
}

function halt(desk: ClosingDesk, isHalted: boolean): void {
  const action = { kind: 'reject', reason: 'not_tradable', message: `${HALTED} is halted` } as const;
  const rules = isHalted ? [{ match: { symbol: HALTED, times: null }, action }] : [];
  desk.venue.setFaults({ rules });
}
