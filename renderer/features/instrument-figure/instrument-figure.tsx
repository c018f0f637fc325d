/**
 * Prices and quantities of an instrument with the decimals of its tick and step, so that digits of one place stand under
 * each other; a finer average keeps its own.
 */
import { useMemo } from 'react';
import { useInstruments } from '../../api/market.ts';
import { useSettings } from '../../api/settings.ts';
import { NoFigure } from '../../components/amount.tsx';
import { decimalsOf, formatNumber } from '../../components/format.ts';

interface InstrumentFigureProps {
  /** Instrument id. */
  readonly symbol: string;
  readonly value: string | null | undefined;
}

const kept = new WeakMap<
  object,
  ReadonlyMap<string, { readonly tickSize: string; readonly stepSize: string }>
>();

function useRules(symbol: string) {
  const instruments = useInstruments();
  return useMemo(() => {
    const known = kept.get(instruments) ?? new Map(instruments.map((one) => [one.id, one]));
    kept.set(instruments, known);
    return known.get(symbol);
  }, [instruments, symbol]);
}

/** Decimals beyond the tick that an average price is shown with at most. */
const FINER = 2;

/** A price, or an average of prices; `isRounded`: one that was worked out, to the tick. */
export function Price({
  symbol,
  value,
  isRounded = false,
}: InstrumentFigureProps & { readonly isRounded?: boolean }) {
  const settings = useSettings();
  const rules = useRules(symbol);
  if (value == null) return <NoFigure />;
  const least = rules === undefined ? 0 : decimalsOf(rules.tickSize);
  return (
    <span>
      {formatNumber(settings, value, {
        minDigits: least,
        ...(rules && { maxDigits: isRounded ? least : least + FINER }),
      })}
    </span>
  );
}

/** Base units. */
export function Size({ symbol, value }: InstrumentFigureProps) {
  const settings = useSettings();
  const rules = useRules(symbol);
  if (value == null) return <NoFigure />;
  return (
    <span>
      {formatNumber(settings, value, { minDigits: rules === undefined ? 0 : decimalsOf(rules.stepSize) })}
    </span>
  );
}
