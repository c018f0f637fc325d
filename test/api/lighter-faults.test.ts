/** A live account at an emulated Lighter that goes wrong: how executions, holdings and notifications end. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { type LiveAccount, LiveGateway } from '../support/venues/lighter/live-gateway.ts';
import type { LiveUser } from '../support/venues/shared/live-account.ts';
import {
  deniedLookups,
  expectExplained,
  expectSentOnce,
  faultSuite,
  itBooksFillsOnce,
  itBooksFundingOnce,
  itFillsAPart,
  itHasAWrongClock,
  itHearsWords,
  itIsForced,
  itIsMaintained,
  itLosesTheAnswer,
  itSlept,
  LONG,
  PAIR,
} from '../support/venues/shared/live-faults.ts';

let live: LiveUser;
let bot: LiveAccount;

const start = (dataDir: string) => LiveGateway.start(dataDir);

function withGateway() {
  const suite = faultSuite(start, (script) => {
    script.setJudge('api');
    script.setReduceOnly('vanishes');
    script.setExecutionDelay(0);
  });
  beforeEach(() => {
    ({ live, bot } = suite);
  });
  return suite;
}

describe('API: Lighter, emulated: orders when things go wrong', () => {
  const suite = withGateway();

  itLosesTheAnswer(suite, () =>
    bot.script.fault({ on: 'sendTxBatch', do: 'lose_answer', account: bot.index }),
  );

  it('a stream that keeps silent about orders: one lookup for all legs ends the basket', async () => {
    bot.script.streamFaults({ silent: ['account_all_orders', 'account_all_trades', 'account_tx'] });
    bot.script.clearTraffic();
    const execution = await bot.open(PAIR);
    expect(execution).to.include({ status: 'COMPLETED' });
    expect(bot.script.traffic().counts['accountOrders']).to.be.within(1, 2);
    expect(bot.held()).to.deep.equal({ BTC: '0.002', ETH: '-0.05' });
    await expectExplained(bot);
  });

  it('one leg that the sequencer refuses fails alone: the other is held and named', async () => {
    bot.script.refuseInSequencer({ kind: 'createOrder', account: bot.index, code: 21_739 });
    const execution = await bot.open(PAIR, { onLegFailure: 'KEEP' });
    expect(execution.status).to.not.equal('COMPLETED');
    expect(execution.orders.map(({ status }: Json) => status)).to.deep.equal(['REJECTED', 'FILLED']);
    expect(bot.held()).to.deep.equal({ ETH: '-0.05' });
    await expectExplained(bot);
  });

  it('a nonce that is refused is not the order’s end: it is sent again with the same number, once', async () => {
    await bot.open([['SOL', 'BUY', '100']]);
    const { nextNonce = 0 } = bot.script.state(bot.index).keys[0] ?? {};
    bot.script.setNonce(bot.index, 5, nextNonce + 7);
    const execution = await bot.open(LONG);
    expect(execution).to.include({ status: 'COMPLETED' });
    expect(execution.orders[0]).to.include({ attempt: 1 });
    expect(bot.held()['BTC']).to.equal('0.002');
    expectSentOnce(bot);
  });

  it('an account whose transactions are refused for their number sends nothing, and its order says so @long', async () => {
    const json = { code: 21_506, message: 'too many pending txs. Please try again later' };
    bot.script.fault({ on: 'sendTx', do: 'answer', json, code: 400, times: null, account: bot.index });
    const execution = await bot.open(LONG);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'NOT_SENT' });
    expect([bot.held(), bot.orderIds()]).to.deep.equal([{}, []]);
  });

  itFillsAPart(suite);

  describe('as on Hyperliquid @long', () => {
    itBooksFillsOnce(suite, {
      disturb: () => bot.script.fault({ on: 'sendTxBatch', do: 'delay', afterMs: 400, account: bot.index }),
      repeat: () => bot.script.repeatTrades(bot.index, 2),
    });
    itHearsWords(suite, {
      lose() {
        bot.script.streamFaults({ silent: ['account_all_trades', 'account_all_orders', 'account_tx'] });
        bot.script.fault({ on: 'sendTx', do: 'lose_answer', account: bot.index });
      },
      say: (status) => bot.script.fault({ on: 'accountOrders', do: 'word', status, times: null }),
      resting: ['open', 'pending', 'in-progress'],
    });
  });

  it('a closing order that vanishes because the position is gone is found out: nothing opens the other way', async function () {
    this.timeout(90_000);
    const { positionId } = await bot.open(LONG);
    bot.script.streamFaults({ silent: ['account_all_trades', 'account_all_orders'] });
    bot.script.tradeElsewhere(bot.index, 'BTC', 'sell', '0.002', '100000');
    const id = await bot.beginClose(positionId);
    bot.script.streamFaults({});
    await bot.ended(id);
    expect(bot.held()).to.deep.equal({});
    await live.until('the books agree', async () => ((await bot.unexplained())?.length ?? 1) === 0);
  });
});

describe('API: Lighter, emulated: accounts when things go wrong', () => {
  const suite = withGateway();

  it('a malformed or empty state of the account flattens nothing: the basket stays, and closes when the venue is right', async () => {
    const { positionId } = await bot.open(LONG);
    for (const json of [{}, { code: 200, accounts: [] }]) {
      bot.script.fault({ on: 'account', do: 'answer', json, times: null, account: bot.index });
      await bot.sync();
      expect((await bot.position(positionId)).legs[0]).to.include({ quantity: '0.002' });
      expect((await bot.position(positionId)).status).to.equal('OPEN');
      bot.script.clearFaults();
    }
    await expectExplained(bot);
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(bot.held()).to.deep.equal({});
  });

  it('leverage is what the venue executes: a refusal by the sequencer fails that setting only', async () => {
    bot.script.refuseInSequencer({ kind: 'updateLeverage', account: bot.index, code: 21_613 });
    const setting = { symbol: 'BTC-PERP', leverage: 3, marginMode: 'cross' };
    await bot.expect('PUT', '/leverage', setting, 400);
    expect((await live.status()).status).to.equal('UP');
    expect((await bot.ask('PUT', '/leverage', setting)).status).to.equal(200);
    expect(await bot.open(PAIR)).to.include({ status: 'COMPLETED' });
    expect(bot.script.state(bot.index).positions.find(({ symbol }) => symbol === 'BTC')?.fraction).to.equal(
      3_334,
    );
  });

  describe('as on Hyperliquid @long', () => {
    itIsForced(suite, {
      liquidate: () => bot.script.liquidate(bot.index, 'BTC', '90000'),
      deleverage: () => bot.script.deleverage(bot.index, 'ETH', '4100', '0.02'),
    });
    itBooksFundingOnce(suite);
    itHasAWrongClock(suite);
    itSlept(suite, ['account_all_trades', 'account_all_orders', 'account_all_positions'], () =>
      bot.script.liquidate(bot.index, 'BTC', '90000', '0.0005'),
    );
  });

  it('a key that the venue refuses stops what opens, and the user is told', async () => {
    await bot.open(LONG);
    bot.script.revokeApiKey(bot.index, 5);
    await bot.open(LONG);
    await live.until('the account says so', async () => {
      const { json } = await bot.ask('GET', `/trade-accounts/${bot.id}`);
      return JSON.stringify(json).includes('INVALID_CREDENTIALS');
    });
    const late = await bot.tryOpen(LONG);
    if (late.status === 202) expect(await bot.ended(late.json.execution.id)).to.include({ status: 'FAILED' });
    else expect(late.status, late.text).to.be.within(400, 499);
    expect(bot.held()).to.deep.equal({ BTC: '0.002' });
  });

  itIsMaintained(suite, () =>
    bot.script.fault({ on: 'sendTxBatch', do: 'status', code: 503, execute: true, account: bot.index }),
  );
});

deniedLookups('API: Lighter, emulated: orders that lookups deny', start, {
  silence: (script) => {
    script.streamFaults({ silent: ['account_all_trades', 'account_all_orders', 'account_tx'] });
    script.fault({ on: 'accountOrders', do: 'answer', json: { code: 200, orders: [] }, times: null });
  },
  lose: (name, { index: account, script }) => {
    if (name === 'nowhere') script.fault({ on: 'sendTx', do: 'cut_before', account });
    else script.fault({ on: 'sendTx', do: 'lose_answer', account });
    if (name === 'in the position only')
      script.fault({ on: 'trades', do: 'answer', json: { code: 200, trades: [] }, times: null, account });
  },
});
