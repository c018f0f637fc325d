/** Streams: who may hear them, what they say first, and what they say of news. */
import { open } from '../../shared/world/margin.ts';
import type { Position } from '../../shared/world/parts.ts';
import type { Account } from '../state/accounts.ts';
import type { Market } from '../state/markets.ts';
import { invalidParam, REFUSALS, type Refusal } from '../state/refusals.ts';
import type { WorldEvent } from '../state/world.ts';
import { isRefusal, type Venue } from '../venue.ts';
import { assetForm, positionsForm, statsOf } from '../wire/account-forms.ts';
import { byMarket, fundingForm, orderForm, statsForm, tradeForm, txForm } from '../wire/forms.ts';
import type { Books } from './books.ts';

/** `channel` as in answers, with colons. */
export interface Subscription {
  readonly name: string;
  readonly channel: string;
  /** null: of all markets, or of none. */
  readonly market: Market | null;
  readonly account: Account | null;
}

export type Message = Readonly<Record<string, unknown>>;

const WITH_TOKEN = new Set(['account_all_orders', 'account_tx']);
const BAD_CHANNEL: Refusal = { code: 30005, message: 'Invalid Channel' };

/** @param channel as the client writes it, with slashes */
export function readSubscription(
  venue: Venue,
  channel: unknown,
  auth: string | null,
): Subscription | Refusal {
  if (typeof channel !== 'string') return invalidParam('channel is not set');
  const [name = '', ...parts] = channel.split('/');
  const base = { name, channel: channel.replaceAll('/', ':'), market: null, account: null };
  const marketOf = (text: string | undefined) => venue.world.markets.find(({ index }) => `${index}` === text);
  const accountOf = (text: string | undefined) =>
    venue.world.accounts().find(({ index }) => `${index}` === text);
  const [first] = parts;
  switch (`${name} ${parts.length}`) {
    case 'height 0':
      return base;
    case 'market_stats 1': {
      if (first === 'all') return base;
      const market = marketOf(first);
      return market === undefined ? REFUSALS.market : { ...base, market };
    }
    case 'order_book 1':
    case 'ticker 1': {
      const market = marketOf(first);
      return market === undefined ? REFUSALS.market : { ...base, market };
    }
    case 'account_all 1':
    case 'account_all_orders 1':
    case 'account_all_trades 1':
    case 'account_all_positions 1':
    case 'account_tx 1':
    case 'user_stats 1':
      return ofAccount(venue, base, accountOf(first), auth);
    default:
      return BAD_CHANNEL;
  }
}

function ofAccount(
  venue: Venue,
  base: Subscription,
  account: Account | undefined,
  auth: string | null,
): Subscription | Refusal {
  if (account === undefined) return REFUSALS.account;
  if (!WITH_TOKEN.has(base.name)) return { ...base, account };
  if (auth === null) return invalidParam('auth field is required');
  const allowed = venue.authorised(account.index, auth);
  return isRefusal(allowed) ? allowed : { ...base, account };
}

/** The first message of a stream, as things are. */
export function opening(venue: Venue, books: Books, subscription: Subscription): Message {
  const { world } = venue;
  const { name, channel, market, account } = subscription;
  const head = { type: `subscribed/${name}`, channel };
  const stamped = { ...head, timestamp: world.now() };
  if (name === 'order_book' && market !== null) return books.first(market);
  if (name === 'ticker' && market !== null) return books.ticker(market, 'subscribed');
  if (name === 'height') return { ...stamped, height: world.height };
  if (name === 'market_stats') return { ...stamped, market_stats: stats(venue, market) };
  if (account === null) return stamped;
  return { ...head, ...accountFirst(venue, subscription, account) };
}

function accountFirst(venue: Venue, { name }: Subscription, account: Account): object {
  const { world } = venue;
  const resting = world.orders.open(account);
  const volume = account.volume.toNumber();
  switch (name) {
    case 'account_all_orders':
      return { orders: byMarket(resting, orderForm) };
    case 'account_all_trades':
      return {
        trades: account.trades.slice(-50).toReversed().map(tradeForm),
        ...{ total_volume: volume, monthly_volume: volume, weekly_volume: volume, daily_volume: volume },
      };
    case 'account_all_positions':
      return positions(venue, account);
    case 'user_stats':
      return { stats: statsOf(world, account), timestamp: world.now() };
    case 'account_tx':
      return {
        txs: venue.sequencer
          .of(account.index)
          .slice(0, 50)
          .map((record) => txForm(world, record)),
      };
    case 'account_all':
      return {
        account: account.index,
        assets: { 3: assetForm(account) },
        ...{ positions: positionsForm(world, account), shares: [] },
        trades: byMarket(account.trades.slice(-50), tradeForm),
        funding_histories: byMarket(account.funding.slice(-50), fundingForm),
        ...{ total_volume: volume, monthly_volume: volume, weekly_volume: volume, daily_volume: volume },
      };
    default:
      return {};
  }
}

/** Message of a stream about an event; null: none. */
export function news(venue: Venue, subscription: Subscription, event: WorldEvent): Message | null {
  const { name, market, account } = subscription;
  if (account !== null) return accountNews(venue, subscription, account, event);
  const head = { type: `update/${name}`, channel: subscription.channel };
  const about = event.kind === 'market' ? event.market : event.kind === 'trade' ? event.trade.market : null;
  if (name === 'market_stats' && about !== null && (market === null || market === about)) {
    const form = statsForm(venue.world, about);
    const market_stats = market === null ? { [about.index]: form } : form;
    return { ...head, market_stats, timestamp: venue.world.now() };
  }
  return null;
}

function accountNews(
  venue: Venue,
  { name, channel }: Subscription,
  account: Account,
  event: WorldEvent,
): Message | null {
  const { world } = venue;
  const head = { type: `update/${name}`, channel };
  if (!concerns(event, account)) return null;
  const stamped = { ...head, timestamp: world.now() };
  const order = event.kind === 'order' ? event.order : null;
  const trade = event.kind === 'trade' ? event.trade : null;
  switch (name) {
    case 'account_all_orders':
      return order === null ? null : { ...head, orders: { [order.market.index]: [orderForm(order)] } };
    case 'account_all_trades':
      return trade === null ? null : { ...head, trades: { [trade.market.index]: [tradeForm(trade)] } };
    case 'account_tx':
      return event.kind === 'tx' ? { ...head, txs: [txForm(world, event.record)] } : null;
    case 'account_all_positions':
      return event.kind === 'tx' ? null : { ...head, ...positions(venue, account, touched(account, event)) };
    case 'user_stats':
      return event.kind === 'tx' ? null : { ...stamped, stats: statsOf(world, account) };
    case 'account_all':
      if (event.kind === 'tx' || event.kind === 'order') return null;
      return {
        ...{ ...head, account: account.index, assets: { 3: assetForm(account) } },
        ...{ positions: positionsForm(world, account, touched(account, event)), shares: [] },
        trades: trade === null ? {} : { [trade.market.index]: [tradeForm(trade)] },
        funding_histories: event.kind === 'funding' ? byMarket(event.payments, fundingForm) : {},
      };
    default:
      return null;
  }
}

function concerns(event: WorldEvent, account: Account): boolean {
  switch (event.kind) {
    case 'trade':
      return event.accounts.includes(account.index);
    case 'order':
      return event.order.owner === account;
    case 'tx':
      return event.record.tx.account === account.index;
    case 'market':
      return false;
    default:
      return event.account === account;
  }
}

/** Message that a stream repeats without any event; null: none. */
export function pulse(venue: Venue, { name, channel, market, account }: Subscription): Message | null {
  const head = { type: `update/${name}`, channel, timestamp: venue.world.now() };
  if (name === 'market_stats') return { ...head, market_stats: stats(venue, market) };
  if (name === 'height') return { ...head, height: venue.world.nextBlock() };
  if (name === 'user_stats' && account !== null) return { ...head, stats: statsOf(venue.world, account) };
  return null;
}

function stats({ world }: Venue, market: Market | null): object {
  if (market !== null) return statsForm(world, market);
  return Object.fromEntries(world.markets.map((one) => [one.index, statsForm(world, one)]));
}

/** Positions that the news is about: one that was closed is among them, with a size of 0. */
function touched(account: Account, event: WorldEvent): readonly Position<Market>[] {
  const about = new Set<Market>();
  if (event.kind === 'trade') about.add(event.trade.market);
  if (event.kind === 'order') about.add(event.order.market);
  if (event.kind === 'funding') for (const { market } of event.payments) about.add(market);
  if (event.kind === 'account') return open(account);
  return [...account.positions.values()].filter(({ market }) => about.has(market));
}

function positions(
  { world }: Venue,
  account: Account,
  shown: readonly Position<Market>[] = open(account),
): object {
  return {
    ...{ positions: positionsForm(world, account, shown), shares: [] },
    ...{ last_funding_round: null, last_funding_discount: null },
  };
}
