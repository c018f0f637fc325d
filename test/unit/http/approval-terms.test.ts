import { expect } from 'chai';
import { termsOf } from '../../../gateway/http/present/approval-terms.ts';

const said = (body: Parameters<typeof termsOf>[0]['body']) =>
  termsOf({ route: 'POST /trade/open', params: {}, body }).map(({ name, value }) => `${name}: ${value}`);

describe('terms of what waits for approval', () => {
  it('are words, percent and times instead of the body’s own', () => {
    const body = { type: 'TWAP', slippage: '0.005', onLegFailure: 'UNWIND', brackets: 'REPLACE' };
    const times = { durationSeconds: 5_400, intervalSeconds: 61, randomize: true };
    expect(said({ ...body, ...times, missedSlicePolicy: 'SKIP' })).to.deep.equal([
      'Order type: TWAP',
      'Slippage, at most: 0.5 %',
      'If a leg fails: What filled is closed again',
      'Existing take-profit, stop-loss: Are replaced',
      'Over: 1 h 30 min',
      'A slice every: 1 min 1 s',
      'Slices at random times: yes',
      'Slices that were missed: Are left out',
    ]);
  });

  it('show every field, also one that has no words here', () => {
    const strange = { type: 'NEW', what: { ever: ['A', 1], not: null }, slippage: 'much', fraction: '0.5' };
    expect(said(strange)).to.deep.equal([
      'Order type: NEW',
      'what: ever A, 1',
      'Slippage, at most: much',
      'Part of the position: 50 %',
    ]);
  });

  it('name what the request is about, and leave the legs to their figures', () => {
    const route = 'POST /positions/{id}/close';
    expect(termsOf({ route, params: { id: 'p1' }, body: { legs: [], dryRun: false } })).to.deep.equal([
      { name: 'Position', value: 'p1' },
    ]);
  });
});
