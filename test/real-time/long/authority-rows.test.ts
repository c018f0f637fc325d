/**
 * Rows P1 to P9 of the authority table: protection belongs to the user. An agent tries each row on a gateway in a process of
 * its own, over HTTP and over MCP. The variable TANDEM_PROGRAM runs the same rows on another version of the gateway.
 */
import { expect } from 'chai';
import type { Json } from '../../support/json.ts';
import { openForSuite } from '../../support/open-for-tests.ts';
import { removeTemporaryFolders } from '../../support/temporary-folder.ts';
import { usd } from '../../support/trader.ts';
import {
  type AuthorityDesk,
  AuthorityGateway,
  asks,
  type RestCall,
  SURFACES,
  type ToolCall,
} from '../support/authority-desk.ts';
import { until } from '../support/until.ts';

const STOP = { type: 'PERCENTAGE', value: '5' };
const WIDE_STOP = { type: 'PERCENTAGE', value: '90' };
const NEAR_STOP = { type: 'PERCENTAGE', value: '3' };
const STOP_MCP = { stop_loss_metric: 'PERCENTAGE', stop_loss_value: '5' };
const OWN_STOP = { type: 'PERCENTAGE', value: '0.5' };
const OWN_STOP_MCP = { stop_loss_metric: 'PERCENTAGE', stop_loss_value: '0.5' };
const BTC_ABOVE = { type: 'PRICE', symbol: 'BTC-PERP', direction: 'MORE_THAN' };
const FAR = { ...BTC_ABOVE, value: '10000000' };
const whenAbove = (symbol: string, value: string) => ({
  ...{ style: 'when', when_metric: 'PRICE', when_instrument: `${symbol}-PERP` },
  ...{ when_direction: 'MORE_THAN', when_value: value },
});
const SLICES = { durationSeconds: 3_600, intervalSeconds: 600 };
/** Weights are looked at once a minute. */
const REBALANCE_MS = 90_000;
const OWN = { manage: 'OWN', maxOrderUsd: '50' } as const;

/** A change of the position's stop-loss, on both surfaces. */
const bracket = (id: string, stopLoss: object | null, mcp: object): readonly [RestCall, ToolCall] => [
  ['PUT', `/positions/${id}/brackets`, { stopLoss }],
  ['preview_change', { position_id: id, action: 'protect', ...mcp }],
];
const loosenings = (id: string) =>
  [
    bracket(id, null, { remove_stop_loss: true }),
    bracket(id, WIDE_STOP, { stop_loss_metric: 'PERCENTAGE', stop_loss_value: '90' }),
  ] as const;
const tightening = (id: string) =>
  bracket(id, NEAR_STOP, { stop_loss_metric: 'PERCENTAGE', stop_loss_value: '3' });

describe('authority: protection belongs to the user', function () {
  this.timeout(180_000);
  const gateway = openForSuite(() => AuthorityGateway.open());
  after(removeTemporaryFolders);

  const userHolds = (desk: AuthorityDesk, symbol: string, amount: string, over: object = {}) =>
    desk.opened(desk.user(), [usd(symbol, 'BUY', amount)], over);
  const legOf = async (desk: AuthorityDesk, id: string, symbol: string): Promise<Json> =>
    (await desk.position(id)).legs.find((leg: Json) => leg.symbol === `${symbol}-PERP`);

  for (const surface of SURFACES) {
    it(`P1 over ${surface}: cancelling all spares stop, take-profit and closing plans`, async () => {
      const desk = await gateway.desk();
      const agent = desk.agent();
      const takeProfit = { type: 'PERCENTAGE', value: '50' };
      const legs = [usd('BTC', 'BUY', '1000')];
      const id = await desk.opened(agent, legs, { stopLoss: STOP, takeProfit });
      const close = `/positions/${id}/close`;
      const twap = await agent.expect('POST', close, { type: 'TWAP', fraction: '0.5', ...SLICES });
      const trigger = await agent.expect('POST', close, { type: 'TRIGGER', condition: FAR, fraction: '0.1' });
      const opening = await agent.expect('POST', '/triggers/open', { legs, condition: FAR });
      const before = await desk.position(id);
      const asked = await desk.ask(surface, ['POST', '/triggers/cancel-all'], ['cancel', { all_mine: true }]);
      const after = await desk.position(id);
      for (const kind of ['stopLoss', 'takeProfit'])
        expect([after[kind]?.triggerId, after[kind]?.status], `${kind}: ${asked.text}`).to.deep.equal([
          before[kind].triggerId,
          'ACTIVE',
        ]);
      for (const path of [`/schedules/${twap.id}`, `/triggers/${trigger.id}`])
        expect((await desk.bot.expect('GET', path)).status, path).to.equal('ACTIVE');
      expect((await desk.bot.expect('GET', `/triggers/${opening.id}`)).status).to.equal('CANCELLED');
      if (surface === 'MCP') {
        const row = asked.data.rows.find((one: Json) => one.id === before.stopLoss.triggerId);
        expect(row.was).to.include('stop-loss at PERCENTAGE 5');
        expect(row.position_now).to.match(/long [\d.]+ BTC-PERP\. stop-loss at PERCENTAGE 5 \(ACTIVE\)/);
      }
      // Named, it is removed.
      const stop = before.stopLoss.triggerId;
      await desk.ask(surface, ['POST', `/triggers/${stop}/cancel`], ['cancel', { ids: [stop] }]);
      expect(await desk.stop(id)).to.equal(null);
    });

    it(`P2 over ${surface}: less protection waits for the user, and the user is told`, async () => {
      const desk = await gateway.desk(asks('always'));
      const id = await userHolds(desk, 'BTC', '1000', { stopLoss: STOP });
      const stop = await desk.stop(id);
      for (const less of loosenings(id)) {
        const { text } = await desk.ask(surface, ...less);
        expect(await desk.stop(id), text).to.equal(stop);
      }
      const questions = await desk.questions();
      expect(questions.map(({ kind, reasons }) => [kind, reasons])).to.deep.equal([
        ['protect', ['LOOSENS']],
        ['protect', ['LOOSENS']],
      ]);
      const free = await desk.ask(surface, ...tightening(id));
      expect(await desk.stop(id), free.text).to.match(/ 3 ACTIVE$/);
      await desk.rebind(asks('never'));
      const wider = { stop_loss_metric: 'PERCENTAGE', stop_loss_value: '40' };
      const done = await desk.ask(surface, ...bracket(id, { ...STOP, value: '40' }, wider));
      expect(await desk.stop(id), done.text).to.match(/ 40 ACTIVE$/);
      const { notifications } = await desk.user().expect('GET', '/notifications');
      const told = notifications.filter(({ category }: Json) => category === 'PROTECTION_LOOSENED');
      const { auditEntries } = await desk.user().expect('GET', '/audit-log');
      const audited = auditEntries.filter(({ action }: Json) => action === 'protection.loosened');
      expect([told.length, audited.length]).to.deep.equal([1, 1]);
    });

    it(`P3 over ${surface}: suspended, an agent tightens, reduces and closes, nothing else`, async () => {
      const desk = await gateway.desk();
      const id = await userHolds(desk, 'BTC', '1000', { stopLoss: STOP });
      const stop = await desk.stop(id);
      await desk.suspend();
      for (const less of loosenings(id)) {
        const { text } = await desk.ask(surface, ...less);
        expect(await desk.stop(id), text).to.equal(stop);
      }
      const opened = await desk.ask(
        surface,
        ['POST', '/trade/open', { type: 'MARKET', legs: [usd('SOL', 'BUY', '100')] }],
        ['preview_basket', { long: ['SOL-PERP'], long_usd: '100' }],
      );
      expect(opened.isTaken, opened.text).to.equal(false);
      const tighter = await desk.ask(surface, ...tightening(id));
      expect(await desk.stop(id), tighter.text).to.match(/ 3 ACTIVE$/);
      const { quantity } = await legOf(desk, id, 'BTC');
      const path = `/positions/${id}`;
      const reduced = await desk.ask(
        surface,
        ['POST', `${path}/adjust`, { intent: 'REDUCE', fraction: '0.5' }],
        ['preview_change', { position_id: id, action: 'reduce', pct: '50' }],
      );
      const isLess = async () => Number((await legOf(desk, id, 'BTC')).quantity) < Number(quantity);
      await until('it is reduced', isLess);
      const closed = await desk.ask(
        surface,
        ['POST', `${path}/close`, { type: 'MARKET' }],
        ['preview_change', { position_id: id, action: 'close' }],
      );
      expect([reduced.isTaken, closed.isTaken], closed.text).to.deep.equal([true, true]);
      await until('it is closed', async () => (await desk.position(id)).status === 'CLOSED');
    });

    const brought = { brackets: 'REPLACE', stopLoss: OWN_STOP };
    const BROUGHT_MCP = { existing_protection: 'REPLACE', ...OWN_STOP_MCP };
    const small = { legs: [usd('BTC', 'BUY', '12')], ...brought };
    const smallMcp = { long: ['BTC-PERP'], long_usd: '12', ...BROUGHT_MCP };
    const met = { condition: { ...BTC_ABOVE, value: '1' }, allowImmediate: true };
    const metMcp = whenAbove('BTC', '1');
    const inTime = { durationSeconds: 60, intervalSeconds: 60 };
    const inTimeMcp = { style: 'over_time', over_time_seconds: 60, over_time_interval_seconds: 60 };
    const WAYS: Readonly<Record<string, readonly [RestCall, ToolCall]>> = {
      trigger: [
        ['POST', '/triggers/open', { ...small, ...met }],
        ['preview_basket', { ...smallMcp, ...metMcp, allow_immediate: true }],
      ],
      TWAP: [
        ['POST', '/schedules', { ...small, ...inTime }],
        ['preview_basket', { ...smallMcp, ...inTimeMcp }],
      ],
    };
    for (const [way, [rest, mcp]] of Object.entries(WAYS))
      it(`P4 over ${surface}: a small ${way} replaces no stop of the user`, async () => {
        const desk = await gateway.desk(OWN);
        const id = await userHolds(desk, 'BTC', '10000', { stopLoss: STOP });
        const stop = await desk.stop(id);
        const asked = await desk.ask(surface, rest, mcp);
        const changed = async () => {
          const now = await desk.stop(id);
          return now === stop ? null : now;
        };
        expect(await desk.harm(asked, changed), asked.text).to.equal(null);
      });

    it(`P4 over ${surface}: a trigger that fires later replaces no stop of the user`, async () => {
      const desk = await gateway.desk(OWN);
      const symbol = surface === 'REST' ? 'LTC' : 'XRP';
      const mark = async () => {
        const { prices } = await desk.bot.expect('GET', '/prices?connector=paper');
        return Number(prices.find(({ id }: Json) => id === `${symbol}-PERP`).mark);
      };
      const value = ((await mark()) * 1.1).toPrecision(4);
      const condition = { ...BTC_ABOVE, symbol: `${symbol}-PERP`, value };
      const basket = { long: [`${symbol}-PERP`], long_usd: '20', ...BROUGHT_MCP };
      // Nothing is held yet: all of it would be the agent's own.
      const asked = await desk.ask(
        surface,
        ['POST', '/triggers/open', { legs: [usd(symbol, 'BUY', '20')], ...brought, condition }],
        ['preview_basket', { ...basket, ...whenAbove(symbol, value) }],
      );
      expect(asked.isTaken, asked.text).to.equal(true);
      const id = await userHolds(desk, symbol, '10000', { stopLoss: STOP });
      const stop = await desk.stop(id);
      await gateway.venue.shock(`${symbol}-PERP`, 1.2);
      await until('the trigger has been met', async () => {
        const { status } = await desk.bot.expect('GET', `/triggers/${asked.data.id}`);
        return status !== 'ACTIVE' && status !== 'TRIGGERED';
      });
      expect(await desk.stop(id)).to.equal(stop);
    });

    it(`P5 over ${surface}: an addition brings no stop to the user's position`, async () => {
      const desk = await gateway.desk(OWN);
      const id = await userHolds(desk, 'BTC', '10000');
      const asked = await desk.ask(
        surface,
        ['POST', '/trade/open', { type: 'MARKET', legs: [usd('BTC', 'BUY', '24')], stopLoss: OWN_STOP }],
        ['preview_basket', { long: ['BTC-PERP'], long_usd: '24', ...OWN_STOP_MCP }],
      );
      expect(await desk.harm(asked, () => desk.stop(id)), asked.text).to.equal(null);
    });

    it(`P6 over ${surface}: rebalancing that comes with an order sells nothing of the user`, () =>
      // A beta needs 20 hours of candles.
      AuthorityGateway.during({ isEmbedded: true }, async (alone) => {
        const desk = await alone.desk({ manage: 'OWN', maxOrderUsd: '5000' });
        const pair = (amount: string) => [usd('BTC', 'BUY', amount), usd('ETH', 'SELL', amount)];
        const id = await desk.opened(desk.user(), pair('5000'));
        const users = Number((await legOf(desk, id, 'ETH')).quantity);
        const autoRebalance = { mode: 'LIVE_BETA', action: 'TRADE', minimumDrift: '0.005' };
        const basket = { long: ['BTC-PERP'], short: ['ETH-PERP'], long_usd: '12', short_usd: '12' };
        const keep = { keep_weights_mode: 'LIVE_BETA', keep_weights_action: 'TRADE' };
        const asked = await desk.ask(
          surface,
          ['POST', '/trade/open', { type: 'MARKET', legs: pair('12'), autoRebalance }],
          ['preview_basket', { ...basket, ...keep, keep_weights_min_drift_pct: '0.5' }],
        );
        const sold = async () => {
          const { quantity } = await legOf(desk, id, 'ETH');
          return Number(quantity) < users * 0.999 ? `${quantity} of ${users} ETH are left` : null;
        };
        expect(await desk.harm(asked, sold, REBALANCE_MS), asked.text).to.equal(null);
      }));

    it(`P7 over ${surface}: a small holder takes no margin of the user out`, async () => {
      const desk = await gateway.desk(OWN);
      const isolated = { symbol: 'BTC-PERP', leverage: 5, marginMode: 'isolated' };
      await desk.user().expect('PUT', '/leverage', isolated);
      const id = await desk.opened(desk.agent(), [usd('BTC', 'BUY', '12')]);
      await userHolds(desk, 'BTC', '5000');
      await desk.user().expect('POST', `/positions/${id}/margin`, { symbol: 'BTC-PERP', amount: '600' });
      const { liquidationPrice: before } = await legOf(desk, id, 'BTC');
      const asked = await desk.ask(
        surface,
        ['POST', `/positions/${id}/margin`, { symbol: 'BTC-PERP', amount: '-400' }],
        [
          'preview_change',
          { position_id: id, action: 'margin', margin_instrument: 'BTC-PERP', margin_usd: '-400' },
        ],
      );
      const { liquidationPrice: after } = await legOf(desk, id, 'BTC');
      expect(Number(after), asked.text).to.be.closeTo(Number(before), Number(before) * 0.001);
      expect(asked.isTaken, asked.text).to.equal(false);
    });

    it(`P8 over ${surface}: PRICE on a pair is refused, and the right metric is named`, async () => {
      const desk = await gateway.desk();
      const legs = [usd('BTC', 'BUY', '500'), usd('ETH', 'SELL', '500')];
      const basket = { long: ['BTC-PERP'], short: ['ETH-PERP'], long_usd: '500', short_usd: '500' };
      const asked = await desk.ask(
        surface,
        ['POST', '/trade/open', { type: 'MARKET', legs, stopLoss: { type: 'PRICE', value: '1' } }],
        ['preview_basket', { ...basket, stop_loss_metric: 'PRICE', stop_loss_value: '1' }],
      );
      expect(asked.isTaken, asked.text).to.equal(false);
      expect(asked.text).to.include('Use PRICE_RATIO');
      expect(await desk.bot.positions()).to.deep.equal([]);
    });

    it(`P8 over ${surface}: previews and lists say where a stop fires and what it costs`, async () => {
      const desk = await gateway.desk();
      const order = { type: 'MARKET', legs: [usd('BTC', 'BUY', '1000')], stopLoss: STOP };
      await desk.opened(desk.agent(), [usd('SOL', 'BUY', '1000')], { stopLoss: STOP });
      const basket = { long: ['BTC-PERP'], long_usd: '1000', ...STOP_MCP };
      const preview = await desk.ask(
        surface,
        ['POST', '/trade/open', { ...order, dryRun: true }],
        ['preview_basket', basket],
        { isPlaced: false },
      );
      const list = await desk.ask(
        surface,
        ['GET', '/positions?status=OPEN'],
        ['list_positions', { account: desk.accountId }],
      );
      for (const { data } of [preview, { data: list.data.positions[0] }]) {
        const [one] = data.protection ?? [];
        expect(one, 'what protects it').to.include({ kind: 'STOP_LOSS', metric: 'PERCENTAGE' });
        expect(Number(one.firesAt ?? one.fires_at)).to.equal(-5);
        expect(Number(one.resultUsd ?? one.result_usd)).to.be.closeTo(-50, 2);
        expect(Number(one.distancePct ?? one.distance_pct)).to.be.closeTo(5, 1);
      }
    });
  }

  it('P2 over REST: a mandate asks about less protection alone', async () => {
    const desk = await gateway.desk();
    const { approval } = asks('never', { kinds: ['protect'] });
    const { mandate } = await desk.agent().expect('GET', '/agents/me');
    const body = { label: 'asks', scope: 'read_write', mandate: { ...mandate.terms, approval } };
    const made = await desk.user().call('POST', '/api-keys', body);
    expect(made.status, made.text).to.equal(201);
  });

  const WAITING: readonly (readonly [what: string, make: (desk: AuthorityDesk) => Promise<string>])[] = [
    [
      'trigger',
      async (desk) => {
        const body = { legs: [usd('BTC', 'BUY', '100')], condition: FAR };
        return `/triggers/${(await desk.agent().expect('POST', '/triggers/open', body)).id}`;
      },
    ],
    [
      'TWAP',
      async (desk) => {
        const body = { legs: [usd('BTC', 'BUY', '1000')], ...SLICES };
        return `/schedules/${(await desk.agent().expect('POST', '/schedules', body)).id}`;
      },
    ],
    [
      'rebalance',
      async (desk) => {
        const pair = [usd('BTC', 'BUY', '100'), usd('ETH', 'SELL', '100')];
        const path = `/positions/${await desk.opened(desk.agent(), pair)}/auto-rebalance`;
        const terms = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.5' };
        await desk.agent().expect('PUT', path, terms);
        return path;
      },
    ],
  ];
  for (const [what, make] of WAITING)
    it(`P9 over REST: an agent resumes no ${what} of its own that its user paused`, async () => {
      const desk = await gateway.desk();
      const path = await make(desk);
      const status = async () => (await desk.bot.expect('GET', path)).status;
      await desk.user().expect('POST', `${path}/pause`);
      const { text } = await desk.agent().call('POST', `${path}/resume`);
      expect(await status(), text).to.equal('PAUSED');
      await desk.user().expect('POST', `${path}/resume`);
      expect(await status()).to.equal('ACTIVE');
    });

  for (const surface of SURFACES)
    it(`P9 over ${surface}: an agent sets no stop again that its user paused`, async () => {
      const desk = await gateway.desk();
      const id = await desk.opened(desk.agent(), [usd('BTC', 'BUY', '1000')], { stopLoss: STOP });
      const { triggerId } = (await desk.position(id)).stopLoss;
      await desk.user().expect('POST', `/triggers/${triggerId}/pause`);
      const { text } = await desk.ask(surface, ...tightening(id));
      expect(await desk.stop(id), text).to.equal(`${triggerId} 5 PAUSED`);
    });
});
