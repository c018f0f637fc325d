import { expect } from 'chai';
import fc from 'fast-check';
import { csvCell, csvLine, csvText } from '../../../renderer/features/csv/csv-text.ts';
import { forAll } from '../../support/property-runs.ts';

/** Reads RFC 4180 text back, the independent half of the round trip. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === ',') {
      row.push(cell);
      cell = '';
    } else if (char === '\r' && text.charAt(at + 1) === '\n') {
      row.push(cell);
      rows.push(row);
      [row, cell] = [[], ''];
      at += 1;
    } else cell += char;
  }
  return rows;
}

describe('CSV text', () => {
  for (const attack of [
    '=1+1',
    '+cmd|calc',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '  =HYPERLINK("http://x")',
    '＝1+1',
    '%0A=1',
    '|calc',
  ])
    it(`is no formula: ${JSON.stringify(attack)}`, () => {
      const read = readCsv(csvLine([attack]))[0]?.[0] ?? '';
      expect(read).to.equal(`'${attack}`);
    });

  it('leaves numbers numbers, whatever their sign', () => {
    for (const number of ['-12.5', '0', '+3', '100000.000000000000000001'])
      expect(csvCell(number)).to.equal(number);
    expect(csvCell(-4)).to.equal('-4');
  });

  it('writes what is absent as an empty cell', () => {
    expect(csvLine([null, undefined, '', false])).to.equal(',,,false\r\n');
  });

  it('gives back any text that is no formula, whatever is in it', () => {
    const cell = fc.string({ unit: 'binary' }).filter((text) => csvCell(`x${text}`).length > 0);
    forAll([fc.array(cell, { minLength: 1, maxLength: 6 })], (cells) => {
      const safe = cells.map((text) => `x${text}`);
      expect(readCsv(csvLine(safe))).to.deep.equal([safe]);
    });
  });

  it('never lets a cell begin like a formula unless it is a number', () =>
    forAll([fc.string()], (text) => {
      const read = readCsv(csvLine([text]))[0]?.[0] ?? '';
      expect(/^\s*[=+\-@]/.test(read) && !/^[+-]?\d+(\.\d+)?$/.test(read)).to.equal(false);
    }));

  it('takes rows as they come, and counts them', async () => {
    async function* rows() {
      yield { a: '1' };
      yield { a: 'two, three' };
    }
    const counts: number[] = [];
    const { text, count } = await csvText(
      [{ header: 'a', value: (row: { a: string }) => row.a }],
      rows(),
      (n) => counts.push(n),
    );
    expect(text).to.equal('a\r\n1\r\n"two, three"\r\n');
    expect(count).to.equal(2);
    expect(counts).to.deep.equal([1, 2]);
  });
});
