import type { EquitySample } from '../../domain/portfolio.ts';
import { integer, key, type TableEntity, text } from '../rows/table-entity.ts';

export const equitySampleEntity: TableEntity<EquitySample> = {
  name: 'equity_sample',
  tableName: 'equity_samples',
  columns: {
    tradeAccountId: key(text('trade_account_id')),
    at: key(integer('at')),
    deposits: text('deposits'),
    flow: text('flow'),
    gatewayPnl: text('gateway_pnl'),
    gatewayUnrealized: text('gateway_unrealized'),
    externalPnl: text('external_pnl'),
    externalUnrealized: text('external_unrealized'),
  },
};
