/** Answers of venues to values: no number is rounded on its way, and what is broken is said to be. */
import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import {
  check,
  decimalField,
  idField,
  integerField,
  optional,
  read,
  readJson,
} from '../../../../gateway/venues/live/kit/wire.ts';
import { forAll } from '../../../support/property-runs.ts';
import { unwrap } from '../../../support/unwrap.ts';

const value = (text: string): unknown => {
  return unwrap(readJson(text));
};
/** The same value with every number as text. */
function withTexts(json: unknown): unknown {
  if (typeof json === 'number') return JSON.stringify(json);
  if (Array.isArray(json)) return json.map(withTexts);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, one]) => [name, withTexts(one)]));
}

describe('kit: wire', () => {
  describe('JSON', () => {
    it('numbers are what stands there, beyond what a double holds', () => {
      expect(
        value('{"id":9007199254740993,"px":0.1000000000000000055511151231257827,"n":[-1e-7,0]}'),
      ).to.deep.equal({
        id: '9007199254740993',
        px: '0.1000000000000000055511151231257827',
        n: ['-1e-7', '0'],
      });
    });

    it('texts stay as they are, with digits, quotes and escapes in them', () => {
      const texts = ['1.50', 'a "1" b', '\\', '\\"1', 'é✓😀', '{"a":1}', ''];
      for (const text of texts)
        expect(value(JSON.stringify({ [`k${text}`]: text }))).to.deep.equal({ [`k${text}`]: text });
    });

    it('everything that is JSON reads like that', () =>
      forAll([fc.json({ maxDepth: 4 })], (json) => {
        const spaced = JSON.stringify(JSON.parse(json), null, 1);
        expect(value(spaced)).to.deep.equal(withTexts(JSON.parse(spaced)));
      }));

    it('numbers that are none are texts, which no field of a number takes', () => {
      expect(value('{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN, Infinity"}')).to.deep.equal({
        ...{ a: 'NaN', b: ['-Infinity', 'Infinity'], c: 'NaN, Infinity' },
      });
      expect(readJson('{NaN:1}').ok).to.equal(false);
    });

    const broken = [
      '',
      '{',
      '{"a":1',
      '{1:2}',
      '{"a":01}',
      '{"a":1.}',
      '"abc',
      '{"a":"1}',
      '1 2',
      'NaN',
      '{"a":+1}',
      '[1,]',
    ];
    for (const text of broken)
      it(`${text === '' ? 'nothing' : text} is not JSON`, () => {
        expect(readJson(text)).to.deep.equal({ ok: false, error: { message: 'not JSON' } });
      });

    it('half a million escaped quotes that do not end hold nothing up', () => {
      expect(readJson(`["${'\\"'.repeat(500_000)}`).ok).to.equal(false);
    });

    it('more escapes in a text than can be looked through are an answer that cannot be read', () => {
      expect(readJson(`["${'\\"'.repeat(8_000_000)}"]`).ok).to.equal(false);
    });

    it('what is cut anywhere is never taken for something else', () => {
      const whole = '{"status":"ok","response":{"oid":77738308,"px":"1.5","list":[1,2]}}';
      for (let end = 0; end < whole.length; end += 1)
        expect(readJson(whole.slice(0, end)).ok).to.equal(false);
    });
  });

  describe('fields', () => {
    const decimal = (text: string) => check(decimalField, text);
    const forms: readonly (readonly [string, string])[] = [
      ['1.50', '1.5'],
      ['0.0', '0'],
      ['-0.00', '0'],
      ['15e-1', '1.5'],
      ['1E+3', '1000'],
      ['-0.10', '-0.1'],
      ['00012', '12'],
      ['123456789012345678901234567890.123456789', '123456789012345678901234567890.123456789'],
    ];
    for (const [raw, text] of forms)
      it(`the decimal ${raw} is ${text}`, () => {
        expect(decimal(raw)).to.deep.equal({ ok: true, value: text });
      });
    for (const raw of ['', ' 1', '1 ', '.5', '5.', '1e999', 'Infinity', '0x10', '1,5', '--1'])
      it(`"${raw}" is no decimal`, () => {
        expect(decimal(raw).ok).to.equal(false);
      });

    it('whole numbers are exact or none', () => {
      expect(check(integerField, '1700000000000')).to.deep.equal({ ok: true, value: 1_700_000_000_000 });
      for (const raw of ['1.5', '9007199254740993', '1e3', ''])
        expect(check(integerField, raw).ok).to.equal(false);
    });

    it('ids are kept character by character', () => {
      expect(read(z.object({ id: idField }), '{"id":900719925474099312345}')).to.deep.equal({
        ok: true,
        value: { id: '900719925474099312345' },
      });
    });

    it('what some venues leave out and others write as nothing is null', () => {
      const schema = z.object({ px: optional(decimalField) });
      for (const text of ['{}', '{"px":null}', '{"px":""}'])
        expect(read(schema, text)).to.deep.equal({ ok: true, value: { px: null } });
      expect(read(schema, '{"px":2.0}')).to.deep.equal({ ok: true, value: { px: '2' } });
      expect(read(schema, '{"px":"x"}').ok).to.equal(false);
    });
  });

  it('says which field is not as described, and quotes nothing of the answer', () => {
    const schema = z.object({ list: z.array(z.object({ px: decimalField })) });
    const told = read(schema, '{"list":[{"px":1},{"px":"my-secret"}]}');
    expect(told.ok).to.equal(false);
    if (told.ok) return;
    expect(told.error.message).to.contain('list.1.px');
    expect(told.error.message).not.to.contain('secret');
  });

  it('never throws, whatever the schema does', () => {
    const schema = z.string().transform(() => {
      throw new RangeError('my-secret');
    });
    expect(read(schema, '"x"')).to.deep.equal({
      ok: false,
      error: { message: 'not as described: RangeError' },
    });
  });
});
