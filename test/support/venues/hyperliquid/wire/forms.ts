/** The venue's JSON of what the world holds. Decimals always have a point (`1.0`), except prices that nobody rounds. */
import { type Decimal, dec, sum, ZERO } from '../../../../../gateway/domain/decimal.ts';
import {
  accountValue,
  crossValue,
  freeMargin,
  initial,
  isolatedValue,
  liquidationPrice,
  maintenance,
  notional,
  positionsOf,
  unrealised,
} from '../../shared/world/margin.ts';
import type { FundingPayment, Position } from '../../shared/world/parts.ts';
import { type Account, type Fill, isUnified } from '../state/accounts.ts';
import type { LegAnswer } from '../state/matching.ts';
import type { Asset } from '../state/universe.ts';
import type { Order, World } from '../state/world.ts';

/** As the venue writes decimals: `1.0`, never `1`. */
export function wire(value: Decimal, places = 8): string {
  const short = value.toDecimalPlaces(places);
  const text = short.isZero() ? '0' : short.toFixed();
  return text.includes('.') ? text : `${text}.0`;
}

const side = (isBuy: boolean) => (isBuy ? 'B' : 'A');

export function orderForm(order: Order) {
  const { market, isBuy, limitPx, sz, oid, createdAt: timestamp, origSz, client, reduceOnly } = order;
  return {
    ...{ coin: market.name, side: side(isBuy), limitPx: wire(limitPx), sz: wire(sz), oid, timestamp },
    origSz: wire(origSz),
    ...(reduceOnly ? { reduceOnly } : {}),
    ...(client === null ? {} : { cloid: client }),
  };
}

export function longOrderForm(order: Order) {
  const { market, isBuy, limitPx, sz, oid, createdAt: timestamp, origSz, client, reduceOnly, tif } = order;
  return {
    ...{ coin: market.name, side: side(isBuy), limitPx: wire(limitPx), sz: wire(sz), oid, timestamp },
    ...{ triggerCondition: 'N/A', isTrigger: false, triggerPx: '0.0', children: [], isPositionTpsl: false },
    ...{ reduceOnly, orderType: 'Limit', origSz: wire(origSz), tif, cloid: client },
  };
}

export function legForm(answer: LegAnswer) {
  if (answer.kind === 'error') return { error: answer.text };
  const { oid, client, filledBase, filledQuote, market } = answer.order;
  const id = { oid, ...(client === null ? {} : { cloid: client }) };
  if (answer.kind === 'resting') return { resting: id };
  // The average is rounded to the instrument's decimals, so only the fills tell what was paid.
  const avgPx = wire(filledQuote.div(filledBase), 6 - market.szDecimals);
  return { filled: { totalSz: wire(filledBase), avgPx, ...id } };
}

export function fillForm(fill: Fill) {
  const { coin, px, sz, isBuy, time, startPosition, dir, closedPnl, hash, oid, cloid, liquidation } = fill;
  return {
    ...{ coin, px: wire(px), sz: wire(sz), side: side(isBuy), time },
    ...{ startPosition: wire(startPosition), dir, closedPnl: wire(closedPnl), hash, oid },
    ...{ crossed: fill.crossed, fee: wire(fill.fee), tid: fill.tid },
    ...(cloid === null ? {} : { cloid }),
    ...(liquidation === null
      ? {}
      : { liquidation: { ...liquidation, markPx: wire(liquidation.markPx), method: 'market' } }),
    ...{ feeToken: fill.feeToken, twapId: null },
  };
}

export function fundingForm({ time, market, change, size, rate }: FundingPayment) {
  return {
    ...{ time, coin: market.name, usdc: wire(change), szi: wire(size) },
    ...{ fundingRate: wire(rate), nSamples: null },
  };
}

export function assetForm(asset: Asset) {
  return {
    ...{ szDecimals: asset.szDecimals, name: asset.name, maxLeverage: asset.maxLeverage },
    marginTableId: asset.marginTableId,
    ...(asset.onlyIsolated && asset.marginMode === undefined ? { onlyIsolated: true } : {}),
    ...(asset.marginMode === undefined ? {} : { marginMode: asset.marginMode }),
    ...(asset.isDelisted ? { isDelisted: true } : {}),
  };
}

export function contextForm(world: World, asset: Asset) {
  const mid = midOf(world, asset);
  return {
    ...{ funding: wire(asset.fundingRate, 10), openInterest: wire(asset.openInterest) },
    ...{ prevDayPx: wire(asset.prevDay), dayNtlVlm: wire(asset.dayNotional) },
    ...{ premium: mid === null ? null : '0.0', oraclePx: wire(asset.oracle), markPx: wire(asset.mark) },
    midPx: mid === null ? null : wire(mid),
    impactPxs: mid === null ? null : [wire(mid), wire(mid)],
    dayBaseVlm: wire(asset.dayVolume),
  };
}

export function midOf(world: World, asset: Asset): Decimal | null {
  const book = world.book(asset);
  const [bid, ask] = [book.levels(true)[0], book.levels(false)[0]];
  return bid === undefined || ask === undefined ? null : bid.px.plus(ask.px).div(2);
}

/** All mids; an instrument without a book has its mark there. */
export function midsForm(world: World): Record<string, string> {
  return Object.fromEntries(
    world.markets
      .filter(({ isDelisted }) => !isDelisted)
      .map((asset) => [asset.name, wire(midOf(world, asset) ?? asset.mark)]),
  );
}

/** Grouping of prices, as requested. 5 with a mantissa: in steps of so many of the fifth figure. */
export interface Grouping {
  readonly nSigFigs?: number | null | undefined;
  readonly mantissa?: number | null | undefined;
}

/** Bids, then asks, twenty of each at most: the venue tells no more. */
export function levelsForm(world: World, asset: Asset, grouping: Grouping = {}) {
  return [true, false].map((isBid) =>
    grouped(world.book(asset).levels(isBid), isBid, grouping)
      .slice(0, 20)
      .map(({ px, sz, n }) => ({ px: wire(px), sz: wire(sz), n })),
  );
}

type Levels = ReturnType<ReturnType<World['book']>['levels']>;

/** Away from the other side, as far as the next step. */
function grouped(levels: Levels, isBid: boolean, { nSigFigs, mantissa }: Grouping): Levels {
  if (nSigFigs == null) return levels;
  const groups: Levels = [];
  for (const { px, sz, n } of levels) {
    const figures = px.toExponential().split('e')[1] ?? '0';
    const step = dec(`1e${Number(figures) + 1 - nSigFigs}`).mul(mantissa ?? 1);
    const steps = px.div(step);
    const at = (isBid ? steps.floor() : steps.ceil()).mul(step);
    const last = groups.at(-1);
    if (last?.px.eq(at)) groups[groups.length - 1] = { px: at, sz: last.sz.plus(sz), n: last.n + n };
    else groups.push({ px: at, sz, n });
  }
  return groups;
}

function marginUsed(position: Position): Decimal {
  return position.margin.isCross ? initial(position) : isolatedValue(position);
}

function positionForm(account: Account, position: Position<Asset>) {
  const { market, size, cost, margin, fundingPaid } = position;
  const price = liquidationPrice(account, position);
  const [, leverage] = margin.initial;
  const atEntry = cost.abs().div(leverage);
  return {
    type: 'oneWay',
    position: {
      coin: market.name,
      szi: wire(size),
      leverage: margin.isCross
        ? { type: 'cross', value: leverage }
        : { type: 'isolated', value: leverage, rawUsd: wire(position.allocated.minus(cost), 6) },
      entryPx: wire(cost.div(size), 6 - market.szDecimals),
      ...{ positionValue: wire(notional(position), 6), unrealizedPnl: wire(unrealised(position), 6) },
      returnOnEquity: wire(atEntry.isZero() ? ZERO : unrealised(position).div(atEntry)),
      liquidationPx: price === null ? null : wire(price),
      ...{ marginUsed: wire(marginUsed(position), 6), maxLeverage: market.maxLeverage },
      cumFunding: {
        allTime: wire(fundingPaid),
        sinceOpen: wire(fundingPaid),
        sinceChange: wire(fundingPaid),
      },
    },
  };
}

export function clearinghouseForm(world: World, account: Account | undefined) {
  const held =
    account === undefined
      ? []
      : [...account.positions.values()].sort((a, b) => a.market.index - b.market.index);
  const cross = account === undefined ? [] : positionsOf(account, true);
  const summary = (value: Decimal, positions: readonly Position[]) => ({
    accountValue: wire(value, 6),
    totalNtlPos: wire(sum(positions.map(notional)), 6),
    totalRawUsd: wire(value.minus(sum(positions.map(({ size, market }) => size.mul(market.mark)))), 6),
    totalMarginUsed: wire(sum(positions.map(marginUsed)), 6),
  });
  const isStandard = account !== undefined && !isUnified(account);
  const isPart = account !== undefined && !isStandard && world.unifiedSummary === 'positions';
  const of = (positions: readonly Position[], standard: () => Decimal) => {
    if (isStandard) return summary(standard(), positions);
    // The margin of the positions and their profit, but not the account's other money.
    const part = sum(positions.map((position) => marginUsed(position).plus(unrealised(position))));
    return isPart ? summary(part, positions) : summary(ZERO, []);
  };
  const free = isStandard ? freeMargin(account, world.orders.open(account)) : ZERO;
  return {
    marginSummary: of(held, () => (account === undefined ? ZERO : accountValue(account))),
    crossMarginSummary: of(cross, () => (account === undefined ? ZERO : crossValue(account))),
    crossMaintenanceMarginUsed: wire(isStandard || isPart ? sum(cross.map(maintenance)) : ZERO, 6),
    withdrawable: wire(free, 6),
    assetPositions: account === undefined ? [] : held.map((position) => positionForm(account, position)),
    time: world.now(),
  };
}

/** The spot wallet. In the unified modes its USDC is the money of the perpetuals too, with their margin on hold. */
export function spotForm(account: Account | undefined) {
  if (account === undefined) return { balances: [] };
  const positions = [...account.positions.values()];
  const hold = sum(positions.map(marginUsed));
  const inSpot = account.spot.get('USDC') ?? ZERO;
  const money = accountValue(account)
    .minus(sum(positions.map(unrealised)))
    .plus(inSpot);
  const usdc = { coin: 'USDC', token: 0, total: wire(inSpot), hold: '0.0', entryNtl: '0.0' };
  const others = [...account.spot]
    .filter(([coin]) => coin !== 'USDC')
    .map(([coin, total], index) => ({
      ...{ coin, token: index + 1, total: wire(total), hold: '0.0', entryNtl: '0.0' },
    }));
  if (!isUnified(account)) return { balances: inSpot.isZero() ? others : [usdc, ...others] };
  const balances = [{ ...usdc, total: wire(money), hold: wire(hold) }, ...others];
  if (account.abstraction !== 'portfolioMargin') return { balances };
  const available = money.plus(sum(positions.map(unrealised))).minus(sum(positions.map(maintenance)));
  return { balances, tokenToAvailableAfterMaintenance: [[0, wire(available)]] };
}
