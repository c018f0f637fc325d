/** Records that have left the exchange's memory: answers stay the same, whatever became of the index. */
import { copyFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { OrderOutcome, PlaceOrder, VenueFill } from '../../../../gateway/engine/ports/venue.ts';
import { PAPER_PROFILES } from '../../../../gateway/venues/paper/market/profile.ts';
import { createPaperVenueOn, type PaperVenue } from '../../../../gateway/venues/paper/venue/paper-venue.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { createFlatMarket, type FlatMarket } from '../../../support/flat-market.ts';
import { lookUp, refOf } from '../../../support/order-lookup.ts';
import { silentLogger } from '../../../support/silent-logger.ts';

const ACCOUNT = { tradeAccountId: 'ta-1', exchangeIdentifier: 'paper-1' };
const OTHER = { tradeAccountId: 'ta-2', exchangeIdentifier: 'paper-2' };
const EARLIER_FOLDER = fileURLToPath(new URL('../../../data/paper-folder-1', import.meta.url));

describe('paper exchange, archive', () => {
  let dataDir: string;
  const clock = createFakeClock();
  const started: PaperVenue[] = [];
  let market: FlatMarket | undefined;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tandem-archive-'));
  });
  afterEach(async () => {
    for (const venue of started.splice(0)) await venue.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Its journal is emptied every few entries. */
  const start = async (compactBytes = 3_000): Promise<PaperVenue> => {
    const venue = createPaperVenueOn({
      connector: 'paper',
      dataDir,
      seed: 7,
      profile: PAPER_PROFILES.frictionless,
      speed: 1,
      clock,
      logger: silentLogger,
      compactBytes,
      createMarket: ({ startAt }) => {
        market = createFlatMarket({ startAt });
        return market;
      },
    });
    await venue.start();
    started.push(venue);
    await venue.openAccount(ACCOUNT);
    await venue.openAccount(OTHER);
    return venue;
  };
  const order = (clientOrderId: string, change: Partial<PlaceOrder> = {}): PlaceOrder => ({
    clientOrderId,
    symbol: 'AAA-PERP',
    side: 'BUY',
    quantity: '1',
    limitPrice: '101',
    timeInForce: 'IOC',
    reduceOnly: false,
    expiresAt: clock.now() + 60_000,
    ...change,
  });
  const sideOf = (n: number): Partial<PlaceOrder> => (n % 2 === 0 ? {} : { side: 'SELL', limitPrice: '99' });
  /** Orders of two accounts whose ids are alike, some refused; one rests all the while and fills at the end. */
  const trade = async (venue: PaperVenue, from: number, to: number) => {
    const outcomes = new Map<string, OrderOutcome>();
    for (let n = from; n < to; n += 1) {
      const account = n % 3 === 0 ? OTHER : ACCOUNT;
      const [first, second] = await venue.placeBatch(account, [
        order(`c-${n}`, sideOf(n)),
        order(`tiny-${n}`, { quantity: '0.001' }),
      ]);
      if (first !== undefined) outcomes.set(`${account.exchangeIdentifier} c-${n}`, first);
      if (second !== undefined) outcomes.set(`${account.exchangeIdentifier} tiny-${n}`, second);
    }
    return outcomes;
  };
  const accountOf = (key: string) => (key.startsWith('paper-1') ? ACCOUNT : OTHER);
  const expectAnswers = async (venue: PaperVenue, outcomes: ReadonlyMap<string, OrderOutcome>) => {
    for (const [key, outcome] of outcomes) {
      const found = await lookUp(venue, accountOf(key), outcome.clientOrderId);
      expect(found.ok && found.value, key).to.deep.equal(outcome);
    }
  };
  const fillsFrom = async (venue: PaperVenue, cursor: string | null) => {
    const fills: VenueFill[] = [];
    const cursors: (string | null)[] = [];
    for (let from = cursor; ; ) {
      cursors.push(from);
      const page = await venue.history(ACCOUNT, from);
      if (!page.ok) throw new Error(page.error.message);
      fills.push(...page.value.fills);
      if (!page.value.more) return { fills, cursors, end: page.value.nextCursor };
      expect(page.value.nextCursor).not.to.equal(from);
      from = page.value.nextCursor;
    }
  };

  it('answers for every order that has left memory, and executes none a second time', async () => {
    const venue = await start();
    await venue.placeBatch(ACCOUNT, [order('rests', { limitPrice: '90', timeInForce: 'GTC' })]);
    const outcomes = await trade(venue, 0, 120);
    market?.set('AAA-PERP', '89');
    await clock.advance(100);
    const rested = await lookUp(venue, ACCOUNT, 'rests');
    expect(rested.ok && rested.value).to.include({ kind: 'done', state: 'filled' });
    for (const [key, outcome] of await trade(venue, 120, 160)) outcomes.set(key, outcome);
    expect((await readdir(dataDir)).some((name) => name.startsWith('paper.index-'))).to.equal(true);
    await expectAnswers(venue, outcomes);
    const stranger = await lookUp(venue, OTHER, 'rests');
    expect(stranger.ok && stranger.value).to.deep.equal({ kind: 'not_found', clientOrderId: 'rests' });

    const hash = venue.journalHash();
    for (const [key, outcome] of outcomes) {
      const [again] = await venue.placeBatch(accountOf(key), [order(outcome.clientOrderId)]);
      expect(again, key).to.deep.equal(outcome);
    }
    const [again] = await venue.placeBatch(ACCOUNT, [order('rests')]);
    expect(again).to.deep.equal(rested.ok && rested.value);
    expect(venue.journalHash()).to.equal(hash);
    const refused = await venue.cancel(ACCOUNT, refOf('rests'));
    expect(refused.ok ? null : refused.error.message).to.match(/already filled/);
  });

  it('tells the history from any cursor on, old and new, each item once', async () => {
    const venue = await start();
    await trade(venue, 0, 90);
    const whole = await fillsFrom(venue, null);
    expect(whole.fills.length).to.equal(60);
    expect(new Set(whole.fills.map(({ tradeId }) => tradeId)).size).to.equal(60);
    const [prefix = ''] = whole.end.match(/^.*\./) ?? [];
    for (const item of [0, 1, 7, 30, 58, 59, 60]) {
      const part = await fillsFrom(venue, `${prefix}${item}`);
      expect(part.fills, `from ${item}`).to.deep.equal(whole.fills.slice(item));
      expect(part.end).to.equal(whole.end);
    }
    expect((await venue.history(ACCOUNT, `${prefix}61`)).ok).to.equal(false);
    expect((await venue.history(ACCOUNT, 'elsewhere')).ok).to.equal(false);
    await venue.stop();
    expect(await fillsFrom(await start(), null)).to.deep.equal(whole);
  });

  it('is as it was without its index, and with one that is damaged or of another archive', async () => {
    const venue = await start();
    const outcomes = await trade(venue, 0, 100);
    const whole = await fillsFrom(venue, null);
    await venue.stop();
    const indexed = async () => (await readdir(dataDir)).filter((name) => name.startsWith('paper.index-'));
    const harms: ((name: string, place: number) => Promise<unknown>)[] = [
      (name, place) => (place === 1 ? rm(join(dataDir, name)) : Promise.resolve()),
      (name) => rm(join(dataDir, name)),
      (name) => truncate(join(dataDir, name), 40),
      async (name) => {
        const content = await readFile(join(dataDir, name));
        content[content.length - 80] = (content[content.length - 80] ?? 0) ^ 1;
        await writeFile(join(dataDir, name), content);
      },
    ];
    for (const harm of harms) {
      const names = await indexed();
      expect(names).not.to.deep.equal([]);
      for (const [place, name] of names.entries()) await harm(name, place);
      const again = await start();
      await expectAnswers(again, outcomes);
      expect(await fillsFrom(again, null)).to.deep.equal(whole);
      // Another pass, so that there is more than one file to harm again.
      for (const [key, outcome] of await trade(again, 1_000 + outcomes.size, 1_004 + outcomes.size))
        outcomes.set(key, outcome);
      for (const fill of (await fillsFrom(again, whole.end)).fills) whole.fills.push(fill);
      whole.end = (await fillsFrom(again, null)).end;
      await again.stop();
    }
  });

  it('goes on from the files of an earlier version, with their ids', async () => {
    for (const name of await readdir(EARLIER_FOLDER))
      await copyFile(join(EARLIER_FOLDER, name), join(dataDir, name));
    const venue = await start();
    const open = await venue.openOrders(ACCOUNT);
    expect(open.ok && open.value.map(({ clientOrderId }) => clientOrderId)).to.deep.equal([
      'rests',
      'rests-too',
    ]);
    const first = await lookUp(venue, ACCOUNT, 'c-0');
    expect(first.ok && first.value).to.deep.include({ state: 'filled', venueOrderId: 'paper-o2' });
    const { fills, end } = await fillsFrom(venue, null);
    expect(fills.map(({ tradeId }) => tradeId)).to.deep.equal(
      [3, 5, 7, 9, 11, 13, 15, 17].map((number) => `paper-t${number}`),
    );
    expect(end).to.equal('8');
    expect((await fillsFrom(venue, '6')).fills).to.deep.equal(fills.slice(6));
    const [next] = await venue.placeBatch(ACCOUNT, [order('next')]);
    expect(next).to.include({ state: 'filled', venueOrderId: 'paper-o19' });
    await venue.stop();
    const again = await start();
    expect((await fillsFrom(again, '8')).fills.map(({ tradeId }) => tradeId)).to.deep.equal(['paper-t20']);
    const still = await again.openOrders(ACCOUNT);
    expect(still).to.deep.equal(open);
  });

  it('says what is missing of an archive that was cut', async () => {
    const venue = await start();
    await trade(venue, 0, 40);
    await venue.stop();
    await truncate(join(dataDir, 'paper.archive'), 2_000);
    const message = await start().then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(message).to.match(/paper\.archive holds 2000 bytes of the \d+ that its snapshot counts on/);
  });

  it('finds out that the archive is not what was journaled when it makes the index again', async () => {
    const venue = await start();
    await trade(venue, 0, 40);
    await venue.stop();
    const path = join(dataDir, 'paper.archive');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"quantity":"1"', '"quantity":"2"'));
    for (const name of await readdir(dataDir))
      if (name.startsWith('paper.index-')) await rm(join(dataDir, name));
    const message = await start().then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(message).to.match(/paper\.archive is damaged after byte/);
  });
});
