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
    adapter: (host) => adapterAt(emulator.url, { host }),
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
  refusedNonces: ['duplicate nonce', 'nonce too low'].map((words) => ({
    ...{ do: 'answer', json: { status: 'err', response: `Invalid nonce: ${words} 5` }, times: 1 },
  })),
  cancelRequest: 'cancelByCloid',
  orderTraffic: 'order',
  refusePrice: { 'from the oracle': (desk) => desk.script.setOracle('BTC', '5000') },
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
  lookupTraffic: ['userFillsByTime'],
  endKey: {
    'is revoked': (desk) => desk.script.revokeAgent(desk.user, agentOf(desk)),
    'has expired': (desk) => desk.script.expireAgent(desk.user, agentOf(desk)),
  },
  keyRefusal: /does not exist/,
  subaccount(desk) {
    const address = `0x${'5b'.repeat(20)}`;
    desk.script.addAccount({ address, deposit: '5000', kind: 'subAccount', master: desk.user });
    const credentials = { ...desk.test.access.credentials, accountAddress: address };
    return {
      account: { tradeAccountId: 'sub', exchangeIdentifier: address },
      access: { network: 'mainnet', credentials },
    };
  },
  thousandPepe: 'kPEPE',
  listRequest: 'metaAndAssetCtxs',
  foreignWords: ['builder', 'referr'],
  requestLine: /^POST \/(info|exchange) HTTP/,
  privateKey: (desk) => String(desk.test.access.credentials['agentPrivateKey']).slice(2),
  retriesWithin: [1, 1_000],
  long: ' @long',
  startScarce: () => VenueDesk.start({ weightPerMinute: 1_200 }),
  scarce: { fillsRequest: 'userFillsByTime', paymentsRequest: 'userFunding', leastReadings: 30 },
  startWithFewOrders: () => VenueDesk.start({ weightPerMinute: 600 }),
  openings: 320,
  settle: (desk) => desk.script.delist('BTC'),
  repeatFills: (desk, count) => desk.script.repeatFills(desk.user, count),
  tellsFillsOnce: false,
  timeRequests: (desk) => desk.script.traffic().counts['exchangeStatus'] ?? 0,
  sentExpiry: (desk) => {
    const [sent = ''] = desk.script.sentContaining('"expiresAfter"');
    return Number(/"expiresAfter":(\d+)/.exec(sent)?.[1]);
  },
});

function agentOf(desk: VenueDesk): string {
  return desk.script.state(desk.user).agents[0]?.address ?? '';
}
