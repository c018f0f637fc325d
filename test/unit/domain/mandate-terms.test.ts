/** Mandates compared: what both allow, field by field, and by properties of all of them. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Mandate, MandateHours, MandateKind } from '../../../gateway/domain/mandate.ts';
import { isHouseWider, narrower, widerFields } from '../../../gateway/domain/mandate-terms.ts';
import { NO_HOUSE_LIMITS, openMandate } from '../../support/mandates.ts';
import { forAll, propertyRuns } from '../../support/property-runs.ts';

const amount = fc.option(fc.integer({ min: 1, max: 20 }).map(String), { nil: null });
const count = fc.option(fc.integer({ min: 1, max: 5 }), { nil: null });
const kinds: fc.Arbitrary<MandateKind[]> = fc.subarray(['now', 'when', 'protect']);
const hours: fc.Arbitrary<MandateHours | null> = fc.option(
  fc.record({
    zone: fc.constantFrom('UTC', 'Europe/Zurich'),
    days: fc.subarray([1, 2, 3], { minLength: 1 }),
    from: fc.constantFrom('08:00', '09:00'),
    to: fc.constantFrom('07:00', '17:00', '18:00'),
  }),
  { nil: null },
);
const mandates: fc.Arbitrary<Mandate> = fc
  .record({
    accounts: fc.subarray(['a', 'b', 'c']),
    instruments: fc.oneof(fc.constant('any' as const), fc.subarray(['BTC', 'ETH'])),
    deny: fc.subarray(['BTC', 'ETH']),
    kinds,
    reduceOnly: fc.boolean(),
    manage: fc.constantFrom('OWN' as const, 'ALL' as const),
    maxOrderUsd: amount,
    maxGrossUsd: amount,
    maxPositions: count,
    validUntil: count,
    hours,
    lossStop: fc.option(
      fc.record({
        usd: fc.integer({ min: 1, max: 20 }).map(String),
        // biome-ignore lint/suspicious/noThenProperty: a word, nothing to call
        then: fc.constantFrom('SUSPEND' as const, 'SUSPEND_AND_CLOSE' as const),
      }),
      { nil: null },
    ),
    approval: fc
      .record({
        when: fc.constantFrom('never' as const, 'above' as const, 'always' as const),
        above: fc.integer({ min: 1, max: 20 }).map(String),
        kinds,
        passwordAboveUsd: amount,
        lifeSeconds: fc.integer({ min: 30, max: 32 }),
        driftBps: fc.integer({ min: 0, max: 2 }),
        firsts: fc.constantFrom('off' as const, 'live' as const, 'all' as const),
      })
      .map(({ above, ...rest }) => ({ ...rest, aboveUsd: rest.when === 'above' ? above : null })),
    rate: fc.record({
      perMinute: fc.integer({ min: 1, max: 3 }),
      perDay: fc.integer({ min: 1, max: 3 }),
      coolDownSeconds: fc.integer({ min: 0, max: 2 }),
    }),
  })
  .map((over) => openMandate([], over));

describe('mandates compared', () => {
  it('what both allow is within each of them, whichever is named first', () =>
    forAll([mandates, mandates], propertyRuns(1_000), (a, b) => {
      const both = narrower(a, b);
      expect(widerFields(a, both)).to.deep.equal([]);
      expect(widerFields(b, both)).to.deep.equal([]);
      // If no hours are common to both, either of the two spans may be named.
      const isOpen = both.hours?.days.length !== 0;
      if (isOpen) expect(widerFields(narrower(b, a), both)).to.deep.equal([]);
    }));

  it('one is within itself', () =>
    forAll([mandates], propertyRuns(500), (one) => {
      expect(widerFields(one, one)).to.deep.equal([]);
    }));

  const base = openMandate(['a'], {
    maxOrderUsd: '100',
    approval: { ...openMandate([]).approval, when: 'above', aboveUsd: '50' },
    hours: { zone: 'UTC', days: [1, 2], from: '09:00', to: '17:00' },
    rights: { ...openMandate([]).rights },
  });
  const WIDER: readonly (readonly [keyof Mandate, Partial<Mandate>])[] = [
    ['accounts', { accounts: ['a', 'b'] }],
    ['maxOrderUsd', { maxOrderUsd: '100.000000000000000001' }],
    ['maxOrderUsd', { maxOrderUsd: null }],
    ['approval', { approval: { ...base.approval, aboveUsd: '50.1' } }],
    ['approval', { approval: { ...base.approval, when: 'never', aboveUsd: null } }],
    ['approval', { approval: { ...base.approval, lifeSeconds: 601 } }],
    ['hours', { hours: null }],
    ['hours', { hours: { zone: 'UTC', days: [1], from: '08:59', to: '17:00' } }],
    ['hours', { hours: { zone: 'Europe/Zurich', days: [1], from: '09:00', to: '17:00' } }],
    ['rights', { rights: { ...base.rights, changeLeverage: true } }],
  ];
  for (const [field, over] of WIDER) {
    it(`more: ${field} ${JSON.stringify(over[field])}`, () => {
      expect(widerFields(base, { ...base, ...over })).to.deep.equal([field]);
    });
  }
  const NARROWER: readonly Partial<Mandate>[] = [
    { accounts: [] },
    { maxOrderUsd: '99.99' },
    { deny: ['BTC'] },
    { kinds: ['now'] },
    { approval: { ...base.approval, when: 'always', aboveUsd: null } },
    { hours: { zone: 'UTC', days: [1], from: '10:00', to: '16:00' } },
    { validUntil: 1 },
    { reduceOnly: true },
  ];
  for (const over of NARROWER) {
    it(`less: ${JSON.stringify(over)}`, () => {
      expect(widerFields(base, { ...base, ...over })).to.deep.equal([]);
    });
  }

  it('limits over all: a first one only takes away', () => {
    const limits = { ...NO_HOUSE_LIMITS, maxOrderUsd: '1' };
    expect(isHouseWider(null, limits)).to.equal(false);
    expect(isHouseWider(limits, { ...limits, maxPositions: 3 })).to.equal(false);
    expect(isHouseWider(limits, { ...limits, maxOrderUsd: '2' })).to.equal(true);
  });
});
