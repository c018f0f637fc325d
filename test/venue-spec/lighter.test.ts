/** The adapter of Lighter against the venue spec, at the emulated venue. */
import { createFakeClock } from '../support/fake-clock.ts';
import { accountAt, adapterAt } from '../support/venues/lighter/adapter.ts';
import { startEmulator } from '../support/venues/lighter/emulator.ts';
import { DEFAULT_MARKETS } from '../support/venues/lighter/state/markets.ts';
import { VenueDesk } from '../support/venues/lighter/venue-desk.ts';
import { emulatedVenue } from './emulated.ts';
import { liveVenueSpec } from './live-venue-spec.ts';
import { venueSpec } from './venue-spec.ts';

venueSpec('lighter, emulated', async () => {
  // Instruments of isolated margin only are tried in tests of their own.
  const markets = DEFAULT_MARKETS.filter(({ onlyIsolated }) => onlyIsolated !== true);
  const clock = createFakeClock();
  const emulator = await startEmulator({ clock, markets, pulseMs: 200 });
  // A reduce-only order that would open leaves no trace by default, which tests of their own are about.
  emulator.script.setReduceOnly('is cancelled');
  // Dozens of accounts are opened here within a minute.
  emulator.script.setMessagesPerMinute(null);
  return emulatedVenue(clock, emulator, {
    terms: { endsAreTold: 'later' },
    adapter: (host) => adapterAt(emulator.url, { host }),
    account: () => accountAt(emulator),
  });
});

liveVenueSpec('lighter, emulated', {
  start: (options) => VenueDesk.start(options),
  orderRequest: 'sendTx',
  unreadable: [
    { do: 'lose_answer' },
    { do: 'truncate' },
    { do: 'status', code: 502, execute: true },
    { do: 'status', code: 503, execute: true },
    { do: 'status', code: 200, body: '<html>maintenance</html>', execute: true },
    { do: 'answer', json: 'busy', execute: true },
    { do: 'answer', json: { code: 500, message: 'internal' }, code: 500, execute: true },
  ],
  answersEnds: false,
  sendsAgain: false,
  refusedNonces: {
    ...{ do: 'answer', json: { code: 21_104, message: 'invalid nonce' }, code: 400, times: 4 },
  },
  orderStreams: ['account_all_trades', 'account_all_orders', 'account_tx'],
  wrongSnapshots: [{ emptySnapshots: true }, { brokenSnapshots: true }, { staleSnapshots: true } as object],
  stateRequest: 'account',
  malformedStates: [
    null,
    [],
    {},
    'busy',
    { code: 200, accounts: [] },
    { code: 200, accounts: [{ index: 1 }] },
    { code: 200, accounts: [{ positions: null }] },
  ],
  forgetOrders: (desk, times) => desk.script.forgetOrders(times, desk.index),
  refuseLeverage: (desk, message) =>
    desk.script.refuseInSequencer({ kind: 'updateLeverage', code: 21_613, message }),
  leverageRefusal: 'invalid margin mode',
  buyElsewhere: (desk, symbol, quantity, price) =>
    desk.script.tradeElsewhere(desk.index, symbol, 'buy', quantity, price),
  repeatFills: (desk, count) => desk.script.repeatTrades(desk.index, count),
  tellsFillsOnce: true,
  // Of the stream whose first message has the time, which is left again each time.
  timeRequests: (desk) => desk.count('ws unsubscribe'),
  sentExpiry: (desk) => {
    const sent = desk.sent().find((text) => text.includes('ExpiredAt')) ?? '';
    return Number(/"ExpiredAt":(\d+)/.exec(sent)?.[1]);
  },
});
