/** Equity = deposits + realised − fees + funding + unrealised, to the last digit, whatever an account has been through. */
import { expect } from 'chai';
import { getPortfolio, getPortfolioAnalytics } from '../../gateway/contract/portfolio.ts';
import { auditPortfolio, readPortfolio } from '../support/audit-portfolio.ts';
import { exact, exactText, totalOf } from '../support/exact.ts';
import { whileTimePasses } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { startTimedGateway } from '../support/timed-gateway.ts';
import { type TestLeg, traderForEachTest, usd } from '../support/trader.ts';

const SLIPPAGE = '0.05';

describe('an account’s one identity', () => {
  // A quarter of an hour of the market a second: funding is paid every fourth second.
  const gateway = openForEachTest(() => startTimedGateway({ paperProfile: 'realistic', paperSpeed: 900 }));
  const bot = traderForEachTest(gateway);
  beforeEach(async () => {
    await gateway.clock.advance(100);
  });

  const venue = () => gateway.gateway.paperVenue('paper');
  const venueAccount = () => ({ tradeAccountId: bot.accountId, exchangeIdentifier: bot.accountId });

  async function venueMoney() {
    const balances = await venue().balances(venueAccount());
    const funding: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = await venue().history(venueAccount(), cursor);
      if (!page.ok || !balances.ok) throw new Error('the venue did not answer');
      funding.push(...page.value.funding.map(({ amount }) => amount));
      if (!page.value.more)
        return { equity: balances.value.equity, funding: exactText(totalOf(funding, (amount) => amount)) };
      cursor = page.value.nextCursor;
    }
  }

  /** The clock stands still; what the venue has told last may still be on its way to the disk. */
  async function expectOneIdentity(): Promise<Json> {
    let missed: readonly string[] = [];
    for (let tries = 0; tries < 30; tries += 1) {
      const state = await readPortfolio(gateway, bot);
      missed = auditPortfolio(state, await venueMoney());
      if (missed.length === 0) {
        getPortfolio.success[200].parse(state.portfolio);
        return state.portfolio;
      }
      await gateway.clock.advance(tries < 20 ? 0 : 100);
    }
    expect(missed).to.deep.equal([]);
  }

  const open = (legs: readonly TestLeg[], more: object = {}) =>
    gateway.trade(bot, '/trade/open', { type: 'MARKET', legs, slippage: SLIPPAGE, ...more });
  const close = (positionId: string, fraction = '1') =>
    gateway.trade(bot, `/positions/${positionId}/close`, { type: 'MARKET', fraction, slippage: SLIPPAGE });
  /** For answers that need time to pass. */
  const moved = <T>(work: Promise<T>) => whileTimePasses(gateway.clock, work);
  const outside = async (symbol: string, side: 'BUY' | 'SELL', quantity: string) => {
    const path = `/trade-accounts/${bot.accountId}/paper/outside-order`;
    const answer = await moved(bot.call('POST', path, { symbol: `${symbol}-PERP`, side, quantity }));
    expect(answer.status, answer.text).to.equal(200);
    await gateway.clock.advance(500);
  };

  it('baskets that share an instrument: unrealised is theirs, not what netting leaves at the venue', async () => {
    await open([usd('BTC', 'BUY', '20000'), usd('ETH', 'SELL', '10000')]);
    await gateway.clock.advance(4_000);
    await open([usd('BTC', 'SELL', '20000'), usd('SOL', 'BUY', '10000')]);
    await gateway.clock.advance(4_000);
    const told = await expectOneIdentity();
    expect(told.ledger.baskets).to.have.length(2);
    expect(Number(told.funding)).to.not.equal(0);
    const positions = await bot.positions();
    expect(told.unrealizedPnl).to.equal(exactText(totalOf(positions, (one) => one.unrealizedPnl)));
    // The venue has realised what the baskets have not.
    const balances = await venue().balances(venueAccount());
    expect(balances.ok && balances.value.balance).to.not.equal(told.balance);
  });

  it('partial closes at prices that do not divide, reversal and what follows @long', async () => {
    const pair = [usd('BTC', 'BUY', '9000'), usd('ETH', 'SELL', '7000')];
    const { positionId } = await open(pair);
    await gateway.clock.advance(2_000);
    await open(pair);
    for (const fraction of ['0.37', '0.61', '0.13']) {
      await gateway.clock.advance(1_000);
      await close(positionId, fraction);
      await expectOneIdentity();
    }
    await gateway.trade(bot, `/positions/${positionId}/reverse`, { slippage: SLIPPAGE });
    await gateway.clock.advance(4_000);
    await expectOneIdentity();
    for (const { id } of await bot.positions()) await close(id);
    const told = await expectOneIdentity();
    expect(told.unrealizedPnl).to.equal('0');
    expect(told.balance).to.equal(told.equity);
  });

  it('holdings in no basket: before a basket takes them in, after, and their funding @long', async () => {
    await open([usd('BTC', 'BUY', '5000')]);
    await outside('ETH', 'BUY', '2');
    await outside('SOL', 'SELL', '40');
    await gateway.clock.advance(4_000);
    const before = await expectOneIdentity();
    expect(Number(before.ledger.unassigned.closedPnl)).to.not.equal(0);
    const [, external] = before.ledger.sources;
    expect(external.source).to.equal('external');
    expect(external.fees).to.not.equal('0');
    expect(external.funding).to.not.equal('0');

    await gateway.clock.advance(12_000);
    const legs = [
      { symbol: 'ETH-PERP', side: 'BUY' },
      { symbol: 'SOL-PERP', side: 'SELL' },
    ];
    const taken = await moved(bot.call('POST', '/sync/positions', { legs }));
    expect(taken.status, taken.text).to.equal(201);
    await gateway.clock.advance(4_000);
    const after = await expectOneIdentity();
    expect(after.ledger.baskets).to.have.length(2);

    // Sold outside, against a basket of the gateway.
    await outside('BTC', 'SELL', '0.02');
    await expectOneIdentity();
    await outside('LINK', 'BUY', '100');
    await outside('LINK', 'SELL', '60');
    await gateway.clock.advance(4_000);
    await expectOneIdentity();
  });

  it('closes of what was sold outside, of baskets that net each other, and what is too small to sell @long', async () => {
    const { positionId } = await open([usd('BTC', 'BUY', '20000'), usd('SOL', 'BUY', '3000')]);
    await outside('BTC', 'SELL', '0.1');
    await gateway.clock.advance(1_000);
    await open([usd('SOL', 'SELL', '2996'), usd('ETH', 'BUY', '2000')]);
    await gateway.clock.advance(1_000);
    await close(positionId);
    await expectOneIdentity();
    await gateway.clock.advance(5_000);
    const held = await expectOneIdentity();
    const fills: Json[] = (await bot.call('GET', '/fills?limit=2000')).json.fills;
    expect(new Set(fills.map(({ cause }) => cause))).to.include('CLOSED_OUTSIDE');
    await moved(bot.call('POST', '/positions/close-all', { slippage: SLIPPAGE }));
    await gateway.clock.advance(5_000);
    const flat = await expectOneIdentity();
    expect(await bot.positions()).to.deep.equal([]);
    expect(held.deposits).to.equal(flat.deposits);
  });

  it('a liquidation of baskets that share what is liquidated @long', async () => {
    const setting = { symbol: 'BTC-PERP', leverage: 40, marginMode: 'cross' };
    await moved(bot.call('PUT', '/leverage', setting));
    await open([usd('BTC', 'BUY', '900000')]);
    await open([usd('BTC', 'BUY', '800000'), usd('ETH', 'SELL', '1000')]);
    await outside('BTC', 'BUY', '0.5');
    await venue().shock('BTC-PERP', 0.9);
    await gateway.clock.advance(5_000);
    const fills: Json[] = (await bot.call('GET', '/fills?limit=2000')).json.fills;
    expect(fills.some(({ isLiquidation }) => isLiquidation)).to.equal(true);
    const told = await expectOneIdentity();
    expect(Number(told.realizedPnl)).to.be.lessThan(-10_000);
  });

  it('a paper reset is what was there paid out and the starting balance paid in', async () => {
    const { positionId } = await open([usd('BTC', 'BUY', '50000'), usd('ETH', 'SELL', '50000')]);
    await gateway.clock.advance(4_000);
    await close(positionId);
    const before = await expectOneIdentity();
    expect(before.deposits).to.equal('100000');
    const reset = await moved(bot.call('POST', `/trade-accounts/${bot.accountId}/paper/reset`));
    expect(reset.status, reset.text).to.equal(200);
    const after = await expectOneIdentity();
    expect(after.equity).to.equal('100000');
    expect(after.deposits).to.equal(exactText(exact('200000') - exact(before.equity)));
    expect(after.realizedPnl).to.equal(before.realizedPnl);

    await open([usd('BTC', 'BUY', '50000')]);
    await gateway.clock.advance(2_000);
    await expectOneIdentity();
    const analytics = (await bot.call('GET', '/portfolio/analytics?includeSeries=true')).json;
    getPortfolioAnalytics.success[200].parse(analytics);
    const brought = totalOf(analytics.series, (day: Json) => day.deposits);
    expect(exactText(brought)).to.equal(exactText(exact('100000') - exact(before.equity)));
  });

  it('a paper reset takes along what is held in no basket @long', async () => {
    await outside('ETH', 'BUY', '2');
    await outside('ETH', 'SELL', '0.7');
    await gateway.clock.advance(3_000);
    await expectOneIdentity();
    const reset = await moved(bot.call('POST', `/trade-accounts/${bot.accountId}/paper/reset`));
    expect(reset.status, reset.text).to.equal(200);
    const after = await expectOneIdentity();
    expect([after.equity, after.unrealizedPnl]).to.deep.equal(['100000', '0']);
    await open([usd('BTC', 'BUY', '5000')]);
    await gateway.clock.advance(1_000);
    await expectOneIdentity();
  });
});
