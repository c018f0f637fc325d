/** Leverage and margin mode of instruments: settings of the account, which apply to every order. */
import { type Instrument, useConnector } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';

export type MarginMode = Instrument['marginModes'][number];

const DEFAULT_LEVERAGE = 5;

/** Leverage and margin mode. Without a setting, those that the gateway assumes. */
export type LeverageOf = (instrument: Instrument) => {
  readonly leverage: number;
  readonly mode: MarginMode;
};

export interface Leverages {
  readonly of: LeverageOf;
  /** False: the venue takes no margin mode. */
  readonly hasMode: boolean;
  /** False: the settings are not known, and `of` is a guess. */
  readonly isRead: boolean;
  readonly error: unknown;
  /** Re-reads the settings: no event reports changes from elsewhere. Rejects if they cannot be read. */
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
      // Some instruments have isolated margin only.
      mode: setting?.marginMode ?? instrument.marginModes[0] ?? 'cross',
    };
  };
