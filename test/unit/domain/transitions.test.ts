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

/** Every legal step, written out from the service's tables; everything else must be refused. */
const LEGAL = {
  approval: [
    ['PENDING', 'approve', 'APPROVED'],
    ['PENDING', 'replan', 'PENDING'],
    ['PENDING', 'deny', 'DENIED'],
    ['PENDING', 'expire', 'EXPIRED'],
    ['PENDING', 'withdraw', 'WITHDRAWN'],
  ],
  order: [
    ['PENDING', 'fill_part', 'PARTIAL'],
    ['PENDING', 'fill_rest', 'FILLED'],
    ['PENDING', 'cancel', 'CANCELLED'],
    ['PENDING', 'reject', 'REJECTED'],
    ['PARTIAL', 'fill_part', 'PARTIAL'],
    ['PARTIAL', 'fill_rest', 'FILLED'],
    ['PARTIAL', 'cancel', 'CANCELLED'],
    ['PARTIAL', 'reject', 'REJECTED'],
  ],
  execution: [
    ['IDLE', 'activate', 'ACTIVE'],
    ['IDLE', 'fail', 'FAILED'],
    ['IDLE', 'cancel', 'CANCELLED'],
    ['ACTIVE', 'complete', 'COMPLETED'],
    ['ACTIVE', 'fail', 'FAILED'],
    ['ACTIVE', 'cancel', 'CANCELLED'],
  ],
  position: [
    ['OPEN', 'change', 'OPEN'],
    ['OPEN', 'flatten', 'CLOSED'],
  ],
  trigger: [
    ['ACTIVE', 'pause', 'PAUSED'],
    ['ACTIVE', 'fire', 'TRIGGERED'],
    ['ACTIVE', 'cancel', 'CANCELLED'],
    ['ACTIVE', 'expire', 'EXPIRED'],
    ['PAUSED', 'pause', 'PAUSED'],
    ['PAUSED', 'resume', 'ACTIVE'],
    ['PAUSED', 'cancel', 'CANCELLED'],
    ['PAUSED', 'expire', 'EXPIRED'],
    ['TRIGGERED', 'unwind', 'TRIGGERED'],
    ['TRIGGERED', 'complete', 'COMPLETED'],
    ['TRIGGERED', 'complete_partly', 'PARTIALLY_COMPLETED'],
    ['TRIGGERED', 'fail', 'FAILED'],
    ['FAILED', 'fill_late', 'PARTIALLY_COMPLETED'],
  ],
  bracket: [
    ['ACTIVE', 'pause', 'PAUSED'],
    ['ACTIVE', 'fire', 'TRIGGERED'],
    ['ACTIVE', 'cancel', 'CANCELLED'],
    ['ACTIVE', 'expire', 'EXPIRED'],
    ['PAUSED', 'pause', 'PAUSED'],
    ['PAUSED', 'resume', 'ACTIVE'],
    ['PAUSED', 'cancel', 'CANCELLED'],
    ['PAUSED', 'expire', 'EXPIRED'],
    ['TRIGGERED', 'go_on', 'TRIGGERED'],
    ['TRIGGERED', 'try_again', 'TRIGGERED'],
    ['TRIGGERED', 'give_way', 'PAUSED'],
    ['TRIGGERED', 'complete', 'COMPLETED'],
    ['TRIGGERED', 'cancel', 'CANCELLED'],
  ],
  schedule: [
    ['ACTIVE', 'pause', 'PAUSED'],
    ['ACTIVE', 'complete', 'COMPLETED'],
    ['ACTIVE', 'complete_partly', 'PARTIALLY_COMPLETED'],
    ['ACTIVE', 'stop_by_bracket', 'STOPPED_BY_BRACKET'],
    ['ACTIVE', 'cancel', 'CANCELLED'],
    ['ACTIVE', 'fail', 'FAILED'],
    ['PAUSED', 'pause', 'PAUSED'],
    ['PAUSED', 'resume', 'ACTIVE'],
    ['PAUSED', 'complete', 'COMPLETED'],
    ['PAUSED', 'complete_partly', 'PARTIALLY_COMPLETED'],
    ['PAUSED', 'stop_by_bracket', 'STOPPED_BY_BRACKET'],
    ['PAUSED', 'cancel', 'CANCELLED'],
    ['PAUSED', 'fail', 'FAILED'],
  ],
  slice: [
    ['PENDING', 'execute', 'EXECUTING'],
    ['PENDING', 'skip', 'SKIPPED'],
    ['PENDING', 'cancel', 'CANCELLED'],
    ['PENDING', 'fail', 'FAILED'],
    ['EXECUTING', 'unwind', 'EXECUTING'],
    ['EXECUTING', 'complete', 'COMPLETED'],
    ['EXECUTING', 'fail', 'FAILED'],
  ],
  ladder: [
    ['ACTIVE', 'complete', 'COMPLETED'],
    ['ACTIVE', 'complete_partly', 'PARTIALLY_COMPLETED'],
    ['ACTIVE', 'cancel', 'CANCELLED'],
    ['ACTIVE', 'fail', 'FAILED'],
    ['ACTIVE', 'expire', 'EXPIRED'],
  ],
  'auto-rebalance': [
    ['ACTIVE', 'pause', 'PAUSED'],
    ['ACTIVE', 'end', 'ENDED'],
    ['PAUSED', 'resume', 'ACTIVE'],
    ['PAUSED', 'end', 'ENDED'],
  ],
  safety: [
    ['RUNNING', 'pause', 'PAUSED'],
    ['RUNNING', 'panic', 'PANIC'],
    ['PAUSED', 'panic', 'PANIC'],
    ['PAUSED', 'resume', 'RUNNING'],
    ['PANIC', 'panic', 'PANIC'],
    ['PANIC', 'resume', 'RUNNING'],
  ],
} as const;

const TRIGGER_STATES = [
  'ACTIVE',
  'PAUSED',
  'TRIGGERED',
  'COMPLETED',
  'PARTIALLY_COMPLETED',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
] as const;

const TABLES = {
  approval: {
    table: APPROVAL_TRANSITIONS,
    states: ['PENDING', 'APPROVED', 'DENIED', 'EXPIRED', 'WITHDRAWN'],
    events: ['approve', 'replan', 'deny', 'expire', 'withdraw'],
  },
  order: {
    table: ORDER_TRANSITIONS,
    states: ['PENDING', 'PARTIAL', 'FILLED', 'CANCELLED', 'REJECTED'],
    events: ['fill_part', 'fill_rest', 'cancel', 'reject'],
  },
  execution: {
    table: EXECUTION_TRANSITIONS,
    states: ['IDLE', 'ACTIVE', 'COMPLETED', 'CANCELLED', 'FAILED'],
    events: ['activate', 'complete', 'fail', 'cancel'],
  },
  position: { table: POSITION_TRANSITIONS, states: ['OPEN', 'CLOSED'], events: ['change', 'flatten'] },
  trigger: {
    table: TRIGGER_TRANSITIONS,
    states: TRIGGER_STATES,
    events: ['pause', 'resume', 'fire', 'unwind', 'complete', 'complete_partly', 'fail', 'cancel', 'expire'],
  },
  bracket: {
    table: BRACKET_TRANSITIONS,
    states: TRIGGER_STATES,
    events: [
      'pause',
      'resume',
      'fire',
      'go_on',
      'try_again',
      'give_way',
      'complete',
      'fail',
      'cancel',
      'expire',
    ],
  },
  schedule: {
    table: SCHEDULE_TRANSITIONS,
    states: [
      'ACTIVE',
      'PAUSED',
      'COMPLETED',
      'PARTIALLY_COMPLETED',
      'STOPPED_BY_BRACKET',
      'CANCELLED',
      'FAILED',
    ],
    events: ['pause', 'resume', 'complete', 'complete_partly', 'stop_by_bracket', 'cancel', 'fail'],
  },
  slice: {
    table: SLICE_TRANSITIONS,
    states: ['PENDING', 'EXECUTING', 'COMPLETED', 'FAILED', 'SKIPPED', 'CANCELLED'],
    events: ['execute', 'unwind', 'complete', 'fail', 'skip', 'cancel'],
  },
  ladder: {
    table: LADDER_TRANSITIONS,
    states: ['ACTIVE', 'COMPLETED', 'PARTIALLY_COMPLETED', 'CANCELLED', 'FAILED', 'EXPIRED'],
    events: ['complete', 'complete_partly', 'cancel', 'fail', 'expire'],
  },
  'auto-rebalance': {
    table: AUTO_REBALANCE_TRANSITIONS,
    states: ['ACTIVE', 'PAUSED', 'ENDED'],
    events: ['pause', 'resume', 'end'],
  },
  safety: {
    table: SAFETY_TRANSITIONS,
    states: ['RUNNING', 'PAUSED', 'PANIC'],
    events: ['pause', 'panic', 'resume'],
  },
} as const;

describe('transition tables', () => {
  for (const name of [
    'order',
    'execution',
    'position',
    'trigger',
    'bracket',
    'schedule',
    'slice',
    'ladder',
    'auto-rebalance',
    'safety',
  ] as const) {
    const { table, states, events } = TABLES[name];
    const rows: ReadonlyArray<readonly [string, string, string]> = LEGAL[name];
    it(`${name}: has exactly the states of the service`, () => {
      expect(Object.keys(table)).to.have.members([...states]);
    });
    for (const state of states) {
      for (const event of events) {
        const legal = rows.find(([from, by]) => from === state && by === event);
        it(`${name}: ${state} + ${event} → ${legal?.[2] ?? 'refused'}`, () => {
          const result = transition<string, string>(table, state, event);
          expect(result).to.deep.equal(
            legal === undefined
              ? { ok: false, error: { kind: 'illegal_transition', from: state, event } }
              : { ok: true, value: legal[2] },
          );
        });
      }
    }
  }
});
