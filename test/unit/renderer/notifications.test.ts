/** Texts of notifications, their links, and those that leave the page. */
import { expect } from 'chai';
import { notificationCategory } from '../../../gateway/contract/notifications.ts';
import {
  CATEGORY_GROUPS,
  legsOf,
  notificationHref,
  notificationText,
  weightOf,
} from '../../../renderer/features/notification-text/notification-text.ts';
import {
  EVERY_CATEGORY,
  readOsPreference,
  withCategory,
} from '../../../renderer/features/os-notifications/os-preference.ts';

const ID = '018f0000-0000-7000-8000-000000000000';
const legs = [
  { id: 'BTC-PERP', symbol: 'BTC', side: 'BUY' as const },
  { id: 'xyz:GOLD', symbol: 'GOLD', side: 'SELL' as const },
];
const number = (value: number) => String(value);

describe('text of a notification', () => {
  it('names the basket, the level and the reason', () => {
    const hit = {
      category: 'STOP_LOSS_HIT' as const,
      parameters: { legs, metric: 'pnl_pct' as const, level: -5, positionId: ID },
    };
    expect(notificationText(hit, number)).to.deep.equal({
      title: 'Stop-loss hit',
      subject: 'BTC / GOLD',
      detail: 'PnL reached -5 %',
    });
    const failed = {
      category: 'TRIGGER_FAILED' as const,
      parameters: { legs, metric: 'price_ratio' as const, level: 25.5, reason: 'not enough margin' },
    };
    expect(notificationText(failed, number).detail).to.equal('Price ratio 25.5 · not enough margin');
    const expired = {
      ...failed,
      category: 'TRIGGER_EXPIRED' as const,
      parameters: { ...failed.parameters, reason: '' },
    };
    expect(notificationText(expired, number).detail).to.equal('Waited for price ratio 25.5');
    // Since a notification says on which side of the level it fires, so does its text.
    const above = { ...failed.parameters, direction: 'MORE_THAN' as const };
    expect(notificationText({ ...failed, parameters: above }, number).detail).to.equal(
      'Price ratio above 25.5 · not enough margin',
    );
    const below = { ...hit.parameters, direction: 'LESS_THAN' as const };
    expect(notificationText({ ...hit, parameters: below }, number).detail).to.equal('PnL below -5 %');
    const waited = { ...expired, parameters: { ...above, reason: '' } };
    expect(notificationText(waited, number).detail).to.equal('Waited for price ratio above 25.5');
  });

  it('says why an agent was paused where a sentence has room', () => {
    const reason = 'My bot: It was refused 10 times within an hour';
    const paused = { category: 'AGENT_SUSPENDED' as const, parameters: { type: 'agent', reason } };
    expect(notificationText(paused, number)).to.deep.equal({
      title: 'Agent paused',
      subject: '',
      detail: reason,
    });
  });

  it('names the agent or the venue where there is no basket', () => {
    const agent = { category: 'AGENT_CONNECTED' as const, parameters: { type: 'agent', reason: 'My bot' } };
    expect(notificationText(agent, number)).to.deep.equal({
      title: 'Agent connected',
      subject: 'My bot',
      detail: '',
    });
    const venue = {
      category: 'CONNECTOR_DEGRADED' as const,
      parameters: { connector: 'paper', reason: 'DOWN: x' },
    };
    expect(notificationText(venue, number)).to.include({ subject: 'paper', detail: 'DOWN: x' });
    const alert = {
      category: 'ALERT_HIT' as const,
      parameters: {
        ...({ alertId: 'one', metric: 'probability', direction: 'MORE_THAN', level: 60 } as const),
        ...{ source: 'polymarket', marketKey: 'rates-in-march' },
      } as const,
    };
    expect(notificationText(alert, number).subject).to.equal('polymarket/rates-in-march');
    const legs = [
      { id: 'BTC-PERP', symbol: 'BTC', side: 'BUY' as const },
      { id: 'ETH-PERP', symbol: 'ETH', side: 'SELL' as const },
    ];
    const level = { alertId: 'one', direction: 'MORE_THAN', level: 60, legs } as const;
    for (const metric of ['price', 'btc_dominance', 'probability', 'price_ratio'] as const)
      expect(legsOf({ ...level, metric }), metric).to.have.length(metric === 'price_ratio' ? 2 : 0);
  });

  it('has a title, a group and a tone for every category of the contract', () => {
    const grouped = CATEGORY_GROUPS.flatMap(({ categories }) => categories);
    expect([...grouped].sort()).to.deep.equal([...notificationCategory.options].sort());
    for (const category of notificationCategory.options) {
      expect(notificationText({ category, parameters: {} }, number).title).to.match(/^[A-Z][a-zA-Z -]+$/);
      if (category.endsWith('_FAILED')) expect(weightOf(category)).to.equal('attention');
    }
  });

  it('warns of a liquidation: of the basket, or of what is held outside Tandem', () => {
    const reason = 'SOL: price 8.4 % from liquidation. Add margin or reduce';
    const legs = [{ id: 'SOL-PERP', symbol: 'SOL', side: 'BUY' as const }];
    const instrument = { id: 'SOL-PERP', symbol: 'SOL' };
    const near = {
      category: 'LIQUIDATION_NEAR' as const,
      parameters: { legs, instrument, distance: '0.084', reason },
    };
    expect(notificationText(near, number)).to.include({ title: 'Liquidation is near', detail: reason });
    expect(notificationText(near, number).subject).to.include('SOL');
    expect(weightOf('LIQUIDATION_NEAR')).to.equal('attention');
    expect(notificationHref(near)).to.equal('/positions/past-tandem');
    const ofBasket = { ...near, parameters: { ...near.parameters, positionId: ID } };
    expect(notificationHref(ofBasket)).to.equal(`/positions/${ID}`);
  });

  it('leads to what it is about', () => {
    const href = (category: 'TRIGGER_EXPIRED' | 'AGENT_REVOKED', parameters: object) =>
      notificationHref({ category, parameters });
    expect(href('TRIGGER_EXPIRED', { positionId: ID, triggerId: ID })).to.equal(`/positions/${ID}`);
    expect(href('TRIGGER_EXPIRED', { triggerId: ID })).to.equal('/orders/triggers');
    expect(href('TRIGGER_EXPIRED', { triggerId: ID, ladderId: ID })).to.equal('/orders/ladders');
    expect(
      notificationHref({ category: 'CREDENTIALS_REFUSED', parameters: { connector: 'paper' } }),
    ).to.equal('/accounts');
    expect(href('AGENT_REVOKED', {})).to.equal('/agents');
    expect(href('TRIGGER_EXPIRED', {})).to.equal(null);
  });
});

describe('notifications outside the page', () => {
  it('are off until they are asked for, with what matters chosen', () => {
    const first = readOsPreference(null);
    expect(first.isOn).to.equal(false);
    expect(first.categories).to.include.members([
      'STOP_LOSS_HIT',
      'SCHEDULE_FAILED',
      'LIQUIDATION_NEAR',
      'POSITION_LIQUIDATED',
    ]);
    expect(first.categories).to.include.members(['APPROVAL_NEEDED', 'PANIC_INCOMPLETE']);
    expect(first.categories).to.not.include('AGENT_CONNECTED');
  });

  it('survive what is not theirs in the storage', () => {
    for (const text of ['', 'null', '7', '{', '{"isOn":1,"categories":4}'])
      expect(readOsPreference(text), text).to.deep.equal(readOsPreference(null));
    const chosenAmong = [...EVERY_CATEGORY, 'GONE'];
    const kept = { isOn: true, categories: ['STOP_LOSS_HIT', 'GONE'], chosenAmong };
    expect(readOsPreference(JSON.stringify(kept))).to.deep.include({
      isOn: true,
      categories: ['STOP_LOSS_HIT'],
    });
  });

  it('have the default of a category that could not be chosen yet', () => {
    const chosenAmong = EVERY_CATEGORY.filter((one) => one !== 'ALERT_HIT' && one !== 'AGENT_CONNECTED');
    const kept = { isOn: true, categories: ['LADDER_COMPLETED'], chosenAmong };
    expect(readOsPreference(JSON.stringify(kept)).categories).to.have.members([
      'LADDER_COMPLETED',
      'ALERT_HIT',
    ]);
    const before = JSON.stringify({ isOn: true, categories: ['LADDER_COMPLETED'] });
    expect(readOsPreference(before).categories).to.include('ALERT_HIT').and.not.include('STOP_LOSS_HIT');
  });

  it('are chosen one by one', () => {
    const none = { isOn: true, categories: [] };
    expect(withCategory(none, 'LADDER_COMPLETED', true)).to.deep.equal(['LADDER_COMPLETED']);
    const all = { isOn: true, categories: EVERY_CATEGORY };
    expect(withCategory(all, 'LADDER_COMPLETED', false)).to.have.length(EVERY_CATEGORY.length - 1);
  });
});
