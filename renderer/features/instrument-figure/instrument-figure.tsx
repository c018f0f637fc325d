/**
 * Prices and quantities of an instrument with the decimals of its tick and step, so that digits align in a column. A
 * finer average keeps its own decimals.
 */
import { useMemo } from 'react';
import { useInstruments } from '../../api/market.ts';
import { useSettings } from '../../api/settings.ts';
import { Digits } from '../../components/amount.tsx';
import { decimalsOf, formatNumber } from '../../components/format.ts';
import { priceDigits } from './price-digits.ts';

interface InstrumentFigureProps {
  /** Instrument id. */
  readonly symbol: string;
  readonly value: string | null | undefined;
}

interface Rules {
  readonly tickSize: string;
  readonly stepSize: string;
}

const kept = new WeakMap<object, ReadonlyMap<string, Rules>>();

/** Instrument id → its rules. */
function useAllRules(): (symbol: string) => Rules | undefined {
  const instruments = useInstruments();
  return useMemo(() => {
    const known = kept.get(instruments) ?? new Map(instruments.map((one) => [one.id, one]));
    kept.set(instruments, known);
    return (symbol) => known.get(symbol);
  }, [instruments]);
}

type Locale = Parameters<typeof formatNumber>[0];

function priceText(settings: Locale, rules: Rules | undefined, value: string, isRounded: boolean): string {
  const digits = rules && priceDigits(value, decimalsOf(rules.tickSize), isRounded);
  return formatNumber(settings, value, digits);
}

function sizeText(settings: Locale, rules: Rules | undefined, value: string): string {
  return formatNumber(settings, value, { minDigits: rules === undefined ? 0 : decimalsOf(rules.stepSize) });
}

/** Text of the same figures for use within a sentence. */
export function useFigureTexts() {
  const settings = useSettings();
  const rulesOf = useAllRules();
  return useMemo(
    () => ({
      price: (symbol: string, value: string) => priceText(settings, rulesOf(symbol), value, false),
      size: (symbol: string, value: string) => sizeText(settings, rulesOf(symbol), value),
    }),
    [settings, rulesOf],
  );
}

/** A price, or an average of prices; `isRounded`: the venue computed it, and it is never finer than the tick. */
export function Price({
  symbol,
  value,
  isRounded = false,
}: InstrumentFigureProps & { readonly isRounded?: boolean }) {
  const rules = useAllRules()(symbol);
  return <Digits value={value} text={(settings, price) => priceText(settings, rules, price, isRounded)} />;
}

/** Base units. */
export function Size({ symbol, value }: InstrumentFigureProps) {
  const rules = useAllRules()(symbol);
  return <Digits value={value} text={(settings, size) => sizeText(settings, rules, size)} />;
}
