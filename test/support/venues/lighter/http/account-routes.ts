/** Account routes of the venue: state for anybody, orders and history for bearers of a token. */
import { z } from 'zod';
import { invalidParam, REFUSALS } from '../state/refusals.ts';
import { isRefusal } from '../venue.ts';
import { accountForm, detailedAccountForm } from '../wire/account-forms.ts';
import { fundingForm, orderForm, tradeForm, txForm } from '../wire/forms.ts';
import { answered, auth, get, getOwn, page, type Route, refused, whole, yesOrNo } from './route.ts';

const ALL = 255;
const NOBODY = 2 ** 48 - 1;
const MOST_CLIENT_INDEXES = 20;
const DAY_MS = 86_400_000;
const INITIAL_TIER_CHANGE = 0;

const kinds = z.enum(['all', 'spot', 'perp']).default('all');
const limit = whole.pipe(z.number().min(1).max(100));
const cursor = z.string().optional();
/** The documents do not say what these filters take: nothing may depend on them. */
const unfiltered = z.literal('-1').optional();

export const ACCOUNT_ROUTES: Readonly<Record<string, Route>> = {
  account: get(
    z.strictObject({
      ...{ by: z.enum(['index', 'l1_address']), value: z.string(), active_only: yesOrNo.optional(), cursor },
    }),
    ({ world }, { fields }) => {
      const found = world
        .accounts()
        .filter(({ index, l1Address }) =>
          fields.by === 'index' ? `${index}` === fields.value : l1Address === fields.value.toLowerCase(),
        );
      if (found.length === 0) return refused(REFUSALS.account);
      const accounts = found.map((one) => detailedAccountForm(world, one, fields.active_only === true));
      return answered({ total: accounts.length, accounts });
    },
  ),
  accountsByL1Address: get(z.strictObject({ l1_address: z.string(), cursor }), ({ world }, { fields }) => {
    const found = world.accounts().filter(({ l1Address }) => l1Address === fields.l1_address.toLowerCase());
    if (found.length === 0) return refused(REFUSALS.account);
    return answered({
      l1_address: fields.l1_address,
      sub_accounts: found.map((one) => accountForm(world, one)),
    });
  }),
  apikeys: get(
    z.strictObject({ account_index: whole, api_key_index: whole.default(ALL) }),
    ({ world }, { fields }) => {
      const account = world.find(fields.account_index);
      if (account === undefined) return refused(REFUSALS.account);
      const wanted = fields.api_key_index;
      const keys = [...account.keys.values()].filter(({ index }) => wanted === ALL || index === wanted);
      if (keys.length === 0) return refused(REFUSALS.apiKey);
      return answered({
        api_keys: keys.map(({ index, nextNonce, publicKey, changedAt }) => ({
          ...{ account_index: account.index, api_key_index: index, nonce: nextNonce, public_key: publicKey },
          transaction_time: changedAt * 1000,
        })),
      });
    },
    150,
  ),
  nextNonce: get(
    z.strictObject({ account_index: whole, api_key_index: whole }),
    ({ world }, { fields }) => {
      const account = world.find(fields.account_index);
      if (account === undefined) return refused(REFUSALS.account);
      return answered({ nonce: account.keys.get(fields.api_key_index)?.nextNonce ?? 0 });
    },
    6,
  ),
  accountOrders: get(
    z.strictObject({ ...auth, account_index: whole.default(NOBODY), client_order_indexes: z.string() }),
    (venue, { fields, auth: token }) => {
      const own = fields.account_index === NOBODY ? venue.accountOf(token) : fields.account_index;
      const account = venue.authorised(own ?? NOBODY, token);
      if (isRefusal(account)) return refused(account);
      const indexes = fields.client_order_indexes.split(',');
      if (indexes.length > MOST_CLIENT_INDEXES) return refused(invalidParam('too many client_order_indexes'));
      if (indexes.some((text) => !/^[1-9]\d{0,14}$/.test(text))) {
        return refused(invalidParam('field "client_order_indexes" is invalid'));
      }
      const found = indexes.map((text) => venue.world.orders.byClient(account, Number(text)));
      return answered({ orders: found.flatMap((order) => (order === undefined ? [] : [orderForm(order)])) });
    },
    100,
  ),
  accountActiveOrders: getOwn(
    { market_id: whole.default(ALL), market_type: kinds },
    ({ world }, account, fields) => {
      const shown = world.orders
        .open(account)
        .filter(({ market }) => fields.market_id === ALL || market.index === fields.market_id);
      return answered({ orders: shown.map(orderForm) });
    },
  ),
  trades: get(
    z.strictObject({
      ...{ ...auth, market_id: whole.default(ALL), market_type: kinds, account_index: whole.default(-1) },
      ...{ order_index: whole.optional(), sort_by: z.enum(['block_height', 'timestamp', 'trade_id']) },
      ...{ sort_dir: z.literal('desc').default('desc'), cursor, from: unfiltered, ask_filter: unfiltered },
      role: z.enum(['all', 'maker', 'taker']).default('all'),
      type: z.enum(['all', 'trade', 'liquidation', 'deleverage', 'market-settlement']).default('all'),
      ...{ limit, aggregate: z.literal('false').optional() },
    }),
    (venue, { fields, auth: token }) => {
      const { account_index: index, order_index: order } = fields;
      if (index !== -1) {
        const account = venue.authorised(index, token);
        if (isRefusal(account)) return refused(account);
      }
      const all = index === -1 ? venue.world.trades : (venue.world.find(index)?.trades ?? []);
      const kept = all.filter((trade) => {
        if (fields.market_id !== ALL && trade.market.index !== fields.market_id) return false;
        if (fields.type !== 'all' && trade.type !== fields.type) return false;
        if (order !== undefined && ![trade.ask.orderIndex, trade.bid.orderIndex].includes(order))
          return false;
        if (fields.role === 'all' || index === -1) return true;
        const maker = trade.isMakerAsk ? trade.ask : trade.bid;
        return (maker.account === index) === (fields.role === 'maker');
      });
      const shown = page(kept, ({ id }) => id, { limit: fields.limit, cursor: fields.cursor });
      if (shown === null) return refused(invalidParam('invalid cursor'));
      const { rows, ...next } = shown;
      return answered({ ...next, trades: rows.map(tradeForm) });
    },
    600,
  ),
  positionFunding: getOwn(
    {
      ...{ market_id: whole.default(ALL), cursor, limit },
      side: z.enum(['long', 'short', 'all']).default('all'),
      ...{ start_timestamp: whole.optional(), end_timestamp: whole.optional() },
    },
    (_, account, fields) => {
      const [from, to] = [fields.start_timestamp ?? 0, fields.end_timestamp ?? Number.POSITIVE_INFINITY];
      const kept = account.funding.filter(({ market, size, time }) => {
        const side = size.isNegative() ? 'short' : 'long';
        const isMeant = fields.market_id === ALL || market.index === fields.market_id;
        return isMeant && [side, 'all'].includes(fields.side) && time / 1000 >= from && time / 1000 <= to;
      });
      const shown = page(kept, ({ id }) => id, { limit: fields.limit, cursor: fields.cursor });
      if (shown === null) return refused(invalidParam('invalid cursor'));
      const { rows, ...next } = shown;
      return answered({ ...next, position_fundings: rows.map(fundingForm) });
    },
  ),
  accountLimits: getOwn({}, (_, { tier, tierChangedAt, makerFee, takerFee }) =>
    answered({
      ...{ max_llp_percentage: 100, max_llp_amount: '0.000000', user_tier: tier },
      ...{ can_create_public_pool: false, user_tier_name: tier },
      ...{ current_maker_fee_tick: makerFee, current_taker_fee_tick: takerFee },
      ...{ leased_lit: '0.00000000', effective_lit_stakes: '0.00000000' },
      ...(tierChangedAt === INITIAL_TIER_CHANGE ? {} : { user_tier_last_update: tierChangedAt }),
    }),
  ),
  tx: get(
    z.strictObject({ by: z.literal('hash'), value: z.string() }),
    ({ world, sequencer }, { fields }) => {
      const record = sequencer.byHash(fields.value);
      if (record === undefined) return refused(REFUSALS.txNotFound);
      return answered({ ...txForm(world, record), committed_at: 0, verified_at: 0 });
    },
  ),
};

/** A tier may be changed once in this time. */
export const TIER_REST_MS = DAY_MS;
