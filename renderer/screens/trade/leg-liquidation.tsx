/** Liquidation of one leg of a plan, with all other prices unchanged. */
import { shortLevel } from '../../components/format.ts';
import { Far, isFarFrom, LiquidationAfter } from '../../features/liquidation/liquidation.tsx';
import type { Plan } from './chart-lines.ts';

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
  if (at !== null && isFarFrom(price, at)) return <Far why={`This leg alone: at ${shortLevel(at)}`} />;
  return <LiquidationAfter after={after} symbol={symbol} />;
}
