/** The limits that a trader has set for this browser: what opens or adds is not sent above them. What closes always is. */
import Big from 'big.js';
import { useTicker } from '../../api/market.ts';
import { useSettings } from '../../api/settings.ts';
import { formatMoney } from '../../components/format.ts';

/** What an order opens. */
interface Opening {
  /** Gross, USD; null: not known. */
  readonly totalUsd: string | null;
  /** Of its plan; null: there is none. */
  readonly legs: readonly { readonly symbol: string; readonly leverage: number }[] | null;
}

/** @returns a function that says which limit an order is above; null: it is within them, as far as it is known */
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

/** Whether there is a limit, so that an order whose size or leverage is not known yet has to wait. */
export function useHasOwnLimits(): boolean {
  return useSettings(({ limits }) => limits.largestOrderUsd !== null || limits.highestLeverage !== null);
}
