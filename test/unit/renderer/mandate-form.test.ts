/** The form for limits: what it does not show stays, what is not changed stays to the letter. */
import { expect } from 'chai';
import { mandate } from '../../../gateway/contract/mandate.ts';
import { presetMandate } from '../../../gateway/contract/mandate-presets.ts';
import {
  difference,
  draftOf,
  houseDraft,
  houseOf,
  termsOf,
} from '../../../renderer/features/mandate-form/mandate-form.ts';
import { used } from '../../../renderer/screens/agents/agent-words.ts';

const NOW = Date.UTC(2026, 0, 1);
const TERMS = presetMandate('small_and_asked', [{ id: crypto.randomUUID(), mode: 'PAPER' }], NOW - 3_600_000);

describe('the form for limits', () => {
  it('gives back the terms that it began with, the end to the second', () => {
    expect(termsOf(TERMS, draftOf(TERMS, NOW), NOW)).to.deep.equal(TERMS);
  });

  it('takes an empty field as no limit, and leaves what is no number to the schema', () => {
    const draft = draftOf(TERMS, NOW);
    const open = termsOf(TERMS, { ...draft, maxOrderUsd: ' ', lossUsd: '', maxPositions: '', days: '' }, NOW);
    expect(open).to.include({ maxOrderUsd: null, lossStop: null, maxPositions: null, validUntil: null });
    expect(mandate.safeParse(open).success).to.equal(true);
    for (const wrong of [
      { maxPositions: 'four' },
      { maxOrderUsd: '1e3' },
      { days: 'week' },
      { days: '999999999' },
    ]) {
      const read = mandate.safeParse(termsOf(TERMS, { ...draft, ...wrong }, NOW));
      expect(read.error?.issues.map(({ path }) => path.join('.'))).to.have.length(1);
    }
  });

  it('moves the end when other days are typed', () => {
    const { validUntil } = termsOf(TERMS, { ...draftOf(TERMS, NOW), days: '30' }, NOW);
    expect(validUntil).to.equal('2026-01-31T00:00:00.000Z');
  });

  it('asks above an amount only where it is to be asked so', () => {
    const draft = { ...draftOf(TERMS, NOW), when: 'always' as const };
    expect(termsOf(TERMS, draft, NOW).approval).to.include({ when: 'always', aboveUsd: null });
  });

  it('of all agents together, likewise', () => {
    const limits = {
      maxOrderUsd: '10',
      maxOpenedUsd24h: null,
      maxGrossUsd: null,
      maxPositions: 3,
      maxResting: null,
      lossUsd24h: null,
    };
    expect(houseOf(houseDraft(limits))).to.deep.equal(limits);
  });

  it('names what goes and what comes', () => {
    expect(difference(['a', 'b'], ['b', 'c'])).to.deep.equal({ gone: ['a'], added: ['c'] });
  });

  it('counts a profit as no loss', () => {
    const usage = {
      openedUsd24h: '10',
      opened: { filledUsd: '10', reservedUsd: '0', askedUsd: '0' },
      grossUsd: '5',
      gross: { heldUsd: '5', reservedUsd: '0', waitingUsd: '0', askedUsd: '0' },
      lossUsd24h: '-3',
      positions: 1,
      positionsHeld: 1,
      resting: 0,
      restingPlaced: 0,
      ordersLastMinute: 1,
      ordersLastDay: 2,
    };
    const bars = new Map(used(TERMS, usage).map((bar) => [bar.name, [bar.used, bar.most]]));
    expect(bars.get('Lost in 24 hours')).to.deep.equal(['0', '200']);
    expect(bars.get('Counts as opened in 24 hours')).to.deep.equal(['10', '2000']);
    expect(bars.get('Positions')).to.deep.equal(['1', '4']);
  });
});
