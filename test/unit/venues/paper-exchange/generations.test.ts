/** A journal that somebody emptied or removed: no id is issued twice, and no cursor leaves anything out. */
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PlaceOrder, VenueFill } from '../../../../gateway/engine/ports/venue.ts';
import { PAPER_PROFILES } from '../../../../gateway/venues/paper/market/profile.ts';
import { createPaperVenueOn, type PaperVenue } from '../../../../gateway/venues/paper/venue/paper-venue.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { createFlatMarket } from '../../../support/flat-market.ts';
import { silentLogger } from '../../../support/silent-logger.ts';

const ACCOUNT = { tradeAccountId: 'ta-1', exchangeIdentifier: 'paper-1' };

describe('paper exchange, generations', () => {
  let dataDir: string;
  let clock = createFakeClock();
  const abandoned: PaperVenue[] = [];
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tandem-generation-'));
    clock = createFakeClock();
  });
  afterEach(async () => {
    for (const venue of abandoned.splice(0)) await venue.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = async (): Promise<PaperVenue> => {
    const venue = createPaperVenueOn({
      connector: 'paper',
      dataDir,
      seed: 7,
      profile: PAPER_PROFILES.frictionless,
      speed: 1,
      clock,
      logger: silentLogger,
      createMarket: ({ startAt }) => createFlatMarket({ startAt }),
    });
    await venue.start();
    await venue.openAccount(ACCOUNT);
    return venue;
  };
  let placed = 0;
  const trade = async (venue: PaperVenue, orders: number): Promise<void> => {
    for (let n = 0; n < orders; n += 1) {
      placed += 1;
      const isBuy = placed % 2 === 0;
      const order: PlaceOrder = {
        clientOrderId: `c-${placed}`,
        symbol: 'AAA-PERP',
        side: isBuy ? 'BUY' : 'SELL',
        quantity: '1',
        limitPrice: isBuy ? '101' : '99',
        timeInForce: 'IOC',
        reduceOnly: false,
        expiresAt: clock.now() + 60_000,
      };
      const [outcome] = await venue.placeBatch(ACCOUNT, [order]);
      expect(outcome?.kind).to.equal('done');
    }
  };
  const historyFrom = async (venue: PaperVenue, cursor: string | null) => {
    const page = await venue.history(ACCOUNT, cursor);
    if (!page.ok) throw new Error(page.error.message);
    return page.value;
  };
  const ids = (fills: readonly VenueFill[]) =>
    fills.flatMap(({ tradeId, venueOrderId }) => [tradeId, venueOrderId ?? '']);

  for (const [name, lose] of [
    ['emptied', () => truncate(join(dataDir, 'paper.journal'), 0)],
    ['cut within its first line', () => truncate(join(dataDir, 'paper.journal'), 20)],
    ['removed', () => rm(join(dataDir, 'paper.journal'))],
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
      abandoned.push(second);
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
    abandoned.push(second);
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
    await rm(dataDir, { recursive: true });
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
