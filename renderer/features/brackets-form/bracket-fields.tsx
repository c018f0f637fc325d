/** Take-profit and stop-loss, each switched on and off: fields only, checked and sent by whoever shows them. */
import { Checkbox } from '../../components/checkbox.tsx';
import { Field, Input } from '../../components/field.tsx';
import { Select } from '../../components/select.tsx';
import { Switch } from '../../components/switch.tsx';
import { type FieldErrors, inPercent } from '../field-errors/field-errors.ts';
import type { BracketDraft } from './bracket-draft.ts';
import css from './bracket-fields.module.css';
import { BRACKET_MEASURES, BRACKET_TYPES, type BracketSide } from './bracket-text.ts';

const NAMES: Readonly<Record<BracketSide, string>> = { takeProfit: 'Take-profit', stopLoss: 'Stop-loss' };

const SLIPPAGE_HELP: Readonly<Record<BracketSide, string>> = {
  takeProfit: 'Furthest from the mark price. Empty: 1 %',
  stopLoss: 'Furthest from the mark price, 1 % more in each further round up to 10 %. Empty: 3 %',
};

/** @param errors by the paths of the contract's bracket: `value`, `trailing.delta`, … */
export function BracketFields({
  side,
  value: draft,
  onChange,
  errors,
  isPair = true,
}: {
  readonly side: BracketSide;
  readonly value: BracketDraft;
  readonly onChange: (draft: BracketDraft) => void;
  readonly errors: FieldErrors;
  /** False: the price ratio is of exactly one long and one short leg, and is not offered. */
  readonly isPair?: boolean;
}) {
  const name = NAMES[side];
  const measure = BRACKET_MEASURES[draft.type];
  const set = (change: Partial<BracketDraft>) => onChange({ ...draft, ...change });
  return (
    <fieldset className={css['bracket']} data-side={side}>
      <legend className="visually-hidden">{name}</legend>
      <Switch checked={draft.isOn} onChange={(isOn) => set({ isOn })}>
        {name}
      </Switch>
      {draft.isOn && (
        <div className={css['fields']}>
          <div className={css['level']}>
            <Field label="Measured by" help={measure.hint} error={errors('type')}>
              <Select
                options={BRACKET_TYPES.filter((type) => isPair || type !== 'PRICE_RATIO').map((type) => ({
                  value: type,
                  label: BRACKET_MEASURES[type].name,
                }))}
                value={draft.type}
                onChange={(type) => set({ type })}
              />
            </Field>
            <Field label={levelLabel(side, draft)} error={errors('value') ?? errors('')}>
              <Input
                name={`${side}.value`}
                numeric
                after={measure.unit === '' ? undefined : measure.unit}
                before={signOf(side, draft)}
                value={draft.value}
                invalid={errors('value') !== undefined}
                onChange={(event) => set({ value: event.target.value })}
              />
            </Field>
          </div>
          <Checkbox checked={draft.isTrailing} onChange={(isTrailing) => set({ isTrailing })}>
            Follow the best value seen
          </Checkbox>
          {draft.isTrailing && (
            <div className={css['level']}>
              <Field label="Begins at" help="Empty: at once" error={errors('trailing.activation')}>
                <Input
                  name={`${side}.trailing.activation`}
                  numeric
                  after={measure.unit === '' ? undefined : measure.unit}
                  value={draft.activation}
                  invalid={errors('trailing.activation') !== undefined}
                  onChange={(event) => set({ activation: event.target.value })}
                />
              </Field>
              <Field label="Distance kept" error={errors('trailing.delta') ?? errors('trailing')}>
                <Input
                  name={`${side}.trailing.delta`}
                  numeric
                  after={measure.unit === '' ? undefined : measure.unit}
                  value={draft.delta}
                  invalid={errors('trailing.delta') !== undefined}
                  onChange={(event) => set({ delta: event.target.value })}
                />
              </Field>
            </div>
          )}
          <Field label="Slippage" help={SLIPPAGE_HELP[side]} error={inPercent(errors('slippage'))}>
            <Input
              name={`${side}.slippage`}
              numeric
              after="%"
              placeholder={side === 'stopLoss' ? '3' : '1'}
              value={draft.slippage}
              invalid={errors('slippage') !== undefined}
              onChange={(event) => set({ slippage: event.target.value })}
            />
          </Field>
        </div>
      )}
    </fieldset>
  );
}

const isPnl = ({ type }: BracketDraft) => type === 'PERCENTAGE' || type === 'DOLLAR';

function levelLabel(side: BracketSide, draft: BracketDraft): string {
  if (!isPnl(draft)) return 'Level';
  return side === 'takeProfit' ? 'Gain' : 'Loss';
}

function signOf(side: BracketSide, draft: BracketDraft): string | undefined {
  if (!isPnl(draft)) return undefined;
  return side === 'takeProfit' ? '+' : '−';
}
