/** The basket: longs and shorts in two columns, found by typing, weighed in percent of the whole. */
import { ArrowLeftRight, FolderOpen, Save, Scale, Sigma, Trash2 } from 'lucide-react';
import { lazy, Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type Instrument, useInstruments } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { Button, IconButton } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { Menu } from '../../components/menu.tsx';
import { Tooltip } from '../../components/tooltip.tsx';
import {
  addLeg,
  type Basket,
  type BasketLeg,
  balanced,
  basketFault,
  EMPTY_BASKET,
  equalBasket,
  legsOn,
  MAX_LEGS,
  moveLeg,
  normalised,
  removeLeg,
  type Side,
  savedBasket,
  setWeight,
  swapSides,
  weightSum,
} from '../../features/basket/basket.ts';
import { ONE, percentText } from '../../features/basket-weights/basket-weights.ts';
import { InstrumentPicker } from '../../features/instrument-picker/instrument-picker.tsx';
import css from './basket-builder.module.css';
import type { LegAim } from './leg-outlook.tsx';
import { LegRow } from './leg-row.tsx';
import type { WriteUsd } from './sizing.ts';

const SaveBasketDialog = lazy(async () => ({
  default: (await import('./save-basket-dialog.tsx')).SaveBasketDialog,
}));

const WeightsBar = lazy(async () => ({ default: (await import('./weights-bar.tsx')).WeightsBar }));

interface BuilderProps {
  readonly basket: Basket;
  readonly onChange: (basket: Basket) => void;
  /** Ids of the missing legs of the position in this basket. */
  readonly missing: ReadonlySet<string>;
  /** The gateway's messages about the legs. */
  readonly errors: readonly string[];
  /** Size of a leg in the typed order. */
  readonly aimOf: (leg: BasketLeg) => LegAim;
  /** Called when typing of a leg's dollars begins. Returns the function that takes the typed dollars. */
  readonly onLegUsd: (id: string) => WriteUsd;
}

export function BasketBuilder({ basket, onChange, missing, errors, aimOf, onLegUsd }: BuilderProps) {
  const instruments = useInstruments();
  const byId = useMemo(() => new Map(instruments.map((one) => [one.id, one])), [instruments]);
  /** Basket read from a text, with a note on changes to its weights. */
  const [noted, setNoted] = useState<{ readonly basket: Basket; readonly note: string | null } | null>(null);
  // The reader of a text may have to load first, so its result is added to the basket of that later moment.
  const present = useRef({ basket, instruments });
  useLayoutEffect(() => {
    present.current = { basket, instruments };
  });
  const readText = async (text: string, side: Side): Promise<string | null> => {
    const { readBasketText } = await import('../../features/basket-text/basket-text.ts');
    const now = present.current;
    const read = readBasketText(text, now.instruments, side, now.basket);
    if (!read.ok) return read.message;
    setNoted(read);
    onChange(read.basket);
    return null;
  };
  const own = { basket, onChange, missing, aimOf, onLegUsd, onText: readText };
  const fault = basket.legs.length === 0 ? null : basketFault(basket);
  return (
    <section className={css['builder']} aria-label="Basket">
      <div className={css['columns']}>
        <Column side="BUY" {...own} instruments={instruments} byId={byId} />
        <Column side="SELL" {...own} instruments={instruments} byId={byId} />
      </div>
      <footer className={css['footer']}>
        <Sum basket={basket} />
        {basket.legs.length > 0 && basket.legs.every(({ id }) => byId.has(id)) && (
          <Suspense fallback={<div className={css['weightsBar']} />}>
            <WeightsBar basket={basket} onChange={onChange} />
          </Suspense>
        )}
        <p className={css['fault']} role="status">
          {[fault, ...errors].filter((text) => text !== null).join(' ')}
        </p>
        {noted?.basket === basket && noted.note !== null && (
          <p className={css['note']} role="status">
            {noted.note}
          </p>
        )}
        <div className={css['tools']}>
          <Saved basket={basket} canSave={basket.legs.length > 0 && fault === null} onChange={onChange} />
          {basket.legs.length > 0 && weightSum(basket.legs) !== ONE && (
            <Tooltip text="All weights up or down to 100 %, in their proportions">
              <Button icon={<Sigma />} onClick={() => onChange(normalised(basket))}>
                Scale to 100 %
              </Button>
            </Tooltip>
          )}
          <Tooltip text="Long and short the same dollars, in the proportions within each side">
            <Button
              kind="ghost"
              icon={<Scale />}
              disabled={basket.legs.length === 0}
              onClick={() => onChange(basket.isWeighted ? balanced(basket) : equalBasket(basket.legs))}
            >
              50:50 sides
            </Button>
          </Tooltip>
          <IconButton
            label="Swap long and short"
            icon={<ArrowLeftRight />}
            disabled={basket.legs.length === 0}
            onClick={() => onChange(swapSides(basket))}
          />
          <IconButton
            label="Clear the basket"
            icon={<Trash2 />}
            disabled={basket.legs.length === 0}
            onClick={() => onChange(EMPTY_BASKET)}
          />
        </div>
      </footer>
    </section>
  );
}

function Column({
  side,
  basket,
  onChange,
  missing,
  aimOf,
  onLegUsd,
  onText,
  instruments,
  byId,
}: Omit<BuilderProps, 'errors'> & {
  readonly side: Side;
  /** Takes a basket in words. Resolves to the error in the words; null: there is none. */
  readonly onText: (text: string, side: Side) => Promise<string | null>;
  readonly instruments: readonly Instrument[];
  readonly byId: ReadonlyMap<string, Instrument>;
}) {
  const legs = legsOn(basket, side);
  const isLong = side === 'BUY';
  const isFull = basket.legs.length >= MAX_LEGS;
  const name = isLong ? 'Long' : 'Short';
  return (
    <div className={css['column']}>
      <header className={css['head']} data-side={side}>
        <h2>
          <span aria-hidden="true">{isLong ? '▲' : '▼'}</span> {name}
        </h2>
        <span className={layout['quiet']}>
          {legs.length > 1 && `${legs.length} legs · `}
          {percentText(weightSum(legs))} %
        </span>
      </header>
      {legs.length > 0 && (
        <ul aria-label={`${name} legs`}>
          {legs.map((leg) => (
            <LegRow
              key={leg.id}
              leg={leg}
              instrument={byId.get(leg.id)}
              isKnown={instruments.length > 0}
              isMissing={missing.has(leg.id)}
              aim={aimOf(leg)}
              onUsd={() => onLegUsd(leg.id)}
              onWeight={(weight) => onChange(setWeight(basket, leg.id, weight))}
              onMove={() => onChange(moveLeg(basket, leg.id))}
              onRemove={() => onChange(removeLeg(basket, leg.id))}
            />
          ))}
        </ul>
      )}
      <InstrumentPicker
        label={isFull ? 'Twenty legs at most' : isLong ? 'Add a long leg' : 'Add a short leg'}
        instruments={instruments}
        taken={basket.legs.map(({ id }) => id)}
        side={side}
        disabled={isFull}
        onPick={(id) => onChange(addLeg(basket, id, side))}
        onBasketText={(text) => onText(text, side)}
      />
    </div>
  );
}

/** Long and short shares of the basket as one bar. */
function Sum({ basket }: { readonly basket: Basket }) {
  const long = weightSum(legsOn(basket, 'BUY'));
  const short = weightSum(legsOn(basket, 'SELL'));
  const scale = Math.max(ONE, long + short);
  return (
    <span className={css['sum']} aria-hidden="true">
      <span data-side="BUY" style={{ width: `${(long / scale) * 100}%` }} />
      <span data-side="SELL" style={{ width: `${(short / scale) * 100}%` }} />
    </span>
  );
}

/** Saved baskets of the account to start from, and the button that saves the present one. */
function Saved({
  basket,
  canSave,
  onChange,
}: Pick<BuilderProps, 'basket' | 'onChange'> & { readonly canSave: boolean }) {
  const [isSaving, setSaving] = useState(false);
  const { data } = useGet('GET /saved-baskets', {});
  const saved = data?.savedBaskets ?? [];
  return (
    <>
      <Menu
        trigger={
          <Button kind="ghost" icon={<FolderOpen />}>
            Saved
          </Button>
        }
        items={[
          {
            id: 'save',
            label: 'Save this basket…',
            icon: <Save />,
            disabled: !canSave,
            onSelect: () => setSaving(true),
          },
          { id: 'line', separator: true },
          ...(data !== undefined && saved.length === 0
            ? [{ id: 'none', label: 'No saved baskets yet', disabled: true, onSelect: () => undefined }]
            : []),
          ...saved.map(({ id, name, legs }) => ({
            id,
            label: name,
            hint: `${legs.length} ${legs.length === 1 ? 'leg' : 'legs'}`,
            onSelect: () => onChange(savedBasket(legs)),
          })),
        ]}
      />
      {isSaving && (
        <Suspense>
          <SaveBasketDialog basket={basket} onClose={() => setSaving(false)} />
        </Suspense>
      )}
    </>
  );
}
