/** Records for the store's tests, whole and plausible; each test changes what it is about. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Execution, Fill, Order, Position, TradeAccount, User } from '../../gateway/domain/model.ts';
import type { Session } from '../../gateway/domain/session.ts';
import type { Store } from '../../gateway/engine/ports/store.ts';
import type { Logger } from '../../gateway/engine/ports/system.ts';
import type { NewEvent, UnitOfWork } from '../../gateway/engine/ports/unit-of-work.ts';
import { type DatabaseOptions, openDatabase } from '../../gateway/store/file/open-database.ts';
import { MIGRATIONS } from '../../gateway/store/migrations/steps.ts';
import { openStore, type StoreOptions } from '../../gateway/store/open-store.ts';
import { createIds } from '../../gateway/system/ids.ts';
import { newDataFile } from './new-data-file.ts';
import { openForEachTest, openForSuite } from './open-for-tests.ts';
import { unwrap } from './unwrap.ts';

export const START = Date.UTC(2025, 10, 21);

let time = START;
const ids = createIds({ now: () => time });

/** UUID v7 whose time is `at`, or the last one asked for. */
export function nextId(at?: number): string {
  if (at !== undefined) time = Math.max(time, at);
  return ids.next();
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** A folder that is removed after the test that calls `remove`. */
export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'tandem-store-'));
  return {
    path,
    /** A file in it that is not there yet. */
    file: join(path, 'tandem.db'),
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

/** A folder of its own for each test of a suite. */
export const folderForEachTest = () => openForEachTest(temporaryFolder, (folder) => folder.remove());

export const openedDatabase = (file: string, changes: Partial<DatabaseOptions> = {}) =>
  openDatabase({
    ...{ file, clock: { now: () => START }, logger: silentLogger, synchronous: 'OFF' },
    migrations: MIGRATIONS,
    ...changes,
  });

/** Makes the file where there is none. */
export const openedStore = (file: string, changes: Partial<StoreOptions> = {}): Promise<Store> =>
  openStore({ file, clock: { now: () => START }, logger: silentLogger, synchronous: 'OFF', ...changes });

/** The same for a test that is not about how a file is made. */
export async function testStore(file: string, changes?: Partial<StoreOptions>): Promise<Store> {
  await newDataFile(file);
  return openedStore(file, changes);
}

/** Commits what must not be refused. */
export async function committed(store: Pick<Store, 'commit'>, unit: UnitOfWork) {
  return unwrap(await store.commit(unit));
}

interface StoreOfSuite extends Store {
  readonly file: string;
  /** Closes it and opens its file anew, as a restart does. */
  reopen(changes?: Partial<StoreOptions>): Promise<void>;
}

async function storeOfSuite(): Promise<StoreOfSuite> {
  const { file } = await temporaryFolder();
  const opened: StoreOfSuite = {
    ...(await testStore(file)),
    file,
    async reopen(changes) {
      await opened.close();
      Object.assign(opened, await openedStore(file, changes));
    },
  };
  return opened;
}

async function removeStore(store: StoreOfSuite): Promise<void> {
  await store.close();
  await rm(dirname(store.file), { recursive: true, force: true });
}

/** A store on a file of its own before each test of a suite. */
export const storeForEachTest = (): StoreOfSuite => openForEachTest(storeOfSuite, removeStore);

/** One store for all tests of a suite. */
export const storeForSuite = (): StoreOfSuite => openForSuite(storeOfSuite, removeStore);

export const paperAccount = (changes: Partial<TradeAccount> = {}): TradeAccount => ({
  id: 'account',
  userId: 'user',
  alias: 'Test',
  connector: 'paper',
  mode: 'PAPER',
  exchangeIdentifier: 'account',
  status: 'READY',
  metadata: null,
  createdAt: START,
  updatedAt: START,
  ...changes,
});

export function user(changes: Partial<User> = {}): User {
  return {
    id: nextId(),
    email: null,
    passwordHash: null,
    walletAddress: null,
    displayName: null,
    createdAt: START,
    updatedAt: START,
    ...changes,
  };
}

export const session = (userId: string, changes: Partial<Session> = {}): Session => ({
  id: nextId(),
  userId,
  refreshHash: 'r1',
  keyThumbprint: null,
  userAgent: null,
  ip: '127.0.0.1',
  createdAt: START,
  lastUsedAt: START,
  expiresAt: START + 9,
  ...changes,
});

/** Fields of an order of which nothing has been sent. */
export const UNSENT = {
  reduceOnly: false,
  quantity: null,
  limitPrice: null,
  worstPrice: null,
  sizedPrice: null,
  targetQuantity: null,
  attempt: 0,
  clientOrderId: null,
  expiresAt: null,
  venueOrderId: null,
  status: 'PENDING',
  filledQuantity: '0',
  averagePrice: null,
  error: null,
  errorCode: null,
} as const;

export function order(
  execution: Pick<Execution, 'id' | 'tradeAccountId' | 'createdAt'>,
  legIndex: number,
): Order {
  return {
    id: nextId(),
    executionId: execution.id,
    tradeAccountId: execution.tradeAccountId,
    legIndex,
    symbol: legIndex % 2 === 0 ? 'BTC-PERP' : 'ETH-PERP',
    side: legIndex % 2 === 0 ? 'BUY' : 'SELL',
    mode: 'USD',
    amount: '1000.5',
    ...UNSENT,
    createdAt: execution.createdAt,
    updatedAt: execution.createdAt,
  };
}

export function execution(changes: Partial<Execution> = {}, legs = 2): Execution {
  const header = { id: nextId(), tradeAccountId: 'account', createdAt: START, ...changes };
  return {
    userId: 'user',
    connector: 'paper',
    basketKey: 'b'.repeat(64),
    type: 'MARKET',
    origin: 'API',
    intent: 'OPEN',
    status: 'IDLE',
    error: null,
    errorCode: null,
    positionId: null,
    clientId: null,
    parentId: null,
    onLegFailure: 'KEEP',
    slippage: '0.01',
    authorityKind: null,
    authorityId: null,
    reserved: null,
    activeAt: null,
    finishedAt: null,
    updatedAt: START,
    orders: Array.from({ length: legs }, (_, legIndex) => order(header, legIndex)),
    ...header,
  };
}

export function fill(changes: Partial<Fill> = {}): Fill {
  const id = nextId();
  return {
    id,
    tradeAccountId: 'account',
    connector: 'paper',
    executionId: null,
    orderId: null,
    positionId: null,
    symbol: 'BTC-PERP',
    side: 'BUY',
    price: '97123.5',
    quantity: '0.01',
    notional: '971.235',
    fee: '0.4370557',
    feeAsset: 'USDC',
    realizedPnl: '0',
    liquidity: 'TAKER',
    venueOrderId: null,
    tradeId: `trade-${id}`,
    cloid: null,
    isLiquidation: false,
    isProvisional: false,
    timestamp: START,
    cause: null,
    ...changes,
  };
}

export function position(changes: Partial<Position> = {}): Position {
  return {
    id: nextId(),
    userId: 'user',
    tradeAccountId: 'account',
    connector: 'paper',
    basketKey: 'b'.repeat(64),
    status: 'OPEN',
    origin: 'GATEWAY',
    entryRatio: '26.412345678901234567',
    legs: [
      {
        symbol: 'BTC-PERP',
        side: 'BUY',
        quantity: '0.010000000000000001',
        entryPrice: '97123.5',
        entryNotional: '971.235000000000097123',
        realizedPnl: '-0.000000000000000001',
        feesPaid: '0.43',
        fundingPaid: '-1.2',
        targetWeight: '1',
      },
    ],
    createdAt: START,
    updatedAt: START,
    closedAt: null,
    ...changes,
  };
}

/** A position whose only leg differs from the usual one. */
export function positionOfLeg(leg: Partial<Position['legs'][number]>, changes: Partial<Position> = {}) {
  const made = position(changes);
  return { ...made, legs: made.legs.map((one) => ({ ...one, ...leg })) };
}

export function event(changes: Partial<NewEvent> = {}): NewEvent {
  return {
    tradeAccountId: 'account',
    event: 'order.updated',
    entityId: nextId(),
    timestamp: START,
    ...changes,
  };
}
