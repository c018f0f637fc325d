/** An emulated Lighter with other accounts and keys, limits, a wrong clock, and markets that halt or end. */
import { expect } from 'chai';
import type { VenueAccess, VenueCheckStep } from '../../../../../gateway/engine/ports/venue.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { openForEachTest } from '../../../../support/open-for-tests.ts';
import { until } from '../../../../support/until.ts';
import { accountAt, adapterAt } from '../../../../support/venues/lighter/adapter.ts';
import { startEmulator } from '../../../../support/venues/lighter/emulator.ts';
import { makeKey } from '../../../../support/venues/lighter/trader.ts';
import { refOf, VenueDesk } from '../../../../support/venues/lighter/venue-desk.ts';
import { inTime } from '../../../../support/venues/shared/in-time.ts';
import { memoryHost, untilUp } from '../../../../support/venues/shared/memory-host.ts';

const HOUR_MS = 3_600_000;

describe('accounts, limits and clocks at Lighter, when things go wrong', () => {
  const desk = openForEachTest(() => VenueDesk.start());
  const check = (change: Partial<VenueAccess['credentials']> = {}) => {
    const credentials = { ...desk.test.access.credentials, ...change } as VenueAccess['credentials'];
    return desk.venue.checkCredentials?.({ network: 'mainnet', credentials });
  };
  const report = async (change = {}) => {
    const told = await check(change);
    if (told === undefined) throw new Error('it checks no credentials');
    return told.ok ? told.value : told.error;
  };

  describe('credentials', () => {
    it('that are right are told with what a person should know of the account', async () => {
      desk.script.tradeElsewhere(desk.index, 'SOL', 'buy', '1', '200');
      desk.script.addApiKey(desk.index, 9, makeKey('another').publicKey);
      await desk.placeOne(desk.order({ timeInForce: 'GTC', limitPrice: '90000' }));
      desk.script.setTradingMode(desk.index, 1);
      const told = await report();
      expect(told).to.include({ exchangeIdentifier: String(desk.index), expiresAt: null });
      const warnings = 'warnings' in told ? told.warnings.join('\n') : '';
      for (const part of [/holds 1 positions/, /1 open orders/, /1 other API keys/, /unified/])
        expect(warnings).to.match(part);
    });

    it('with a reserved or wrong index, a wrong number or no key are refused before the venue is asked', async () => {
      desk.script.clearTraffic();
      for (const [change, path] of [
        [{ apiKeyIndex: 0 }, 'apiKeyIndex'],
        [{ apiKeyIndex: 3 }, 'apiKeyIndex'],
        [{ apiKeyIndex: 255 }, 'apiKeyIndex'],
        [{ apiKeyIndex: 'five' }, 'apiKeyIndex'],
        [{ accountIndex: -1 }, 'accountIndex'],
        [{ accountIndex: 1.5 }, 'accountIndex'],
        [{ apiPrivateKey: '' }, 'apiPrivateKey'],
        [{ apiPrivateKey: `0x${'11'.repeat(32)}` }, 'apiPrivateKey'],
        [{ apiPrivateKey: '00'.repeat(40) }, 'apiPrivateKey'],
      ] as const)
        expect(await report(change), JSON.stringify(change)).to.include({ kind: 'refused', path });
      expect(desk.count('account') + desk.count('apikeys')).to.equal(0);
    });

    it('of another key, another index or an unknown account are refused with what is wrong', async () => {
      desk.script.addApiKey(desk.index, 9, makeKey('another').publicKey);
      const other = makeKey('another').privateKey;
      expect(await report({ apiPrivateKey: other })).to.include({
        ...{ kind: 'refused', path: 'apiPrivateKey' },
        message: 'This is the key of index 9, not of index 5',
      });
      expect(await report({ apiKeyIndex: 8 })).to.include({ kind: 'refused', path: 'apiKeyIndex' });
      expect(await report({ accountIndex: 99_999 })).to.include({ kind: 'refused', path: 'accountIndex' });
    });

    it('cannot be judged while the venue does not answer, or says that it is asked too often', async () => {
      // Several, because the account that is open asks too.
      desk.script.fault({ on: 'apikeys', do: 'status', code: 503, times: 9 });
      expect(await report()).to.include({ kind: 'unknown' });
      desk.script.clearFaults();
      desk.script.fault({ on: 'account', do: 'status', code: 429, times: 9 });
      expect(await report()).to.include({ kind: 'throttled' });
    });
  });

  describe('a token for readings', () => {
    it('is used for all readings until it is six hours old, and is never longer than the venue takes', async () => {
      const beganAt = desk.clock.now();
      const tokens = () =>
        new Set(
          desk
            .sent()
            .flatMap((text) =>
              [...text.matchAll(/\b(\d{10}:\d+:\d+):[0-9a-f]{160}/g)].map(([, head]) => head ?? ''),
            ),
        );
      const orders = async () => {
        const told = await desk.venue.openOrders(desk.test.account);
        return told.ok ? 'fine' : told.error.message;
      };
      expect(await orders()).to.equal('fine');
      expect(await orders()).to.equal('fine');
      expect(tokens().size).to.equal(1);
      for (const hours of [5, 7, 13]) {
        desk.clock.jump(beganAt + hours * HOUR_MS - desk.clock.now());
        expect(await orders()).to.equal('fine');
      }
      expect(tokens().size).to.be.within(3, 4);
      const [longest] = [...tokens()].map((head) => Number(head?.split(':')[0])).toSorted((a, b) => b - a);
      expect((longest ?? 0) - beganAt / 1_000).to.be.lessThan(13 * 3_600 + 8 * 3_600);
    });

    it('that is refused is made anew once; where that is refused too, the key is', async () => {
      const json = { code: 20_013, message: 'invalid auth: invalid deadline' };
      desk.script.fault({ on: 'accountActiveOrders', do: 'answer', json, code: 400 });
      expect(await desk.venue.openOrders(desk.test.account)).to.deep.include({ ok: true });
      const told: string[] = [];
      desk.venue.onRefusedKey?.((_, reason) => told.push(reason));
      desk.script.fault({ on: 'accountActiveOrders', do: 'answer', json, code: 400, times: 2 });
      const refused = await desk.venue.openOrders(desk.test.account);
      expect(refused.ok ? null : refused.error.kind).to.equal('auth');
      expect(told).to.have.length(1);
    });
  });

  describe('limits', () => {
    it('the firewall’s page: not sent, and nothing more is asked while it holds the address', async () => {
      desk.script.fault({ on: '*', do: 'status', code: 405, times: null });
      const outcome = await desk.placeOne(desk.closing());
      expect(outcome).to.include({ kind: 'not_sent' });
      expect(outcome.kind === 'not_sent' ? outcome.retryAt : 0).to.be.at.least(desk.clock.now() + 55_000);
      expect(desk.venue.status()).to.include({ trading: 'CLOSE_ONLY' });
      desk.script.clearTraffic();
      await desk.clock.advance(50_000);
      expect(desk.script.sent().filter((text) => text.includes('/api/v1/'))).to.deep.equal([]);
      desk.script.clearFaults();
      await desk.clock.advance(15_000);
      expect(await desk.trade()).to.include({ state: 'filled' });
    });

    it('too many transactions that wait is no refusal: the same id goes through later', async () => {
      const json = { code: 21_506, message: 'too many pending txs. Please try again later' };
      desk.script.fault({ on: 'sendTx', do: 'answer', json, code: 400 });
      const order = desk.order();
      expect(await desk.placeOne(order)).to.include({ kind: 'not_sent' });
      expect(desk.held()).to.equal('0');
    });
  });

  it('a check names each step, and the one that fails with what to do', async () => {
    const run = async () => {
      const steps: VenueCheckStep[] = [];
      const said: string[] = [];
      await desk.venue.check?.(
        { account: desk.test.account, access: desk.test.access },
        (step) => steps.push(step),
        ({ question, answer }) => said.push(question, answer),
      );
      return { steps, said: said.join('\n') };
    };
    const { steps, said } = await run();
    expect(steps.map(({ name, ok }) => `${name} ${ok}`)).to.deep.equal(
      [
        ...['connection', 'clock', 'instruments', 'signing', 'rights', 'account_mode', 'balances'],
        ...['fees', 'rate_limits', 'market_stream', 'account_stream'],
      ].map((name) => `${name} true`),
    );
    expect(said).to.include('/api/v1/account');
    expect(said).to.not.match(/0x[0-9a-f]{40}/);
    expect(said).to.not.include(desk.test.key.privateKey);
    desk.script.revokeApiKey(desk.index, 5);
    const after = (await run()).steps.find(({ ok }) => !ok);
    expect(after).to.include({ name: 'rights' });
    expect(after?.remedy).to.match(/new API key/);
    desk.script.offline(true);
    const away = await run();
    expect(away.steps).to.have.length(1);
    expect(away.steps[0]).to.include({ name: 'connection', ok: false });
  });

  it('fees are the account’s own, asked for with it', async () => {
    await until(desk.clock, 'they are known', () => desk.venue.feeRates?.(desk.test.account));
    expect(desk.venue.feeRates?.(desk.test.account)).to.deep.equal({ taker: '0', maker: '0' });
    const premium = accountAt(desk.emulator);
    desk.script.setFees(premium.index, '0.00028', '0.00004');
    await desk.venue.openAccount(premium.account, premium.access);
    await until(desk.clock, 'they are known', () => desk.venue.feeRates?.(premium.account));
    expect(desk.venue.feeRates?.(premium.account)).to.deep.equal({ taker: '0.00028', maker: '0.00004' });
    const order = desk.order();
    await desk.venue.placeBatch(premium.account, [order]);
    const found = await until(desk.clock, 'its fill is known', async () => {
      const told = await desk.venue.ordersByClientIds(premium.account, [refOf(order)]);
      const [one] = told.ok ? told.value : [];
      return one?.kind === 'done' ? one.fills[0] : null;
    });
    expect(Number(found.fee)).to.be.closeTo(Number(found.price) * 0.001 * 0.00028, 0.000001);
  });
});

describe('markets of Lighter', () => {
  const desk = openForEachTest(() =>
    VenueDesk.start({
      prepare: ({ script }) => {
        script.halt('XRP', true);
        script.setForceReduceOnly('LINK', true);
      },
    }),
  );

  it('that are halted, take closing orders only, or are of isolated margin only say so', async () => {
    expect(desk.instrument('XRP-PERP')?.tradeability).to.deep.equal({
      status: 'not_tradable',
      reason: 'inactive',
    });
    expect(desk.instrument('LINK-PERP')?.tradeability.status).to.equal('reduce_only');
    expect(desk.instrument('PURR-PERP')?.marginModes).to.deep.equal(['isolated']);
    expect(desk.instrument('MATIC-PERP')?.tradeability.status).to.equal('not_tradable');
  });
});

describe('the test network of Lighter', () => {
  it('is another chain: what is signed for the one is nothing on the other', async () => {
    const clock = createFakeClock();
    const emulator = await startEmulator({ network: 'testnet', pulseMs: 100, clock });
    const test = accountAt(emulator);
    for (const network of ['mainnet', 'testnet'] as const) {
      const venue = inTime(clock, adapterAt(emulator.url, { network, host: memoryHost(clock) }));
      await venue.start();
      await untilUp(clock, venue);
      await venue.openAccount(test.account, test.access);
      const [outcome] = await venue.placeBatch(test.account, [
        {
          ...{
            clientOrderId: `0x${'ab'.repeat(15)}${network === 'mainnet' ? '01' : '02'}`,
            symbol: 'BTC-PERP',
          },
          ...{ side: 'BUY', quantity: '0.001', limitPrice: '101000', timeInForce: 'IOC' },
          ...{ reduceOnly: false, expiresAt: clock.now() + 5_000 },
        },
      ]);
      if (network === 'mainnet') expect(outcome).to.include({ kind: 'rejected' });
      else await until(clock, 'it is held', () => emulator.script.state(test.index).positions.length === 1);
      const steps: string[] = [];
      await venue.check?.(
        null,
        ({ name, ok }) => steps.push(`${name} ${ok}`),
        () => {},
      );
      expect(steps).to.include('signing true');
      await venue.stop();
    }
    await emulator.close();
  });
});
