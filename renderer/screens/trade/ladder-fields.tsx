/** Fields for the levels and sizes of a ladder's rungs. */

import { isPair } from '../../../gateway/domain/condition-table.ts';
import { useTicker } from '../../api/market.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { MomentField } from '../../components/moment-field.tsx';
import { Segmented } from '../../components/radio.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import type { Basket } from '../../features/basket/basket.ts';
import { draftFields, type FormPart } from '../../features/draft-fields/draft-fields.ts';
import form from '../../features/form.module.css';
import { SubjectNow } from '../../features/ratio-chart/subject-now.tsx';
import { type LadderDraft, ladderSubject, ladderSymbol } from './ticket.ts';

const DIRECTIONS = [
  { value: 'LESS_THAN', label: 'Falls below' },
  { value: 'MORE_THAN', label: 'Rises above' },
] as const;
const DISTRIBUTIONS = [
  { value: 'LINEAR', label: 'Equal distances' },
  { value: 'GEOMETRIC', label: 'Equal ratios' },
] as const;
const SIZINGS = [
  { value: 'EQUAL', label: 'Equal' },
  { value: 'INCREASING', label: 'Increasing' },
  { value: 'DECREASING', label: 'Decreasing' },
] as const;

export function LadderFields({
  value,
  onChange,
  errors,
  basket,
}: FormPart<LadderDraft> & { readonly basket: Basket }) {
  const tickerOf = useTicker();
  const symbol = ladderSymbol(value, basket);
  const subject = ladderSubject(value, basket);
  const metrics = [
    {
      value: 'PRICE_RATIO',
      label: 'Price ratio',
      disabled: !isPair(basket.legs) && value.metric !== 'PRICE_RATIO',
    },
    { value: 'WEIGHTED_RATIO', label: 'Weighted ratio' },
    { value: 'PRICE', label: 'Price of a leg' },
  ] as const;
  const { choice, flag, number, text } = draftFields(value, onChange, errors);
  const start = number('start');
  return (
    <>
      <div className={form['row']}>
        <SelectField
          label="Rungs at levels of"
          options={metrics}
          {...choice('metric')}
          error={errors('metric')}
        />
        {value.metric === 'PRICE' && (
          <SelectField
            label="Leg"
            error={errors('symbol')}
            options={basket.legs.map(({ id }) => ({ value: id, label: tickerOf(id) }))}
            {...choice('symbol')}
            value={symbol === '' ? null : symbol}
            placeholder="Add a leg first"
          />
        )}
      </div>
      <Segmented wide label="Direction" options={DIRECTIONS} {...choice('direction')} />
      <div className={form['row']}>
        <TextField
          label="First rung"
          help={<SubjectNow subject={subject} legs={basket.legs} onTake={start.onChange} />}
          {...start}
        />
        <TextField label="Last rung" {...number('end')} />
        <TextField label="Rungs" inputMode="numeric" {...number('levels')} />
      </div>
      <div className={form['row']}>
        <SelectField label="Distances" options={DISTRIBUTIONS} {...choice('distribution')} />
        <SelectField label="Sizes" options={SIZINGS} {...choice('sizing')} />
      </div>
      <MomentField label="Expires" {...text('expiresAt')} />
      <Checkbox {...flag('allowImmediate')}>Fire rungs at once whose level is passed already</Checkbox>
    </>
  );
}
