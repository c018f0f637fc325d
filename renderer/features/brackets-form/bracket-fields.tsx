/** Fields of take-profit and stop-loss, each switched on and off; the form around them checks and sends. */
import type { ReactNode } from 'react';
import { isOneSided, isPair, transformText } from '../../../gateway/domain/condition-table.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import layout from '../../components/layout.module.css';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { draftFields, type FormPart } from '../draft-fields/draft-fields.ts';
import { OptionalPart } from '../draft-fields/optional-part.tsx';
import { withoutSign } from '../draft-fields/typed-number.ts';
import { within } from '../field-errors/field-errors.ts';
import { type BracketDraft, type BracketDrafts, transformOf } from './bracket-draft.ts';
import css from './bracket-fields.module.css';
import {
  BRACKET_MEASURES,
  BRACKET_SIDES,
  BRACKET_TYPES,
  type BracketSide,
  type BracketType,
  isPnl,
} from './bracket-text.ts';

const NAMES: Readonly<Record<BracketSide, string>> = { takeProfit: 'Take-profit', stopLoss: 'Stop-loss' };

const SLIPPAGE_HELP: Readonly<Record<BracketSide, string>> = {
  takeProfit: 'Furthest from the mark price. Empty: 1 %',
  stopLoss: 'Furthest from the mark price, 1 % more in each further round up to 10 %. Empty: 3 %',
};

/** Units shown in the form: a bare percentage would not say what it is a percentage of. */
const FIELD_UNITS: Partial<Readonly<Record<BracketType, string>>> = { PERCENTAGE: '% of entry' };

interface BracketProps<Draft> extends FormPart<Draft> {
  /** Legs of the basket: PRICE_RATIO needs exactly one long and one short leg, PRICE one side. */
  readonly legs: readonly { readonly side: string }[];
  /** Note below the level: the meaning of the typed bracket in dollars and as a ratio. */
  readonly note?: (side: BracketSide) => ReactNode;
}

export function BothBracketFields({ value, onChange, ...rest }: BracketProps<BracketDrafts>) {
  return BRACKET_SIDES.map((side) => (
    <BracketFields
      key={side}
      {...rest}
      side={side}
      value={value[side]}
      onChange={(next) => onChange({ ...value, [side]: next })}
    />
  ));
}

function BracketFields({
  side,
  value: draft,
  onChange,
  errors: all,
  legs,
  note,
}: BracketProps<BracketDraft> & { readonly side: BracketSide }) {
  const errors = within(all, side);
  const { choice, flag, number, percent } = draftFields(draft, onChange, errors, `${side}.`);
  const { unit, hint } = BRACKET_MEASURES[draft.type];
  const after =
    transformOf(draft)?.transform === 'SPREAD' ? '%' : (FIELD_UNITS[draft.type] ?? (unit || undefined));
  const value = number('value');
  const delta = number('delta', 'trailing.delta');
  return (
    <OptionalPart name={NAMES[side]} {...flag('isOn')}>
      <div className={layout['stack']}>
        <div className={css['level']}>
          <SelectField
            label="Measured by"
            help={hint}
            error={errors('type')}
            options={BRACKET_TYPES.filter((type) => type === draft.type || isOffered(type, legs)).map(
              (type) => ({
                value: type,
                label: BRACKET_MEASURES[type].name,
              }),
            )}
            {...choice('type')}
            onChange={(type) => onChange({ ...draft, type, transformed: undefined })}
          />
          <TextField
            label={levelLabel(side, draft)}
            before={signOf(side, draft)}
            after={after}
            {...value}
            onChange={(typed) =>
              value.onChange(signOf(side, draft) === undefined ? typed : withoutSign(typed))
            }
            error={value.error ?? errors('')}
          />
        </div>
        {note?.(side)}
        <Checkbox {...flag('isTrailing')}>Trailing, behind the best value</Checkbox>
        {draft.isTrailing && (
          <div className={css['level']}>
            <TextField
              label="Begins at"
              help={`Empty: ${usualBegin(side, draft)}`}
              after={after}
              {...number('activation', 'trailing.activation')}
            />
            <TextField
              label="Distance kept"
              after={after}
              {...delta}
              error={delta.error ?? errors('trailing')}
            />
          </div>
        )}
        <TextField label="Max slippage" help={SLIPPAGE_HELP[side]} {...percent('slippage')} />
      </div>
    </OptionalPart>
  );
}

function isOffered(type: BracketType, legs: BracketProps<BracketDraft>['legs']): boolean {
  if (type === 'PRICE_RATIO') return isPair(legs);
  return type !== 'PRICE' || isOneSided(legs);
}

function levelLabel(side: BracketSide, draft: BracketDraft): string {
  const transformed = transformOf(draft);
  if (transformed !== undefined) return transformText(transformed, BRACKET_MEASURES[draft.type].name);
  if (!isPnl(draft.type)) return 'Level';
  return side === 'takeProfit' ? 'Gain' : 'Loss';
}

/** Default start of trailing: a stop trails from the first value on, a target once it is reached. */
function usualBegin(side: BracketSide, { type }: BracketDraft): string {
  if (side === 'stopLoss') return 'at once';
  return isPnl(type) ? 'at the gain above' : 'at the level above';
}

function signOf(side: BracketSide, draft: BracketDraft): string | undefined {
  if (!isPnl(draft.type)) return undefined;
  return side === 'takeProfit' ? '+' : '−';
}
