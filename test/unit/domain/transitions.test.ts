import { expect } from 'chai';
import { APPROVAL_TRANSITIONS } from '../../../gateway/domain/approval.ts';
import { AUTO_REBALANCE_TRANSITIONS } from '../../../gateway/domain/auto-rebalance.ts';
import { EXECUTION_TRANSITIONS } from '../../../gateway/domain/execution.ts';
import { LADDER_TRANSITIONS } from '../../../gateway/domain/ladder.ts';
import { ORDER_TRANSITIONS } from '../../../gateway/domain/order.ts';
import { POSITION_TRANSITIONS } from '../../../gateway/domain/position.ts';
import { SAFETY_TRANSITIONS } from '../../../gateway/domain/safety.ts';
import { SCHEDULE_TRANSITIONS, SLICE_TRANSITIONS } from '../../../gateway/domain/schedule.ts';
import { transition } from '../../../gateway/domain/transition.ts';
import { BRACKET_TRANSITIONS, TRIGGER_TRANSITIONS } from '../../../gateway/domain/trigger.ts';

/** States that no step leaves. */
const ends = <State extends string>(...states: readonly State[]) =>
  Object.fromEntries(states.map((state) => [state, {}])) as {
    readonly [Name in State]: Readonly<Record<string, never>>;
  };

/** Every legal step by state, written out from the service's tables; everything else must be refused. */
const TABLES = {
  approval: {
    table: APPROVAL_TRANSITIONS,
    legal: {
      PENDING: {
        approve: 'APPROVED',
        replan: 'PENDING',
        deny: 'DENIED',
        expire: 'EXPIRED',
        withdraw: 'WITHDRAWN',
      },
      ...ends('APPROVED', 'DENIED', 'EXPIRED', 'WITHDRAWN'),
    },
  },
  order: {
    table: ORDER_TRANSITIONS,
    legal: {
      PENDING: { fill_part: 'PARTIAL', fill_rest: 'FILLED', cancel: 'CANCELLED', reject: 'REJECTED' },
      PARTIAL: { fill_part: 'PARTIAL', fill_rest: 'FILLED', cancel: 'CANCELLED', reject: 'REJECTED' },
      ...ends('FILLED', 'CANCELLED', 'REJECTED'),
    },
  },
  execution: {
    table: EXECUTION_TRANSITIONS,
    legal: {
      IDLE: { activate: 'ACTIVE', fail: 'FAILED', cancel: 'CANCELLED' },
      ACTIVE: { complete: 'COMPLETED', fail: 'FAILED', cancel: 'CANCELLED' },
      ...ends('COMPLETED', 'CANCELLED', 'FAILED'),
    },
  },
  position: {
    table: POSITION_TRANSITIONS,
    legal: {
      OPEN: { change: 'OPEN', flatten: 'CLOSED' },
      ...ends('CLOSED'),
    },
  },
  trigger: {
    table: TRIGGER_TRANSITIONS,
    legal: {
      ACTIVE: { pause: 'PAUSED', fire: 'TRIGGERED', cancel: 'CANCELLED', expire: 'EXPIRED' },
      PAUSED: { pause: 'PAUSED', resume: 'ACTIVE', cancel: 'CANCELLED', expire: 'EXPIRED' },
      TRIGGERED: {
        unwind: 'TRIGGERED',
        complete: 'COMPLETED',
        complete_partly: 'PARTIALLY_COMPLETED',
        fail: 'FAILED',
      },
      ...ends('COMPLETED', 'PARTIALLY_COMPLETED'),
      FAILED: { fill_late: 'PARTIALLY_COMPLETED' },
      ...ends('CANCELLED', 'EXPIRED'),
    },
  },
  bracket: {
    table: BRACKET_TRANSITIONS,
    legal: {
      ACTIVE: { pause: 'PAUSED', fire: 'TRIGGERED', cancel: 'CANCELLED', expire: 'EXPIRED' },
      PAUSED: { pause: 'PAUSED', resume: 'ACTIVE', cancel: 'CANCELLED', expire: 'EXPIRED' },
      TRIGGERED: {
        go_on: 'TRIGGERED',
        try_again: 'TRIGGERED',
        give_way: 'PAUSED',
        complete: 'COMPLETED',
        cancel: 'CANCELLED',
      },
      ...ends('COMPLETED', 'PARTIALLY_COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED'),
    },
  },
  schedule: {
    table: SCHEDULE_TRANSITIONS,
    legal: {
      ACTIVE: {
        pause: 'PAUSED',
        complete: 'COMPLETED',
        complete_partly: 'PARTIALLY_COMPLETED',
        stop_by_bracket: 'STOPPED_BY_BRACKET',
        cancel: 'CANCELLED',
        fail: 'FAILED',
      },
      PAUSED: {
        pause: 'PAUSED',
        resume: 'ACTIVE',
        complete: 'COMPLETED',
        complete_partly: 'PARTIALLY_COMPLETED',
        stop_by_bracket: 'STOPPED_BY_BRACKET',
        cancel: 'CANCELLED',
        fail: 'FAILED',
      },
      ...ends('COMPLETED', 'PARTIALLY_COMPLETED', 'STOPPED_BY_BRACKET', 'CANCELLED', 'FAILED'),
    },
  },
  slice: {
    table: SLICE_TRANSITIONS,
    legal: {
      PENDING: { execute: 'EXECUTING', skip: 'SKIPPED', cancel: 'CANCELLED', fail: 'FAILED' },
      EXECUTING: { unwind: 'EXECUTING', complete: 'COMPLETED', fail: 'FAILED' },
      ...ends('COMPLETED', 'FAILED', 'SKIPPED', 'CANCELLED'),
    },
  },
  ladder: {
    table: LADDER_TRANSITIONS,
    legal: {
      ACTIVE: {
        complete: 'COMPLETED',
        complete_partly: 'PARTIALLY_COMPLETED',
        cancel: 'CANCELLED',
        fail: 'FAILED',
        expire: 'EXPIRED',
      },
      ...ends('COMPLETED', 'PARTIALLY_COMPLETED', 'CANCELLED', 'FAILED', 'EXPIRED'),
    },
  },
  'auto-rebalance': {
    table: AUTO_REBALANCE_TRANSITIONS,
    legal: {
      ACTIVE: { pause: 'PAUSED', end: 'ENDED' },
      PAUSED: { resume: 'ACTIVE', end: 'ENDED' },
      ...ends('ENDED'),
    },
  },
  safety: {
    table: SAFETY_TRANSITIONS,
    legal: {
      RUNNING: { pause: 'PAUSED', panic: 'PANIC' },
      PAUSED: { panic: 'PANIC', resume: 'RUNNING' },
      PANIC: { panic: 'PANIC', resume: 'RUNNING' },
    },
  },
} as const;

describe('transition tables', () => {
  for (const [name, { table, legal }] of Object.entries(TABLES)) {
    const steps: Readonly<Record<string, Readonly<Record<string, string>>>> = legal;
    const events = new Set(Object.values(steps).flatMap(Object.keys));
    it(`${name}: has exactly the states and steps of the service`, () => {
      expect(table).to.deep.equal(legal);
    });
    for (const [state, next] of Object.entries(steps)) {
      for (const event of events) {
        const to = next[event];
        it(`${name}: ${state} + ${event} → ${to ?? 'refused'}`, () => {
          expect(transition<string, string>(table, state, event)).to.deep.equal(
            to === undefined
              ? { ok: false, error: { kind: 'illegal_transition', from: state, event } }
              : { ok: true, value: to },
          );
        });
      }
    }
  }
});
