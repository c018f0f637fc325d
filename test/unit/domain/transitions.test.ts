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
const ends = (...states: readonly string[]) => Object.fromEntries(states.map((state) => [state, {}]));

const WAITING = {
  ACTIVE: { pause: 'PAUSED', fire: 'TRIGGERED', cancel: 'CANCELLED', expire: 'EXPIRED' },
  PAUSED: { pause: 'PAUSED', resume: 'ACTIVE', cancel: 'CANCELLED', expire: 'EXPIRED' },
};
const FILLING = { fill_part: 'PARTIAL', fill_rest: 'FILLED', cancel: 'CANCELLED', reject: 'REJECTED' };
const ENDING_SCHEDULE = {
  pause: 'PAUSED',
  complete: 'COMPLETED',
  complete_partly: 'PARTIALLY_COMPLETED',
  stop_by_bracket: 'STOPPED_BY_BRACKET',
  cancel: 'CANCELLED',
  fail: 'FAILED',
};

const TABLES = {
  approval: APPROVAL_TRANSITIONS,
  order: ORDER_TRANSITIONS,
  execution: EXECUTION_TRANSITIONS,
  position: POSITION_TRANSITIONS,
  trigger: TRIGGER_TRANSITIONS,
  bracket: BRACKET_TRANSITIONS,
  schedule: SCHEDULE_TRANSITIONS,
  slice: SLICE_TRANSITIONS,
  ladder: LADDER_TRANSITIONS,
  'auto-rebalance': AUTO_REBALANCE_TRANSITIONS,
  safety: SAFETY_TRANSITIONS,
};

/** Every legal step by state, written out from the service's tables; everything else must be refused. */
const LEGAL: Readonly<
  Record<keyof typeof TABLES, Readonly<Record<string, Readonly<Record<string, string>>>>>
> = {
  approval: {
    PENDING: {
      approve: 'APPROVED',
      replan: 'PENDING',
      deny: 'DENIED',
      expire: 'EXPIRED',
      withdraw: 'WITHDRAWN',
    },
    ...ends('APPROVED', 'DENIED', 'EXPIRED', 'WITHDRAWN'),
  },
  order: {
    PENDING: FILLING,
    PARTIAL: FILLING,
    ...ends('FILLED', 'CANCELLED', 'REJECTED'),
  },
  execution: {
    IDLE: { activate: 'ACTIVE', fail: 'FAILED', cancel: 'CANCELLED' },
    ACTIVE: { complete: 'COMPLETED', fail: 'FAILED', cancel: 'CANCELLED' },
    ...ends('COMPLETED', 'CANCELLED', 'FAILED'),
  },
  position: {
    OPEN: { change: 'OPEN', flatten: 'CLOSED' },
    ...ends('CLOSED'),
  },
  trigger: {
    ...WAITING,
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
  bracket: {
    ...WAITING,
    TRIGGERED: {
      go_on: 'TRIGGERED',
      try_again: 'TRIGGERED',
      give_way: 'PAUSED',
      complete: 'COMPLETED',
      cancel: 'CANCELLED',
    },
    ...ends('COMPLETED', 'PARTIALLY_COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED'),
  },
  schedule: {
    ACTIVE: ENDING_SCHEDULE,
    PAUSED: { ...ENDING_SCHEDULE, resume: 'ACTIVE' },
    ...ends('COMPLETED', 'PARTIALLY_COMPLETED', 'STOPPED_BY_BRACKET', 'CANCELLED', 'FAILED'),
  },
  slice: {
    PENDING: { execute: 'EXECUTING', skip: 'SKIPPED', cancel: 'CANCELLED', fail: 'FAILED' },
    EXECUTING: { unwind: 'EXECUTING', complete: 'COMPLETED', fail: 'FAILED' },
    ...ends('COMPLETED', 'FAILED', 'SKIPPED', 'CANCELLED'),
  },
  ladder: {
    ACTIVE: {
      complete: 'COMPLETED',
      complete_partly: 'PARTIALLY_COMPLETED',
      cancel: 'CANCELLED',
      fail: 'FAILED',
      expire: 'EXPIRED',
    },
    ...ends('COMPLETED', 'PARTIALLY_COMPLETED', 'CANCELLED', 'FAILED', 'EXPIRED'),
  },
  'auto-rebalance': {
    ACTIVE: { pause: 'PAUSED', end: 'ENDED' },
    PAUSED: { resume: 'ACTIVE', end: 'ENDED' },
    ...ends('ENDED'),
  },
  safety: {
    RUNNING: { pause: 'PAUSED', panic: 'PANIC' },
    PAUSED: { panic: 'PANIC', resume: 'RUNNING' },
    PANIC: { panic: 'PANIC', resume: 'RUNNING' },
  },
};

describe('transition tables', () => {
  for (const [name, table] of Object.entries(TABLES)) {
    const legal = LEGAL[name as keyof typeof TABLES];
    const events = new Set(Object.values(legal).flatMap(Object.keys));
    it(`${name}: has exactly the states and steps of the service`, () => {
      expect(table).to.deep.equal(legal);
    });
    for (const [state, next] of Object.entries(legal)) {
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
