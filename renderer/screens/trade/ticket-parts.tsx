/** Parts of the ticket that depend on the kind of order: timing, levels, brackets, rebalance. */
import { lazy, Suspense } from 'react';
import { isPair } from '../../../gateway/domain/condition-table.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { BothBracketFields } from '../../features/brackets-form/bracket-fields.tsx';
import { BracketNote } from '../../features/brackets-form/bracket-note.tsx';
import { draftFields, type FormPart } from '../../features/draft-fields/draft-fields.ts';
import { OptionalPart } from '../../features/draft-fields/optional-part.tsx';
import { type FieldErrors, within } from '../../features/field-errors/field-errors.ts';
import { CLOSING_FAILURES, LEG_FAILURES } from '../../features/leg-failure/leg-failure.ts';
import { limitMeasure } from '../../features/slicing-fields/limit-measure.ts';
import { hasBrackets, type TicketDraft } from './ticket.ts';
import type { TicketPanelProps } from './ticket-props.ts';

// Parts that a market order does not have: each loads when it is chosen.
const WatchFields = lazy(async () => ({
  default: (await import('../../features/watch-fields/watch-fields.tsx')).WatchFields,
}));
const SlicingFields = lazy(async () => ({
  default: (await import('../../features/slicing-fields/slicing-fields.tsx')).SlicingFields,
}));
const SliceTable = lazy(async () => ({ default: (await import('./preview-tables.tsx')).SliceTable }));
const RungTable = lazy(async () => ({ default: (await import('./preview-tables.tsx')).RungTable }));
const TicketRebalanceFields = lazy(async () => ({
  default: (await import('../../features/rebalance-form/rebalance-fields.tsx')).TicketRebalanceFields,
}));
const LadderFields = lazy(async () => ({ default: (await import('./ladder-fields.tsx')).LadderFields }));

const BRACKET_MODES = [
  { value: 'KEEP', label: 'It stays' },
  { value: 'REPLACE', label: 'These take its place' },
] as const;

interface PartProps extends Pick<TicketPanelProps, 'basket' | 'ticket' | 'onChange'> {
  readonly errors: FieldErrors;
}

const AFTER_BRACKET = [
  { value: 'STOP', label: 'The TWAP ends' },
  { value: 'GO_ON', label: 'It opens anew, with the same TP / SL' },
] as const;

export function KindFields({
  basket,
  ticket,
  onChange,
  errors,
  slices,
  rungs,
}: PartProps & Pick<TicketPanelProps, 'slices' | 'rungs'>) {
  const { choice, flag } = draftFields(ticket, onChange);
  switch (ticket.kind) {
    case 'MARKET':
      return <SelectField label="If a leg fails" options={LEG_FAILURES} {...choice('onLegFailure')} />;
    case 'TRIGGER':
      return (
        <>
          <WatchFields {...choice('watch')} errors={errors} legs={basket.legs} />
          <UnattendedFailure basket={basket} ticket={ticket} onChange={onChange} />
        </>
      );
    case 'TWAP':
      return (
        <>
          <SlicingFields
            {...choice('slicing')}
            errors={errors}
            legs={basket.legs}
            measure={limitMeasure(basket.legs)}
            canLimit={!ticket.reduceOnly}
          />
          <Checkbox {...flag('reduceOnly')}>Only reduce what is held</Checkbox>
          <UnattendedFailure basket={basket} ticket={ticket} onChange={onChange} />
          <SliceTable slices={slices} />
        </>
      );
    case 'LADDER':
      return (
        <>
          <LadderFields {...choice('ladder')} errors={errors} basket={basket} />
          <UnattendedFailure basket={basket} ticket={ticket} onChange={onChange} />
          <RungTable rungs={rungs} />
        </>
      );
  }
}

function UnattendedFailure({
  basket,
  ticket,
  onChange,
}: Pick<TicketPanelProps, 'basket' | 'ticket' | 'onChange'>) {
  const field = draftFields(ticket, onChange).choice('unattendedFailure');
  if (basket.legs.length < 2) return null;
  const isClosing = ticket.kind === 'TWAP' && ticket.reduceOnly;
  const options = isClosing ? CLOSING_FAILURES : LEG_FAILURES;
  const value = isClosing && field.value === 'UNWIND' ? 'RETRY' : field.value;
  return <SelectField label="If a leg fails" options={options} {...field} value={value} />;
}

/** Brackets and rebalance of the order. A ladder takes neither. */
export function Options({
  basket,
  ticket,
  onChange,
  errors,
  facts,
  held,
}: PartProps & Pick<TicketPanelProps, 'facts' | 'held'>) {
  if (!hasBrackets(ticket)) return null;
  const pair = isPair(basket.legs);
  const { choice } = draftFields(ticket, onChange);
  return (
    <>
      <BothBracketFields
        value={ticket}
        onChange={onChange}
        errors={errors}
        legs={basket.legs}
        note={(side) => <BracketNote side={side} draft={ticket[side]} facts={facts} isHeld={held !== null} />}
      />
      {(ticket.takeProfit.isOn || ticket.stopLoss.isOn) && (
        <SelectField
          label="If the position has its own"
          help="A take-profit or stop-loss is always of the whole position"
          options={BRACKET_MODES}
          {...choice('brackets')}
        />
      )}
      {ticket.kind === 'TWAP' && (ticket.takeProfit.isOn || ticket.stopLoss.isOn) && (
        <SelectField
          label="Once one has closed it"
          help="What becomes of the slices that are left"
          options={AFTER_BRACKET}
          {...choice('afterBracket')}
        />
      )}
      {ticket.kind === 'MARKET' && (
        <AutoRebalance {...choice('rebalance')} errors={within(errors, 'autoRebalance')} isPair={pair} />
      )}
    </>
  );
}

/** Automatic rebalance of the position that the order opens. */
function AutoRebalance({
  value,
  onChange,
  ...rest
}: FormPart<TicketDraft['rebalance']> & { readonly isPair: boolean }) {
  const { isOn } = value;
  return (
    <OptionalPart
      name="Auto-rebalance"
      checked={isOn}
      onChange={(next) => onChange({ ...value, isOn: next })}
    >
      <Suspense>
        <TicketRebalanceFields {...rest} value={value} onChange={(draft) => onChange({ ...draft, isOn })} />
      </Suspense>
    </OptionalPart>
  );
}
