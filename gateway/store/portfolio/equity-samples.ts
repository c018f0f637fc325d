import type { EquitySample } from '../../domain/portfolio.ts';
import { integer, key, table, text } from '../rows/table-entity.ts';

export const equitySampleEntity = table<EquitySample>('equity_samples', {
  tradeAccountId: key(text('trade_account_id')),
  at: key(integer('at')),
  deposits: text('deposits'),
  flow: text('flow'),
  gatewayPnl: text('gateway_pnl'),
  gatewayUnrealized: text('gateway_unrealized'),
  externalPnl: text('external_pnl'),
  externalUnrealized: text('external_unrealized'),
});
