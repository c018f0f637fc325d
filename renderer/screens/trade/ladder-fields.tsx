/** Where a ladder's rungs stand and how large they are. */
import { useTicker } from '../../api/market.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { Field, Input } from '../../components/field.tsx';
import { MomentField } from '../../components/moment-field.tsx';
import { Segmented } from '../../components/radio.tsx';
import { Select } from '../../components/select.tsx';
import { type Basket, isPair } from '../../features/basket/basket.ts';
import type { FieldErrors } from '../../features/field-errors/field-errors.ts';
import form from '../../features/form.module.css';
import type { ChartSubject } from '../../features/ratio-chart/subject.ts';
import { SubjectNow } from '../../features/ratio-chart/subject-now.tsx';
import { type LadderDraft, ladderSymbol } from './ticket.ts';

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
}: {
  readonly value: LadderDraft;
  readonly onChange: (draft: LadderDraft) => void;
  readonly errors: FieldErrors;
  readonly basket: Basket;
}) {
  const tickerOf = useTicker();
  const set = (patch: Partial<LadderDraft>) => onChange({ ...value, ...patch });
  const symbol = ladderSymbol(value, basket);
  const subject: ChartSubject =
    value.metric === 'PRICE' ? { metric: 'PRICE', symbol } : { metric: value.metric };
  const metrics = [
    {
      value: 'PRICE_RATIO',
      label: 'Price ratio',
      disabled: !isPair(basket) && value.metric !== 'PRICE_RATIO',
    },
    { value: 'WEIGHTED_RATIO', label: 'Weighted ratio' },
    { value: 'PRICE', label: 'Price of a leg' },
  ] as const;
  return (
    <>
      <div className={form['row']}>
        <Field label="Rungs at levels of" error={errors('metric')}>
          <Select options={metrics} value={value.metric} onChange={(metric) => set({ metric })} />
        </Field>
        {value.metric === 'PRICE' && (
          <Field label="Leg" error={errors('symbol')}>
            <Select
              options={basket.legs.map(({ id }) => ({ value: id, label: tickerOf(id) }))}
              value={symbol === '' ? null : symbol}
              onChange={(id) => set({ symbol: id })}
              placeholder="Add a leg first"
            />
          </Field>
        )}
      </div>
      <Segmented
        wide
        label="Direction"
        options={DIRECTIONS}
        value={value.direction}
        onChange={(direction) => set({ direction })}
      />
      <div className={form['row']}>
        <Field
          label="First rung"
          error={errors('start')}
          help={<SubjectNow subject={subject} legs={basket.legs} onTake={(start) => set({ start })} />}
        >
          <Input
            name="start"
            numeric
            value={value.start}
            onChange={(event) => set({ start: event.target.value })}
          />
        </Field>
        <Field label="Last rung" error={errors('end')}>
          <Input
            name="end"
            numeric
            value={value.end}
            onChange={(event) => set({ end: event.target.value })}
          />
        </Field>
        <Field label="Rungs" error={errors('levels')}>
          <Input
            name="levels"
            numeric
            inputMode="numeric"
            value={value.levels}
            onChange={(event) => set({ levels: event.target.value })}
          />
        </Field>
      </div>
      <div className={form['row']}>
        <Field label="Distances">
          <Select
            options={DISTRIBUTIONS}
            value={value.distribution}
            onChange={(distribution) => set({ distribution })}
          />
        </Field>
        <Field label="Sizes">
          <Select options={SIZINGS} value={value.sizing} onChange={(sizing) => set({ sizing })} />
        </Field>
      </div>
      <MomentField
        label="Expires"
        name="expiresAt"
        error={errors('expiresAt')}
        value={value.expiresAt}
        onChange={(expiresAt) => set({ expiresAt })}
      />
      <Checkbox checked={value.allowImmediate} onChange={(allowImmediate) => set({ allowImmediate })}>
        Fire rungs at once whose level is passed already
      </Checkbox>
    </>
  );
}
