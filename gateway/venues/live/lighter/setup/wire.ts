/** Lighter's answers about account set-up, as far as they are used; numbers come as the text sent. */
import { z } from 'zod';
import { decimalField, integerField, optional } from '../../kit/wire.ts';

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? '');

export const ownedAccounts = z.object({
  sub_accounts: z.array(z.object({ index: integerField })),
});

/** `user_tier_last_update`: epoch s, or ms; missing: it was never changed. */
export const tier = z.object({ user_tier: z.string(), user_tier_last_update: optional(integerField) });

export const pool = z.object({
  to_account_index: integerField,
  withdraw_limit: decimalField,
  max_withdrawal_amount: decimalField,
});
/** Millionths of a USDC. */
export const transferFee = z.object({ transfer_fee_usdc: integerField.refine((fee) => fee >= 0) });

export const networks = z.object({
  networks: z.array(z.object({ name: z.string(), chain_id: z.string() })),
});
export const intent = z.object({ intent_address: z.string().min(1).max(128) });
export const deposit = z.object({
  source_chain_id: z.string(),
  amount: decimalField,
  intent_address: text,
  fast_bridge_tx_hash: text,
  batch_claim_tx_hash: text,
  cctp_burn_tx_hash: text,
  status: z.string(),
  created_at: integerField,
});

export const done = z.object({});

/** Epoch ms of a time in seconds or milliseconds. */
export function msOf(time: number): number {
  return time < 100_000_000_000 ? time * 1_000 : time;
}
