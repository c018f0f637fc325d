/** Users, sessions, API keys, trade accounts and their limits, leverage and integrations: all kept in memory, read whole at a start. */
import type { AccountLimits } from '../domain/account-limits.ts';
import type { Integration } from '../domain/integration.ts';
import type { ApiKey, LeverageSetting, TradeAccount, User } from '../domain/model.ts';
import type { Session } from '../domain/session.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Reads } from './rows/prepared-reads.ts';
import { fixed, flag, integer, json, key, nullable, table, text } from './rows/table-entity.ts';

export const userEntity = table<User>('users', {
  id: key(text('id')),
  email: nullable(text('email')),
  passwordHash: nullable(text('password_hash')),
  walletAddress: nullable(text('wallet_address')),
  displayName: nullable(text('display_name')),
  createdAt: fixed(integer('created_at')),
  updatedAt: integer('updated_at'),
});

export const sessionEntity = table<Session>('sessions', {
  id: key(text('id')),
  userId: fixed(text('user_id')),
  refreshHash: text('refresh_hash'),
  keyThumbprint: fixed(nullable(text('key_thumbprint'))),
  userAgent: nullable(text('user_agent')),
  ip: nullable(text('ip')),
  createdAt: fixed(integer('created_at')),
  lastUsedAt: integer('last_used_at'),
  expiresAt: integer('expires_at'),
});

export const apiKeyEntity = table<ApiKey>('api_keys', {
  id: key(text('id')),
  userId: fixed(text('user_id')),
  label: text('label'),
  scope: text('scope'),
  keyPrefix: fixed(text('key_prefix')),
  keyHash: fixed(text('key_hash')),
  tradeAccountIds: nullable(json('trade_account_ids')),
  expiresAt: nullable(integer('expires_at')),
  lastUsedAt: nullable(integer('last_used_at')),
  createdAt: fixed(integer('created_at')),
});

export const tradeAccountEntity = table<TradeAccount>('trade_accounts', {
  id: key(text('id')),
  userId: fixed(text('user_id')),
  alias: text('alias'),
  connector: fixed(text('connector')),
  mode: fixed(text('mode')),
  exchangeIdentifier: text('exchange_identifier'),
  status: text('status'),
  metadata: nullable(json('metadata')),
  createdAt: fixed(integer('created_at')),
  updatedAt: integer('updated_at'),
});

export const accountLimitsEntity = table<AccountLimits>('account_limits', {
  tradeAccountId: key(text('trade_account_id')),
  armed: flag('armed'),
  armedFor: text('armed_for'),
  armedAt: nullable(integer('armed_at')),
  perOrderUsd: text('per_order_usd'),
  totalUsd: text('total_usd'),
  dayLossUsd: nullable(text('day_loss_usd')),
  instruments: nullable(json('instruments')),
  allow: json('allow'),
  programsReadCredentials: nullable(flag('programs_read_credentials')),
  firstOrderConfirmedAt: nullable(integer('first_order_confirmed_at')),
  updatedAt: integer('updated_at'),
});

export const leverageSettingEntity = table<LeverageSetting>('leverage_settings', {
  tradeAccountId: key(text('trade_account_id')),
  symbol: key(text('symbol')),
  leverage: integer('leverage'),
  marginMode: text('margin_mode'),
  updatedAt: integer('updated_at'),
});

export const integrationEntity = table<Integration>('integrations', {
  id: key(text('id')),
  userId: fixed(text('user_id')),
  clientId: fixed(text('client_id')),
  name: text('name'),
  status: text('status'),
  createdAt: fixed(integer('created_at')),
  updatedAt: integer('updated_at'),
});

export function userReads({ select }: Reads) {
  return {
    users: select(userEntity, 'ORDER BY id'),
    sessions: select(sessionEntity, 'ORDER BY id'),
    apiKeys: select(apiKeyEntity, 'ORDER BY id'),
    accounts: select(tradeAccountEntity, 'ORDER BY id'),
    accountLimits: select(accountLimitsEntity, 'ORDER BY trade_account_id'),
    leverage: select(leverageSettingEntity, 'ORDER BY trade_account_id, symbol'),
    integrations: select(integrationEntity, 'ORDER BY id'),
  } satisfies Partial<Store>;
}
