/** A journal that somebody emptied or removed: no id is issued twice, and no cursor leaves anything out. */
import { rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { VenueFill } from '../../../../gateway/engine/ports/venue.ts';
import type { PaperVenue } from '../../../../gateway/venues/paper/venue/paper-venue.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { ACCOUNT, flatOrder, flatPaperVenues } from '../../../support/flat-paper-venue.ts';
import { unwrap } from '../../../support/unwrap.ts';

describe('paper exchange, generations', () => {
  const venues = flatPaperVenues();
  let clock = createFakeClock();
  beforeEach(() => {
    clock = createFakeClock();
  });

  const start = () => venues.start(clock);
  let placed = 0;
  const trade = async (venue: PaperVenue, orders: number): Promise<void> => {
    for (let n = 0; n < orders; n += 1) {
      placed += 1;
      const isBuy = placed % 2 === 0;
      const side = isBuy ? 'BUY' : 'SELL';
      const order = flatOrder(clock, `c-${placed}`, { side, quantity: '1' });
      const [outcome] = await venue.placeBatch(ACCOUNT, [order]);
      expect(outcome?.kind).to.equal('done');
    }
  };
  const historyFrom = async (venue: PaperVenue, cursor: string | null) => {
    return unwrap(await venue.history(ACCOUNT, cursor));
  };
  const ids = (fills: readonly VenueFill[]) =>
    fills.flatMap(({ tradeId, venueOrderId }) => [tradeId, venueOrderId ?? '']);

  for (const [name, lose] of [
    ['emptied', () => truncate(join(venues.dataDir, 'paper.journal'), 0)],
    ['cut within its first line', () => truncate(join(venues.dataDir, 'paper.journal'), 20)],
    ['removed', () => rm(join(venues.dataDir, 'paper.journal'))],
  ] as const) {
    it(`issues new ids after the journal was ${name}, and cursors go on where its history ends`, async () => {
      const first = await start();
      await trade(first, 3);
      const kept = await historyFrom(first, null);
      await first.stop();
      const second = await start();
      await trade(second, 4);
      const lost = await historyFrom(second, kept.nextCursor);
      expect(lost.fills).to.have.length(4);
      // Not stopped, which would archive what is lost here: as after a kill.
      await lose();
      await clock.advance(1_000);
      const third = await start();
      expect((await historyFrom(third, null)).fills).to.deep.equal(kept.fills);
      // The client was told of seven fills, the venue knows of three.
      const caughtUp = await historyFrom(third, lost.nextCursor);
      expect(caughtUp.fills).to.deep.equal([]);
      await trade(third, 6);
      const issued = (await historyFrom(third, lost.nextCursor)).fills;
      expect(issued).to.have.length(6);
      expect((await historyFrom(third, caughtUp.nextCursor)).fills).to.deep.equal(issued);
      const before = new Set(ids([...kept.fills, ...lost.fills]));
      expect(ids(issued).filter((id) => before.has(id))).to.deep.equal([]);
      expect(new Set(ids(issued)).size).to.equal(12);
      await third.stop();
      const fourth = await start();
      expect((await historyFrom(fourth, lost.nextCursor)).fills).to.deep.equal(issued);
      await fourth.stop();
    });
  }

  it('goes on counting over an orderly stop and over a kill', async () => {
    const first = await start();
    await trade(first, 2);
    const [one] = (await historyFrom(first, null)).fills;
    await first.stop();
    const second = await start();
    await trade(second, 1);
    await clock.advance(1_000);
    const third = await start();
    await trade(third, 1);
    const name = one?.tradeId.replace(/\d+$/, '') ?? '';
    const all = (await historyFrom(third, null)).fills.map(({ tradeId }) => tradeId);
    expect(all).to.deep.equal([2, 4, 6, 8].map((number) => `${name}${number}`));
    await third.stop();
  });

  it('of another folder are other ones', async () => {
    const first = await start();
    await trade(first, 2);
    const before = ids((await historyFrom(first, null)).fills);
    await first.stop();
    await rm(venues.dataDir, { recursive: true });
    await clock.advance(1_000);
    const second = await start();
    await trade(second, 2);
    const after = ids((await historyFrom(second, null)).fills);
    expect(after.filter((id) => before.includes(id))).to.deep.equal([]);
    // A cursor of the folder that is gone: everything is told that could have been missed.
    expect((await historyFrom(second, '12345678.2')).fills).to.have.length(2);
    await second.stop();
  });
});
