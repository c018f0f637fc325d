/** The realtime hub on a real HTTP server, with real market data, two users and credentials whose life the test controls. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Authentication } from '../../gateway/call/authenticator.ts';
import { createGuard } from '../../gateway/call/guard.ts';
import type { Instrument, Principal, TradeAccount } from '../../gateway/domain/model.ts';
import type { StoredEvent } from '../../gateway/engine/ports/unit-of-work.ts';
import { createMarket, type Market } from '../../gateway/market/market.ts';
import { createRealtime, type Realtime } from '../../gateway/realtime/realtime.ts';
import type { CredentialCheck } from '../../gateway/realtime/sources.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { createMarketVenue, type MarketVenue, perp, silentLogger, venuesOf } from './market-venue.ts';
import { connectRealtime, type RealtimeClient } from './realtime-client.ts';

export const ANNA = { account: '0190b7a0-0000-7000-8000-00000000000a', token: 'anna-token' } as const;
export const BEN = { account: '0190b7a0-0000-7000-8000-00000000000b', apiKey: 'ben-key' } as const;

export const annaSession: Principal = { kind: 'session', userId: 'anna', sessionId: 'anna-session' };
export const benKey: Principal = {
  kind: 'api_key',
  userId: 'ben',
  keyId: 'ben-key-id',
  scope: 'read',
  tradeAccountIds: null,
};
const annaGrant: Principal = {
  kind: 'oauth_grant',
  userId: 'anna',
  grantId: 'grant',
  clientId: 'client',
  scopes: ['mcp:read'],
};

function accountOf(id: string, userId: string): TradeAccount {
  return {
    id,
    userId,
    alias: userId,
    connector: 'paper',
    mode: 'PAPER',
    exchangeIdentifier: id,
    status: 'READY',
    metadata: null,
    createdAt: 0,
    updatedAt: 0,
  };
}

export interface RealtimeRig {
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  readonly clock: FakeClock;
  readonly venue: MarketVenue;
  readonly market: Market;
  readonly log: EventLog;
  readonly realtime: Realtime;
  readonly accounts: Map<string, TradeAccount>;
  /** Principals that have ended without `dropPrincipal`. */
  readonly dead: Set<Principal>;
  /** Called when an `auth` message has been verified; its answer waits for the result. */
  authGate: (() => Promise<void>) | null;
  /** Commits and publishes. */
  emit(account: string, count?: number): readonly StoredEvent[];
  connect(headers?: Readonly<Record<string, string>>): Promise<RealtimeClient>;
  stop(): Promise<void>;
}

export async function startRealtimeRig(
  options: { readonly instruments?: readonly Instrument[] } = {},
): Promise<RealtimeRig> {
  const clock = createFakeClock();
  const venue = createMarketVenue({
    id: 'paper',
    clock,
    instruments: options.instruments ?? [perp('paper', 'BTC'), perp('paper', 'ETH')],
  });
  const market = createMarket({ venues: venuesOf(venue), clock, logger: silentLogger });
  market.start();
  const log = createEventLog({ at: clock.now() });
  const accounts = new Map<string, TradeAccount>([
    [ANNA.account, accountOf(ANNA.account, 'anna')],
    [BEN.account, accountOf(BEN.account, 'ben')],
  ]);
  const dead = new Set<Principal>();
  const hosts: string[] = [];
  const origins: string[] = [];

  function byCredential(credential: { token?: string; apiKey?: string; ticket?: string }): CredentialCheck {
    const { token, apiKey } = credential;
    if (token === ANNA.token) return { ok: true, principal: annaSession };
    if (token === 'anna-grant') return { ok: true, principal: annaGrant };
    if (apiKey === BEN.apiKey) return { ok: true, principal: benKey };
    return {
      ok: false,
      message: apiKey === undefined ? 'Invalid or expired access token' : 'Invalid API key',
    };
  }

  const rig: Pick<RealtimeRig, 'authGate'> = { authGate: null };
  const realtime = createRealtime({
    async authenticate(credential) {
      const check = byCredential(credential);
      if (rig.authGate !== null) await rig.authGate();
      return check;
    },
    authenticator: {
      authenticate({ 'x-api-key': apiKey, authorization, cookie }): Authentication {
        const check =
          typeof apiKey === 'string'
            ? byCredential({ apiKey })
            : authorization !== undefined
              ? byCredential({ token: authorization.replace(/^Bearer /, '') })
              : byCredential(cookie === 'tandem_session=anna' ? { token: ANNA.token } : {});
        return check.ok
          ? { ...check, via: apiKey === undefined && authorization === undefined ? 'cookie' : 'header' }
          : { ...check, status: 401 };
      },
    },
    isAlive: (principal) => !dead.has(principal),
    moneyOf: () => ({ mode: 'PAPER', network: null }),
    accounts: {
      find(principal, id) {
        const account = accounts.get(id);
        return account?.userId === principal.userId ? account : undefined;
      },
    },
    market,
    store: log,
    guard: createGuard({ hosts, origins }),
    clock,
    logger: silentLogger,
  });

  const server: Server = createServer((_request, response) => response.writeHead(404).end());
  server.on('upgrade', (request, socket, head) => realtime.handleUpgrade(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port }: Pick<AddressInfo, 'port'> = server.address() as AddressInfo;
  hosts.push(`127.0.0.1:${port}`);
  origins.push(`http://127.0.0.1:${port}`, 'http://localhost:5173');
  const clients: RealtimeClient[] = [];

  return Object.assign(rig, {
    url: `ws://127.0.0.1:${port}/ws`,
    origin: `http://127.0.0.1:${port}`,
    port,
    clock,
    venue,
    market,
    log,
    realtime,
    accounts,
    dead,
    emit(account: string, count = 1) {
      const events = log.commit(account, count);
      realtime.publish(events);
      return events;
    },
    async connect(headers: Readonly<Record<string, string>> = {}) {
      const client = await connectRealtime(`ws://127.0.0.1:${port}/ws`, { headers });
      clients.push(client);
      return client;
    },
    async stop() {
      realtime.close();
      market.close();
      for (const client of clients) client.end();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}
