/** Where a leg of a plan would be liquidated alone, every other price as it is. */
import { shortLevel } from '../../components/format.ts';
import { LiquidationAfter } from '../../features/liquidation/liquidation.tsx';
import type { Plan } from './chart-lines.ts';

/** Beyond a tenfold rise, or a fall to a tenth, a price would say that somebody should watch it. */
const FAR = 10;

function isFar(price: string, mark: string): boolean {
  const times = Number(price) / Number(mark);
  return times > FAR || times < 1 / FAR;
}

export function LegLiquidation({
  leg: { symbol, price },
  after,
}: {
  /** `price` is its mark, USD. */
  readonly leg: Pick<Plan['legs'][number], 'symbol' | 'price'>;
  readonly after: Plan['after'];
}) {
  const own = after?.legs.find((one) => one.symbol === symbol);
  if (own?.reason === 'NONE_ABOVE_ZERO') return <Far why="No price of this leg alone liquidates it" />;
  const at = own?.liquidationPrice ?? null;
  if (at !== null && isFar(at, price)) return <Far why={`This leg alone: at ${shortLevel(at)}`} />;
  return <LiquidationAfter after={after} symbol={symbol} />;
}

function Far({ why }: { readonly why: string }) {
  return <span title={why}>far (&gt;10×)</span>;
}
