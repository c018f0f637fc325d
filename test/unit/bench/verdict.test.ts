import { expect } from 'chai';
import { judge, ratioMeasure, valueMeasure } from '../../bench/verdict.ts';

const AT_LEAST = { bound: 'at least', value: 0.8 } as const;
const AT_MOST = { bound: 'at most', value: 25 } as const;

describe('bench: verdict', () => {
  it('passes and fails at the goal itself in both directions', () => {
    expect(judge(AT_LEAST, 0.8, 0.1)).to.equal('PASS');
    expect(judge(AT_LEAST, 0.79, 0.1)).to.equal('FAIL');
    expect(judge(AT_MOST, 25, null)).to.equal('PASS');
    expect(judge(AT_MOST, 25.1, null)).to.equal('FAIL');
  });

  it('calls nothing passed or failed on a noisy machine', () => {
    expect(judge(AT_LEAST, 0.95, 0.31)).to.equal('NOISY');
    expect(judge(AT_LEAST, 0.1, 0.31)).to.equal('NOISY');
    expect(judge(AT_LEAST, 0.95, 0.3)).to.equal('PASS');
  });

  it('has no verdict without a goal', () => {
    expect(judge(null, 0.1, 0.9)).to.equal('INFO');
  });

  it('judges a ratio by the median of its rounds and the noise of its base', () => {
    const about = { name: 'n', about: 'a', goal: AT_LEAST, figures: {} };
    const quiet = ratioMeasure(about, [100, 100, 100], [90, 20, 85]);
    expect(quiet.value).to.equal(0.85);
    expect(quiet.verdict).to.equal('PASS');
    expect(quiet.ratio).to.deep.equal({ median: 0.85, lowest: 0.2, highest: 0.9 });
    const noisy = ratioMeasure(about, [100, 180, 90], [90, 162, 81]);
    expect(noisy.value).to.equal(0.9);
    expect(noisy.verdict).to.equal('NOISY');
  });

  it('calls a latency noisy where the machine alone would have eaten the goal', () => {
    const about = { name: 'n', about: 'a', unit: 'ms', goal: AT_MOST, figures: {} };
    expect(valueMeasure(about, 40, 2).verdict).to.equal('FAIL');
    expect(valueMeasure(about, 40, 12).verdict).to.equal('NOISY');
    expect(valueMeasure(about, 20, 2).verdict).to.equal('PASS');
  });

  it('judges a value that has no number as missed', () => {
    const about = { name: 'n', about: 'a', unit: 'ms', goal: AT_MOST, figures: {} };
    expect(valueMeasure(about, Number.NaN).verdict).to.equal('FAIL');
  });
});
