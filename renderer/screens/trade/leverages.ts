/** Leverage and margin mode of instruments on the account: settings of the account, which every order has. */
import { type Instrument, useConnector } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';

export type MarginMode = Instrument['marginModes'][number];

const DEFAULT_LEVERAGE = 5;

export interface Leverages {
  readonly of: (instrument: Instrument) => { readonly leverage: number; readonly mode: MarginMode };
  /** false: the venue takes no margin mode. */
  readonly hasMode: boolean;
}

export function useLeverages(): Leverages {
  const { data } = useGet('GET /leverage', {});
  return {
    of: (instrument) => {
      const setting = data?.leverage.find(({ symbol }) => symbol === instrument.id);
      return {
        leverage: setting?.leverage ?? Math.min(DEFAULT_LEVERAGE, instrument.maxLeverage),
        mode: setting?.marginMode ?? 'cross',
      };
    },
    hasMode: useConnector()?.marginMode !== 'rejected',
  };
}
