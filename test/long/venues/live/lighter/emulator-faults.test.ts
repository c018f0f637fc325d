import { expect } from 'chai';
import { systemClock } from '../../../../../gateway/system/clock.ts';
import { settled } from '../../../../support/outstanding.ts';
import { until, whileTimePasses } from '../../../../support/until.ts';
import { ACCOUNT, type Funded, startFunded } from '../../../../support/venues/lighter/funded.ts';
import { launchEmulator } from '../../../../support/venues/lighter/remote.ts';
import { type Answer, Listener, makeKey, Trader } from '../../../../support/venues/lighter/trader.ts';

describe('emulated Lighter: faults', () => {
  let on: Funded;

  beforeEach(async () => {
    on = await startFunded();
  });
  afterEach(() => on.close());

  const buy = (client = 1, options = {}) =>
    on.trader.order({ base: 10_000, price: 404_000, client }, options);
  const held = () => on.venue.script.state(ACCOUNT).positions[0]?.size ?? '0';
  const nonce = async () =>
    (await on.trader.get('nextNonce', { account_index: ACCOUNT, api_key_index: 4 })).nonce;
  const failed = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: Error) => error,
    );
  const outcome = async (hash: string) =>
    until(on.clock, 'it is over', async () => {
      const found = await on.trader.get('tx', { by: 'hash', value: hash });
      return found.status === 1 ? null : found;
    });

  it('the answer is lost after the order was accepted, and lookups do not know it for a while', async () => {
    on.venue.script.fault({ do: 'lose_answer', on: 'createOrder' });
    on.venue.script.forgetOrders(2, ACCOUNT);
    expect(await failed(buy())).to.be.instanceOf(Error);
    await until(on.clock, 'it is executed', () => held() === '1');
    expect([await on.trader.lookUp(1), await on.trader.lookUp(1)]).to.deep.equal([undefined, undefined]);
    expect((await on.trader.lookUp(1)).status).to.equal('filled');
    expect(on.venue.script.armedFaults()).to.equal(0);
    expect(await nonce()).to.equal(1);
  });

  it('the connection is cut before anything is accepted', async () => {
    on.venue.script.fault({ do: 'cut_before', on: 'sendTx' });
    expect(await failed(buy())).to.be.instanceOf(Error);
    expect(await nonce()).to.equal(0);
    expect((await buy(1, { nonce: 0 })).code).to.equal(200);
  });

  it('no answer comes, whether or not the order was accepted', async () => {
    for (const execute of [false, true]) {
      on.venue.script.fault({ do: 'hang', execute, on: 'post' });
      const tx_info = on.trader.signed(
        'createOrder',
        on.trader.orderFields({ base: 10_000, price: 404_000 }),
        { nonce: 0 },
      );
      const body = new URLSearchParams({ tx_type: '14', tx_info });
      const client = new AbortController();
      const { signal } = client;
      const url = `${on.venue.url}/api/v1/sendTx`;
      const answer = failed(fetch(url, { method: 'POST', body, signal }));
      await on.clock.advance(50_000);
      client.abort();
      expect(await answer).to.have.property('name', 'AbortError');
      expect(await nonce()).to.equal(execute ? 1 : 0);
    }
  });

  it('a proxy answers with a page, a limit or half an answer, before or after the order was accepted', async () => {
    const fields = on.trader.orderFields({ base: 10_000, price: 404_000 });
    const send = (number: number) => {
      const tx_info = on.trader.signed(
        'createOrder',
        { ...fields, ClientOrderIndex: 1 + number },
        { nonce: number },
      );
      const body = new URLSearchParams({ tx_type: '14', tx_info });
      return fetch(`${on.venue.url}/api/v1/sendTx`, { method: 'POST', body });
    };
    on.venue.script.fault({ do: 'status', code: 503, on: 'sendTx' });
    const page = await send(0);
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([503, 'text/html']);
    on.venue.script.fault({ do: 'status', code: 429, on: '*' });
    expect((await send(0)).status).to.equal(429);
    expect(await nonce()).to.equal(0);
    on.venue.script.fault({ do: 'status', code: 503, on: 'sendTx', execute: true });
    expect((await send(0)).status).to.equal(503);
    on.venue.script.fault({ do: 'truncate', on: 'sendTx' });
    expect(await failed((await send(1)).json())).to.be.instanceOf(Error);
    await until(on.clock, 'both are executed', () => held() === '2');
  });

  it('meets the account that it names, and as often as it says', async () => {
    on.venue.script.fault({ do: 'status', code: 500, on: 'sendTx', account: 99, times: null });
    expect((await buy()).code).to.equal(200);
    on.venue.script.fault({
      do: 'answer',
      json: { code: 29500, message: 'internal server error' },
      code: 500,
      on: 'account',
      account: ACCOUNT,
      times: 2,
    });
    const ask = async () => (await on.trader.get('account', { by: 'index', value: ACCOUNT })).code;
    expect([await ask(), await ask(), await ask()]).to.deep.equal([29500, 29500, 200]);
    on.venue.script.clearFaults();
    expect(on.venue.script.armedFaults()).to.equal(0);
  });

  it('a late order executes after its sender has given up, and its fill is heard before a late answer', async () => {
    const listener = await Listener.open(on.venue.wsUrl);
    await listener.subscribe(`account_all_trades/${ACCOUNT}`);
    on.venue.script.fault({ do: 'delay', beforeMs: 60, afterMs: 150, on: 'sendTx' });
    let answered = false;
    const sent = buy().finally(() => {
      answered = true;
    });
    await until(on.clock, 'the trade is heard', () => listener.of('update/account_all_trades').length === 1);
    expect(answered).to.equal(false);
    await whileTimePasses(on.clock, sent);
    listener.close();
  });

  describe('the API takes it and the sequencer', () => {
    it('refuses it: the number is used, the order never was, the transaction says why', async () => {
      on.venue.script.refuseInSequencer({ kind: 'createOrder', code: 21601, message: 'order book is full' });
      const { code, tx_hash } = await buy();
      expect(code).to.equal(200);
      const tx = await outcome(tx_hash);
      expect(tx.status).to.equal(0);
      expect(JSON.parse(tx.event_info).ae).to.contain('order book is full');
      expect(await on.trader.lookUp(1)).to.equal(undefined);
      expect(await nonce()).to.equal(1);
      expect((await buy(2)).code).to.equal(200);
      await until(on.clock, 'the next one is executed', () => held() === '1');
    });

    it('refuses a resting order for margin: its number is free, and what waits behind it fails', async () => {
      on.venue.script.holdExecution(true);
      on.venue.script.refuseInSequencer({ account: ACCOUNT });
      const rests = await on.trader.order({ base: 1_000, price: 390_000, timeInForce: 1, client: 1 });
      const behind = await buy(2);
      expect(await nonce()).to.equal(2);
      on.venue.script.holdExecution(false);
      expect(JSON.parse((await outcome(rests.tx_hash)).event_info).ae).to.contain('21739');
      expect(JSON.parse((await outcome(behind.tx_hash)).event_info).ae).to.contain('21104');
      expect(await nonce()).to.equal(0);
    });

    it('finds it expired in the queue: its number is free', async () => {
      on.venue.script.holdExecution(true);
      const { code, tx_hash } = await buy(1, { expiredAt: on.clock.now() + 5_000 });
      expect(code).to.equal(200);
      on.venue.script.setClockOffset(6_000);
      on.venue.script.holdExecution(false);
      expect((await outcome(tx_hash)).status).to.equal(0);
      expect(await nonce()).to.equal(0);
      expect(held()).to.equal('0');
    });

    it('judges margin, prices and client indexes, where the script wants it', async () => {
      on.venue.script.setJudge('sequencer');
      const cases = [{ base: 1_000_000 }, { price: 450_000 }, { client: 77 }];
      await outcome((await buy(77)).tx_hash);
      for (const change of cases) {
        const { code, tx_hash } = await on.trader.order({ base: 10_000, price: 404_000, ...change });
        expect(code).to.equal(200);
        expect((await outcome(tx_hash)).status).to.equal(0);
      }
      expect(held()).to.equal('1');
    });

    it('ends the order at once in a state of the venue’s', async () => {
      on.venue.script.refuseInSequencer({ orderStatus: 'canceled-margin-not-allowed' });
      expect((await outcome((await buy()).tx_hash)).status).to.equal(2);
      expect((await on.trader.lookUp(1)).status).to.equal('canceled-margin-not-allowed');
      expect(held()).to.equal('0');
    });

    it('loses it without a trace', async () => {
      const listener = await Listener.open(on.venue.wsUrl);
      await listener.subscribe(`account_tx/${ACCOUNT}`, on.trader.token());
      on.venue.script.refuseInSequencer({ silently: true });
      const { tx_hash } = await buy();
      await until(
        on.clock,
        'it is over',
        async () => (await on.trader.get('tx', { by: 'hash', value: tx_hash })).code === 21500,
      );
      expect(await on.trader.lookUp(1)).to.equal(undefined);
      expect(listener.of('update/account_tx')).to.have.length(0);
      listener.close();
    });
  });

  it('sends away a standard account that asks too often, transactions and requests each for themselves', async () => {
    on.venue.script.setRequestsPerMinute(3);
    on.venue.script.setSendTxPerMinute(2);
    expect([(await buy(1)).code, (await buy(2)).code, (await buy(3)).code]).to.deep.equal([200, 200, 23000]);
    const asked = await Promise.all([1, 2, 3, 4].map(() => on.trader.get('exchangeStats')));
    expect(asked.map(({ code }) => code).sort()).to.deep.equal([200, 200, 200, 23000]);
    const refused = await fetch(`${on.venue.url}/api/v1/exchangeStats`);
    expect(refused.status).to.equal(429);
    on.venue.script.setClockOffset(61_000);
    expect((await on.trader.get('exchangeStats')).code).to.equal(200);
  });

  it('tells its own clock in the date of every answer', async () => {
    on.venue.script.setClockOffset(-3_600_000);
    const response = await fetch(`${on.venue.url}/`);
    expect(Date.parse(response.headers.get('date') ?? '')).to.equal(on.clock.now() - 3_600_000);
    expect(await response.json()).to.have.all.keys(['status', 'network_id', 'timestamp']);
  });

  describe('streams', () => {
    let listener: Listener;
    beforeEach(async () => {
      listener = await Listener.open(on.venue.wsUrl);
    });
    afterEach(() => listener.close());

    const follow = () => listener.subscribe(`account_all_trades/${ACCOUNT}`);
    const trades = () =>
      listener.of('update/account_all_trades').flatMap((one) => Object.values(one.trades).flat()) as Answer[];
    const trade = (size: string) => on.venue.script.tradeElsewhere(ACCOUNT, 'ETH', 'buy', size, '4000');
    const sizes = () => trades().map(({ size }) => size);

    it('news comes twice, in the wrong order, late, or not at all', async () => {
      await follow();
      on.venue.script.streamFaults({ twice: true });
      trade('1');
      await until(on.clock, 'it came twice', () => trades().length === 2);
      on.venue.script.streamFaults({ swapped: true });
      trade('2');
      await settled();
      trade('3');
      await until(on.clock, 'both came', () => trades().length === 4);
      expect(sizes().slice(2)).to.deep.equal(['3.0000', '2.0000']);
      on.venue.script.streamFaults({ silent: ['account_all_trades'] });
      trade('4');
      await settled();
      on.venue.script.streamFaults({ delayMs: 30 });
      trade('5');
      await until(on.clock, 'it came late', () => trades().length === 5);
      expect(sizes().at(-1)).to.equal('5.0000');
      on.venue.script.streamFaults({});
      on.venue.script.repeatTrades(ACCOUNT, 2);
      await until(on.clock, 'the last two came again', () => trades().length === 7);
    });

    it('first messages are empty, broken or old', async () => {
      await follow();
      trade('1');
      const open = async (faults: Parameters<typeof on.venue.script.streamFaults>[0]) => {
        on.venue.script.streamFaults(faults);
        const fresh = await Listener.open(on.venue.wsUrl);
        fresh.send({ type: 'subscribe', channel: `account_all_trades/${ACCOUNT}` });
        await until(on.clock, 'it is answered', () => fresh.texts.length === 2);
        fresh.close();
        return fresh.texts[1] ?? '';
      };
      expect(JSON.parse(await open({})).trades).to.have.length(1);
      expect(JSON.parse(await open({ emptySnapshots: true })).trades).to.have.length(0);
      expect(JSON.parse(await open({ staleSnapshots: true })).trades).to.have.length(0);
      const broken = await open({ brokenSnapshots: true });
      expect(() => JSON.parse(broken)).to.throw(SyntaxError);
    });

    it('end, cannot be opened, or say what the script says', async () => {
      await follow();
      on.venue.script.say(`account_all_trades:${ACCOUNT}`, { trades: 'nonsense' });
      await until(on.clock, 'it is said', () => listener.of('update/account_all_trades').length === 1);
      on.venue.script.cutStreams(1012);
      await until(on.clock, 'it is closed', () => listener.closed);
      on.venue.script.streamFaults({ refused: true });
      expect(await failed(Listener.open(on.venue.wsUrl))).to.be.instanceOf(Error);
      on.venue.script.clearFaults();
      (await Listener.open(on.venue.wsUrl)).close();
    });
  });

  it('is off line for a while', async () => {
    on.venue.script.offline(true);
    expect(await failed(on.trader.get('exchangeStats'))).to.be.instanceOf(Error);
    on.venue.script.offline(false);
    expect((await on.trader.get('exchangeStats')).code).to.equal(200);
  });

  it('remembers what was sent, and takes JSON for no form', async () => {
    const response = await fetch(`${on.venue.url}/api/v1/sendTx`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tx_type: 14, tx_info: '{}' }),
    });
    expect(((await response.json()) as Answer).code).to.equal(20001);
    const form = new FormData();
    form.set('tx_type', '14');
    form.set(
      'tx_info',
      on.trader.signed('createOrder', on.trader.orderFields({ base: 10_000, price: 404_000, client: 4242 })),
    );
    const sent = await fetch(`${on.venue.url}/api/v1/sendTx`, { method: 'POST', body: form });
    expect(((await sent.json()) as Answer).code).to.equal(200);
    expect(on.venue.script.sentContaining('"ClientOrderIndex":4242')).to.have.length(1);
    expect((await fetch(`${on.venue.url}/api/v1/nowhere`)).status).to.equal(404);
    expect(on.venue.script.traffic().counts).to.deep.include({ elsewhere: 1, 'sendTx createOrder': 1 });
    on.venue.script.clearTraffic();
    expect(on.venue.script.sent()).to.have.length(0);
  });

  it('runs in a process of its own, under the same script', async () => {
    const key = makeKey('remote');
    const account = {
      index: 5,
      l1Address: `0x${'aa'.repeat(20)}`,
      collateral: '1000',
      keys: { 4: key.publicKey },
    };
    const remote = await launchEmulator({ accounts: [account] });
    try {
      await remote.script.setMark('ETH', '3000');
      const trader = new Trader(remote.url, { account: 5, key, clock: systemClock });
      expect((await trader.order({ base: 1_000, price: 303_000, client: 1 })).code).to.equal(200);
      // Executed in the turn of the answer, before the next request is read.
      expect((await remote.script.state(5)).positions[0]?.size).to.equal('0.1');
      expect(await failed(remote.script.state(6))).to.be.instanceOf(Error);
    } finally {
      await remote.close();
    }
  });
});
