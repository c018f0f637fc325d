/** Head of a position's row: its name, shortened for a large basket, and problems with its legs in words. */
import { useTicker } from '../../api/market.ts';
import { Badge } from '../../components/badge.tsx';
import { BasketLabel } from '../../features/basket-name/basket-label.tsx';
import { basketName, missingLegs } from '../../features/basket-name/basket-name.ts';
import { offBy, offWeights } from '../../features/off-weights/off-weights.ts';
import { isLarge, largeName } from './large-name.ts';
import css from './positions.module.css';
import type { Position } from './use-position-data.ts';

export function NameCell({ position }: { readonly position: Position }) {
  const { legs } = position;
  const tickerOf = useTicker();
  const missing = missingLegs(legs, tickerOf);
  const off = missing.length === 0 ? offBy(position) : null;
  return (
    <span className={css['head']}>
      <span className={css['name']}>
        {isLarge(legs) ? (
          <LargeName legs={legs} text={basketName(legs, tickerOf).text} />
        ) : (
          <BasketLabel legs={legs} />
        )}
      </span>
      {missing.length > 0 && (
        <Chip why={`Not held: ${missing.join(', ')}`}>
          {missing.length === 1 ? `${missing[0]} missing` : `${missing.length} legs missing`}
        </Chip>
      )}
      {off !== null && <Chip why={offWeights(position) ?? ''}>{off}</Chip>}
    </span>
  );
}

function LargeName({ legs, text }: { readonly legs: Position['legs']; readonly text: string }) {
  const { counts, largest } = largeName(legs);
  return (
    <span className={css['large']} title={text}>
      {counts} <small>{largest}</small>
    </span>
  );
}

function Chip({ why, children }: { readonly why: string; readonly children: string }) {
  return (
    <span title={why}>
      <Badge tone="warn">{children}</Badge>
    </span>
  );
}
