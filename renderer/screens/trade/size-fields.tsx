/** Size of the order: typed, a share of the order that free margin allows, or by the loss allowed at the stop. */
import type Big from 'big.js';
import type { ReactNode } from 'react';
import { useSettings } from '../../api/settings.ts';
import { Amount } from '../../components/amount.tsx';
import { formatMoney, PERCENT_UNIT } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { Segmented } from '../../components/radio.tsx';
import { TextField } from '../../components/text-field.tsx';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import type { FieldErrors } from '../../features/field-errors/field-errors.ts';
import form from '../../features/form.module.css';
import css from './size-fields.module.css';
import { type Free, SHARES, shareOf } from './sizing.ts';
import type { TicketDraft } from './ticket.ts';

export interface SizeProps {
  readonly ticket: TicketDraft;
  readonly onChange: (patch: Partial<TicketDraft>) => void;
  readonly errors: FieldErrors;
  /** Largest order that the free margin allows, USD; null: not known. */
  readonly largest: Big | null;
  /** Order that needs no free margin, because it only reduces the holdings; null: none. */
  readonly free: Free | null;
  /** True: the weights add up to 100 % and the venue has all legs. Else no size of the basket is known. */
  readonly isWhole: boolean;
  /** Loss at the typed stop, a negative fraction of the notional; null: there is no such stop. */
  readonly stop: number | null;
  /** Worst entry at the slippage, shown below it. */
  readonly worst: ReactNode;
}

const WAYS = [
  { value: 'size', label: 'By size' },
  { value: 'risk', label: 'By risk' },
] as const;

export function SizeFields({ ticket, onChange, errors, largest, free, isWhole, stop, worst }: SizeProps) {
  const { percent } = draftFields(ticket, onChange, errors);
  // A typed size replaces sizing by risk.
  const own = draftFields(ticket, (next) => onChange({ notional: next.notional, risk: null }), errors);
  const isByRisk = ticket.risk !== null;
  return (
    <div className={css['size']}>
      <Segmented
        wide
        label="Size the order"
        options={WAYS}
        value={isByRisk ? 'risk' : 'size'}
        onChange={(way) => onChange(way === 'size' ? { risk: null } : byRisk(ticket))}
      />
      {isByRisk && <Risk ticket={ticket} onChange={onChange} stop={stop} />}
      <div className={form['row']}>
        <TextField label="Notional" after="USD" {...own.number('notional', 'totalUsd')} />
        <TextField label="Max slippage" help={worst} {...percent('slippage')} />
      </div>
      <Shares ticket={ticket} onChange={onChange} largest={largest} free={free} isWhole={isWhole} />
    </div>
  );
}

/** Sizing by risk needs a stop with a distance. If there is none, a stop in percent is switched on. */
function byRisk({ stopLoss }: TicketDraft): Partial<TicketDraft> {
  const isMeasured = stopLoss.isOn && stopLoss.type !== 'DOLLAR' && stopLoss.type !== 'POSITION_VALUE';
  return {
    risk: '',
    ...(isMeasured ? {} : { stopLoss: { ...stopLoss, isOn: true, type: 'PERCENTAGE', value: '' } }),
  };
}

function Risk({ ticket, onChange, stop }: Pick<SizeProps, 'ticket' | 'onChange' | 'stop'>) {
  return (
    <TextField
      label="Lose at most"
      after="USD"
      numeric
      value={ticket.risk ?? ''}
      onChange={(risk) => onChange({ risk })}
      help={
        stop === null
          ? 'Set a stop-loss below, in percent or at a level: its distance makes the size'
          : 'At the stop, with the fees of both ways. A gap or slippage can make it more'
      }
    />
  );
}

const FREE: Readonly<Record<Free, string>> = {
  ORDER: 'This order takes no margin',
  SMALL: 'What only reduces your position takes no margin',
};

/** A slider and five buttons over the free margin. */
function Shares({
  ticket,
  onChange,
  largest,
  free,
  isWhole,
}: Pick<SizeProps, 'ticket' | 'onChange' | 'largest' | 'free' | 'isWhole'>) {
  const settings = useSettings();
  const typed = Number(ticket.notional);
  const most = largest === null ? 0 : Number(largest);
  const share = most > 0 && typed > 0 ? Math.min(100, (typed / most) * 100) : 0;
  const choose = (percent: number) => {
    if (largest !== null) onChange({ notional: shareOf(largest, percent), risk: null });
  };
  return (
    <div className={css['shares']}>
      <input
        type="range"
        className={css['slider']}
        aria-label="Share of the free margin"
        aria-valuetext={`${Math.round(share)} %, ${formatMoney(settings, String(typed || 0))}`}
        min={0}
        max={100}
        step={1}
        value={Math.round(share)}
        disabled={most <= 0}
        onChange={({ target }) => choose(Number(target.value))}
      />
      <fieldset className={css['buttons']}>
        <legend className="visually-hidden">Shares of the free margin</legend>
        {SHARES.map((percent) => (
          <button
            key={percent}
            type="button"
            className={css['share']}
            aria-pressed={largest !== null && ticket.notional === shareOf(largest, percent)}
            disabled={most <= 0}
            onClick={() => choose(percent)}
          >
            {percent}
            {PERCENT_UNIT}
          </button>
        ))}
      </fieldset>
      <p className={layout['quiet']}>
        {free !== null ? (
          FREE[free]
        ) : largest === null ? (
          isWhole ? (
            'What the free margin allows is not known'
          ) : (
            'Shares of the free margin need a whole basket'
          )
        ) : (
          <>
            At most <Amount value={shareOf(largest, 100)} digits={0} /> with the free margin
          </>
        )}
      </p>
    </div>
  );
}
