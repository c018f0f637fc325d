/**
 * Settings for all legs at once: their weights by one click, equal or from the legs' prices over a look-back (neutral
 * in beta or volatility, hedge ratio), and their leverage.
 */
import { useState } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import { useTicker } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Select } from '../../components/select.tsx';
import { Tooltip } from '../../components/tooltip.tsx';
import {
  type Basket,
  equalLegs,
  inOrder,
  isWeighedAlike,
  linkOf,
  weighed,
} from '../../features/basket/basket.ts';
import { percentText } from '../../features/basket-weights/basket-weights.ts';
import { LOOKBACKS, type Lookback } from '../../features/ratio-chart/pair-analytics.ts';
import css from './basket-builder.module.css';
import { BasketLeverage } from './basket-leverage.tsx';

type Weights = Answer<'GET /analytics/weights'>;
type Weighting = Weights['weightings'][number];

const NAMES: readonly {
  readonly weighting: Exclude<Weighting['weighting'], 'EQUAL'>;
  readonly name: string;
}[] = [
  { weighting: 'BETA_NEUTRAL', name: 'Beta-neutral' },
  { weighting: 'VOLATILITY_NEUTRAL', name: 'Vol-neutral' },
  { weighting: 'HEDGE_RATIO', name: 'Hedge ratio' },
];

const REASONS: Readonly<Record<NonNullable<Weighting['reason']>, string>> = {
  TOO_FEW_OBSERVATIONS: 'Fewer than 30 common prices over this look-back',
  ONE_SIDE: 'Takes a long and a short side',
  NOT_POSITIVE: 'The shorts did not move with the longs: no share of them is a hedge',
  STOOD_STILL: 'A price did not move over this look-back',
};

export function WeightsBar({
  basket,
  onChange,
}: {
  readonly basket: Basket;
  readonly onChange: (basket: Basket) => void;
}) {
  const [lookback, setLookback] = useState<Lookback>('30d');
  const { connector } = useAccount();
  const { long, short } = linkOf(basket);
  const { data } = useGet(
    'GET /analytics/weights',
    {
      query: {
        connector,
        lookback,
        ...(long.length === 0 ? {} : { long: [...long] }),
        ...(short.length === 0 ? {} : { short: [...short] }),
      },
    },
    { shared: true, freshForMs: 60_000 },
  );
  return (
    <div className={css['weightsBar']}>
      <OneWeighting
        name="Equal legs"
        does="Each leg the same dollars"
        basket={basket}
        next={equalLegs(basket)}
        onChange={onChange}
      />
      {NAMES.map(({ weighting, name }) => {
        const found = data?.weightings.find((one) => one.weighting === weighting);
        const next = found?.weights == null ? null : weighed(basket, found.weights);
        return (
          <OneWeighting
            key={weighting}
            name={name}
            basket={basket}
            next={next}
            found={found}
            onChange={onChange}
          />
        );
      })}
      <Select
        quiet
        label="Look-back of the weights"
        options={LOOKBACKS}
        value={lookback}
        onChange={setLookback}
      />
      {basket.legs.length > 1 && <BasketLeverage legs={basket.legs} />}
    </div>
  );
}

function OneWeighting({
  name,
  does,
  basket,
  next,
  found,
  onChange,
}: {
  readonly name: string;
  /** Effect of a click, for a name that does not say it all. */
  readonly does?: string;
  readonly basket: Basket;
  /** Basket after a click; null: there are no such weights. */
  readonly next: Basket | null;
  /** The gateway's answer on the weights; left out: not read yet, or not needed. */
  readonly found?: Weighting | undefined;
  readonly onChange: (basket: Basket) => void;
}) {
  const tickerOf = useTicker();
  const words =
    next === null
      ? found?.reason == null
        ? 'Not read yet'
        : REASONS[found.reason]
      : [
          ...(does === undefined ? [] : [does]),
          ...inOrder(next).map(
            ({ id, weight }) => `${tickerOf(id)} ${percentText(Math.round(weight / 100) * 100)} %`,
          ),
          ...(found?.figure == null
            ? []
            : [`${found.weighting === 'BETA_NEUTRAL' ? 'β' : 'h'} ${Number(found.figure).toFixed(3)}`]),
        ].join(' · ');
  const isSet = next !== null && isWeighedAlike(basket, next);
  return (
    <Tooltip text={words}>
      <Button
        kind="ghost"
        aria-pressed={isSet}
        // Focusable even when disabled, since the tooltip has the reason.
        aria-disabled={next === null}
        onClick={() => next !== null && onChange(next)}
      >
        {name}
      </Button>
    </Tooltip>
  );
}
