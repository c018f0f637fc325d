/** A live venue's program is loaded with the first account, not before, and never while the gateway starts. */
import { expect } from 'chai';
import { ok } from '../../../../gateway/domain/result.ts';
import type { Venue } from '../../../../gateway/engine/ports/venue.ts';
import { createLazyVenue } from '../../../../gateway/venues/live/kit/lazy-venue.ts';
import { createFakeClock, type FakeClock } from '../../../support/fake-clock.ts';
import { createMarketVenue, perp } from '../../../support/market-venue.ts';
import { createScriptedVenue } from '../../../support/scripted-venue.ts';

const ACCOUNT = { tradeAccountId: 'account-1', exchangeIdentifier: 'desk-7' };

describe('kit: a venue that is loaded late', () => {
  let clock: FakeClock;
  let loads: number;
  let stops: number;
  let serve: () => void;
  let venue: Venue;

  beforeEach(() => {
    clock = createFakeClock();
    loads = 0;
    stops = 0;
    const scripted = createScriptedVenue(clock);
    const market = createMarketVenue({
      ...{ id: 'scripted', clock, instruments: [perp('scripted', 'AAA')], price: '100' },
    });
    const whenServing = new Promise<void>((resolve) => {
      serve = resolve;
    });
    venue = createLazyVenue({
      info: scripted.info,
      clock,
      whenServing,
      load: async () => {
        loads += 1;
        const { instruments, marketStream, status, onStatus } = market;
        return {
          ...{ ...scripted, instruments, marketStream, status, onStatus },
          openAccount: async () => ok(undefined),
          stop: async () => {
            stops += 1;
          },
        };
      },
    });
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('is in nobody’s way until an account uses it', async () => {
    await venue.start();
    serve();
    venue.marketStream(() => {});
    venue.accountStream(ACCOUNT, () => {});
    expect(venue.instruments()).to.deep.equal([]);
    expect((await venue.history(ACCOUNT, null)).ok).to.equal(false);
    expect(venue.status()).to.include({ status: 'DOWN', isUnused: true });
    await turn();
    await venue.stop();
    expect([loads, stops]).to.deep.equal([0, 0]);
  });

  it('orders that come before it is there were not sent', async () => {
    const order = { clientOrderId: 'one' } as never;
    const [outcome] = await venue.placeBatch(ACCOUNT, [order]);
    expect(outcome).to.include({ kind: 'not_sent', clientOrderId: 'one' });
  });

  it('an account at the start is opened once the gateway serves; the venue is in use meanwhile', async () => {
    const opening = venue.openAccount(ACCOUNT);
    await turn();
    expect(loads).to.equal(0);
    expect(venue.status()).to.include({ status: 'DOWN', reason: 'connecting' });
    expect(venue.status().isUnused).to.equal(undefined);
    serve();
    expect((await opening).ok).to.equal(true);
    expect(loads).to.equal(1);
    expect(venue.instruments().map(({ id }) => id)).to.deep.equal(['AAA-PERP']);
    await venue.openAccount(ACCOUNT);
    expect(loads).to.equal(1);
    await venue.stop();
    expect(stops).to.equal(1);
  });

  it('a gateway that stops before it serves loads nothing any more', async () => {
    const opening = venue.openAccount(ACCOUNT).then(
      () => 'opened',
      () => 'not opened',
    );
    await venue.stop();
    serve();
    expect(await opening).to.equal('not opened');
    expect(loads).to.equal(0);
  });

  it('who followed its prices before it was there hears of them after', async () => {
    serve();
    const heard: number[] = [];
    venue.marketStream(({ quotes }) => heard.push(quotes.length));
    const listed: number[] = [];
    venue.onInstruments?.(() => listed.push(venue.instruments().length));
    await venue.openAccount(ACCOUNT);
    expect(heard[0]).to.equal(0);
    expect(heard.at(-1)).to.equal(1);
    expect(listed).to.deep.equal([1]);
  });
});
