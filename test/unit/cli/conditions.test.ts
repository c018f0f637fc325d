/** `--when` and brackets with `--transform`: levels of a z-score or of a spread. */
import { expect } from 'chai';
import { bracketsOf, conditionReader, transformOf } from '../../../gateway/cli/conditions.ts';

const context = (flags: Readonly<Record<string, string>>) => ({
  flags: { texts: new Map(Object.entries(flags)) },
});
const z = { transform: 'Z_SCORE', lookback: 720 } as const;

describe('conditions of the command line', () => {
  it('take a transform with its lookback, 720 hours unless said', () => {
    expect(transformOf(context({}))).to.equal(null);
    expect(transformOf(context({ '--transform': 'zscore' }))).to.deep.equal(z);
    expect(transformOf(context({ '--transform': 'SPREAD', '--lookback': '48' }))).to.deep.equal({
      transform: 'SPREAD',
      lookback: 48,
    });
    for (const wrong of [
      { '--transform': 'log' },
      { '--lookback': '48' },
      { '--transform': 'zscore', '--lookback': '0' },
      { '--transform': 'zscore', '--lookback': '1.5' },
    ])
      expect(() => transformOf(context(wrong as never)), JSON.stringify(wrong)).to.throw();
  });

  it('of a transform may be 0 or below, of the ratio itself not', () => {
    expect(conditionReader('ratio<-2', z)([], {})).to.deep.equal({
      type: 'PRICE_RATIO',
      direction: 'LESS_THAN',
      value: '-2',
      ...z,
    });
    expect(conditionReader('weighted > 0', z)([], {})).to.include({ type: 'WEIGHTED_RATIO', value: '0' });
    expect(() => conditionReader('ratio<-2')).to.throw();
    expect(() => conditionReader('dominance>55', z)).to.throw(/ratio or weighted/);
    expect(() => conditionReader('BTC>55', z)).to.throw(/ratio or weighted/);
  });

  it('reach the brackets of ratios, and no others', () => {
    const asked = bracketsOf(
      context({ '--take-profit': 'ratio=0', '--stop-loss': '5%', '--transform': 'zscore' }),
    );
    expect(asked).to.deep.equal({
      takeProfit: { type: 'PRICE_RATIO', value: '0', ...z },
      stopLoss: { type: 'PERCENTAGE', value: '5' },
    });
  });

  it('a transform that no level has is refused, not left out', () => {
    const of = (flags: Readonly<Record<string, string>>) => () =>
      bracketsOf(context({ ...flags, '--transform': 'zscore' }));
    expect(of({ '--stop-loss': '5%' })).to.throw(/--transform/);
    expect(of({})).to.throw(/--transform/);
    expect(of({ '--stop-loss': '5%', '--when': 'ratio<-2' })).to.not.throw();
  });
});
