/** The adapter of Hyperliquid against the venue spec, at the emulated venue. */
import { createFakeClock } from '../support/fake-clock.ts';
import { accountAt, adapterAt } from '../support/venues/hyperliquid/adapter.ts';
import { startEmulator } from '../support/venues/hyperliquid/emulator.ts';
import { DEFAULT_UNIVERSE } from '../support/venues/hyperliquid/state/universe.ts';
import { VenueDesk } from '../support/venues/hyperliquid/venue-desk.ts';
import { emulatedVenue } from './emulated.ts';
import { liveVenueSpec } from './live-venue-spec.ts';
import { venueSpec } from './venue-spec.ts';

venueSpec('hyperliquid, emulated', async () => {
  // Instruments of isolated margin only are tried in tests of their own.
  const universe = DEFAULT_UNIVERSE.filter(({ onlyIsolated }) => onlyIsolated !== true);
  const clock = createFakeClock();
  const emulator = await startEmulator({ clock, universe, pulseMs: 200 });
  return emulatedVenue(clock, emulator, {
    adapter: (host) => adapterAt(emulator.url, host),
    account: () => accountAt(emulator),
  });
});

liveVenueSpec('hyperliquid, emulated', {
  start: (options) => VenueDesk.start(options),
  orderRequest: 'order',
  unreadable: [
    { do: 'lose_answer' },
    { do: 'truncate' },
    { do: 'status', code: 502, execute: true },
    { do: 'status', code: 503, execute: true },
    { do: 'answer', json: { status: 'ok', response: { type: 'order' } }, execute: true },
    { do: 'answer', json: { hello: 'world' }, execute: true },
  ],
  answersEnds: true,
  sendsAgain: true,
  refusedNonces: {
    do: 'answer',
    json: { status: 'err', response: 'Invalid nonce: nonce too low 5' },
    times: 2,
  },
  orderStreams: ['userFills', 'orderUpdates'],
  wrongSnapshots: [{ emptySnapshots: true }, { brokenSnapshots: true }],
  stateRequest: 'clearinghouseState',
  malformedStates: [
    null,
    [],
    {},
    'busy',
    { assetPositions: [] },
    { crossMarginSummary: {}, assetPositions: [{}] },
  ],
  forgetOrders: (desk, times) => desk.script.forgetOrders(times, desk.user),
  refuseLeverage: (desk, response) =>
    desk.script.fault({ on: 'updateLeverage', do: 'answer', json: { status: 'err', response } }),
  leverageRefusal: 'Cannot switch leverage type with open position',
  buyElsewhere: (desk, coin, quantity, price) =>
    desk.script.tradeElsewhere(desk.user, coin, 'buy', quantity, price),
  repeatFills: (desk, count) => desk.script.repeatFills(desk.user, count),
  tellsFillsOnce: false,
  timeRequests: (desk) => desk.script.traffic().counts['exchangeStatus'] ?? 0,
  sentExpiry: (desk) => {
    const [sent = ''] = desk.script.sentContaining('"expiresAfter"');
    return Number(/"expiresAfter":(\d+)/.exec(sent)?.[1]);
  },
});
