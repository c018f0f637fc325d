import { expect } from 'chai';
import type { AccountEvent, PlaceOrder } from '../../../../gateway/engine/ports/venue.ts';
import type { ConnectorStatus } from '../../../../gateway/engine/ports/venue-status.ts';
import type { FaultScript } from '../../../../gateway/venues/paper/venue/faults.ts';
import type { PaperVenue } from '../../../../gateway/venues/paper/venue/paper-venue.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { faultScript } from '../../../support/fault-script.ts';
import { ACCOUNT, flatOrder, flatPaperVenues } from '../../../support/flat-paper-venue.ts';
import { lookUp as ask } from '../../../support/order-lookup.ts';

describe('paper exchange, fault scripts', () => {
  const clock = createFakeClock();
  const venues = flatPaperVenues();
  let venue: PaperVenue;
  let events: AccountEvent[];

  beforeEach(async () => {
    venue = await venues.start(clock);
    events = [];
    venue.accountStream(ACCOUNT, (event) => events.push(event));
  });

  let made = 0;
  const order = (change: Partial<PlaceOrder> = {}): PlaceOrder => {
    made += 1;
    return flatOrder(clock, `c-${made}`, { expiresAt: clock.now() + 5_000, ...change });
  };
  const lookUp = async ({ clientOrderId }: PlaceOrder) => {
    const found = await ask(venue, ACCOUNT, clientOrderId);
    return found.ok ? found.value : found.error;
  };
  const set = (script: FaultScript) => venue.setFaults(JSON.parse(JSON.stringify(script)));

  it('rejects one leg of one batch', async () => {
    set(
      faultScript()
        .at({ batch: 2, leg: 1 }, { kind: 'reject', reason: 'margin', message: 'scripted' })
        .done(),
    );
    const kinds = [];
    for (let batch = 0; batch < 3; batch += 1) {
      kinds.push((await venue.placeBatch(ACCOUNT, [order(), order()])).map(({ kind }) => kind));
    }
    expect(kinds).to.deep.equal([
      ['done', 'done'],
      ['done', 'rejected'],
      ['done', 'done'],
    ]);
  });

  it('fills a share and cancels the rest', async () => {
    set(faultScript().at({ symbol: 'BBB-PERP' }, { kind: 'fill', fraction: '0.3' }).done());
    const outcomes = await venue.placeBatch(ACCOUNT, [order(), order({ symbol: 'BBB-PERP' })]);
    expect(outcomes[0]).to.deep.include({ state: 'filled', filledQuantity: '2' });
    expect(outcomes[1]).to.deep.include({ state: 'cancelled', filledQuantity: '0.6' });
  });

  it('executes without an answer: unknown, and found by a lookup', async () => {
    set(faultScript().at({ order: 2 }, { kind: 'drop_answer' }).done());
    const batch = [order(), order()];
    const outcomes = await venue.placeBatch(ACCOUNT, batch);
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['done', 'unknown']);
    expect(await lookUp(batch[1] ?? order())).to.deep.include({ kind: 'done', state: 'filled' });
  });

  it('loses the request: unknown, and never seen', async () => {
    set(faultScript().at({ leg: 0 }, { kind: 'drop_request' }).done());
    const batch = [order(), order()];
    const outcomes = await venue.placeBatch(ACCOUNT, batch);
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['unknown', 'done']);
    expect((await lookUp(batch[0] ?? order())).kind).to.equal('not_found');
  });

  it('delays a batch, past its expiry if it must be', async () => {
    set(
      faultScript()
        .at({ batch: 1 }, { kind: 'delay', delayMs: 300 })
        .at({ batch: 2 }, { kind: 'delay', delayMs: 6_000 })
        .done(),
    );
    const times: number[] = [];
    const first = venue.placeBatch(ACCOUNT, [order()]);
    const second = venue.placeBatch(ACCOUNT, [order()]);
    const start = clock.now();
    first.then(() => times.push(clock.now() - start)).catch(() => undefined);
    await clock.advance(200);
    expect(times).to.deep.equal([]);
    await clock.advance(7_000);
    expect((await first)[0]).to.deep.include({ kind: 'done', state: 'filled' });
    expect((await second)[0]).to.deep.include({ kind: 'rejected', reason: 'expired' });
  });

  it('tells a fill twice, and a batch backwards', async () => {
    set(
      faultScript()
        .at({ batch: 1 }, { kind: 'duplicate_fill' })
        .at({ batch: 2 }, { kind: 'reorder_stream' })
        .done(),
    );
    await venue.placeBatch(ACCOUNT, [order()]);
    const ids = () => events.flatMap((event) => (event.kind === 'fill' ? [event.fill.tradeId] : []));
    expect(ids()).to.have.length(2);
    expect(new Set(ids()).size).to.equal(1);
    events.length = 0;
    await venue.placeBatch(ACCOUNT, [order(), order({ symbol: 'BBB-PERP' })]);
    const symbols = events.flatMap((event) => (event.kind === 'fill' ? [event.fill.symbol] : []));
    expect(symbols).to.deep.equal(['BBB-PERP', 'AAA-PERP']);
  });

  it('cuts the stream: what happens meanwhile is only in the history', async () => {
    set(faultScript().at({ batch: 1 }, { kind: 'disconnect_stream', forMs: 1_000 }).done());
    await venue.placeBatch(ACCOUNT, [order()]);
    await clock.advance(500);
    await venue.placeBatch(ACCOUNT, [order()]);
    expect(events).to.deep.equal([]);
    await clock.advance(600);
    expect(events).to.deep.equal([{ kind: 'reconnected' }]);
    const history = await venue.history(ACCOUNT, null);
    expect(history.ok && history.value.fills.length).to.equal(2);
    await venue.placeBatch(ACCOUNT, [order()]);
    expect(events).to.have.length(2);
  });

  it('does not answer lookups for a while', async () => {
    set(faultScript().at({ times: 2 }, { kind: 'lookup_unknown' }).done());
    const one = order();
    await venue.placeBatch(ACCOUNT, [one]);
    expect([(await lookUp(one)).kind, (await lookUp(one)).kind, (await lookUp(one)).kind]).to.deep.equal([
      'unknown',
      'unknown',
      'done',
    ]);
  });

  it('goes down and comes back', async () => {
    const told: ConnectorStatus['status'][] = [];
    venue.onStatus(({ status }) => told.push(status));
    set(faultScript().at({ batch: 1 }, { kind: 'down', forMs: 2_000 }).done());
    const one = order();
    expect((await venue.placeBatch(ACCOUNT, [one]))[0]?.kind).to.equal('unknown');
    expect(venue.status().status).to.equal('DOWN');
    expect((await venue.balances(ACCOUNT)).ok).to.equal(false);
    await clock.advance(2_100);
    expect(told).to.deep.equal(['DOWN', 'UP']);
    expect(events).to.deep.equal([{ kind: 'reconnected' }]);
    expect((await lookUp(one)).kind).to.equal('not_found');
  });

  it('applies a rule as often as it says', async () => {
    set(
      faultScript()
        .at({ leg: 0, times: null }, { kind: 'drop_request' })
        .at({ leg: 1, times: 2 }, { kind: 'drop_request' })
        .done(),
    );
    const unknowns = [];
    for (let batch = 0; batch < 4; batch += 1) {
      const outcomes = await venue.placeBatch(ACCOUNT, [order(), order()]);
      unknowns.push(outcomes.filter(({ kind }) => kind === 'unknown').length);
    }
    expect(unknowns).to.deep.equal([2, 2, 1, 1]);
  });
});
