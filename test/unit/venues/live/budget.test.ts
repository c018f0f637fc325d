/** Distribution of a venue's allowance: lanes, waiting, bans. The clock is the test's. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Budget,
  bucketOf,
  createBudget,
  type Grant,
  type Lane,
} from '../../../../gateway/venues/live/kit/budget.ts';
import { createFakeClock, type FakeClock } from '../../../support/fake-clock.ts';
import { forAllAsync, propertyRuns } from '../../../support/property-runs.ts';

const STEADY = { capacity: 100, perSecond: 10, limit: 100 };
const TRADING: Lane[] = ['close', 'open'];
const OTHERS: Lane[] = ['lookup', 'recovery', 'history', 'market', 'preview', 'look'];
/** Per cent of a bucket that a lane leaves to those before it. */
const LEAVES: Readonly<Record<string, number>> = {
  lookup: 10,
  recovery: 10,
  history: 30,
  market: 30,
  preview: 60,
  look: 80,
};

describe('kit: budget', () => {
  let clock: FakeClock;
  let budget: Budget;

  beforeEach(() => {
    clock = createFakeClock();
    budget = createBudget(clock);
    budget.addBucket('ip', STEADY);
  });

  const now = (lane: Lane, weight: number) => budget.take(lane, { ip: weight }, clock.now());
  /** Returns a function that tells the request's grant so far; null: it waits. */
  function follow(grant: Promise<Grant>): () => Grant | null {
    let found: Grant | null = null;
    void grant.then((value) => {
      found = value;
    });
    return () => found;
  }

  describe('what is kept', () => {
    for (const lane of OTHERS) {
      const leaves = LEAVES[lane] ?? 0;
      it(`the last ${leaves} % are never taken by ${lane}`, async () => {
        expect(await now(lane, 100 - leaves)).to.deep.equal({ granted: true });
        expect(await now(lane, 1)).to.deep.equal({ granted: false, retryAt: clock.now() + 100 });
        expect(budget.level('ip')).to.equal(leaves);
      });

      it(`they are not saved up for a ${lane} that is larger than the rest of the bucket`, async () => {
        expect(await budget.take(lane, { ip: 101 - leaves }, clock.now() + 3_600_000)).to.deep.equal({
          granted: false,
          retryAt: null,
        });
      });
    }

    it('what opens leaves what the bucket keeps for closes, and lookups have it before', async () => {
      budget.addBucket('ip', { ...STEADY, keptForCloses: 30 });
      expect(await now('open', 70)).to.deep.equal({ granted: true });
      expect((await now('open', 1)).granted).to.equal(false);
      expect(await now('lookup', 20)).to.deep.equal({ granted: true });
      expect(await now('close', 10)).to.deep.equal({ granted: true });
    });

    it('what readings leave to orders is there for them, also while a reading saves', async () => {
      budget.addBucket('ip', { ...STEADY, keptForCloses: 10, keptForOrders: 30 });
      expect((await now('history', 50)).granted).to.equal(false);
      expect((await now('lookup', 64)).granted).to.equal(false);
      expect((await now('state', 71)).granted).to.equal(false);
      expect(await now('state', 60)).to.deep.equal({ granted: true });
      const reading = follow(budget.take('recovery', { ip: 10 }, clock.now() + 60_000));
      expect((await now('market', 1)).granted).to.equal(false);
      expect(await now('open', 25)).to.deep.equal({ granted: true });
      const close = follow(budget.take('close', { ip: 20 }, clock.now() + 60_000));
      expect((await now('open', 5)).granted).to.equal(false);
      await clock.advance(500);
      expect(close()).to.deep.equal({ granted: true });
      await clock.advance(4_600);
      expect(reading()).to.equal(null);
      await clock.advance(200);
      expect(reading()).to.deep.equal({ granted: true });
    });

    it('however many previews are asked for, the next close and the next opening have their weight at once', async () => {
      budget.addBucket('ip', { ...STEADY, keptForCloses: 30 });
      const previews = Array.from({ length: 100 }, () =>
        budget.take('preview', { ip: 2 }, clock.now() + 60_000),
      );
      expect(await now('open', 30)).to.deep.equal({ granted: true });
      expect(await now('close', 30)).to.deep.equal({ granted: true });
      expect((await now('preview', 2)).granted).to.equal(false);
      budget.removeBucket('ip');
      expect((await Promise.all(previews)).filter(({ granted }) => granted)).to.have.length(20);
    });

    it('however many look at books, an estimate has its weight at once', async () => {
      const looks = Array.from({ length: 100 }, () => budget.take('look', { ip: 2 }, clock.now() + 60_000));
      for (let nth = 0; nth < 10; nth += 1) expect(await now('preview', 2)).to.deep.equal({ granted: true });
      await clock.advance(200);
      expect(await now('preview', 2)).to.deep.equal({ granted: true });
      budget.removeBucket('ip');
      expect((await Promise.all(looks)).filter(({ granted }) => granted)).to.have.length(10);
    });

    for (const lane of TRADING) {
      it(`are there for ${lane}`, async () => {
        await now('market', 70);
        expect(await now(lane, 30)).to.deep.equal({ granted: true });
        expect(budget.level('ip')).to.equal(0);
      });
    }

    it('the last 10 % stay, whatever is asked for and in whatever order', async () => {
      const request = fc.record({
        lane: fc.constantFrom(...OTHERS),
        weight: fc.integer({ min: 1, max: 90 }),
        patienceMs: fc.integer({ min: 0, max: 20_000 }),
        laterMs: fc.integer({ min: 0, max: 3_000 }),
      });
      await forAllAsync([fc.array(request, { maxLength: 20 })], propertyRuns(40), async (requests) => {
        const own = createFakeClock();
        const one = createBudget(own);
        one.addBucket('ip', STEADY);
        for (const { lane, weight, patienceMs, laterMs } of requests) {
          void one.take(lane, { ip: weight }, own.now() + patienceMs);
          expect(one.level('ip')).to.be.at.least(10);
          await own.advance(laterMs);
          expect(one.level('ip')).to.be.at.least(10);
        }
      });
    });
  });

  describe('waiting', () => {
    it('an empty bucket: a close has its weight as soon as it has come back', async () => {
      await now('close', 100);
      const close = follow(budget.take('close', { ip: 5 }, clock.now() + 4_000));
      await clock.advance(499);
      expect(close()).to.equal(null);
      await clock.advance(1);
      expect(close()).to.deep.equal({ granted: true });
    });

    it('is refused at once where it would be in vain, with the time at which it would not be', async () => {
      await now('close', 100);
      const askedAt = clock.now();
      const close = await budget.take('close', { ip: 50 }, askedAt + 4_000);
      expect(close).to.deep.equal({ granted: false, retryAt: askedAt + 5_000 });
    });

    it('is refused as soon as others that came before it make it vain', async () => {
      await now('close', 100);
      const open = follow(budget.take('open', { ip: 20 }, clock.now() + 2_500));
      await clock.advance(1_000);
      const close = follow(budget.take('close', { ip: 20 }, clock.now() + 4_000));
      expect(open()).to.equal(null);
      await clock.advance(1_000);
      expect(close()).to.deep.equal({ granted: true });
      expect(open()).to.deep.equal({ granted: false, retryAt: clock.now() + 2_000 });
    });

    it('is served by rank of its lane, and within a rank by age', async () => {
      await now('close', 100);
      const served: string[] = [];
      const ask = (lane: Lane, name: string) =>
        void budget.take(lane, { ip: 10 }, clock.now() + 60_000).then(() => served.push(name));
      ask('market', 'market');
      ask('lookup', 'lookup 1');
      ask('recovery', 'recovery');
      ask('lookup', 'lookup 2');
      ask('open', 'open 1');
      ask('close', 'close');
      ask('open', 'open 2');
      await clock.advance(20_000);
      expect(served).to.deep.equal([
        'close',
        'lookup 1',
        'recovery',
        'lookup 2',
        'open 1',
        'open 2',
        'market',
      ]);
    });

    it('is not asked for again at once where others are served before', async () => {
      await now('close', 100);
      void budget.take('lookup', { ip: 50 }, clock.now() + 60_000);
      await clock.advance(2_000);
      expect(await now('open', 5)).to.deep.equal({ granted: false, retryAt: clock.now() + 1_000 });
    });

    it('is not ended or prolonged by a wall clock that is set', async () => {
      await now('close', 100);
      const close = follow(budget.take('close', { ip: 10 }, clock.now() + 4_000));
      clock.jump(-3_600_000);
      await clock.advance(1_000);
      expect(close()).to.deep.equal({ granted: true });
    });

    it('who waits for a bucket that is removed is refused', async () => {
      await now('close', 100);
      const close = budget.take('close', { ip: 10 }, clock.now() + 4_000);
      budget.removeBucket('ip');
      expect(await close).to.deep.equal({ granted: false, retryAt: null });
      expect(budget.level('ip')).to.equal(null);
    });

    it('every bucket that counts a request has to have room', async () => {
      budget.addBucket('account', { capacity: 10, perSecond: 1, limit: 10 });
      const both = (weight: number) => budget.take('open', { ip: 1, account: weight }, clock.now());
      expect(await both(10)).to.deep.equal({ granted: true });
      expect(await both(1)).to.include({ granted: false });
      expect(budget.level('ip')).to.equal(99);
    });
  });

  describe('a ban', () => {
    it('lets nobody through before its end, closes included, and everybody after it', async () => {
      const until = clock.now() + 60_000;
      budget.ban(until);
      expect(budget.bannedUntil).to.equal(until);
      for (const lane of [...TRADING, ...OTHERS])
        expect(await now(lane, 1)).to.deep.equal({ granted: false, retryAt: until });
      const close = follow(budget.take('close', { ip: 1 }, until + 1));
      await clock.advance(59_999);
      expect(close()).to.equal(null);
      await clock.advance(1);
      expect(close()).to.deep.equal({ granted: true });
      expect(budget.bannedUntil).to.equal(null);
    });

    it('is never shortened', async () => {
      const until = clock.now() + 60_000;
      budget.ban(until);
      budget.ban(clock.now() + 1_000);
      await clock.advance(2_000);
      expect(await now('close', 1)).to.deep.equal({ granted: false, retryAt: until });
    });
  });

  describe('what the venue reports', () => {
    it('lowers the level and never raises it', () => {
      budget.observe('ip', 40);
      expect(budget.level('ip')).to.equal(60);
      budget.observe('ip', 0);
      expect(budget.level('ip')).to.equal(60);
    });

    it('of a limit that grows with the account is taken as it is', () => {
      budget.observe('ip', 400, 1_000);
      expect(budget.level('ip')).to.equal(600);
    });
  });

  it('no window of the venue sees more than its limit', async () => {
    const [limit, windowMs] = [60, 6_000];
    const request = fc.record({
      weight: fc.integer({ min: 1, max: 20 }),
      laterMs: fc.integer({ min: 0, max: 700 }),
    });
    await forAllAsync(
      [fc.array(request, { minLength: 30, maxLength: 60 })],
      propertyRuns(40),
      async (requests) => {
        const own = createFakeClock();
        const one = createBudget(own);
        one.addBucket('ip', bucketOf(limit, windowMs));
        const taken: { at: number; weight: number }[] = [];
        for (const { weight, laterMs } of requests) {
          const grant = await one.take('close', { ip: weight }, own.now());
          if (grant.granted) taken.push({ at: own.now(), weight });
          await own.advance(laterMs);
        }
        for (const { at: from } of taken) {
          const inside = taken.filter(({ at }) => at >= from && at < from + windowMs);
          expect(inside.reduce((sum, { weight }) => sum + weight, 0)).to.be.at.most(limit);
        }
      },
    );
  });
});
