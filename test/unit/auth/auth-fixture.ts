/** Authentication on a real database file, a fake clock and stand-in venues. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewAccount } from '../../../gateway/auth/accounts.ts';
import type { NewApiKey } from '../../../gateway/auth/api-keys.ts';
import { type Auth, type AuthOptions, type AuthSettings, createAuth } from '../../../gateway/auth/auth.ts';
import type { Registered } from '../../../gateway/auth/sign-in.ts';
import { unarmedLimits } from '../../../gateway/domain/account-limits.ts';
import type { ApiKey } from '../../../gateway/domain/model.ts';
import { fail, type Result } from '../../../gateway/domain/result.ts';
import { notice } from '../../../gateway/engine/notices/notify.ts';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import type { Logger } from '../../../gateway/engine/ports/system.ts';
import type { UnitOfWork } from '../../../gateway/engine/ports/unit-of-work.ts';
import { openStore } from '../../../gateway/store/open-store.ts';
import { createIds } from '../../../gateway/system/ids.ts';
import { createMemoryVault } from '../../../gateway/vault/memory-vault.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { openForEachTest } from '../../support/open-for-tests.ts';
import { type VenueStandIn, venueStandIn, venuesOf } from './venue-stand-in.ts';

export const HOST = 'tandem.localhost:7391';
export const PASSWORD = 'correct horse battery';
export const DEVICE = { userAgent: 'test', ip: '127.0.0.1' };
/** Limits of accounts that are not armed. */
export const UNARMED = { of: ({ id }: { readonly id: string }) => unarmedLimits(id), begin: () => ({}) };

export interface AuthFixture {
  readonly auth: Auth;
  readonly clock: FakeClock;
  readonly vault: AuthOptions['vault'];
  readonly paper: VenueStandIn;
  readonly live: VenueStandIn;
  /** Trade accounts that count as having open positions. */
  readonly openBusiness: Set<string>;
  readonly logged: string[];
  /** The units committed so far. */
  readonly commits: UnitOfWork[];
  /** While true, every commit answers that the disk is unavailable. */
  failCommits: boolean;
  /** Closes everything and starts again on the same file and vault. */
  restart(): Promise<AuthFixture>;
  /** Everything the database has on disk, as text. */
  databaseText(): Promise<string>;
  register(email?: string): Promise<Registered>;
  /** A key of the user, for all accounts and without an end if nothing else is said. */
  newKey(
    userId: string,
    over?: Partial<NewApiKey>,
  ): Promise<{ readonly key: ApiKey; readonly secret: string }>;
  /** A live account of the user, without credentials if nothing else is said. */
  newAccount(userId: string, over?: Partial<NewAccount>): ReturnType<Auth['accounts']['create']>;
  close(): Promise<void>;
}

export interface FixtureOptions {
  readonly settings?: Partial<AuthSettings>;
  readonly options?: Partial<Pick<AuthOptions, 'grants' | 'checkCredentials' | 'vault'>>;
}

export function unwrap<T, E>(result: Result<T, E>): T {
  if (result.ok) return result.value;
  throw new Error(`Unexpected refusal: ${JSON.stringify(result.error)}`);
}

export async function startAuth(given: FixtureOptions = {}): Promise<AuthFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-auth-'));
  const vault = given.options?.vault ?? createMemoryVault();
  return start(given, folder, vault, createFakeClock());
}

/** Authentication of its own for each test of a suite. Call it in `describe`. */
export const authForEachTest = (given?: FixtureOptions): AuthFixture =>
  openForEachTest(() => startAuth(given));

async function start(
  given: FixtureOptions,
  folder: string,
  vault: AuthOptions['vault'],
  clock: FakeClock,
): Promise<AuthFixture> {
  const logged: string[] = [];
  const log = (fields: object, message: string) => logged.push(`${message} ${JSON.stringify(fields)}`);
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  const file = join(folder, 'tandem.db');
  const store = await openStore({ file, clock, logger, synchronous: 'OFF' });
  const commits: UnitOfWork[] = [];
  const watched: Store = {
    ...store,
    async commit(unit) {
      if (fixture.failCommits) return fail({ kind: 'unavailable', message: 'disk full' });
      commits.push(unit);
      return store.commit(unit);
    },
  };
  const paper = venueStandIn('paper', 'PAPER');
  const live = venueStandIn('live', 'LIVE');
  const openBusiness = new Set<string>();
  const ids = createIds(clock);
  const auth = await createAuth({
    store: watched,
    vault,
    clock,
    ids,
    logger,
    venues: venuesOf(paper, live),
    holdAccount: (id) => (openBusiness.has(id) ? null : () => undefined),
    forgetHoldings: async () => {},
    notice: (account, text) => notice({ ids, clock }, text, account.userId, [account.id]),
    ...(given.options?.grants === undefined ? {} : { grants: given.options.grants }),
    ...(given.options?.checkCredentials === undefined
      ? {}
      : { checkCredentials: given.options.checkCredentials }),
    settings: {
      registration: 'first',
      issuer: 'http://127.0.0.1:7391',
      audience: 'http://127.0.0.1:7391',
      hosts: () => [HOST, '127.0.0.1:7391'],
      ...given.settings,
    },
  });

  async function stop(): Promise<void> {
    await auth.close();
    await store.close();
  }

  const fixture: AuthFixture = {
    auth,
    clock,
    vault,
    paper,
    live,
    openBusiness,
    logged,
    commits,
    failCommits: false,
    async restart() {
      await stop();
      return start(given, folder, vault, clock);
    },
    async databaseText() {
      const wal = await readFile(`${file}-wal`, 'latin1').catch(() => '');
      return (await readFile(file, 'latin1')) + wal;
    },
    register: async (email = 'ada@example.com') =>
      unwrap(await auth.signIn.register({ email, password: PASSWORD, displayName: null }, DEVICE)),
    newKey: async (userId, over = {}) =>
      unwrap(
        await auth.apiKeys.create({
          ...{ userId, label: 'bot', scope: 'read_write', expiresAt: null, tradeAccountIds: null, ...over },
        }),
      ),
    newAccount: (userId, over = {}) =>
      auth.accounts.create({
        ...{ userId, alias: 'Live', connector: 'live', metadata: null, credentials: null, ...over },
      }),
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return fixture;
}
