/** Legs and answers of the venue for properties about limits. */
import fc from 'fast-check';
import { leg } from '../../support/engine-desk.ts';
import type { Behaviour } from '../../support/scripted-venue.ts';

/** One to three legs, each of one of the amounts: USD, or in units of 100 USD. */
export const anyLegs = (amounts: readonly string[]) =>
  fc
    .uniqueArray(fc.constantFrom('AAA', 'BBB', 'CCC'), { minLength: 1, maxLength: 3 })
    .chain((symbols) =>
      fc.tuple(
        ...symbols.map((symbol) =>
          fc
            .tuple(
              fc.constantFrom('BUY' as const, 'SELL' as const),
              fc.constantFrom(...amounts),
              fc.boolean(),
            )
            .map(([side, amount, isBase]) =>
              isBase ? leg(symbol, side, String(Number(amount) / 100), 'BASE') : leg(symbol, side, amount),
            ),
        ),
      ),
    );

/** Fates of an order at the venue. */
export const anyBehaviour: fc.Arbitrary<Behaviour> = fc.record(
  {
    fraction: fc.constantFrom('0', '0.25', '0.5', '1'),
    rejects: fc.constant({ reason: 'margin', message: 'not enough collateral' } as const),
    lost: fc.constant(true),
    answer: fc.constantFrom('told', 'silent', 'without_fills'),
  },
  { requiredKeys: ['fraction'] },
);
