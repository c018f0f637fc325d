/**
 * The public market routes over a market of 200 instruments that all move ten times a second, with new statistics every
 * two seconds and 500 materialized baskets: twice what the embedded venues list several times over. Says `{ port }` over
 * the pipe when it listens; ends when the pipe closes.
 */
import { hash } from 'node:crypto';
import { basketKeyText } from '../../gateway/contract/basket-key.ts';
import { canonicalLegs, type MaterializedBasket } from '../../gateway/domain/basket.ts';
import { createHttpApp } from '../../gateway/http/app.ts';
import { createGuard } from '../../gateway/http/guard.ts';
import { basketRoutes } from '../../gateway/http/routes/baskets.ts';
import { createServer } from '../../gateway/http/server.ts';
import { createBasketListing } from '../../gateway/market/basket-listing.ts';
import { createMarket } from '../../gateway/market/market.ts';
import { systemClock } from '../../gateway/system/clock.ts';
import { createIds } from '../../gateway/system/ids.ts';
import { createMetrics } from '../../gateway/system/metrics.ts';
import { createMarketVenue, perp, silentLogger, venuesOf } from '../support/market-venue.ts';
import { seededRandom } from './basket-requests.ts';

const CONNECTOR = 'paper';
const INSTRUMENTS = 200;
const BASKETS = 500;
const MOVE_MS = 100;
const STATISTICS_MS = 2_000;

const random = seededRandom(200);
const instruments = Array.from({ length: INSTRUMENTS }, (_, index) => perp(CONNECTOR, `T${index}`));
const idAt = (index: number) => instruments[index % INSTRUMENTS]?.id ?? '';
const basketKey = (longs: readonly string[], shorts: readonly string[]) =>
  hash('sha256', basketKeyText(longs, shorts), 'hex');

/** Pairs and baskets of three by turns. */
const materialized = Array.from({ length: BASKETS }, (_, index): MaterializedBasket => {
  const longs = index % 2 === 0 ? [idAt(index)] : [idAt(index), idAt(index + 1)];
  const shorts = [idAt(index + 7)];
  return {
    connector: CONNECTOR,
    basketKey: basketKey(longs, shorts),
    legs: canonicalLegs([
      ...longs.map((symbol) => ({ symbol, side: 'BUY' as const })),
      ...shorts.map((symbol) => ({ symbol, side: 'SELL' as const })),
    ]),
    createdAt: 0,
  };
});

const venue = createMarketVenue({ id: CONNECTOR, clock: systemClock, instruments });
const market = createMarket({ venues: venuesOf(venue), clock: systemClock, logger: silentLogger });
market.start();
const listing = createBasketListing({ market, materialized: () => materialized, basketKey });
setInterval(() => {
  venue.move(Object.fromEntries(instruments.map(({ id }) => [id, (50 + 100 * random()).toFixed(4)])));
}, MOVE_MS);
setInterval(() => {
  const stats = instruments.map(({ id }) => ({
    id,
    volume24h: (1e6 * random()).toFixed(2),
    openInterest: (1e5 * random()).toFixed(2),
  }));
  venue.send({ quotes: [], stats });
}, STATISTICS_MS);

const server = createServer({ clock: systemClock, logger: silentLogger });
const { port } = await server.listenLoopback({ port: 0 });
server.serve(
  createHttpApp({
    routes: basketRoutes({ market, listing, store: { basketCounts: () => Promise.resolve([]) } }),
    authenticator: { authenticate: () => ({ ok: false, status: 401, message: 'Public routes only' }) },
    accounts: { find: () => undefined },
    guard: createGuard({ hosts: new Set([`127.0.0.1:${port}`]), origins: new Set() }),
    clock: systemClock,
    ids: createIds(systemClock),
    logger: silentLogger,
    metrics: createMetrics(),
  }),
  (_, socket) => socket.destroy(),
);
process.on('disconnect', () => process.exit(0));
process.send?.({ port });
