import { expect } from 'chai';
import type { Condition } from '../../../gateway/domain/condition-table.ts';
import {
  agentNotification,
  connectorNotification,
  ladderNotification,
  legImbalanceNotification,
  type NotificationSubject,
  rebalanceNotification,
  scheduleNotification,
  triggerNotification,
  venueNotification,
} from '../../../gateway/domain/notification.ts';
import type { BracketMetric } from '../../../gateway/domain/trigger.ts';
import { bracketTrigger, conditionTrigger } from './resting-records.ts';

const LEGS = [{ id: 'BTC-PERP', symbol: 'BTC', side: 'BUY' }] as const;
const BASKET = { legs: LEGS, tradeAccountId: 'account-1', connector: 'paper' } as const;
const KNOWN = { ...BASKET, positionId: 'position-1', executionId: 'execution-1' };
const SUBJECT: NotificationSubject = KNOWN;

describe('notifications', () => {
  it('of a take-profit say what fired at which level', () => {
    const trigger = bracketTrigger({ executionId: 'execution-1' });
    expect(triggerNotification(trigger, 'executed', LEGS, null, null)).to.deep.equal({
      category: 'TAKE_PROFIT_HIT',
      parameters: {
        ...KNOWN,
        triggerId: 'trigger-1',
        type: 'take_profit',
        metric: 'pnl_pct',
        level: 5,
        direction: trigger.armed?.direction,
        semanticBracketType: 'TAKE_PROFIT',
      },
    });
  });

  it('of a stop-loss give the level as a loss, or where trailing had moved it', () => {
    const trigger = bracketTrigger({ bracketType: 'STOP_LOSS' });
    const failed = triggerNotification(trigger, 'failed', LEGS, null, 'no liquidity');
    expect(failed.category).to.equal('STOP_LOSS_FAILED');
    expect(failed.parameters).to.include({
      type: 'stop_loss',
      level: -5,
      reason: 'no liquidity',
      semanticBracketType: 'STOP_LOSS',
    });
    const trailed = triggerNotification(trigger, 'executed', LEGS, '3.5', null);
    expect(trailed.category).to.equal('STOP_LOSS_HIT');
    expect(trailed.parameters.level).to.equal(3.5);
  });

  it('name the metric of every bracket', () => {
    const metrics: Readonly<Record<BracketMetric, string>> = {
      PERCENTAGE: 'pnl_pct',
      DOLLAR: 'pnl_usd',
      POSITION_VALUE: 'position_value',
      PRICE: 'price',
      PRICE_RATIO: 'price_ratio',
      WEIGHTED_RATIO: 'ratio',
    };
    for (const [type, metric] of Object.entries(metrics) as [BracketMetric, string][]) {
      const trigger = bracketTrigger({
        armed: { bracket: { type, value: '1', trailing: null }, direction: 'MORE_THAN', peak: null },
      });
      expect(triggerNotification(trigger, 'executed', LEGS, null, null).parameters.metric).to.equal(metric);
    }
  });

  it('name the metric of every condition, and how the trigger ended', () => {
    const of = { direction: 'MORE_THAN', value: '2' } as const;
    const market = { source: 'poll', marketKey: 'cup' };
    const conditions: readonly (readonly [Condition, string, object?])[] = [
      [{ ...of, type: 'PRICE', symbol: 'BTC-PERP' }, 'price'],
      [{ ...of, type: 'CROSS_ASSET_PRICE', symbol: 'SOL-PERP' }, 'price'],
      [{ ...of, type: 'PRICE_RATIO' }, 'price_ratio'],
      [{ ...of, type: 'WEIGHTED_RATIO' }, 'ratio'],
      [{ ...of, type: 'BTC_DOM' }, 'btc_dominance'],
      [{ ...of, type: 'PREDICTION_MARKET_OUTCOME', ...market }, 'probability', market],
    ];
    for (const [condition, metric, named] of conditions) {
      const trigger = conditionTrigger({ condition, ladderId: 'ladder-1' });
      expect(triggerNotification(trigger, 'executed', LEGS, null, 'late')).to.deep.equal({
        category: 'TRIGGER_EXECUTED',
        parameters: {
          ...BASKET,
          triggerId: 'trigger-1',
          ladderId: 'ladder-1',
          type: 'trigger',
          metric,
          ...named,
          level: 2,
          direction: 'MORE_THAN',
          reason: 'late',
        },
      });
    }
    const trigger = conditionTrigger();
    expect(triggerNotification(trigger, 'failed', LEGS, null, null).category).to.equal('TRIGGER_FAILED');
    expect(triggerNotification(trigger, 'expired', LEGS, null, null).category).to.equal('TRIGGER_EXPIRED');
    expect(triggerNotification(bracketTrigger(), 'expired', LEGS, null, null).category).to.equal(
      'TRIGGER_EXPIRED',
    );
  });

  it('of a z-score and a spread say over which hours', () => {
    const transform = { transform: 'SPREAD', lookback: 240 } as const;
    const ratio = { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '8' } as const;
    const hit = (condition: Condition) =>
      triggerNotification(conditionTrigger({ condition }), 'executed', LEGS, null, null).parameters;
    expect(hit({ ...ratio, ...transform })).to.include({ metric: 'spread', level: 8, lookback: 240 });
    expect(hit(ratio)).not.to.have.property('lookback');
    const bracket = { type: 'PRICE_RATIO', value: '1.5', trailing: null, ...transform } as const;
    const armed = { ...bracketTrigger().armed, bracket };
    const taken = triggerNotification(bracketTrigger({ armed }), 'executed', LEGS, null, null).parameters;
    expect(taken).to.include({ metric: 'spread', lookback: 240 });
  });

  it('of schedules, ladders and rebalances carry their own ids', () => {
    expect(scheduleNotification('SCHEDULE_COMPLETED', SUBJECT, 'schedule-1', null)).to.deep.equal({
      category: 'SCHEDULE_COMPLETED',
      parameters: { ...KNOWN, type: 'schedule', scheduleId: 'schedule-1' },
    });
    expect(scheduleNotification('SCHEDULE_FAILED', SUBJECT, 'schedule-1', 'no margin').parameters).to.include(
      {
        reason: 'no margin',
      },
    );
    expect(
      ladderNotification({ ...SUBJECT, positionId: null, executionId: null }, 'ladder-1', null),
    ).to.deep.equal({
      category: 'LADDER_COMPLETED',
      parameters: { ...BASKET, type: 'ladder', ladderId: 'ladder-1' },
    });
    expect(rebalanceNotification('REBALANCE_DRIFT', SUBJECT, 'drift 0.1')).to.deep.equal({
      category: 'REBALANCE_DRIFT',
      parameters: { ...KNOWN, type: 'rebalance', reason: 'drift 0.1' },
    });
  });

  it('of what happened without an order of ours say so', () => {
    expect(venueNotification('EXTERNAL_CLOSE', SUBJECT, null)).to.deep.equal({
      category: 'EXTERNAL_CLOSE',
      parameters: { ...KNOWN, type: 'external' },
    });
    expect(venueNotification('POSITION_LIQUIDATED', SUBJECT, 'margin').parameters).to.include({
      type: 'liquidation',
      reason: 'margin',
    });
    expect(legImbalanceNotification(SUBJECT, 'leg 2 was rejected')).to.deep.equal({
      category: 'LEG_IMBALANCE',
      parameters: { ...KNOWN, type: 'leg_imbalance', reason: 'leg 2 was rejected' },
    });
    expect(connectorNotification('CONNECTOR_DEGRADED', 'paper', 'no prices for 30 s')).to.deep.equal({
      category: 'CONNECTOR_DEGRADED',
      parameters: { type: 'connector', connector: 'paper', reason: 'no prices for 30 s' },
    });
    expect(agentNotification('AGENT_REVOKED', 'Desk bot')).to.deep.equal({
      category: 'AGENT_REVOKED',
      parameters: { type: 'agent', reason: 'Desk bot' },
    });
  });
});
