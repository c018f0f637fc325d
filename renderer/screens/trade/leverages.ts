/** Leverage and margin mode of instruments on the account: settings of the account, which every order has. */
import { type Instrument, useConnector } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';

export type MarginMode = Instrument['marginModes'][number];

const DEFAULT_LEVERAGE = 5;

/** Where nothing was set, what the gateway assumes. */
export type LeverageOf = (instrument: Instrument) => {
  readonly leverage: number;
  readonly mode: MarginMode;
};

export interface Leverages {
  readonly of: LeverageOf;
  /** false: the venue takes no margin mode. */
  readonly hasMode: boolean;
  /** false: what was set is not known, and `of` is a guess. */
  readonly isRead: boolean;
  readonly error: unknown;
  /** Asks anew: they may have been set elsewhere meanwhile, of which nothing tells. Rejects where they cannot be read. */
  readonly readNow: () => Promise<LeverageOf>;
}

type Setting = { readonly symbol: string; readonly leverage: number; readonly marginMode: MarginMode };

export function useLeverages(): Leverages {
  const { data, error, refetch } = useGet('GET /leverage', {});
  return {
    of: leverageOf(data?.leverage),
    hasMode: useConnector()?.marginMode !== 'rejected',
    isRead: data !== undefined,
    error,
    readNow: async () => leverageOf((await refetch({ throwOnError: true })).data?.leverage),
  };
}

const leverageOf =
  (settings: readonly Setting[] = []): LeverageOf =>
  (instrument) => {
    const setting = settings.find(({ symbol }) => symbol === instrument.id);
    return {
      leverage: setting?.leverage ?? Math.min(DEFAULT_LEVERAGE, instrument.maxLeverage),
      // Some instruments have isolated margin alone.
      mode: setting?.marginMode ?? instrument.marginModes[0] ?? 'cross',
    };
  };
