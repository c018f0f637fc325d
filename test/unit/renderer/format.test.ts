/** Figures and times as text: every digit of the gateway's strings, in the reader's locale. */
import { expect } from 'chai';
import {
  formatCompactMoney,
  formatLevel,
  formatMoney,
  formatNumber,
  formatPercent,
  formatRatio,
  formatSpan,
  formatTime,
  shortLevel,
  signOf,
} from '../../../renderer/components/format.ts';

const EN = { locale: 'en-US', zone: 'utc' } as const;

describe('a level', () => {
  it('has a true minus, and the grouping of the locale where it is known', () => {
    expect([shortLevel('-2'), shortLevel('-1234.123456789')]).to.deep.equal(['\u22122', '\u22121234.1235']);
    expect(formatLevel({ locale: 'en-US' }, '-1234.123456789')).to.equal('\u22121,234.1235');
  });
});

describe('figures as text', () => {
  it('keeps digits that a float would lose', () => {
    expect(formatNumber(EN, '12345678901234567890.123456789012345678')).to.equal(
      '12,345,678,901,234,567,890.123456789012345678',
    );
    expect(formatMoney(EN, '9007199254740993.01')).to.equal('$9,007,199,254,740,993.01');
  });

  it('writes money with cents, signs where asked, and a true minus', () => {
    expect(formatMoney(EN, '1234.5')).to.equal('$1,234.50');
    expect(formatMoney(EN, '1234.5', 'always')).to.equal('+$1,234.50');
    expect(formatMoney(EN, '-0.129', 'always')).to.equal('\u2212$0.13');
    expect(formatMoney(EN, '-0.001', 'always')).to.equal('$0.00');
    expect(formatMoney(EN, '0')).to.equal('$0.00');
    expect(formatCompactMoney(EN, '1234567')).to.equal('$1.23M');
  });

  it('writes fractions as percent and ratios in figures', () => {
    expect(formatPercent(EN, '0.0125')).to.equal('1.25\u00a0%');
    expect(formatPercent(EN, '-0.5', 'always')).to.equal('\u221250.00\u00a0%');
    expect(formatRatio(EN, '27.48193022')).to.equal('27.4819');
    expect(formatRatio(EN, '25')).to.equal('25.0000');
  });

  it('speaks the locale', () => {
    expect(formatMoney({ locale: 'de-DE' }, '1234.5').replace('\u00a0', ' ')).to.equal('1.234,50 $');
  });

  it('shows what is no decimal as it is', () => {
    expect(formatMoney(EN, 'n/a')).to.equal('n/a');
    expect(formatNumber(EN, '1e9')).to.equal('1e9');
  });

  it('knows the sign of a decimal of any length', () => {
    expect(
      ['-0.000', '0', '0.00', '-1', '0.000000000000000001', '-0.000000000000000001'].map(signOf),
    ).to.deep.equal([0, 0, 0, -1, 1, -1]);
  });
});

describe('times as text', () => {
  it('are in UTC or local, as asked', () => {
    expect(formatTime(EN, '2026-01-31T23:04:05.000Z', 'datetime'))
      .to.contain('Jan 31, 2026')
      .and.contain('23:04:05');
    expect(formatTime(EN, Date.UTC(2026, 0, 31), 'time')).to.equal('00:00:00');
  });

  it('shorten spans to two units', () => {
    expect([0, 59_999, 60_000, 3_600_000, 3_660_000, 90_000_000, -5].map(formatSpan)).to.deep.equal([
      '0 s',
      '59 s',
      '1 min',
      '1 h',
      '1 h 1 min',
      '1 d 1 h',
      '0 s',
    ]);
  });
});

describe('a level', () => {
  it('is shown as it was set while it is short, else with eight figures', () => {
    for (const [value, shown] of [
      ['-2', '\u22122'],
      ['31.25', '31.25'],
      ['117578.123', '117578.123'],
      ['24.050449148465313192', '24.050449'],
      ['-24.050449148465313192', '\u221224.050449'],
      ['0.000012345678901234', '0.000012345679'],
      ['1234567890.5', '1234567891'],
      ['none', 'none'],
    ] as const)
      expect(shortLevel(value)).to.equal(shown);
  });
});
