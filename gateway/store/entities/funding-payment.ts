import type { FundingPayment } from '../../domain/model.ts';
import { integer, key, type TableEntity, text } from '../rows/table-entity.ts';

export const fundingPaymentEntity: TableEntity<FundingPayment> = {
  name: 'funding_payment',
  tableName: 'funding_payments',
  columns: {
    tradeAccountId: key(text('trade_account_id')),
    venueId: key(text('venue_id')),
    positionId: key(text('position_id')),
    symbol: text('symbol'),
    amount: text('amount'),
    rate: text('rate'),
    timestamp: integer('timestamp'),
  },
};
