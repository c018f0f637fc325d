import { expect } from 'chai';
import { hash32, Random } from '../../../../gateway/venues/paper/market/random.ts';

function moments(count: number, draw: () => number) {
  const values = Array.from({ length: count }, draw);
  const mean = values.reduce((a, b) => a + b, 0) / count;
  const variance = values.reduce((a, b) => a + (b - mean) ** 2, 0) / count;
  const fourth = values.reduce((a, b) => a + (b - mean) ** 4, 0) / count;
  return {
    mean,
    variance,
    kurtosis: fourth / variance ** 2,
    min: Math.min(...values),
    max: Math.max(...values),
  };
}

describe('paper market: seeded randomness', () => {
  it('gives one sequence per seed and stream', () => {
    const draw = (seed: number, stream: number) => {
      const random = new Random(seed, stream);
      return Array.from({ length: 20 }, () => random.word());
    };
    expect(draw(1, 0)).to.deep.equal(draw(1, 0));
    expect(draw(1, 0)).to.not.deep.equal(draw(2, 0));
    expect(draw(1, 0)).to.not.deep.equal(draw(1, 1));
    expect(draw(2 ** 40 + 1, 0)).to.not.deep.equal(draw(1, 0));
  });

  it('is uniform inside (0, 1)', () => {
    const random = new Random(5);
    const { mean, variance, min, max } = moments(50_000, () => random.uniform());
    expect(mean).to.be.closeTo(0.5, 0.005);
    expect(variance).to.be.closeTo(1 / 12, 0.002);
    expect(min).to.be.greaterThan(0);
    expect(max).to.be.lessThan(1);
  });

  it('draws standard normals', () => {
    const random = new Random(6);
    const normal = moments(50_000, () => random.normal());
    expect(normal.mean).to.be.closeTo(0, 0.02);
    expect(normal.variance).to.be.closeTo(1, 0.03);
    expect(normal.kurtosis).to.be.closeTo(3, 0.15);
  });

  it('continues from a saved state, in the middle of a pair of normals too', () => {
    const random = new Random(9);
    random.normal();
    const state = random.state();
    const expected = Array.from({ length: 9 }, () => random.normal());
    const other = new Random(1);
    other.restore(state);
    expect(Array.from({ length: 9 }, () => other.normal())).to.deep.equal(expected);
  });

  it('spreads neighbouring numbers over all bits', () => {
    const buckets = new Array<number>(16).fill(0);
    for (let i = 0; i < 16_000; i += 1) {
      const bucket = hash32(42, i) >>> 28;
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    for (const count of buckets) expect(count).to.be.within(850, 1150);
  });
});
