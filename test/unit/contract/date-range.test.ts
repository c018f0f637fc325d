/** `startDate` and `endDate` are read in the same three forms by every route that has them. */
import { expect } from 'chai';
import { EVERY_ROUTE } from '../../../gateway/contract/every-route.ts';

const DAY = Date.UTC(2026, 0, 31);

describe('startDate and endDate', () => {
  const routes = [...EVERY_ROUTE].filter(([, { query }]) =>
    Object.keys((query as { shape?: object } | undefined)?.shape ?? {}).includes('startDate'),
  );

  it('are of several routes', () => expect(routes.length).to.be.at.least(5));

  for (const [name, { query }] of routes) {
    const read = (dates: Record<string, string>) => query?.safeParse(dates);

    it(`${name} takes a day, ISO 8601 and epoch milliseconds`, () => {
      for (const text of ['2026-01-31', '2026-01-31T00:00:00Z', '2026-01-31T01:00:00+01:00', String(DAY)])
        expect(read({ startDate: text })?.data, text).to.include({ startDate: DAY });
      // Exclusive once parsed: the whole of a day, or that moment with it.
      expect(read({ endDate: '2026-01-31' })?.data).to.include({ endDate: DAY + 86_400_000 });
      expect(read({ endDate: String(DAY) })?.data).to.include({ endDate: DAY + 1 });
    });

    it(`${name} refuses other texts, and an end before the start`, () => {
      for (const text of ['monday', '20260131', '2026-02-30', '2026-01-31T00:00', '1e3', '-5', ''])
        expect(read({ startDate: text })?.success, text).to.equal(false);
      expect(read({ startDate: '2026-01-31', endDate: '2026-01-30' })?.success).to.equal(false);
      expect(read({ startDate: '2026-01-31', endDate: '2026-01-31' })?.success).to.equal(true);
    });
  }
});
