/** Requested and ended executions of a holder, against plain lists of them, while days and minutes pass. */
import { expect } from 'chai';
import fc from 'fast-check';
import { dec, sum, text } from '../../../gateway/domain/decimal.ts';
import { scaled, scaledText } from '../../../gateway/domain/scaled.ts';
import { Asking } from '../../../gateway/engine/core/asking.ts';
import { EndedExecutions } from '../../../gateway/engine/core/ended-executions.ts';
import { forAll, propertyRuns } from '../../support/property-runs.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const usd = fc.oneof(
  fc.nat(99_999).map((cents) => text(dec(cents).div(100))),
  fc.bigInt({ min: 2n ** 60n, max: 2n ** 70n }).map((whole) => `${whole}.000000000000000001`),
);
const pause = fc.oneof(fc.nat(3), fc.constantFrom(MINUTE_MS, DAY_MS / 2, DAY_MS), fc.nat(DAY_MS));

describe('executions of a holder that have ended', () => {
  it('sum up those of the last day, also after one has filled late', () => {
    const step = fc.record({
      pause,
      usd,
      late: fc.option(fc.nat(8), { freq: 3 }),
      most: fc.constantFrom(1, 1_100),
    });
    forAll([fc.array(step, { maxLength: 25 })], propertyRuns(100), (steps) => {
      const ended = new EndedExecutions();
      let model: { id: string; usd: string; at: number }[] = [];
      let now = 0;
      for (const [index, { pause: passed, usd: amount, late, most }] of steps.entries()) {
        now += passed;
        for (let more = 0; more < most; more += 1) {
          const one = { id: `id-${index}-${more}`, usd: amount, at: now };
          ended.add(one.id, scaled(one.usd), one.at);
          model.push(one);
        }
        ended.forgetUntil(now - DAY_MS);
        model = model.filter(({ at }) => at > now - DAY_MS);
        const changed = late === null ? undefined : model[late];
        if (changed !== undefined) {
          changed.usd = text(dec(changed.usd).plus(amount));
          ended.change(changed.id, scaled(changed.usd));
        }
        ended.change('another', scaled(amount));
        expect(scaledText(ended.usd)).to.equal(text(sum(model.map((one) => dec(one.usd)))));
      }
    });
  });

  it('read from the disk in any order, they pass their day in the order in which they ended', () =>
    forAll([fc.array(fc.record({ usd, at: fc.nat(20) }), { maxLength: 12 })], (rows) => {
      const ended = new EndedExecutions();
      for (const [index, row] of rows.entries()) ended.add(`id-${index}`, scaled(row.usd), row.at);
      ended.sort();
      for (let time = 0; time <= 20; time += 1) {
        ended.forgetUntil(time);
        const left = rows.filter(({ at }) => at > time).map((row) => dec(row.usd));
        expect(scaledText(ended.usd)).to.equal(text(sum(left)));
      }
    }));
});

describe('orders that a holder asks for', () => {
  it('count within a minute and within a day, whichever moment is asked about', () => {
    const step = fc.record({
      pause,
      takesBack: fc.boolean(),
      back: fc.nat(2 * MINUTE_MS),
      most: fc.constantFrom(1, 1_100),
    });
    forAll([fc.array(step, { maxLength: 25 })], propertyRuns(200), (steps) => {
      const asking = new Asking();
      let model: number[] = [];
      let now = 10 * DAY_MS;
      for (const { pause: passed, takesBack, back, most } of steps) {
        now += passed;
        for (let more = 0; more < most; more += 1) {
          asking.note(now);
          model.push(now);
        }
        if (takesBack) {
          asking.takeBack();
          model.pop();
        }
        asking.forgetUntil(now - DAY_MS);
        model = model.filter((at) => at > now - DAY_MS);
        const within = (windowMs: number, of: number) => model.filter((at) => at > of - windowMs).length;
        expect(asking.withinMinute(now)).to.equal(within(MINUTE_MS, now));
        expect(asking.withinMinute(now - back)).to.equal(within(MINUTE_MS, now - back));
        expect(asking.withinMinute(now)).to.equal(within(MINUTE_MS, now));
        expect(asking.withinDay(now)).to.equal(within(DAY_MS, now));
      }
    });
  });
});
