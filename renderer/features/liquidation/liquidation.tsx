/** Margin ratio and distance from liquidation: of the account as it is, and as it would be after an order. */
import type { Answer } from '../../../gateway/client/client.ts';
import { useTicker } from '../../api/market.ts';
import { NoFigure, Percent, Ratio } from '../../components/amount.tsx';

export type BasketRisk = Answer<'GET /positions/risk'>['baskets'][number];
export type After = Answer<'POST /positions/{id}/close/plan'>['after'];

interface Backed {
  readonly marginRatio: string | null;
  readonly maintenanceMargin: string;
}

/** Maintenance margin ÷ what backs it. If nothing backs it there is no ratio: shown as over 100 %. */
export function MarginRatio({ of }: { readonly of: Backed | null | undefined }) {
  const isUncovered = of?.marginRatio === null && Number(of.maintenanceMargin) > 0;
  return (
    <span title="Maintenance margin ÷ what backs it: the venue liquidates at 100 %">
      {isUncovered ? 'over 100 %' : <Percent value={of?.marginRatio ?? null} />}
    </span>
  );
}

/** Moves beyond which liquidation counts as far: a leg falls to a tenth of its price, or rises tenfold. */
const FARTHEST_LEG = -0.9;
const FARTHEST_TIMES = 10;

/** Smaller moves are shown as "at once". */
const NEAREST = 0.0005;

type Move = Pick<BasketRisk, 'ratioMove' | 'legMove'>;

/** Shown where only a move of more than ten times the price, or no price at all, would liquidate. */
export function Far({ why }: { readonly why: string }) {
  return <span title={why}>far (&gt;10×)</span>;
}

/** True: a price is more than ten times away from the mark, up or down. */
export function isFarFrom(mark: string | null, price: string): boolean {
  const times = Number(price) / Number(mark ?? Number.NaN);
  return times > FARTHEST_TIMES || times < 1 / FARTHEST_TIMES;
}

/** True: liquidation is near enough to be given as a move of the ratio. */
export function isWithinReach<Of extends Move>(risk: Of): risk is Of & { readonly ratioMove: string } {
  return risk.ratioMove !== null && Number(risk.legMove) >= FARTHEST_LEG;
}

const isAtOnce = ({ ratioMove }: { readonly ratioMove: string }) => Math.abs(Number(ratioMove)) < NEAREST;

/** Move of the basket's price ratio until the venue closes something, as far as it is meaningful. */
export function LiquidationMove({ risk }: { readonly risk: Move | null | undefined }) {
  if (risk == null) return <NoFigure />;
  if (!isWithinReach(risk))
    return (
      <Far why="Nothing is liquidated before each leg has moved more than ten times against the position: longs to a tenth of their price, shorts to ten times theirs" />
    );
  if (isAtOnce(risk)) return <span title="The margin does not cover it as prices are">at once</span>;
  return (
    <span title="Move of the price ratio, both legs against the position and every other price as it is, until the venue liquidates">
      {Number(risk.ratioMove) > 0 && '+'}
      <Percent value={risk.ratioMove} digits={1} />
    </span>
  );
}

/** Instrument that the venue closes first; null: liquidation is far, or the position has only that instrument. */
export function firstToGo(
  risk: (Move & Pick<BasketRisk, 'firstSymbol'>) | null | undefined,
  legs: readonly { readonly symbol: string }[],
): string | null {
  if (risk == null || !isWithinReach(risk)) return null;
  const isAlone = legs.length === 1 && legs[0]?.symbol === risk.firstSymbol;
  return isAlone ? null : risk.firstSymbol;
}

/** Figures of the account after an order, for a list of facts. */
export function afterFacts(after: After | undefined) {
  return {
    'Margin ratio after': <RatioAfter after={after} />,
    'Liquidation after': <MoveAfter after={after} />,
  };
}

interface OfAfter {
  readonly after: After | undefined;
}

export function RatioAfter({ after }: OfAfter) {
  return <MarginRatio of={after?.unknownTiers.length === 0 ? after : null} />;
}

/** Move until liquidation after an order, with its name: `ratio −12.3 %, first: ETH`; for a single leg `−12.3 %`. */
export function MoveAfter({ after }: OfAfter) {
  const tickerOf = useTicker();
  const basket = after?.basket;
  if (after != null && basket === null) return <NoFigure why={whyNot(after)} />;
  const isNear = basket != null && isWithinReach(basket);
  const first = firstToGo(basket, after?.legs ?? []);
  // The move of a single leg is that of its price.
  const isLone = after?.legs.length === 1;
  return (
    <>
      {isNear && !isAtOnce(basket) && !isLone && 'ratio '}
      <LiquidationMove risk={basket} />
      {first !== null && <span title="What the venue closes first there">, first: {tickerOf(first)}</span>}
    </>
  );
}

function whyNot({ unknownTiers }: NonNullable<After>): string {
  return unknownTiers.length === 0 ? 'nothing stays open' : 'maintenance tiers are not known';
}

const NO_PRICE = {
  NOTHING_HELD: 'nothing is held then',
  NONE_ABOVE_ZERO: 'no price liquidates it',
  TIERS_UNKNOWN: 'maintenance tiers are not known',
} as const;

/** Liquidation price of one instrument after an order. */
export function LiquidationAfter({
  after,
  symbol,
}: {
  readonly after: After | undefined;
  readonly symbol: string;
}) {
  const leg = after?.legs.find((one) => one.symbol === symbol);
  if (leg === undefined || leg.liquidationPrice === null)
    return <NoFigure why={NO_PRICE[leg?.reason ?? 'TIERS_UNKNOWN']} />;
  return <Ratio value={leg.liquidationPrice} figures={7} />;
}
