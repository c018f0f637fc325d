/**
 * A day of the market with every kind of order mixed, on a clock that runs as fast as the machine allows. In the evening the
 * books must agree with the venue's. DAY_SEED repeats a day that failed.
 */
import { expect } from 'chai';
import { type Decimal, dec, sum, text } from '../../gateway/domain/decimal.ts';
import { readAccount } from '../support/account-state.ts';
import { auditAccount, moneyOf, type VenueState } from '../support/audit-account.ts';
import { auditPortfolio, readPortfolio } from '../support/audit-portfolio.ts';
import { auditResting, readResting } from '../support/audit-resting.ts';
import { DayTrader } from '../support/day-trader.ts';
import { exactText, totalOf } from '../support/exact.ts';
import { whileTimePasses } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { settled } from '../support/outstanding.ts';
import { startTimedGateway, type TimedGateway } from '../support/timed-gateway.ts';
import { type Trader, trader } from '../support/trader.ts';

const SEED = Number(process.env['DAY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** Seconds of the market a second. */
const SPEED = 480;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Time on the gateway's clock between two of the trader's actions. */
const ACT_EVERY_MS = 300;
/** Longest time for work in progress after the last action: slices, retries, lookups of orders. */
const EVENING_MS = 60_000;
const DEPOSIT = '100000';
const KINDS = [
  'open',
  'adjust',
  'reverse',
  'trigger',
  'schedule',
  'ladder',
  'auto-rebalance',
  'rebalance',
  'close MARKET',
  'close TWAP',
  'close TRIGGER',
];

describe(`a simulated day (DAY_SEED=${SEED})`, () => {
  let gateway: TimedGateway;
  let bot: Trader;
  let day: DayTrader;

  before(async function () {
    this.timeout(300_000);
    gateway = await startTimedGateway({
      paperProfile: 'realistic',
      paperSpeed: SPEED,
      paperSeed: SEED % 100_000,
    });
    bot = await trader(gateway);
    day = new DayTrader(bot, SEED);
    const actions = DAY_MS / SPEED / ACT_EVERY_MS;
    // A day on which chance left one kind out is a little longer.
    for (let action = 0; action < actions || (missing().length > 0 && action < 2 * actions); action += 1) {
      await whileTimePasses(gateway.clock, day.act());
      await gateway.clock.advance(ACT_EVERY_MS);
    }
    await whileTimePasses(gateway.clock, day.endDay());
    await untilQuiet();
    // Work in progress when the evening began may have left a basket with brackets.
    await whileTimePasses(gateway.clock, day.endDay());
    await untilQuiet();
  });
  after(() => gateway.close());

  const missing = () => KINDS.filter((kind) => (day.accepted.get(kind) ?? 0) === 0);

  /** Nothing runs any more, and what was put off until nothing runs has been looked at. */
  async function untilQuiet(): Promise<void> {
    const path = '/executions?limit=200&includeSchedule=true&includeTriggers=true';
    for (let waited = 0; waited < EVENING_MS; waited += 1_000) {
      await gateway.clock.advance(1_000);
      const { executions } = (await bot.call('GET', path)).json;
      if (executions.every(({ finishedAt }: Json) => finishedAt !== null)) break;
    }
    await gateway.clock.advance(2_000);
  }

  const venueAccount = () => ({ tradeAccountId: bot.accountId, exchangeIdentifier: bot.accountId });

  async function venueState(): Promise<VenueState> {
    const venue = gateway.gateway.paperVenue('paper');
    const [orders, positions, balances] = await Promise.all([
      venue.orders(venueAccount()),
      venue.positions(venueAccount()),
      venue.balances(venueAccount()),
    ]);
    const fills = [];
    const funding = [];
    for (let cursor: string | null = null; ; ) {
      const page = await venue.history(venueAccount(), cursor);
      if (!page.ok || !orders.ok || !positions.ok || !balances.ok)
        throw new Error('the venue did not answer');
      fills.push(...page.value.fills);
      funding.push(...page.value.funding);
      if (!page.value.more) {
        return {
          orders: orders.value,
          positions: positions.value,
          fills,
          funding,
          ...moneyOf(balances.value),
        };
      }
      cursor = page.value.nextCursor;
    }
  }

  it('had every kind of order in it, and nothing was answered that must not be', () => {
    expect(day.complaints).to.deep.equal([]);
    expect(missing()).to.deep.equal([]);
  });

  it('every fill is attributed, every order has its fills, baskets add up to what the venue holds', async () => {
    const state = await readAccount(gateway, gateway.port, bot);
    expect(auditAccount(state, await venueState())).to.deep.equal([]);
    expect(state.fills.length).to.be.greaterThan(100);
    // Remainders too small to close leave their basket by a transfer, whose other side is in no basket.
    const orphans = state.fills.filter(
      (fill: Json) => fill.isProvisional || (fill.positionId === null && fill.cause !== 'INTERNAL'),
    );
    expect(orphans).to.deep.equal([]);
  });

  it('everything that waited led to one execution or none; sums of slices and rungs are exact', async () => {
    const state = await readAccount(gateway, gateway.port, bot);
    const resting = await readResting(gateway, bot);
    const missed = auditResting(resting, state, new Set(resting.triggers.map(({ id }) => id)));
    expect(missed).to.deep.equal([]);
  });

  it('equity is its parts to the last digit, by source, day, instrument and basket', async () => {
    const balances = await gateway.gateway.paperVenue('paper').balances(venueAccount());
    if (!balances.ok) throw new Error('the venue did not answer');
    let missed: readonly string[] = [];
    for (let tries = 0; tries < 50; tries += 1) {
      const funding: string[] = [];
      for (let cursor: string | null = null; ; ) {
        const page = await gateway.gateway.paperVenue('paper').history(venueAccount(), cursor);
        if (!page.ok) throw new Error('the venue did not answer');
        funding.push(...page.value.funding.map(({ amount }) => amount));
        if (!page.value.more) break;
        cursor = page.value.nextCursor;
      }
      missed = auditPortfolio(await readPortfolio(gateway, bot), {
        equity: balances.value.equity,
        funding: exactText(totalOf(funding, (amount) => amount)),
      });
      if (missed.length === 0) break;
      await settled();
    }
    expect(missed).to.deep.equal([]);
  });

  it('equity = deposits + realised + unrealised + funding − fees, and what is too small for a basket', async () => {
    const balances = await gateway.gateway.paperVenue('paper').balances(venueAccount());
    if (!balances.ok) throw new Error('the venue did not answer');
    const atVenue = balances.value.equity;
    let add: (of: (position: Json) => string) => Decimal = () => dec('0');
    let difference = '';
    // The clock stands still; what the venue has told last (a funding payment, say) may still be on its way to the disk.
    for (let tries = 0; tries < 100; tries += 1) {
      const { positions } = await readAccount(gateway, gateway.port, bot);
      const { ledger } = (await bot.call('GET', '/portfolio?includeLedger=true')).json;
      add = (of) => sum(positions.map((one) => dec(of(one))));
      const equity = dec(DEPOSIT)
        .plus(add(({ realizedPnl }) => realizedPnl))
        .plus(add(({ unrealizedPnl }) => unrealizedPnl))
        .plus(ledger.unassigned.pnl)
        .minus(add(({ fundingPaid }) => fundingPaid))
        .minus(add(({ feesPaid }) => feesPaid));
      difference = text(equity.minus(atVenue).abs());
      if (Number(difference) < 1e-6) break;
      await settled();
    }
    expect(Number(difference)).to.be.lessThan(1e-6);
    expect(Number(add(({ fundingPaid }) => fundingPaid))).to.not.equal(0);
    expect(Number(add(({ feesPaid }) => feesPaid))).to.be.greaterThan(0);
  });
});
