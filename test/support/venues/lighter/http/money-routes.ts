/** Set-up of an account, and the ways of its money in and out. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Account, type Deposit, FEES, open, type Tier } from '../state/accounts.ts';
import { POOL_ACCOUNT } from '../state/actions.ts';
import { available } from '../state/margin.ts';
import { invalidParam, REFUSALS } from '../state/refusals.ts';
import { isRefusal, type Venue } from '../venue.ts';
import { usd } from '../wire/forms.ts';
import { readTx } from '../wire/tx.ts';
import { TIER_REST_MS } from './account-routes.ts';
import { answered, auth, get, post, type Route, refused, whole, yesOrNo } from './route.ts';
import { sendOne } from './send-tx.ts';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const TRANSFER = 12;
/** Fee of a transfer to somebody else, in millionths of a USDC. */
const TRANSFER_FEE = 3_000_000;
const USDC = 3;
const SETUP_WEIGHT = 3_000;
const TOKEN_WEIGHT = 23_000;
const LONGEST_TOKEN_S = 10 * 365 * 86_400;
const TIERS = ['standard', 'premium', 'plus'];
const filter = z.enum(['all', 'pending', 'claimable']).default('all');
const ofOwner = {
  ...auth,
  account_index: whole,
  l1_address: z.string(),
  cursor: z.string().optional(),
  filter,
};

function historyOf<T extends Deposit>(list: readonly T[], isPendingOnly: boolean): readonly T[] {
  return isPendingOnly ? [] : list.toReversed();
}

function entryForm({ id, amount, time, hash }: Deposit) {
  return {
    ...{ id, asset_id: USDC, amount: usd(amount), timestamp: time, status: 'completed' },
    l1_tx_hash: `0x${hash.slice(0, 64)}`,
  };
}

/** Addresses to which the owner's wallet sends USDC: they follow from what was asked. */
function intentAddress(from: string, chain: string): string {
  return `0x${Buffer.from(`${chain}${from.toLowerCase()}`).toString('hex').slice(-40)}`;
}

export const MONEY_ROUTES: Readonly<Record<string, Route>> = {
  'deposit/networks': get(z.strictObject({}), () =>
    answered({
      networks: [
        { name: 'Arbitrum', chain_id: '42161', explorer: 'https://arbiscan.io' },
        { name: 'Base', chain_id: '8453', explorer: 'https://basescan.org' },
      ],
    }),
  ),
  'deposit/latest': get(z.strictObject({ l1_address: z.string() }), ({ world }, { fields }) => {
    const owner = world.accounts().find(({ l1Address }) => l1Address === fields.l1_address.toLowerCase());
    const last = owner?.deposits.at(-1);
    if (owner === undefined || last === undefined) return refused(REFUSALS.txNotFound);
    return answered({
      ...{
        source: owner.l1Address,
        source_chain_id: '42161',
        fast_bridge_tx_hash: `0x${last.hash.slice(0, 64)}`,
      },
      ...{ batch_claim_tx_hash: '', cctp_burn_tx_hash: '', amount: usd(last.amount) },
      ...{ intent_address: intentAddress(owner.l1Address, '42161'), status: 'completed', step: 'completed' },
      ...{ description: '', created_at: last.time, updated_at: last.time },
      ...{ is_external_deposit: false, is_next_bridge_fast: true },
    });
  }),
  'deposit/history': get(z.strictObject(ofOwner), (venue, { fields, auth: token }) => {
    const account = venue.authorised(fields.account_index, token);
    if (isRefusal(account)) return refused(account);
    const deposits = historyOf(account.deposits, fields.filter !== 'all').map(entryForm);
    return answered({ deposits, cursor: '' });
  }),
  // This and the next are not in the part of the venue's OpenAPI that is beside the tests; its Python client has them.
  'withdraw/history': get(
    z.strictObject({ ...auth, account_index: whole, cursor: z.string().optional(), filter }),
    (venue, { fields, auth: token }) => {
      const account = venue.authorised(fields.account_index, token);
      if (isRefusal(account)) return refused(account);
      const withdraws = historyOf(account.withdrawals, fields.filter !== 'all').map((one) => ({
        ...entryForm(one),
        type: one.isFast ? 'fast' : 'secure',
      }));
      return answered({ withdraws, cursor: '' });
    },
  ),
  'transfer/history': get(
    z.strictObject({ ...auth, account_index: whole, cursor: z.string().optional() }),
    (venue, { fields, auth: token }) => {
      const account = venue.authorised(fields.account_index, token);
      if (isRefusal(account)) return refused(account);
      const addressOf = (index: number) => venue.world.find(index)?.l1Address ?? '';
      const transfers = account.transfers.toReversed().map((one) => ({
        ...{ id: one.id, asset_id: USDC, amount: usd(one.amount), fee: usd(one.fee), timestamp: one.time },
        type: one.from === account.index ? 'L2TransferOutflow' : 'L2TransferInflow',
        ...{ from_l1_address: addressOf(one.from), to_l1_address: addressOf(one.to) },
        ...{ from_account_index: one.from, to_account_index: one.to, from_route: 'perps', to_route: 'perps' },
        tx_hash: one.hash,
      }));
      return answered({ transfers, cursor: '' });
    },
  ),
  createIntentAddress: post(
    z.strictObject({
      ...{
        chain_id: z.string().regex(/^\d+$/),
        from_addr: z.string().regex(ADDRESS),
        amount: z.string().regex(/^\d+$/),
      },
      is_external_deposit: yesOrNo.optional(),
    }),
    (_, { fields }) => answered({ intent_address: intentAddress(fields.from_addr, fields.chain_id) }),
    SETUP_WEIGHT,
  ),
  'fastwithdraw/info': get(
    z.strictObject({ ...auth, account_index: whole }),
    (venue, { fields, auth: token }) => {
      const account = venue.authorised(fields.account_index, token);
      if (isRefusal(account)) return refused(account);
      const free = available(account, venue.world.orders.open(account.index));
      return answered({
        ...{
          to_account_index: POOL_ACCOUNT,
          withdraw_limit: '1000000.000000',
          max_withdrawal_amount: usd(free),
        },
      });
    },
  ),
  fastwithdraw: post(
    z.strictObject({
      tx_info: z.string(),
      to_address: z.string().regex(ADDRESS),
      auth: z.string().optional(),
    }),
    (venue, { fields, auth: token }) => {
      const tx = readTx(venue.world.network, TRANSFER, fields.tx_info);
      if (typeof tx === 'string' || tx.kind !== 'transfer') return refused(REFUSALS.txInfo);
      const account = venue.authorised(tx.account, token, true);
      if (isRefusal(account)) return refused(account);
      if (tx.fields.ToAccountIndex !== POOL_ACCOUNT)
        return refused(invalidParam('not the pool of fast withdrawals'));
      const memo = `0x${Buffer.from(tx.fields.Memo).toString('hex')}`;
      if (memo !== `${fields.to_address.toLowerCase()}${'0'.repeat(24)}`) {
        return refused(invalidParam('memo is not the address'));
      }
      const refusal = sendOne(venue, tx, true);
      return refusal === null ? answered({}) : refused(refusal);
    },
    SETUP_WEIGHT,
  ),
  transferFeeInfo: get(
    z.strictObject({ ...auth, account_index: whole, to_account_index: whole.default(-1) }),
    (venue, { fields, auth: token }) => {
      const account = venue.authorised(fields.account_index, token);
      if (isRefusal(account)) return refused(account);
      const to = venue.world.find(fields.to_account_index);
      return answered({ transfer_fee_usdc: to?.l1Address === account.l1Address ? 0 : TRANSFER_FEE });
    },
    500,
  ),
  changeAccountTier: post(
    z.strictObject({ auth: z.string().optional(), account_index: whole, new_tier: z.string() }),
    (venue, { fields, auth: token }) => {
      const account = venue.authorised(fields.account_index, token, true);
      if (isRefusal(account)) return refused(account);
      const why = tierRefusal(venue, account, fields.new_tier);
      if (why !== null) return refused(invalidParam(why));
      changeTier(account, fields.new_tier as Tier, venue.world.now());
      return answered({});
    },
    SETUP_WEIGHT,
  ),
  'tokens/create': post(
    z.strictObject({
      ...{ name: z.string().min(1), account_index: whole, expiry: whole, sub_account_access: yesOrNo },
      scopes: z.string().default('read.*'),
    }),
    (venue, { fields, auth: token }) => {
      const account = venue.authorised(fields.account_index, token, true);
      if (isRefusal(account)) return refused(account);
      const lasts = fields.expiry - venue.world.now() / 1000;
      if (lasts <= 0 || lasts > LONGEST_TOKEN_S) return refused(invalidParam('invalid expiry'));
      if (!fields.scopes.startsWith('read.')) return refused(invalidParam('invalid scopes'));
      const reach = fields.sub_account_access ? 'all' : 'single';
      const made = {
        ...{ id: account.tokens.length + 1, name: fields.name, expiry: fields.expiry },
        token: `ro:${account.index}:${reach}:${fields.expiry}:${randomBytes(32).toString('hex')}`,
        subAccounts: fields.sub_account_access,
      };
      account.tokens.push(made);
      return answered({
        ...{ token_id: made.id, api_token: made.token, name: made.name, account_index: account.index },
        ...{
          expiry: made.expiry,
          sub_account_access: made.subAccounts,
          revoked: false,
          scopes: fields.scopes,
        },
      });
    },
    TOKEN_WEIGHT,
  ),
};

/** Why the tier cannot be changed; the words are not documented. */
function tierRefusal({ world }: Venue, account: Account, tier: string): string | null {
  if (!TIERS.includes(tier)) return 'invalid tier';
  if (tier === account.tier) return 'account already has this tier';
  const since = world.now() - account.tierChangedAt;
  if (account.tierChangedAt !== 0 && since < TIER_REST_MS) return 'tier can be changed once in 24 hours';
  if (open(account).length > 0) return 'account has open positions';
  return world.orders.open(account.index).length > 0 ? 'account has open orders' : null;
}

export function changeTier(account: Account, tier: Tier, at: number): void {
  account.tier = tier;
  account.tierChangedAt = at;
  Object.assign(account, FEES[tier]);
}
