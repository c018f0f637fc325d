/** `POST /info`: what the venue tells anybody who asks. `undefined` is a request that it cannot read. */
import { z } from 'zod';
import { dec } from '../../../../../gateway/domain/decimal.ts';
import type { Account } from '../state/accounts.ts';
import { BTC_TABLE, BTC_TIERS } from '../state/universe.ts';
import type { World } from '../state/world.ts';
import { address, cloid } from '../wire/actions.ts';
import {
  assetForm,
  clearinghouseForm,
  contextForm,
  fillForm,
  fundingForm,
  levelsForm,
  longOrderForm,
  midsForm,
  orderForm,
  spotForm,
  wire,
} from '../wire/forms.ts';
import { namedAgents } from './approvals.ts';

const FILLS_PER_ANSWER = 2_000;
const NEWEST_FILLS = 10_000;
const FUNDING_PER_ANSWER = 500;
/** Payments stand in no transaction. */
const NO_HASH = `0x${'0'.repeat(64)}`;

const user = address;
const time = z.int().nonnegative();
const mainDex = z.literal('').optional();
const span = { startTime: time, endTime: time.nullish() };
const ofUser = z.strictObject({ type: z.string(), user, dex: mainDex });
const bare = z.strictObject({ type: z.string(), dex: mainDex });

interface Question {
  readonly shape: z.ZodType;
  answer(world: World, asked: never): unknown;
}

/** Ties a request's shape to what answers it. */
function question<S extends z.ZodType>(
  shape: S,
  answer: (world: World, asked: z.infer<S>) => unknown,
): Question {
  return { shape, answer };
}

function about(answer: (world: World, account: Account | undefined, address: string) => unknown): Question {
  return question(ofUser, (world, asked) => answer(world, world.find(asked.user), asked.user));
}

export function metaForm(world: World) {
  const single = [...new Set(world.markets.map(({ marginTableId }) => marginTableId))].filter(
    (id) => id !== BTC_TABLE,
  );
  const tables = single.map((id) => [
    id,
    { description: '', marginTiers: [{ lowerBound: '0.0', maxLeverage: id }] },
  ]);
  const tiered = [BTC_TABLE, { description: 'tiered 40x', marginTiers: BTC_TIERS }];
  return { universe: world.markets.map(assetForm), marginTables: [...tables, tiered], collateralToken: 0 };
}

const QUESTIONS: Readonly<Record<string, Question>> = {
  meta: question(bare, metaForm),
  metaAndAssetCtxs: question(bare, (world) => [
    metaForm(world),
    world.markets.map((asset) => contextForm(world, asset)),
  ]),
  allMids: question(bare, midsForm),
  l2Book: question(
    z.strictObject({
      type: z.string(),
      coin: z.string(),
      nSigFigs: z.int().min(2).max(5).nullish(),
      mantissa: z.literal([1, 2, 5]).nullish(),
    }),
    (world, { coin, ...grouping }) => {
      const asset = world.markets.find(({ name }) => name === coin);
      if (asset === undefined) return null;
      return { coin, time: world.now(), levels: levelsForm(world, asset, grouping) };
    },
  ),
  exchangeStatus: question(bare, (world) => ({ time: world.now(), specialStatuses: null })),

  clearinghouseState: about(clearinghouseForm),
  spotClearinghouseState: about((_, account) => spotForm(account)),
  openOrders: about((world, account) => openOrders(world, account).map(orderForm)),
  frontendOpenOrders: about((world, account) => openOrders(world, account).map(longOrderForm)),
  // One order stands there once for each state that it had.
  historicalOrders: about((_, account) =>
    (account?.states ?? [])
      .slice(-2_000)
      .toReversed()
      .map(({ order, status, at, sz }) => ({
        ...{ order: longOrderForm({ ...order, sz }), status, statusTimestamp: at },
      })),
  ),
  orderStatus: question(
    z.strictObject({
      type: z.string(),
      user,
      oid: z.union([z.int().nonnegative(), cloid]),
    }),
    (world, asked) => {
      const owner = world.find(asked.user);
      const order =
        typeof asked.oid === 'number'
          ? world.orders.byOid(owner, asked.oid)
          : world.orders.byClient(owner, asked.oid);
      if (order === undefined) return { status: 'unknownOid' };
      const { status, updatedAt: statusTimestamp } = order;
      return { status: 'order', order: { order: longOrderForm(order), status, statusTimestamp } };
    },
  ),
  userFills: question(
    z.strictObject({ type: z.string(), user, aggregateByTime: z.boolean().optional() }),
    (world, asked) => newestFills(world.find(asked.user), FILLS_PER_ANSWER).toReversed(),
  ),
  userFillsByTime: question(
    z.strictObject({
      ...{ type: z.string(), user, ...span },
      ...{ aggregateByTime: z.boolean().optional(), reversed: z.boolean().optional() },
    }),
    (world, { user: address, startTime, endTime, reversed }) => {
      const within = newestFills(world.find(address), NEWEST_FILLS).filter(
        ({ time: at }) => at >= startTime && at <= (endTime ?? Number.POSITIVE_INFINITY),
      );
      return (reversed === true ? within.toReversed() : within).slice(0, FILLS_PER_ANSWER);
    },
  ),
  userFunding: question(
    z.strictObject({ type: z.string(), user, startTime: time.nullish(), endTime: time.nullish() }),
    (world, { user: address, startTime, endTime }) =>
      (world.find(address)?.funding ?? [])
        .filter(({ time: at }) => at >= (startTime ?? 0) && at <= (endTime ?? Number.POSITIVE_INFINITY))
        .slice(0, FUNDING_PER_ANSWER)
        .map((payment) => {
          const { time: at, ...delta } = fundingForm(payment);
          return { time: at, hash: NO_HASH, delta: { type: 'funding', ...delta } };
        }),
  ),
  userFees: about((_, account) => feesForm(account)),
  userRateLimit: about((_, account) => {
    const volume = account?.volume ?? dec(0);
    const cap = (account?.requestBuffer ?? 10_000) + Number(volume.floor().toFixed());
    const nRequestsUsed = account?.requestsUsed ?? 0;
    return { cumVlm: wire(volume), nRequestsUsed, nRequestsCap: cap, nRequestsSurplus: 0 };
  }),
  userRole: about((world, account, address) => {
    const master = world.masterOf(address);
    if (account === undefined && master !== undefined) {
      return { role: 'agent', data: { user: master.address } };
    }
    if (account === undefined) return { role: 'missing' };
    return account.kind === 'subAccount'
      ? { role: 'subAccount', data: { master: account.master } }
      : { role: account.kind };
  }),
  extraAgents: about((world, account) =>
    account === undefined
      ? []
      : namedAgents(account, world.now()).map(({ name, address, validUntil }) => ({
          ...{ name, address, validUntil },
        })),
  ),
  userAbstraction: about((_, account) => account?.abstraction ?? 'default'),
};

/** `undefined`: the venue cannot read the request. */
export function answerInfo(world: World, body: unknown): unknown {
  const type = infoType(body);
  const question = Object.hasOwn(QUESTIONS, type) ? QUESTIONS[type] : undefined;
  const asked = question?.shape.safeParse(body);
  return asked?.success === true ? question?.answer(world, asked.data as never) : undefined;
}

export function infoType(body: unknown): string {
  const type = (body as { readonly type?: unknown } | null)?.type;
  return typeof type === 'string' ? type : 'unreadable';
}

function openOrders(world: World, account: Account | undefined) {
  return account === undefined ? [] : world.orders.open(account);
}

/** Oldest first. */
function newestFills(account: Account | undefined, most: number) {
  return (account?.fills ?? []).slice(-most).map(fillForm);
}

function feesForm(account: Account | undefined) {
  const [cross, add] = [account?.takerRate ?? dec('0.00045'), account?.makerRate ?? dec('0.00015')].map(
    (rate) => rate.toFixed(),
  );
  return {
    dailyUserVlm: [],
    feeSchedule: {
      ...{ cross: '0.00045', add: '0.00015', spotCross: '0.0007', spotAdd: '0.0004' },
      tiers: { vip: [], mm: [] },
      ...{ referralDiscount: '0.04', stakingDiscountTiers: [] },
    },
    ...{ userCrossRate: cross, userAddRate: add, userSpotCrossRate: '0.0007', userSpotAddRate: '0.0004' },
    ...{ activeReferralDiscount: '0.0', trial: null, feeTrialEscrow: '0.0' },
    ...{ nextTrialAvailableTimestamp: null, stakingLink: null },
    activeStakingDiscount: { bpsOfMaxSupply: '0.0', discount: '0.0' },
  };
}
