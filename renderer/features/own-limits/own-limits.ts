/** The trader's own limits in this browser: opening orders are not sent above them, closing orders always are. */
import Big from 'big.js';
import { useTicker } from '../../api/market.ts';
import { useSettings } from '../../api/settings.ts';
import { formatMoney } from '../../components/format.ts';

/** Figures of an opening order. */
interface Opening {
  /** Gross, USD; null: not known. */
  readonly totalUsd: string | null;
  /** Legs of its plan; null: there is no plan. */
  readonly legs: readonly { readonly symbol: string; readonly leverage: number }[] | null;
}

/** @returns a function that names the exceeded limit of an order; null: no limit is known to be exceeded */
export function useOwnLimits(): (opening: Opening) => string | null {
  const tickerOf = useTicker();
  const settings = useSettings();
  const { largestOrderUsd, highestLeverage } = settings.limits;
  return ({ totalUsd, legs }) => {
    if (largestOrderUsd !== null && totalUsd !== null && new Big(totalUsd).gt(largestOrderUsd))
      return `Above the largest order of ${formatMoney(settings, largestOrderUsd)} that you allow in Settings.`;
    const leg = legs?.find(({ leverage }) => highestLeverage !== null && leverage > highestLeverage);
    return leg === undefined
      ? null
      : `${tickerOf(leg.symbol)} has a leverage of ${leg.leverage}×, above the ${highestLeverage}× that you allow in Settings.`;
  };
}

/** True: there is a limit, so an order whose size or leverage is not known yet has to wait. */
export function useHasOwnLimits(): boolean {
  return useSettings(({ limits }) => limits.largestOrderUsd !== null || limits.highestLeverage !== null);
}
