/** Running executions of a holder against a plain list of them, whatever begins and ends in which order. */
import { expect } from 'chai';
import fc from 'fast-check';
import { scaled, scaledText } from '../../../gateway/domain/scaled.ts';
import { BasketSet, RunningExecutions } from '../../../gateway/engine/core/running-executions.ts';
import { forAll, propertyRuns } from '../../support/property-runs.ts';

const step = fc.record({
  /** Position among those that run of the one that ends; null: one begins. */
  ends: fc.option(fc.nat(5), { freq: 2 }),
  account: fc.constantFrom('a', 'b'),
  basket: fc.constantFrom('x', 'y', 'z'),
  usd: fc.nat(9_999).map((cents) => (cents / 100).toString()),
  isCounted: fc.boolean(),
});

const reserving = (id: string, tradeAccountId: string, basketKey: string, usd = '1') => ({
  ...{ id, tradeAccountId, basketKey, userId: 'user', reserved: { usd, asked: true } },
  ...{ authorityKind: 'api_key' as const, authorityId: 'key' },
});

describe('running executions of a holder', () => {
  it('sum up, are found, and count their baskets; the bound of baskets never lies below', () =>
    forAll([fc.array(step, { maxLength: 60 })], propertyRuns(300), (steps) => {
      const running = new RunningExecutions();
      let model: { of: ReturnType<typeof reserving>; usd: string }[] = [];
      for (const [index, { ends, account, basket, usd, isCounted }] of steps.entries()) {
        const ending = ends === null ? undefined : model[ends];
        if (ending !== undefined) {
          expect(running.remove(ending.of)?.reserved?.usd).to.equal(ending.usd);
          model = model.filter((one) => one !== ending);
          expect(running.remove(ending.of)).to.equal(undefined);
        } else {
          const of = reserving(`id-${index}`, account, basket, usd);
          running.add(of, scaled(usd));
          model.push({ of, usd });
        }
        const cents = model.reduce((sum, one) => sum + Math.round(Number(one.usd) * 100), 0);
        expect(Math.round(Number(scaledText(running.usd)) * 100)).to.equal(cents);
        for (const { of } of model) expect(running.get(of)?.id).to.equal(of.id);
        const names = (of: readonly { of: ReturnType<typeof reserving> }[]) =>
          new Set(of.map((one) => `${one.of.tradeAccountId} ${one.of.basketKey}`)).size;
        expect(running.mostBaskets).to.be.at.least(names(model));
        if (!isCounted) continue;
        const [without] = model;
        const found = new BasketSet();
        running.addBaskets(found, without === undefined ? undefined : running.get(without.of));
        expect(found.size).to.equal(names(model.slice(1)));
        expect(running.mostBaskets).to.equal(names(model));
      }
    }));

  it('finds one among thousands that run, and keeps no places of those that ended', () => {
    const running = new RunningExecutions();
    for (let index = 0; index < 5_000; index += 1)
      running.add(reserving(`id-${index}`, 'a', `${index % 7}`), scaled('1'));
    for (let index = 1; index < 5_000; index += 1)
      expect(running.remove(reserving(`id-${index}`, 'a', `${index % 7}`))?.id).to.equal(`id-${index}`);
    expect(running.get(reserving('id-0', 'a', '0'))?.reserved?.usd).to.equal('1');
    expect(scaledText(running.usd)).to.equal('1');
    expect(running.mostBaskets).to.equal(1);
  });
});
