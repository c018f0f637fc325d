/**
 * Cash flows of a Lighter account besides trades: deposits, withdrawals, fast ones with their fee, transfers. The sums
 * are computed here from the venue's own lists, with Big, and compared with the portfolio's figures.
 */
import Big from 'big.js';
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { liveGatewayForSuite } from '../support/venues/lighter/live-gateway.ts';

/** USDC: the venue rounds what a fill realises, a fee and a payment to a millionth each. */
const ROUNDED = '0.000001';
const START = '10000';
/** A sample is taken soon after a trade. */
const SAMPLED_MS = 25_000;

describe('API: the money of an account at Lighter', function () {
  this.timeout(60_000);
  const live = liveGatewayForSuite();
  const account = openForSuite(() => live.account());

  before(async () => {
    // It pays fees, so that the sums have all their parts.
    account.script.setTier(account.index, 'premium');
  });

  const portfolio = async (): Promise<Json> =>
    (await account.ask('GET', '/portfolio?includeLedger=true')).json;
  const analytics = async (): Promise<Json> =>
    (await account.ask('GET', '/portfolio/analytics?includeSeries=true')).json;
  const today = async (): Promise<Json> => (await analytics())['series'].at(-1);
  /** The venue's own account of what came and went, and of what trading has brought. */
  const truth = () => {
    const { trades, positions, collateral, funding, value, deposits, withdrawals } = account.script.state(
      account.index,
    );
    const paid = trades.map((trade) => {
      const isBuy = trade.bid_account_id === account.index;
      const isMaker = trade.is_maker_ask !== isBuy;
      const { taker_fee = 0, maker_fee = 0 } = trade as { taker_fee?: number; maker_fee?: number };
      const notional = new Big(trade.price).times(trade.size);
      return {
        cash: isBuy ? notional.neg() : notional,
        fee: notional.times(isMaker ? maker_fee : taker_fee),
      };
    });
    const sum = (all: readonly Big[]) => all.reduce((total, one) => total.plus(one), new Big(0));
    const cost = sum(positions.map(({ size, entry }) => new Big(size).times(entry)));
    const allocated = sum(positions.map((one) => new Big(one.allocated)));
    return {
      rows: trades.length,
      fees: sum(paid.map(({ fee }) => fee)).div(1_000_000),
      realised: sum(paid.map(({ cash }) => cash)).plus(cost),
      funding: new Big(funding),
      balance: new Big(collateral).plus(allocated),
      moved: new Big(deposits).minus(withdrawals),
      value: new Big(value),
    };
  };
  const near = (what: string, said: unknown, wanted: Big, rounded = new Big(ROUNDED)) =>
    expect(
      new Big(String(said)).minus(wanted).abs().lte(rounded),
      `${what}: ${said}, ${wanted.toFixed()}`,
    ).to.equal(true);

  /** Equity = deposits + realised − fees + funding + unrealised exactly, and each of them is the venue's. */
  async function agrees(paidIn: string): Promise<void> {
    const told = await live.until('the portfolio has what the venue has', async () => {
      const now = await portfolio();
      return new Big(now.deposits ?? 0).minus(paidIn).abs().lt('0.0001') ? now : null;
    });
    const { rows, fees, realised, funding, value } = truth();
    const rounded = new Big(ROUNDED).times(2 * rows + 2);
    near('deposits', told.deposits, new Big(paidIn), rounded);
    near('fees', told.fees, fees, rounded);
    near('realised', told.realizedPnl, realised, rounded);
    near('funding', told.funding, funding);
    near('equity', told.equity, value, rounded);
    const parts = new Big(told.deposits)
      .plus(told.realizedPnl)
      .minus(told.fees)
      .plus(told.funding)
      .plus(told.unrealizedPnl);
    expect(parts.eq(told.equity), `${parts.toFixed()} and ${told.equity}`).to.equal(true);
    expect(new Big(told.ledger.equity).eq(told.equity)).to.equal(true);
    expect(new Big(told.ledger.deposits).eq(told.deposits)).to.equal(true);
  }

  it('is what came in less what went out, and what trading has brought, to the last digit', async () => {
    await agrees(START);
    const { positionId } = await account.open([
      ['BTC', 'BUY', '300'],
      ['ETH', 'SELL', '300'],
    ]);
    await agrees(START);
    // Cash flows before the first sample are the capital at the start of the history.
    await live.until(
      'the equity was sampled',
      async () => (await analytics())['sampledSince'] !== null,
      SAMPLED_MS,
    );
    account.script.deposit(account.index, '250.5');
    await agrees('10250.5');
    account.script.withdraw(account.index, '100.25');
    await agrees('10150.25');
    account.script.setMark('BTC', '101234.5');
    account.script.setMark('ETH', '4100');
    await live.until('the marks are told', async () => Number((await portfolio()).unrealizedPnl) < -1);
    await agrees('10150.25');
    account.script.settleFunding();
    await account.sync();
    await agrees('10150.25');
    await account.close(positionId);
    account.script.deposit(account.index, '0.000001');
    await agrees('10150.250001');
  });

  it('a withdrawal from isolated margin’s account, while a position is open, is no loss of the position', async () => {
    await account.expect('PUT', '/leverage', {
      ...{ symbol: 'SOL-PERP', leverage: 5, marginMode: 'isolated' },
    });
    const { positionId } = await account.open([['SOL', 'BUY', '200']]);
    account.script.withdraw(account.index, '1000');
    await agrees('9150.250001');
    await account.close(positionId);
    await agrees('9150.250001');
  });

  it('stands in the day’s row of the history, in which it is neither gain nor loss', async () => {
    const row = await today();
    const { fees, funding, realised } = truth();
    near('net deposits of the day', row.deposits, new Big('9150.250001').minus(START), new Big('0.0001'));
    near('result of the day', row.pnl, realised.minus(fees).plus(funding), new Big('0.0001'));
    near('equity of the day', row.equity, truth().value, new Big('0.0001'));
  });

  it('a fast withdrawal takes its amount and its fee', async () => {
    const { collateral } = account.script.state(account.index);
    account.script.withdrawFast(account.index, '50', '3');
    expect(new Big(collateral).minus(account.script.state(account.index).collateral).toFixed()).to.equal(
      '53',
    );
    await agrees('9097.250001');
    const row = await today();
    near('net deposits of the day', row.deposits, new Big('9097.250001').minus(START), new Big('0.0001'));
  });
});
