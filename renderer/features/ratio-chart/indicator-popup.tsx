/** Popup of the charts' indicators: the chosen ones with their lengths and colours, and those that can be added. */
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { type IndicatorKind, indicatorName } from '../../components/chart-indicator-values.ts';
import { Checkbox, Switch } from '../../components/checkbox.tsx';
import { Input } from '../../components/field.tsx';
import css from './chart-popup.module.css';
import { ChartPopup, type ChartPopupProps } from './chart-popup.tsx';
import {
  type ChosenIndicator,
  changeIndicators,
  DEVIATIONS,
  LENGTHS,
  MOST_INDICATORS,
  newIndicator,
  useIndicatorChoice,
} from './indicators.ts';

const KINDS: readonly { readonly kind: IndicatorKind; readonly name: string; readonly long: string }[] = [
  { kind: 'sma', name: 'SMA', long: 'simple moving average' },
  { kind: 'ema', name: 'EMA', long: 'exponential moving average' },
  { kind: 'bollinger', name: 'Bollinger', long: 'bands around the simple moving average' },
  { kind: 'rsi', name: 'RSI', long: 'relative strength index' },
];
const NAMES = new Map(KINDS.map(({ kind, name }) => [kind, name]));

export function IndicatorPopup({ anchor, onClose }: ChartPopupProps) {
  const { chosen, showsLegs } = useIndicatorChoice();
  const change = (id: string, patch: Partial<ChosenIndicator>) =>
    changeIndicators({ chosen: chosen.map((one) => (one.id === id ? { ...one, ...patch } : one)) });
  return (
    <ChartPopup anchor={anchor} title="Indicators" onClose={onClose}>
      {chosen.length > 0 && (
        <p className={css['heads']} aria-hidden="true">
          <span>Length</span>
          {chosen.some(({ kind }) => kind === 'bollinger') && <span>Width</span>}
        </p>
      )}
      {chosen.length > 0 && (
        <ul className={css['list']} aria-label="Chosen indicators">
          {chosen.map((one) => (
            <Chosen
              key={one.id}
              indicator={one}
              onChange={(patch) => change(one.id, patch)}
              onRemove={() => changeIndicators({ chosen: chosen.filter(({ id }) => id !== one.id) })}
            />
          ))}
        </ul>
      )}
      <fieldset className={css['add']}>
        <legend>Add</legend>
        {KINDS.map(({ kind, name, long }) => (
          <Button
            key={kind}
            aria-label={`Add ${name}, ${long}`}
            disabled={chosen.length >= MOST_INDICATORS}
            onClick={() => changeIndicators({ chosen: [...chosen, newIndicator(kind, chosen)] })}
          >
            {name}
          </Button>
        ))}
      </fieldset>
      <p className={css['note']}>From the chart's closes, with the running candle.</p>
      <div className={css['legs']}>
        <Switch checked={showsLegs} onChange={(next) => changeIndicators({ showsLegs: next })}>
          Legs
        </Switch>
        <span>in percent from the left edge</span>
      </div>
    </ChartPopup>
  );
}

function Chosen({
  indicator,
  onChange,
  onRemove,
}: {
  readonly indicator: ChosenIndicator;
  readonly onChange: (patch: Partial<ChosenIndicator>) => void;
  readonly onRemove: () => void;
}) {
  const { kind, length, deviations, colour, isShown } = indicator;
  const full = indicatorName(indicator);
  const name = NAMES.get(kind) ?? full;
  return (
    <li className={css['row']}>
      <Checkbox checked={isShown} onChange={(next) => onChange({ isShown: next })}>
        {name}
      </Checkbox>
      <NumberField
        label={`Length of ${full}`}
        value={length}
        limits={LENGTHS}
        isWhole
        onChange={(next) => onChange({ length: next })}
      />
      {kind === 'bollinger' && (
        <NumberField
          label={`Deviations of ${full}`}
          value={deviations}
          limits={DEVIATIONS}
          unit="σ"
          onChange={(next) => onChange({ deviations: next })}
        />
      )}
      <span className={css['ends']}>
        <IconButton
          label={`Colour of ${full}: ${colour} of 4. Next colour`}
          icon={<span className={css['swatch']} data-colour={colour} />}
          onClick={() => onChange({ colour: ((colour % 4) + 1) as ChosenIndicator['colour'] })}
        />
        <IconButton label={`Remove ${full}`} icon={<Trash2 />} danger onClick={onRemove} />
      </span>
    </li>
  );
}

/** Keeps the typed text; the chart follows valid numbers only. */
function NumberField({
  label,
  value,
  limits: { least, most },
  isWhole = false,
  unit,
  onChange,
}: {
  readonly label: string;
  readonly value: number;
  readonly limits: { readonly least: number; readonly most: number };
  readonly isWhole?: boolean;
  readonly unit?: string;
  readonly onChange: (value: number) => void;
}) {
  const [typed, setTyped] = useState(String(value));
  const numberOf = (text: string) => {
    const number = text.trim() === '' ? Number.NaN : Number(text);
    return number >= least && number <= most && (!isWhole || Number.isInteger(number)) ? number : null;
  };
  return (
    <Input
      aria-label={label}
      title={`${least} to ${most}`}
      value={typed}
      numeric
      after={unit}
      invalid={numberOf(typed) === null}
      className={css['number']}
      onChange={({ target }) => {
        setTyped(target.value);
        const number = numberOf(target.value);
        if (number !== null) onChange(number);
      }}
      onBlur={() => setTyped(String(value))}
    />
  );
}
