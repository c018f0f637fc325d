/** Connector records and fees of the two embedded paper venues. */

import type { DecimalString } from '../../../domain/decimal.ts';
import { dec, text } from '../../../domain/decimal.ts';
import type { ConnectorInfo } from '../../../engine/ports/venue.ts';
import type { PaperConnector } from './instruments.ts';
import type { PaperProfile } from './market-types.ts';

export const PAPER_ASSET = 'USDC';
/** USDC that a paper account starts with and goes back to on a reset. */
export const PAPER_DEPOSIT: DecimalString = '100000';

/** Fee of a forced closing, decimal fraction of notional, never more than what is left of the margin. */
export const LIQUIDATION_FEE_RATE: DecimalString = '0.005';

/**
 * Time in ms for the write to disk. An order is refused if it arrives after `expiresAt`, so only this write can delay
 * when its outcome becomes known.
 */
const SETTLE_MS = 500;

/**
 * `paper` charges like the base tier of an on-chain perpetuals venue, `paper-cross` like the base tier of a large
 * centralised one; the profile multiplies both. `paper-cross` waives its minimum only for an order that closes a whole
 * position, as some live venues do.
 */
export function paperConnectorInfo(connector: PaperConnector, profile: PaperProfile): ConnectorInfo {
  const charged = (rate: DecimalString) => text(dec(rate).mul(profile.fees));
  const paper: ConnectorInfo = {
    id: 'paper',
    displayName: 'Paper',
    mode: 'PAPER',
    marginMode: 'required',
    fundingIntervalHours: 1,
    capabilities: [
      'market_orders',
      'isolated_margin',
      'fills_history',
      'order_lookup',
      'account_stream',
      'paper_reset',
      'margin_change',
      'btc_dominance',
      'prediction_markets',
    ],
    takerRate: charged('0.00045'),
    makerRate: charged('0.00015'),
    minimumWaiver: 'reduce_only',
    settleMs: SETTLE_MS,
    notFound: 'final',
  };
  if (connector === 'paper') return paper;
  return {
    ...paper,
    id: 'paper-cross',
    displayName: 'Paper (cross margin)',
    marginMode: 'rejected',
    fundingIntervalHours: 8,
    capabilities: paper.capabilities.filter((name) => name !== 'isolated_margin' && name !== 'margin_change'),
    takerRate: charged('0.0005'),
    makerRate: charged('0.0002'),
    minimumWaiver: 'full_close',
  };
}
