/** Objects that the parts of the exchange share while they decide. */
import type { ConnectorInfo } from '../../../engine/ports/venue.ts';
import type { Effect } from '../accounts/journal-entry.ts';
import type { MarginMarket } from '../accounts/margin-view.ts';
import type { PaperAccounts } from '../accounts/paper-accounts.ts';
import type { PaperMarket } from '../market/market-types.ts';

export interface ExchangeContext {
  readonly info: ConnectorInfo;
  readonly market: PaperMarket;
  readonly view: MarginMarket;
  readonly accounts: PaperAccounts;
  /** Applies the effect and writes it into the entry under way. */
  emit(effect: Effect): void;
  /** Wall-clock time of a market time. */
  wallOf(marketAt: number): number;
}
