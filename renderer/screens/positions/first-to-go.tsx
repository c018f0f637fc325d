/** `ETH first`: instrument that the venue closes first in a liquidation. */
import { useTicker } from '../../api/market.ts';
import { type BasketRisk, firstToGo } from '../../features/liquidation/liquidation.tsx';
import css from './positions.module.css';

export function FirstToGo({
  risk,
  legs,
}: {
  readonly risk: BasketRisk | undefined;
  readonly legs: readonly { readonly symbol: string }[];
}) {
  const tickerOf = useTicker();
  const symbol = firstToGo(risk, legs);
  if (symbol === null) return null;
  return (
    <small
      className={css['first']}
      title="What the venue closes first there: the isolated leg, or what asks for the most maintenance then"
    >
      {tickerOf(symbol)} first
    </small>
  );
}
