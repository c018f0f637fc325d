import { expect } from 'chai';
import { type PanicNames, panicWords, resumeName, type Safety } from '../../../renderer/app/panic-text.ts';

type Panic = NonNullable<Safety['panic']>;
type Left = Panic['left'][number];

const ACCOUNT = '11111111-1111-4111-8111-111111111111';
const left = (over: Partial<Left>): Left => ({
  tradeAccountId: ACCOUNT,
  connector: 'paper',
  source: 'BASKET',
  positionId: ACCOUNT,
  symbol: 'BTC-PERP',
  quantity: '0.5',
  reason: 'its close is under way',
  ...over,
});
const panic = (over: Partial<Panic>): Panic => ({
  status: 'CLOSING',
  startedAt: '2026-01-01T10:00:00.000Z',
  finishedAt: null,
  includeOutside: false,
  left: [],
  ...over,
});
const NAMES: PanicNames = { quantity: (value: string) => value, account: () => null };
const words = (over: Partial<Panic>, names = NAMES) =>
  panicWords({ paused: true, panic: panic(over) }, names)?.detail;
const outside = left({ source: 'OUTSIDE', positionId: null, symbol: 'SOL-PERP', quantity: '-3' });

describe('how far a panic is, in words', () => {
  it('is nothing without a panic, after one, and once trading was resumed', () => {
    expect(panicWords({ paused: true, panic: null }, NAMES)).to.equal(null);
    expect(panicWords({ paused: false, panic: panic({ status: 'FLAT' }) }, NAMES)).to.equal(null);
    expect(words({ status: 'ENDED', left: [left({})] })).to.equal(undefined);
  });

  it('says what is left with its side, and why', () => {
    expect(words({})).to.equal('It goes on until nothing is left, or until you accept new orders again.');
    expect(
      words({ left: [left({}), left({ symbol: 'ETH-PERP', quantity: '-2', reason: 'refused' })] }),
    ).to.equal(
      'Still open, and tried again: BTC-PERP long 0.5 (its close is under way); ETH-PERP short 2 (refused).',
    );
    expect(words({ left: Array.from({ length: 5 }, () => left({ reason: 'r' })) })).to.match(
      /; and 2 more\.$/,
    );
  });

  it('names the account where there are several', () => {
    const named = { ...NAMES, account: (id: string) => (id === ACCOUNT ? 'Main' : null) };
    expect(words({ left: [left({})] }, named)).to.contain('BTC-PERP long 0.5 on Main (');
  });

  it('does not promise to close what was traded outside, unless that was asked for', () => {
    const stays = 'Traded outside Tandem and left as it is: SOL-PERP short 3.';
    expect(words({ left: [outside, left({})] })).to.equal(
      `Still open, and tried again: BTC-PERP long 0.5 (its close is under way). ${stays}`,
    );
    expect(words({ left: [outside], includeOutside: true })).to.contain('tried again: SOL-PERP short 3 (');
    expect(words({ status: 'FLAT', left: [outside] })).to.equal(
      `New orders stay paused until you accept them again. ${stays}`,
    );
  });

  it('says that accepting new orders ends what is under way', () => {
    expect(resumeName({ panic: panic({}) })).to.equal('Stop closing, accept new orders again');
    for (const safety of [undefined, { panic: null }, { panic: panic({ status: 'FLAT' }) }])
      expect(resumeName(safety)).to.equal('Accept new orders again');
  });
});
