import { integer, key, type TableEntity, text } from '../rows/table-entity.ts';

/**
 * Sums of an account's history that only ever grow by addition, so that a commit adds to them without reading:
 * by `hour` and `day` of the account, by `asset_day` and for ever by `asset` (instrument), for ever by `basket`.
 * `start` is epoch ms, 0 for ever; `subject` the instrument or the basket key, '' for the account.
 *
 * USD stands in three whole numbers (`amount-limbs.ts`): SQLite has no exact decimals, and REAL is none.
 */
export interface PortfolioTotalRow {
  readonly tradeAccountId: string;
  readonly kind: TotalKind;
  readonly start: number;
  readonly source: string;
  readonly subject: string;
  readonly fills: number;
  readonly volumeWhole: number;
  readonly volumeNano: number;
  readonly volumeAtto: number;
  readonly realizedWhole: number;
  readonly realizedNano: number;
  readonly realizedAtto: number;
  readonly feesWhole: number;
  readonly feesNano: number;
  readonly feesAtto: number;
  readonly fundingWhole: number;
  readonly fundingNano: number;
  readonly fundingAtto: number;
  readonly closed: number;
  readonly wins: number;
  readonly losses: number;
  readonly wonWhole: number;
  readonly wonNano: number;
  readonly wonAtto: number;
  readonly lostWhole: number;
  readonly lostNano: number;
  readonly lostAtto: number;
  readonly holdMs: number;
}

export type TotalKind = 'hour' | 'day' | 'asset_day' | 'asset' | 'basket';

export const portfolioTotalEntity: TableEntity<PortfolioTotalRow> = {
  name: 'portfolio_total',
  tableName: 'portfolio_totals',
  columns: {
    tradeAccountId: key(text('trade_account_id')),
    kind: key(text('kind')),
    start: key(integer('start')),
    source: key(text('source')),
    subject: key(text('subject')),
    fills: integer('fills'),
    volumeWhole: integer('volume_whole'),
    volumeNano: integer('volume_nano'),
    volumeAtto: integer('volume_atto'),
    realizedWhole: integer('realized_whole'),
    realizedNano: integer('realized_nano'),
    realizedAtto: integer('realized_atto'),
    feesWhole: integer('fees_whole'),
    feesNano: integer('fees_nano'),
    feesAtto: integer('fees_atto'),
    fundingWhole: integer('funding_whole'),
    fundingNano: integer('funding_nano'),
    fundingAtto: integer('funding_atto'),
    closed: integer('closed'),
    wins: integer('wins'),
    losses: integer('losses'),
    wonWhole: integer('won_whole'),
    wonNano: integer('won_nano'),
    wonAtto: integer('won_atto'),
    lostWhole: integer('lost_whole'),
    lostNano: integer('lost_nano'),
    lostAtto: integer('lost_atto'),
    holdMs: integer('hold_ms'),
  },
};
