/** Effects of transactions when the sequencer executes them: null if done, else the reason for refusal. */
import { type Decimal, dec } from '../../../../../gateway/domain/decimal.ts';
import {
  freeMargin,
  initial,
  isolatedValue,
  marginOf,
  notional,
  share,
  sizeOf,
} from '../../shared/world/margin.ts';
import type { MarginSetting } from '../../shared/world/parts.ts';
import { micros } from '../../shared/world/positions.ts';
import type { Tx } from '../wire/tx.ts';
import type { TxKind, TxOf } from '../wire/tx-shapes.ts';
import { type Account, setKey } from './accounts.ts';
import { transferMoney } from './acts.ts';
import { type Market, ticks } from './markets.ts';
import { malformed, refusalOf, wantedOf, wouldOpen } from './order-checks.ts';
import { REFUSALS, type Refusal } from './refusals.ts';
import type { World } from './world.ts';

/** Whoever receives what is withdrawn fast. */
export const POOL_ACCOUNT = 281_474_976_710_646;

export interface How {
  /** False: prices may be far beyond the book. */
  readonly isProtected: boolean;
  /** State of a new order that the script wants, whatever the order is like. */
  readonly orderStatus: string | null;
}

type Act<K extends TxKind> = (
  world: World,
  account: Account,
  tx: Tx & { kind: K; fields: TxOf<K> },
  how: How,
) => Refusal | null;

const MILLION = dec(1_000_000);
const TICK = 10_000;
const USDC = 3;

const ACTS: { readonly [K in TxKind]: Act<K> } = {
  createOrder: (world, account, { fields, attributes }, { isProtected, orderStatus }) => {
    const refused = orderRefusal(world, account, fields, attributes, isProtected);
    if (refused !== null) return refused;
    const wanted = wantedOf(account, marketAt(world, fields.MarketIndex), fields, attributes);
    if (orderStatus !== null) world.place(wanted, orderStatus);
    else if (!wouldOpen(account, wanted)) world.place(wanted);
    else if (world.reduceOnly === 'is refused') return REFUSALS.reduceOnly;
    else if (world.reduceOnly === 'is cancelled') world.place(wanted, 'canceled-reduce-only');
    return null;
  },
  cancelOrder: (world, account, { fields }) => {
    const order = world.orderOf(account, fields.Index);
    if (order === undefined) return REFUSALS.orderIndex;
    if (order.market.index !== fields.MarketIndex || order.status !== 'open') return REFUSALS.inactive;
    world.cancel(order);
    return null;
  },
  updateLeverage: (world, account, { fields }) => updateLeverage(world, account, fields),
  updateMargin: (world, account, { fields }) => updateMargin(world, account, fields),
  transfer: (world, account, { fields }) => {
    const [amount, fee] = [dec(fields.Amount).div(MILLION), dec(fields.USDCFee).div(MILLION)];
    const to = world.find(fields.ToAccountIndex);
    if (fields.AssetIndex !== USDC) return REFUSALS.txInfo;
    if (to === undefined && fields.ToAccountIndex !== POOL_ACCOUNT) return REFUSALS.account;
    if (amount.plus(fee).gt(free(world, account))) return REFUSALS.belowInitial;
    transferMoney(world, account, to, { amount, fee });
    return null;
  },
  changePubKey: (world, account, { fields }) => {
    setKey(account, fields.ApiKeyIndex, fields.PubKey.toString('hex'), world.now());
    return null;
  },
  approveIntegrator: (world, account, { fields }) => {
    if (fields.ApprovalExpiry === 0) account.integrators.delete(fields.IntegratorAccountIndex);
    else {
      account.integrators.set(fields.IntegratorAccountIndex, {
        ...{ account: fields.IntegratorAccountIndex, until: fields.ApprovalExpiry },
        ...{ perpsTaker: fields.MaxPerpsTakerFee, perpsMaker: fields.MaxPerpsMakerFee },
        ...{ spotTaker: fields.MaxSpotTakerFee, spotMaker: fields.MaxSpotMakerFee },
      });
    }
    return changed(world, account);
  },
};

export function execute(world: World, account: Account, tx: Tx, how: How): Refusal | null {
  return (ACTS[tx.kind] as Act<TxKind>)(world, account, tx as never, how);
}

/** Why the venue would not take this order as things are; null: it would. */
export function orderRefusal(
  world: World,
  account: Account,
  fields: TxOf<'createOrder'>,
  attributes: Tx['attributes'],
  isProtected: boolean,
): Refusal | null {
  const market = world.at(fields.MarketIndex);
  if (market === undefined) return REFUSALS.market;
  const wrong = malformed(fields, world.now());
  return wrong ?? refusalOf(world, account, wantedOf(account, market, fields, attributes), isProtected);
}

function marketAt(world: World, index: number): Market {
  const market = world.at(index);
  if (market === undefined) throw new Error(`no market has the index ${index}`);
  return market;
}

function free(world: World, account: Account): Decimal {
  return freeMargin(account, world.orders.open(account));
}

function changed(world: World, account: Account): null {
  world.emit({ kind: 'account', account });
  return null;
}

function updateLeverage(world: World, account: Account, fields: TxOf<'updateLeverage'>): Refusal | null {
  const { InitialMarginFraction: fraction, MarginMode: mode } = fields;
  const market = world.at(fields.MarketIndex);
  if (market === undefined) return REFUSALS.market;
  if (fraction < market.minInitial || fraction > TICK) return REFUSALS.fraction;
  if (mode > 1 || (mode === 0 && market.onlyIsolated)) return REFUSALS.marginMode;
  const isCross = mode === 0;
  const before = marginOf(account, market);
  const position = account.positions.get(market.index);
  const isHeld = position !== undefined && !position.size.isZero();
  const isBusy = isHeld || world.orders.open(account).some((order) => order.market === market);
  if (isBusy && before.isCross !== isCross) return REFUSALS.marginMode;
  if (isHeld && fraction > before.initial[0]) {
    const more = share(notional(position), ticks(fraction - before.initial[0]));
    const wanted = share(notional(position), ticks(fraction));
    const has = isCross ? free(world, account) : isolatedValue(position);
    if (has.lt(isCross ? more : wanted)) return REFUSALS.belowInitial;
  }
  const setting: MarginSetting = { isCross, initial: ticks(fraction) };
  account.margins.set(market.index, setting);
  if (isHeld) position.margin = setting;
  return changed(world, account);
}

function updateMargin(world: World, account: Account, fields: TxOf<'updateMargin'>): Refusal | null {
  const market = world.at(fields.MarketIndex);
  if (market === undefined) return REFUSALS.market;
  const position = account.positions.get(market.index);
  if (position === undefined || sizeOf(account, market).isZero()) return REFUSALS.noPosition;
  if (position.margin.isCross) return REFUSALS.marginMode;
  if (fields.USDCAmount < 1 || fields.Direction > 1) return REFUSALS.txInfo;
  const amount = micros(dec(fields.USDCAmount).div(MILLION)).mul(fields.Direction === 1 ? 1 : -1);
  if (amount.gt(0)) {
    if (amount.gt(free(world, account))) return REFUSALS.belowInitial;
  } else {
    const left = isolatedValue(position).plus(amount);
    if (left.lt(initial(position))) return REFUSALS.belowInitial;
  }
  position.allocated = position.allocated.plus(amount);
  account.cash = account.cash.minus(amount);
  return changed(world, account);
}
