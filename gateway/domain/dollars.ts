/** Dollars in a sentence for people: `$1,234.50`. */
import type { Decimal } from './decimal.ts';

const GROUPS = /\B(?=(\d{3})+(?!\d))/g;

/** @param usd not negative */
export function dollars(usd: Decimal): string {
  const [whole = '0', cents = '00'] = usd.toFixed(2).split('.');
  return `$${whole.replace(GROUPS, ',')}.${cents}`;
}
