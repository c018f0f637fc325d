import { expect } from 'chai';
import { causeText } from '../../../renderer/features/fill-note/fill-cause.ts';
import { FILL_COLUMNS, type Fill } from '../../../renderer/screens/history/history-csv.ts';

describe('what a fill was made by', () => {
  it('has a name of its own unless it is a trade', () => {
    expect(causeText('TRADE')).to.equal(null);
    const names = (['INTERNAL', 'CLOSED_OUTSIDE', 'ADJUSTMENT'] as const).map((one) => causeText(one)?.name);
    expect(names).to.deep.equal(['Internal', 'Closed outside Tandem', 'Adjustment']);
  });

  it('is the last column of the file, as the gateway calls it', () => {
    const column = FILL_COLUMNS.at(-1);
    expect([column?.header, column?.value({ cause: 'CLOSED_OUTSIDE' } as Fill)]).to.deep.equal([
      'cause',
      'CLOSED_OUTSIDE',
    ]);
  });
});
