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
  refusedNonces: [{ code: 21_104, message: 'invalid nonce' }, { message: 'invalid nonce' }].map((json) => ({
    ...{ do: 'answer', json, code: 400, times: 2 },
  })),
  cancelRequest: 'cancelOrder',
  orderTraffic: 'sendTx createOrder',
  refusePrice: {
    'as a mistake': (desk) => refuseOrder(desk, 21_733),
    'from the mark': (desk) => refuseOrder(desk, 21_734),
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
  lookupTraffic: ['accountOrders', 'trades'],
  endKey: { 'is revoked': (desk) => desk.script.revokeApiKey(desk.index, 5) },
  keyRefusal: /key/,
  subaccount: (desk) => accountAt(desk.emulator, { master: desk.index, collateral: '5000' }),
  thousandPepe: '1000PEPE',
  listRequest: 'orderBookDetails',
  foreignWords: ['integrator', 'referr', 'broker', 'builder', 'user-agent', 'L2TxAttributes":{', '\\"1\\":'],
  requestLine: /^(GET|POST) \/(api\/v1\/[A-Za-z]+)?(\?[^ ]*)? HTTP/,
  privateKey: (desk) => desk.test.key.privateKey,
  retriesWithin: [500, 60_000],
  long: '',
  startScarce: () => startLimited((desk) => desk.script.setRequestsPerMinute(60)),
  scarce: { fillsRequest: 'trades', paymentsRequest: 'positionFunding', leastReadings: 60 },
  startWithFewOrders: () => startLimited((desk) => desk.script.setSendTxPerMinute(60)),
  openings: 40,
  settle: (desk) => desk.script.settlePosition(desk.index, 'BTC', '99000'),
  repeatFills: (desk, count) => desk.script.repeatTrades(desk.index, count),
  tellsFillsOnce: true,
  // Of the stream whose first message has the time, which is left again each time.
  timeRequests: (desk) => desk.count('ws unsubscribe'),
  sentExpiry: (desk) => {
    const sent = desk.sent().find((text) => text.includes('ExpiredAt')) ?? '';
    return Number(/"ExpiredAt":(\d+)/.exec(sent)?.[1]);
  },
});

function refuseOrder(desk: VenueDesk, code: number): void {
  desk.script.fault({ on: 'sendTx', do: 'answer', json: { code, message: 'price' }, code: 400 });
}

/** A desk whose adapter keeps to sixty requests a minute. */
async function startLimited(limit: (desk: VenueDesk) => void): Promise<VenueDesk> {
  const desk = await VenueDesk.start({ perMinute: 60 });
  limit(desk);
  return desk;
}
