import { expect } from 'chai';
import { EXECUTION_TRANSITIONS } from '../../../gateway/domain/execution.ts';
import { ORDER_TRANSITIONS } from '../../../gateway/domain/order.ts';
import { POSITION_TRANSITIONS } from '../../../gateway/domain/position.ts';
import { transition } from '../../../gateway/domain/transition.ts';

/** Every legal step, written out from the service's tables; everything else must be refused. */
const LEGAL = {
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
} as const;

const TABLES = {
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
} as const;

describe('transition tables', () => {
  for (const name of ['order', 'execution', 'position'] as const) {
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
