/** Orders and history that have left the exchange's memory: every answer is the one it gave while they were there. */
import { cp, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { OrderOutcome, PlaceOrder, VenueFill } from '../../../../gateway/engine/ports/venue.ts';
import type { PaperVenue } from '../../../../gateway/venues/paper/venue/paper-venue.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { createFlatMarket, type FlatMarket } from '../../../support/flat-market.ts';
import { ACCOUNT, flatOrder, flatPaperVenues } from '../../../support/flat-paper-venue.ts';
import type { Json } from '../../../support/json.ts';
import { lookUp, refOf } from '../../../support/order-lookup.ts';
import { unwrap } from '../../../support/unwrap.ts';

const OTHER = { tradeAccountId: 'ta-2', exchangeIdentifier: 'paper-2' };
const folderOf = (name: string) => fileURLToPath(new URL(`../../../data/${name}`, import.meta.url));
const FIRST_FOLDER = folderOf('paper-folder-1');
const EARLIER_FOLDER = folderOf('paper-folder-2');

describe('paper exchange, archive', () => {
  const venues = flatPaperVenues();
  const clock = createFakeClock();
  let market: FlatMarket | undefined;

  /** Its journal is emptied every few entries. */
  const start = async (compactBytes = 3_000): Promise<PaperVenue> => {
    const venue = await venues.start(clock, {
      compactBytes,
      createMarket: ({ startAt }) => {
        market = createFlatMarket({ startAt });
        return market;
      },
    });
    await venue.openAccount(OTHER);
    return venue;
  };
  const order = (clientOrderId: string, change: Partial<PlaceOrder> = {}) =>
    flatOrder(clock, clientOrderId, { quantity: '1', ...change });
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
      const page = unwrap(await venue.history(ACCOUNT, from));
      fills.push(...page.fills);
      if (!page.more) return { fills, cursors, end: page.nextCursor };
      expect(page.nextCursor).not.to.equal(from);
      from = page.nextCursor;
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
    expect((await stat(join(venues.dataDir, 'paper.db'))).size).to.be.above(50_000);
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

  it('answers for old and new orders of many batches at once, and executes each once', async () => {
    const venue = await start();
    const outcomes = await trade(venue, 0, 30);
    const old = [...outcomes].flatMap(([key, outcome]) => (accountOf(key) === ACCOUNT ? [outcome] : []));
    const placed = await Promise.all(
      old.map(async (outcome, n) => {
        const batch = [order(outcome.clientOrderId), order(`new-${n >> 1}`)];
        const [again, fresh] = await venue.placeBatch(ACCOUNT, batch);
        expect(again).to.deep.equal(outcome);
        return fresh;
      }),
    );
    const fills = (await fillsFrom(venue, null)).fills.map(({ clientOrderId }) => clientOrderId);
    expect(new Set(fills).size).to.equal(fills.length);
    for (const fresh of placed) expect(fresh).to.deep.include({ kind: 'done', state: 'filled' });
  });

  it('goes on from the files of an earlier version, with their ids', async () => {
    await cp(FIRST_FOLDER, venues.dataDir, { recursive: true });
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

  /** The venue answers as the earlier version did. */
  const expectEarlierAnswers = async (venue: PaperVenue) => {
    const answers: Json = JSON.parse(await readFile(join(EARLIER_FOLDER, 'answers.json'), 'utf8'));
    expect(venue.journalHash()).to.equal(answers.journalHash);
    for (const account of [ACCOUNT, OTHER]) {
      const { orders, history, openOrders, positions, balances } = answers[account.exchangeIdentifier];
      const refs = orders.map(({ clientOrderId }: OrderOutcome) => refOf(clientOrderId));
      const told = [
        await venue.ordersByClientIds(account, refs),
        await venue.history(account, null),
        await venue.openOrders(account),
        await venue.positions(account),
        await venue.balances(account),
      ];
      expect(told.map((answer) => answer.ok && answer.value)).to.deep.equal([
        ...[orders, history, openOrders, positions, balances],
      ]);
    }
  };
  const filesLeft = async () =>
    (await readdir(venues.dataDir)).filter((name) => name.startsWith('paper.')).sort();
  const refusal = () =>
    start().then(
      () => '',
      (error: unknown) => String(error),
    );

  it('moves the files of an earlier version into its own, once, and answers as it did', async () => {
    await cp(EARLIER_FOLDER, venues.dataDir, { recursive: true });
    await writeFile(join(venues.dataDir, 'paper.snapshot.17.0a1b2c3d.tmp'), 'half of');
    const venue = await start();
    await expectEarlierAnswers(venue);
    expect(await filesLeft()).to.deep.equal(['paper.db', 'paper.journal']);
    await venue.stop();
    // A kill before the files were removed: they are not moved a second time.
    for (const kind of ['snapshot', 'index-0-12560'])
      await cp(join(EARLIER_FOLDER, `paper.${kind}`), join(venues.dataDir, `paper.${kind}`));
    await expectEarlierAnswers(await start());
    expect(await filesLeft()).to.deep.equal(['paper.db', 'paper.journal']);
  });

  it('refuses files of an earlier version that lack a part or were changed, and leaves them', async () => {
    await cp(EARLIER_FOLDER, venues.dataDir, { recursive: true });
    const path = join(venues.dataDir, 'paper.archive');
    const archive = await readFile(path, 'utf8');
    await truncate(path, 2_000);
    expect(await refusal()).to.match(
      /paper\.archive holds 2000 bytes of the 12560 that its snapshot counts on/,
    );
    await writeFile(path, archive.replace('"quantity":"1"', '"quantity":"2"'));
    expect(await refusal()).to.match(/paper\.archive is damaged/);
    // Records that were moved before the damage was found are moved again.
    await writeFile(path, archive);
    await expectEarlierAnswers(await start());
  });

  it('says that its file is damaged', async () => {
    const venue = await start();
    await trade(venue, 0, 40);
    await venue.stop();
    await truncate(join(venues.dataDir, 'paper.db'), 6_000);
    expect(await refusal()).to.match(/paper\.db is damaged/);
    await writeFile(join(venues.dataDir, 'paper.db'), 'this is nothing that Tandem has written');
    expect(await refusal()).to.match(/paper\.db is damaged/);
  });

  it('says that its file is older than the journal', async () => {
    const venue = await start();
    await trade(venue, 0, 20);
    // A venue that runs may be writing its file at the moment.
    await venue.stop();
    const before = await readFile(join(venues.dataDir, 'paper.db'));
    const again = await start();
    await trade(again, 20, 40);
    await again.stop();
    await writeFile(join(venues.dataDir, 'paper.db'), before);
    expect(await refusal()).to.match(/paper\.db is older than .*paper\.journal/);
  });
});
