import { withMinus } from '../../components/format.ts';

/**
 * Ratios and prices have any size: six figures, plain notation. Trailing zeros stay, or a moving price would change its
 * width.
 */
export function figureText(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '—';
  const size = Math.abs(value);
  if (size === 0) return '0';
  const decimals = Math.min(12, Math.max(0, 5 - Math.floor(Math.log10(size))));
  return withMinus(
    value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  );
}

/** A figure's text as a person would type it. */
export function typedFigure(text: string): string {
  return text.replaceAll(',', '').replace('\u2212', '-');
}
