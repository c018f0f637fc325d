/** A mandate's effect beyond orders: saved baskets, and the tools of paper accounts. */
import { expect } from 'chai';
import type { MandateBody } from '../../gateway/contract/mandate.ts';
import { type Caller, callerWith, connectAgent, signedIn } from '../support/agents.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import type { TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { type Trader, trader, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const LEGS = [
  { symbol: 'BTC-PERP', side: 'BUY', weight: 0.5 },
  { symbol: 'ETH-PERP', side: 'SELL', weight: 0.5 },
];
const SWAPPED = LEGS.map((leg) => ({ ...leg, side: leg.side === 'BUY' ? 'SELL' : 'BUY' }));

describe('what a mandate reaches beside orders', () => {
  const gateway = gatewayForSuite();
  let bot: Trader;
  let other: string;
  let users = 0;

  beforeEach(async () => {
    users += 1;
    bot = await trader(gateway, { email: `reach${users}@example.test` });
    const made = await signedIn(gateway, bot).call('POST', '/trade-accounts', {
      alias: 'Other',
      connector: 'paper',
    });
    other = made.json.id;
  });

  const onAccount = (by: { readonly headers: Readonly<Record<string, string>> }, accountId: string) =>
    callerWith(gateway, by.headers, accountId);

  /** A grant and an API key with the same mandate, on one of the two accounts. */
  async function holders(over: Partial<MandateBody>) {
    const { approval, rights } = smallMandate(bot.accountId);
    const mandate = smallMandate(bot.accountId, {
      approval: { ...approval, when: 'never', aboveUsd: null, firsts: 'off', duplicates: 'allow' },
      runaway: { refusals: null, reopenings: null, feesUsd: null },
      rate: { perMinute: 600, perDay: 10_000, coolDownSeconds: 0 },
      rights: { ...rights, manageAccounts: true },
      maxSlippage: null,
      ...over,
    });
    const email = `reach${users}@example.test`;
    const grant = await connectAgent(gateway, bot, consentVisitor(gateway, { email }), {
      consent: { mandate, continueBudget: false },
    });
    const made = await signedIn(gateway, bot).expect(
      'POST',
      '/api-keys',
      {
        label: 'bound',
        scope: 'read_write',
        mandate,
      },
      201,
    );
    return {
      grant: { headers: { authorization: `Bearer ${grant.accessToken}` } },
      key: { headers: { 'x-api-key': made.key } },
    };
  }

  function expectLimits({ status, json, text }: TestAnswer, ...limits: readonly string[]): void {
    expect([status, json?.errorCode], text).to.deep.equal([403, 'AGENT_LIMIT']);
    expect(json.details.limits.map(({ limit }: Json) => limit)).to.deep.equal(limits);
  }

  describe('saved baskets', () => {
    const save = (by: Caller, name: string) => by.call('POST', '/saved-baskets', { name, legs: LEGS });

    it('are the user’s: changed with `manage: ALL` alone, on an account of the mandate', async () => {
      const saved = (await save(bot, 'Majors')).json;
      const tries = (by: Caller) => [
        save(by, 'Mine'),
        by.call('PATCH', `/saved-baskets/${saved.id}`, { legs: SWAPPED }),
        by.call('DELETE', `/saved-baskets/${saved.id}`),
      ];
      const looks = await holders({ kinds: [], reduceOnly: true });
      for (const holder of [looks.grant, looks.key]) {
        for (const answer of await Promise.all(tries(onAccount(holder, bot.accountId)))) {
          expect(answer.status, answer.text).to.equal(403);
          expect(answer.json.message).to.equal('Agent mandate does not allow touching what others placed');
        }
      }
      const trades = await holders({ manage: 'ALL' });
      const elsewhere = (await save(onAccount({ headers: { 'x-api-key': bot.key } }, other), 'Theirs')).json;
      for (const holder of [trades.grant, trades.key]) {
        const there = onAccount(holder, other);
        const change = { legs: SWAPPED };
        expectLimits(await there.call('PATCH', `/saved-baskets/${elsewhere.id}`, change), 'accounts');
        expectLimits(await there.call('DELETE', `/saved-baskets/${elsewhere.id}`), 'accounts');
        expectLimits(await save(there, 'Mine'), 'accounts');
      }
      const list = (await bot.call('GET', '/saved-baskets')).json.savedBaskets;
      expect(list).to.deep.equal([saved]);
      const own = onAccount(trades.grant, bot.accountId);
      expect((await own.call('PATCH', `/saved-baskets/${saved.id}`, { name: 'Renamed' })).status).to.equal(
        200,
      );
    });

    it('are at most 500 of an account, read page by page @long', async () => {
      for (let nth = 0; nth < 500; nth += 50)
        await Promise.all(Array.from({ length: 50 }, (_, index) => save(bot, `Basket ${nth + index}`)));
      const refused = await save(bot, 'One more');
      expect([refused.status, refused.json.errorCode]).to.deep.equal([409, 'RESOURCE_BUSY']);
      expect(refused.json.details).to.deep.equal({ reason: 'TOO_MANY' });
      const all = (await bot.call('GET', '/saved-baskets')).json;
      expect(all.savedBaskets).to.have.length(500);
      expect(all.nextCursor).to.equal(undefined);
      const paged: Json[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const { json }: TestAnswer = await bot.call('GET', `/saved-baskets?limit=180${after}`);
        expect(json.savedBaskets.length).to.be.at.most(180);
        paged.push(...json.savedBaskets);
        cursor = json.nextCursor;
      }
      expect(paged).to.deep.equal(all.savedBaskets);
      await bot.call('DELETE', `/saved-baskets/${all.savedBaskets[0].id}`);
      expect((await save(bot, 'One more')).status).to.equal(201);
    });
  });

  it('a refusal of what no mandate allows names it', async () => {
    const by = onAccount((await holders({ manage: 'ALL' })).key, bot.accountId);
    const id = bot.accountId;
    for (const [method, path, body, what] of [
      [
        'POST',
        '/webhooks',
        { url: 'https://example.test', events: ['execution.completed'] },
        'managing webhooks',
      ],
      ['DELETE', `/notification-channels/${id}`, undefined, 'managing notification channels'],
      ['POST', '/safety/resume', {}, 'resuming trading'],
    ] as const) {
      const refused = await by.call(method, path, body);
      expect(refused.status, refused.text).to.equal(403);
      expect(refused.json.message).to.equal(`Agent mandate does not allow ${what}`);
    }
  });

  it('a panic is for one that reaches all accounts, and all that they hold', async () => {
    const panic = (by: Caller) => by.call('POST', '/safety/panic', { confirm: 'CLOSE ALL' });
    await bot.open([usd('BTC', 'BUY', '300')]);
    const one = await holders({ manage: 'ALL' });
    const own = await holders({ accounts: [bot.accountId, other] });
    for (const holder of [one.grant, one.key]) {
      const refused = await panic(onAccount(holder, bot.accountId));
      expectLimits(refused, 'accounts');
      expect(refused.json.details.limits[0].asked).to.equal(other);
    }
    for (const holder of [own.grant, own.key])
      expect((await panic(onAccount(holder, bot.accountId))).status).to.equal(403);
    expect((await bot.call('GET', '/safety')).json.paused).to.equal(false);
    expect((await bot.call('GET', '/positions?status=OPEN')).json.positions).to.have.length(1);
    const all = await holders({ manage: 'ALL', accounts: [bot.accountId, other] });
    const answer = await panic(onAccount(all.key, bot.accountId));
    expect(answer.status, answer.text).to.equal(202);
  });

  it('a close and a take-profit may ask for 1 % of slippage, and for more only within the limit', async () => {
    const FAR = { type: 'PRICE', symbol: 'BTC-PERP', direction: 'MORE_THAN', value: '10000000' };
    const { positionId: id } = await bot.open([usd('BTC', 'BUY', '300')]);
    for (const [maxSlippage, within, beyond] of [
      ['0.002', '0.01', '0.011'],
      ['0.03', '0.03', '0.05'],
    ] as const) {
      for (const holder of Object.values(await holders({ manage: 'ALL', maxSlippage }))) {
        const by = onAccount(holder, bot.accountId);
        const takeProfit = (slippage: string) => ({ type: 'PERCENTAGE', value: '50', slippage });
        const close = (how: object) => by.call('POST', `/positions/${id}/close`, how);
        const tries = [
          (slippage: string) =>
            by.call('PUT', `/positions/${id}/brackets`, { takeProfit: takeProfit(slippage) }),
          (slippage: string) => close({ type: 'TRIGGER', condition: FAR, fraction: '0.1', slippage }),
          (slippage: string) =>
            close({
              type: 'TWAP',
              durationSeconds: 3_600,
              intervalSeconds: 1_800,
              fraction: '0.1',
              slippage,
            }),
          (slippage: string) => close({ type: 'MARKET', fraction: '0.1', slippage }),
        ];
        for (const ask of tries) {
          expectLimits(await ask(beyond), 'maxSlippage');
          const { status, text, json } = await ask(within);
          expect([200, 202], text).to.include(status);
          if (json.execution !== undefined) await bot.ended(json.execution.id);
        }
        // A stop-loss has to fill.
        const stopLoss = { type: 'PERCENTAGE', value: '50', slippage: '0.1' };
        expect((await by.call('PUT', `/positions/${id}/brackets`, { stopLoss })).status).to.equal(200);
      }
    }
  });

  describe('tools of paper accounts', () => {
    const outside = (by: Caller, id: string, usd: string, over: object = {}) =>
      by.call('POST', `/trade-accounts/${id}/paper/outside-order`, {
        ...{ symbol: 'BTC-PERP', side: 'BUY', usd },
        ...over,
      });

    it('reach no account outside the mandate', async () => {
      const { grant, key } = await holders({ maxOrderUsd: '100' });
      const fault = { kind: 'REJECT', symbol: 'BTC-PERP', times: 1, seconds: 60 };
      const at = `/trade-accounts/${other}/paper`;
      const mine = onAccount({ headers: { 'x-api-key': bot.key } }, other);
      const set = (await mine.call('POST', `${at}/faults`, fault)).json;
      for (const holder of [grant, key]) {
        const by = onAccount(holder, bot.accountId);
        expectLimits(await by.call('POST', `${at}/reset`), 'accounts');
        expectLimits(await outside(by, other, '50'), 'accounts');
      }
      // Faults are for keys alone.
      const by = onAccount(key, bot.accountId);
      expectLimits(await by.call('POST', `${at}/faults`, fault), 'accounts');
      expectLimits(await by.call('DELETE', `${at}/faults`), 'accounts');
      expectLimits(await by.call('DELETE', `${at}/faults/${set.id}`), 'accounts');
      expect((await mine.call('GET', `${at}/faults`)).json.paperFaults).to.have.length(1);
      const own = `/trade-accounts/${bot.accountId}/paper`;
      expect((await by.call('POST', `${own}/faults`, fault)).status).to.equal(201);
      expect((await by.call('POST', `${own}/reset`)).status).to.equal(200);
    });

    it('order outside within the limits alone, and use them up', async () => {
      const limits = { maxOrderUsd: '100', maxOpenedUsd24h: '250', maxGrossUsd: null };
      for (const holder of Object.values(await holders(limits))) {
        const by = onAccount(holder, bot.accountId);
        expectLimits(await outside(by, bot.accountId, '50000'), 'maxOrderUsd', 'maxOpenedUsd24h');
        expectLimits(await outside(by, bot.accountId, '99'), 'maxOrderUsd');
      }
      const { grant } = await holders(limits);
      const by = onAccount(grant, bot.accountId);
      for (const symbol of ['BTC-PERP', 'ETH-PERP']) {
        const answer = await outside(by, bot.accountId, '90', { symbol });
        expect(answer.status, answer.text).to.equal(200);
      }
      expectLimits(await outside(by, bot.accountId, '90', { symbol: 'SOL-PERP' }), 'maxOpenedUsd24h');
      // A trade outside Tandem belongs to the user as soon as its fill is known.
      await until(gateway.clock, 'the account holds it', async () =>
        (await bot.call('GET', '/positions/unassigned')).text.includes('BTC-PERP'),
      );
      expectLimits(await outside(by, bot.accountId, '20'), 'manage');
    });

    it('trade against nothing of the user', async () => {
      await bot.open([usd('BTC', 'BUY', '300')]);
      const { grant, key } = await holders({ maxOrderUsd: '100' });
      for (const holder of [grant, key]) {
        const by = onAccount(holder, bot.accountId);
        expectLimits(await outside(by, bot.accountId, '50', { side: 'SELL' }), 'manage');
        expectLimits(await outside(by, bot.accountId, '50', { side: 'SELL', reduceOnly: true }), 'manage');
      }
    });
  });
});
