/**
 * The adapter and @nktkas/hyperliquid, a client by other authors, do the same on two accounts of one emulated venue, and
 * must read the same: what either one misunderstands, or the emulator makes up for the adapter, shows as a difference.
 */
import { expect } from 'chai';
import { dec, text } from '../../../../../gateway/domain/decimal.ts';
import type { Clock } from '../../../../../gateway/engine/ports/system.ts';
import type { AccountEvent, PlaceOrder, Venue } from '../../../../../gateway/engine/ports/venue.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { until } from '../../../../support/until.ts';
import { accountAt, adapterAt } from '../../../../support/venues/hyperliquid/adapter.ts';
import { type Emulator, startEmulator } from '../../../../support/venues/hyperliquid/emulator.ts';
import type { Answer } from '../../../../support/venues/hyperliquid/trader.ts';
import { refOf } from '../../../../support/venues/hyperliquid/venue-desk.ts';
import { needsClient, type Witness, witnessOf } from '../../../../support/venues/hyperliquid/witness.ts';
import { inTime } from '../../../../support/venues/shared/in-time.ts';
import { memoryHost, untilUp } from '../../../../support/venues/shared/memory-host.ts';
import type { TestAccount } from '../../../../support/venues/shared/venue-desk.ts';

/** An order as both are told to place it, in the venue's coin and units. */
interface Wanted {
  readonly coin: string;
  readonly isBuy: boolean;
  readonly px: string;
  readonly sz: string;
  readonly tif: 'Ioc' | 'Gtc';
  readonly reduceOnly?: boolean;
}

const BATCH: readonly Wanted[] = [
  { coin: 'ETH', isBuy: true, px: '4040', sz: '1.5', tif: 'Ioc' },
  { coin: 'kPEPE', isBuy: false, px: '0.012', sz: '2000', tif: 'Ioc' },
  { coin: 'ETH', isBuy: true, px: '4040', sz: '0.001', tif: 'Ioc' },
  { coin: 'BTC', isBuy: true, px: '90000', sz: '0.01', tif: 'Gtc' },
];
const REDUCTION: Wanted = { coin: 'ETH', isBuy: false, px: '3960', sz: '0.4', tif: 'Ioc', reduceOnly: true };

/** Results of the reading, in our terms: symbols and quantities of single coins, exact decimals. */
interface Read {
  readonly instruments: readonly string[];
  readonly outcomes: readonly string[];
  readonly found: readonly string[];
  readonly resting: readonly number[];
  readonly afterCancel: readonly number[];
  readonly reduced: readonly string[];
  readonly positions: readonly string[];
  readonly equity: string;
  readonly fills: readonly string[];
  readonly funding: readonly string[];
  readonly heardFills: readonly string[];
  readonly heardFunding: readonly string[];
  /** Last state of each order. */
  readonly heardEnds: readonly string[];
}

/** One side of the comparison: the steps of the scenario. */
interface Side {
  begin(): Promise<void>;
  trade(): Promise<void>;
  read(): Promise<Read>;
}

const units = (coin: string) => (coin.startsWith('k') ? 1_000 : 1);
const symbolOf = (coin: string) => `${coin.replace(/^k/, '')}-PERP`;
const exact = (value: string) => text(dec(value));
const quantityOf = (coin: string, sz: string) => text(dec(sz).mul(units(coin)));
const priceOf = (coin: string, px: string) => text(dec(px).div(units(coin)));
const line = (...parts: readonly unknown[]) => parts.join(' ');
const idOf = (side: string, n: number) => `0x${side}${n.toString(16).padStart(28, '0')}`;

function adapterSide(clock: Clock, venue: Venue, { account, access }: TestAccount): Side {
  const events: AccountEvent[] = [];
  venue.accountStream(account, (event) => events.push(event));
  const orderOf = (wanted: Wanted, n: number): PlaceOrder => ({
    ...{ clientOrderId: idOf('aaaa', n), symbol: symbolOf(wanted.coin), side: wanted.isBuy ? 'BUY' : 'SELL' },
    ...{ quantity: quantityOf(wanted.coin, wanted.sz), limitPrice: priceOf(wanted.coin, wanted.px) },
    timeInForce: wanted.tif === 'Ioc' ? 'IOC' : 'GTC',
    ...{ reduceOnly: wanted.reduceOnly === true, expiresAt: clock.now() + 5_000 },
  });
  const numberOf = (id: string | null) => Number.parseInt((id ?? '').slice(6), 16);
  const value = <T>(told: { readonly ok: boolean; readonly value?: T }): T => {
    if (told.value === undefined) throw new Error(JSON.stringify(told));
    return told.value;
  };
  const fillLine = (fill: (AccountEvent & { kind: 'fill' })['fill']) =>
    line(
      numberOf(fill.clientOrderId),
      fill.symbol,
      fill.side,
      fill.quantity,
      fill.price,
      fill.fee,
      fill.liquidity,
    );
  const paidLine = (paid: (AccountEvent & { kind: 'funding' })['funding']) =>
    line(paid.symbol, paid.amount, paid.rate, paid.quantity, paid.timestamp);
  let cursor = '';
  let part: Partial<Read> = {};
  return {
    async begin() {
      value({ ...(await venue.openAccount(account, access)), value: true });
      cursor = value(await venue.history(account, null)).nextCursor;
      await venue.setLeverage(account, { symbol: 'ETH-PERP', leverage: 10, marginMode: 'isolated' });
    },
    async trade() {
      const orders = BATCH.map(orderOf);
      const outcomes = await venue.placeBatch(account, orders);
      const refs = [...orders, orderOf(REDUCTION, 99)].map(refOf);
      const found = value(await venue.ordersByClientIds(account, refs));
      const resting = value(await venue.openOrders(account));
      const last = refs[3];
      if (last !== undefined) await venue.cancel(account, last);
      const afterCancel = value(await venue.openOrders(account));
      const reduced = await venue.placeBatch(account, [orderOf(REDUCTION, 5)]);
      const outcomeLine = (one: (typeof found)[number]) =>
        line(one.kind === 'done' ? one.state : one.kind, 'filledQuantity' in one ? one.filledQuantity : '');
      part = {
        instruments: venue
          .instruments()
          .map(({ id, stepSize, maxLeverage, marginModes, tradeability }) =>
            line(
              id,
              stepSize,
              maxLeverage,
              marginModes.includes('cross'),
              tradeability.status === 'tradable',
            ),
          ),
        outcomes: outcomes.map(outcomeLine),
        found: found.map(outcomeLine),
        resting: resting.map(({ clientOrderId }) => numberOf(clientOrderId)),
        afterCancel: afterCancel.map(({ clientOrderId }) => numberOf(clientOrderId)),
        reduced: reduced.map(outcomeLine),
      };
    },
    async read() {
      const { fills, funding } = value(await venue.history(account, cursor));
      const positions = value(await venue.positions(account));
      const ends = new Map<number, string>();
      for (const event of events)
        if (event.kind === 'order') ends.set(numberOf(event.outcome.clientOrderId), event.outcome.kind);
      return {
        ...(part as Read),
        positions: positions.map((one) => line(one.symbol, one.quantity, one.leverage, one.marginMode)),
        equity: value(await venue.balances(account)).equity,
        fills: fills.map(fillLine),
        funding: funding.map(paidLine),
        heardFills: events.flatMap((event) => (event.kind === 'fill' ? [fillLine(event.fill)] : [])),
        heardFunding: events.flatMap((event) => (event.kind === 'funding' ? [paidLine(event.funding)] : [])),
        // The adapter tells an end without fills once it has asked for its fills.
        heardEnds: [...ends].map(([n, kind]) => line(n, kind)).sort(),
      };
    },
  };
}

function witnessSide(clock: Clock, witness: Witness, user: string): Side {
  const info = (method: string, given?: object) => witness.info(witness.overHttp)(method, given);
  const act = (method: string, given?: object) =>
    witness
      .exchange(witness.overHttp, clock.now() + 5_000)(method, given)
      .catch((error: Answer) => error);
  const heard: Record<'userFills' | 'userFundings' | 'orderUpdates', Answer[]> = {
    ...{ userFills: [], userFundings: [], orderUpdates: [] },
  };
  let universe: Answer[] = [];
  let beganAt = 0;
  let part: Partial<Read> = {};
  const orderOf = ({ coin, isBuy, px, sz, tif, reduceOnly }: Wanted, n: number) => ({
    ...{ a: universe.findIndex(({ name }) => name === coin), b: isBuy, p: px, s: sz },
    ...{ r: reduceOnly === true, t: { limit: { tif } }, c: idOf('bbbb', n) },
  });
  const numberOf = (id: string | null) => Number.parseInt((id ?? '').slice(6), 16);
  const place = async (orders: readonly ReturnType<typeof orderOf>[]): Promise<Answer[]> => {
    const answer = await act('order', { orders, grouping: 'na' });
    return (answer.response.response ?? answer.response).data.statuses;
  };
  const statusLine = (wanted: Wanted, status: Answer) => {
    if ('resting' in status) return line('resting', '0');
    if ('error' in status) return line('rejected', '');
    return line('filled', quantityOf(wanted.coin, status.filled.totalSz));
  };
  const lookupLine = ({ status, order }: Answer) => {
    if (status === 'unknownOid') return line('not_found', '');
    if (/Rejected$/.test(order.status)) return line('rejected', '');
    const filled = text(dec(order.order.origSz).minus(order.order.sz));
    return line(order.status === 'open' ? 'resting' : order.status, quantityOf(order.order.coin, filled));
  };
  const fillLine = (fill: Answer) =>
    line(
      ...[numberOf(fill.cloid), symbolOf(fill.coin), fill.side === 'B' ? 'BUY' : 'SELL'],
      ...[quantityOf(fill.coin, fill.sz), priceOf(fill.coin, fill.px), exact(fill.fee)],
      fill.crossed ? 'TAKER' : 'MAKER',
    );
  const paidLine = (time: number, paid: Answer) =>
    line(
      symbolOf(paid.coin),
      exact(paid.usdc),
      exact(paid.fundingRate),
      quantityOf(paid.coin, paid.szi),
      time,
    );
  return {
    async begin() {
      [{ universe }] = await info('metaAndAssetCtxs');
      for (const stream of ['userFills', 'userFundings', 'orderUpdates'] as const)
        await witness.subscribe(stream, { user }, (data) => heard[stream].push(data));
      beganAt = clock.now();
      const asset = universe.findIndex(({ name }) => name === 'ETH');
      await act('updateLeverage', { asset, isCross: false, leverage: 10 });
    },
    async trade() {
      const statuses = await place(BATCH.map(orderOf));
      const ids = [0, 1, 2, 3, 99].map((n) => idOf('bbbb', n));
      const found = await Promise.all(ids.map((oid) => info('orderStatus', { user, oid })));
      const resting: Answer[] = await info('openOrders', { user });
      await act('cancelByCloid', { cancels: [{ asset: 0, cloid: ids[3] }] });
      const afterCancel: Answer[] = await info('openOrders', { user });
      const reduced = await place([orderOf(REDUCTION, 5)]);
      part = {
        instruments: universe.map(({ name, szDecimals, maxLeverage, onlyIsolated, isDelisted }) =>
          line(
            ...[symbolOf(name), quantityOf(name, text(dec(10).pow(-szDecimals))), maxLeverage],
            ...[onlyIsolated !== true, isDelisted !== true],
          ),
        ),
        outcomes: BATCH.map((wanted, index) => statusLine(wanted, statuses[index])),
        found: found.map(lookupLine),
        resting: resting.map(({ cloid }) => numberOf(cloid)),
        afterCancel: afterCancel.map(({ cloid }) => numberOf(cloid)),
        reduced: reduced.map((status) => statusLine(REDUCTION, status)),
      };
    },
    async read() {
      const fills: Answer[] = await info('userFillsByTime', { user, startTime: beganAt });
      const funding: Answer[] = await info('userFunding', { user, startTime: beganAt });
      const { assetPositions, marginSummary } = await info('clearinghouseState', { user });
      const news = (messages: Answer[]) => messages.filter(({ isSnapshot }) => isSnapshot !== true);
      const ends = new Map<number, string>();
      for (const { order, status } of heard.orderUpdates.flat()) {
        const kind = status === 'open' ? 'resting' : /Rejected$/.test(status) ? 'rejected' : 'done';
        ends.set(numberOf(order.cloid), kind);
      }
      return {
        ...(part as Read),
        positions: assetPositions.map(({ position: { coin, szi, leverage } }: Answer) =>
          line(symbolOf(coin), quantityOf(coin, szi), leverage.value, leverage.type),
        ),
        equity: exact(marginSummary.accountValue),
        fills: fills.map(fillLine),
        funding: funding.map(({ time, delta }) => paidLine(time, delta)),
        heardFills: news(heard.userFills).flatMap((message) => message.fills.map(fillLine)),
        heardFunding: news(heard.userFundings).flatMap((message) =>
          message.fundings.map((paid: Answer) => paidLine(paid.time, paid)),
        ),
        heardEnds: [...ends].map(([n, kind]) => line(n, kind)).sort(),
      };
    },
  };
}

describe('the adapter of Hyperliquid and @nktkas/hyperliquid read the same end', () => {
  const clock = createFakeClock();
  let emulator: Emulator;
  let venue: Venue;
  let witness: Witness;

  needsClient();
  after(async () => {
    await witness?.overSocket.close();
    await venue?.stop();
    await emulator?.close();
  });

  it('of instruments, leverage, a batch of four with one refused, lookups, a cancel, fills, funding and streams', async () => {
    emulator = await startEmulator({ clock, pulseMs: 100 });
    const [ours, theirs] = [accountAt(emulator, '10000'), accountAt(emulator, '10000')];
    venue = inTime(clock, adapterAt(emulator.url, memoryHost(clock)));
    await venue.start();
    await untilUp(clock, venue);
    witness = await witnessOf(emulator, theirs.access.credentials['agentPrivateKey'] as `0x${string}`, clock);
    await witness.overSocket.ready();
    const sides = [
      adapterSide(clock, venue, ours),
      witnessSide(clock, witness, theirs.account.exchangeIdentifier.toLowerCase()),
    ];
    for (const side of sides) await side.begin();
    for (const side of sides) await side.trade();
    emulator.script.setFundingRate('kPEPE', '0.0005');
    emulator.script.settleFunding();
    const read = await until(clock, 'both have heard everything', async () => {
      const [one, two] = await Promise.all(sides.map((side) => side.read()));
      const isWhole = [one, two].every(
        (side) => side?.heardFills.length === 3 && side.heardFunding.length === 2,
      );
      return isWhole ? { ours: one, theirs: two } : null;
    });
    expect(read.ours).to.deep.equal(read.theirs);

    // Not merely the same nothing, and what the venue knows.
    expect(read.ours?.outcomes).to.deep.equal(['filled 1.5', 'filled 2000000', 'rejected ', 'resting 0']);
    expect(read.ours?.found.at(-1)).to.equal('not_found ');
    expect([read.ours?.resting, read.ours?.afterCancel]).to.deep.equal([[3], []]);
    expect(read.ours?.heardEnds).to.have.members(['0 done', '1 done', '2 rejected', '3 done', '5 done']);
    const [a, b] = [ours, theirs].map(({ account }) => emulator.script.state(account.exchangeIdentifier));
    expect(a?.positions).to.deep.equal(b?.positions);
    expect([a?.cash, a?.value, a?.funding]).to.deep.equal([b?.cash, b?.value, b?.funding]);
    expect(read.ours?.equity).to.equal(a?.value);
  });
});
