/** Set-up of an account, and the ways of its money in and out. */
import { z } from 'zod';
import { freeMargin, open } from '../../shared/world/margin.ts';
import { type Account, FEES, type Tier } from '../state/accounts.ts';
import { POOL_ACCOUNT } from '../state/actions.ts';
import { invalidParam, REFUSALS } from '../state/refusals.ts';
import { isRefusal, type Venue } from '../venue.ts';
import { usd } from '../wire/forms.ts';
import { readTx } from '../wire/tx.ts';
import { TIER_REST_MS } from './account-routes.ts';
import { answered, get, getOwn, post, type Route, refused, whole, yesOrNo } from './route.ts';
import { sendOne } from './send-tx.ts';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const TRANSFER = 12;
/** Fee of a transfer to somebody else, in millionths of a USDC. */
const TRANSFER_FEE = 3_000_000;
const SETUP_WEIGHT = 3_000;
const TIERS = ['standard', 'premium', 'plus'];

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
  'fastwithdraw/info': getOwn({}, ({ world }, account) =>
    answered({
      to_account_index: POOL_ACCOUNT,
      withdraw_limit: '1000000.000000',
      max_withdrawal_amount: usd(freeMargin(account, world.orders.open(account))),
    }),
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
      const account = venue.authorised(tx.account, token);
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
  transferFeeInfo: getOwn(
    { to_account_index: whole.default(-1) },
    ({ world }, account, fields) => {
      const to = world.find(fields.to_account_index);
      return answered({ transfer_fee_usdc: to?.l1Address === account.l1Address ? 0 : TRANSFER_FEE });
    },
    500,
  ),
  changeAccountTier: post(
    z.strictObject({ auth: z.string().optional(), account_index: whole, new_tier: z.string() }),
    (venue, { fields, auth: token }) => {
      const account = venue.authorised(fields.account_index, token);
      if (isRefusal(account)) return refused(account);
      const why = tierRefusal(venue, account, fields.new_tier);
      if (why !== null) return refused(invalidParam(why));
      changeTier(account, fields.new_tier as Tier, venue.world.now());
      return answered({});
    },
    SETUP_WEIGHT,
  ),
};

/** Why the tier cannot be changed; the words are not documented. */
function tierRefusal({ world }: Venue, account: Account, tier: string): string | null {
  if (!TIERS.includes(tier)) return 'invalid tier';
  if (tier === account.tier) return 'account already has this tier';
  const since = world.now() - account.tierChangedAt;
  if (account.tierChangedAt !== 0 && since < TIER_REST_MS) return 'tier can be changed once in 24 hours';
  if (open(account).length > 0) return 'account has open positions';
  return world.orders.open(account).length > 0 ? 'account has open orders' : null;
}

export function changeTier(account: Account, tier: Tier, at: number): void {
  account.tier = tier;
  account.tierChangedAt = at;
  Object.assign(account, FEES[tier]);
}
