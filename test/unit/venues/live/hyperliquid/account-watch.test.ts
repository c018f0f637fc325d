/** Status of one account at Hyperliquid: its own trouble, its venue's, and the end of each. */
import { expect } from 'chai';
import type { AccountStatus } from '../../../../../gateway/engine/ports/venue-status.ts';
import { accountStatus } from '../../../../../gateway/venues/live/hyperliquid/account-status.ts';
import { type AccountWatch, watchAccounts } from '../../../../../gateway/venues/live/kit/account-watch.ts';
import { createFakeClock, type FakeClock } from '../../../../support/fake-clock.ts';

const WELL = { status: 'UP', trading: 'UP', reason: null, until: null };
const STANDARD = { word: 'default', changedAt: null };
const ACCOUNT = { tradeAccountId: 'one', exchangeIdentifier: '0x1' };

describe('Hyperliquid: how an account is', () => {
  let clock: FakeClock;
  let watch: AccountWatch<null>;
  let session: {
    user: string;
    heard: boolean;
    refusal: { reason: string; at: number } | null;
    refusedNonces: number;
    mode: { word: string; changedAt: number | null };
  };
  let readAt: number | null;
  let upSince: number | null;
  let short: { left: number; until: number } | null;
  let told: AccountStatus[];

  const status = () =>
    accountStatus({ clock, limits: { shortage: () => short }, streamsUpSince: upSince }, {
      session,
      openedAt: 0,
      reading: readAt === null ? null : { at: readAt },
    } as never);
  const watchOne = () => watchAccounts<null>({ clock, all: () => [[ACCOUNT, null]], statusOf: status });

  beforeEach(() => {
    clock = createFakeClock();
    const start = clock.uptime();
    session = { user: '0x1', heard: true, refusal: null, refusedNonces: 0, mode: STANDARD };
    readAt = start;
    upSince = start;
    short = null;
    told = [];
    watch = watchOne();
    watch.follow(() => told.push(status()));
    watch.look();
  });
  afterEach(() => watch.stop());

  it('is well, and says nothing', async () => {
    watch.start();
    await clock.advance(10_000);
    expect([status(), told]).to.deep.equal([WELL, []]);
  });

  it('that is opened in trouble is told too, once', () => {
    const opened: AccountStatus[] = [];
    short = { left: 3, until: 0 };
    const fresh = watchOne();
    fresh.follow(() => opened.push(status()));
    fresh.look();
    fresh.look();
    expect(opened.map(({ trading }) => trading)).to.deep.equal(['CLOSE_ONLY']);
  });

  it('a refused key takes no orders for a minute, then it is tried again', async () => {
    session.refusal = { reason: 'no such agent', at: clock.now() };
    watch.look();
    expect(told).to.deep.equal([
      {
        status: 'DEGRADED',
        trading: 'DOWN',
        reason: 'the venue refuses its key: no such agent',
        until: clock.now() + 60_000,
      },
    ]);
    watch.start();
    readAt = clock.uptime() + 60_000;
    await clock.advance(62_000);
    expect(told[1]).to.deep.equal(WELL);
  });

  it('used-up requests leave what closes; fewer of them are no news', () => {
    short = { left: 90, until: clock.now() + 110_000 };
    watch.look();
    short = { left: 80, until: clock.now() + 210_000 };
    watch.look();
    expect(told).to.have.length(1);
    expect(told[0]).to.include({ status: 'DEGRADED', trading: 'CLOSE_ONLY', until: clock.now() + 110_000 });
    expect(told[0]?.reason).to.match(/^90 of its requests/);
    short = null;
    watch.look();
    expect(told[1]).to.deep.equal(WELL);
  });

  it('a stream that says nothing of it is its trouble only while the venue streams at all', async () => {
    session.heard = false;
    watch.start();
    await clock.advance(14_000);
    expect(told).to.deep.equal([]);
    await clock.advance(4_000);
    expect(told).to.have.length(1);
    expect(told[0]).to.include({ status: 'DEGRADED', trading: 'UP' });
    expect(told[0]?.reason).to.match(/streams nothing/);
    upSince = null;
    expect(status()).to.deep.equal(WELL);
  });

  it('books that cannot be read for a minute, and nonces that are refused in a row, are said', async () => {
    await clock.advance(60_001);
    expect(status().reason).to.match(/could not be read/);
    readAt = clock.uptime();
    session.refusedNonces = 2;
    expect(status()).to.deep.equal(WELL);
    session.refusedNonces = 3;
    expect(status().reason).to.match(/another program/);
  });
});
