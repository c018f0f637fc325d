import { expect } from 'chai';
import { listClosedTrades } from '../../../gateway/contract/history.ts';
import {
  ALL_DAYS,
  lastDays,
  newestWithin,
  placeInSpan,
  spanProblem,
  spanQuery,
} from '../../../renderer/screens/history/date-span.ts';
import { csvName } from '../../../renderer/screens/history/history-csv.ts';

describe('spans of days', () => {
  it('holds both days as a whole', () => {
    const span = { from: '2026-01-02', to: '2026-01-03' };
    expect(placeInSpan('2026-01-01T23:59:59.999Z', span)).to.equal('before');
    expect(placeInSpan('2026-01-02T00:00:00.000Z', span)).to.equal('in');
    expect(placeInSpan('2026-01-03T23:59:59.999Z', span)).to.equal('in');
    expect(placeInSpan('2026-01-04T00:00:00.000Z', span)).to.equal('after');
    expect(placeInSpan('1999-01-01T00:00:00.000Z', ALL_DAYS)).to.equal('in');
  });

  it('refuses what is no span, as the gateway would', () => {
    expect(spanProblem({ from: '2026-02-30', to: '' })).to.equal('Not a day');
    expect(spanProblem({ from: '2026-02-02', to: '2026-02-01' })).to.equal('The first day is after the last');
    const good = { from: '2026-02-01', to: '2026-02-01' };
    expect(spanProblem(good)).to.equal(null);
    expect(listClosedTrades.query?.safeParse(spanQuery(good)).success).to.equal(true);
  });

  it('asks for no row beyond the first that is too old', async () => {
    let taken = 0;
    async function* rows() {
      for (const day of ['05', '04', '03', '02', '01']) {
        taken += 1;
        yield { timestamp: `2026-01-${day}T12:00:00.000Z` };
      }
    }
    const found: string[] = [];
    for await (const { timestamp } of newestWithin(rows(), { from: '2026-01-03', to: '2026-01-04' }))
      found.push(timestamp.slice(8, 10));
    expect(found).to.deep.equal(['04', '03']);
    expect(taken, 'the one of the 2nd ends it').to.equal(4);
  });

  it('counts today as a day', () => {
    const now = Date.parse('2026-03-01T10:00:00Z');
    expect(lastDays(1, now)).to.deep.equal({ from: '2026-03-01', to: '2026-03-01' });
    expect(lastDays(7, now)).to.deep.equal({ from: '2026-02-23', to: '2026-03-01' });
  });

  it('names files after what is in them', () => {
    expect(csvName('fills', ALL_DAYS)).to.equal('tandem-fills-all.csv');
    expect(csvName('trades', { from: '2026-01-01', to: '' })).to.equal(
      'tandem-closed-trades-2026-01-01-to-today.csv',
    );
  });
});
