/** The ticket: kind of order, size, timing and options; then its costs and the way to the review. */
import { type FocusEvent, type FormEvent, lazy, Suspense, useId, useState } from 'react';
import { useAccount } from '../../api/session.ts';
import { Amount } from '../../components/amount.tsx';
import { AccountMark, markOf } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { Segmented } from '../../components/radio.tsx';
import { ErrorState } from '../../components/states.tsx';
import { type Basket, basketFault } from '../../features/basket/basket.ts';
import {
  errorsOf,
  type FieldErrors,
  type FieldIssue,
  unplaced,
} from '../../features/field-errors/field-errors.ts';
import { useSentOrders } from '../../features/sent-orders/sent-orders.ts';
import { HeldNotice } from './held-notice.tsx';
import { OppositeNotice } from './opposite-notice.tsx';
import { OrderFacts, Problems } from './order-facts.tsx';
import { SizeFields } from './size-fields.tsx';
import { ORDER_KINDS } from './ticket.ts';
import css from './ticket-panel.module.css';
import { KindFields, Options } from './ticket-parts.tsx';
import type { TicketPanelProps } from './ticket-props.ts';

// Loaded on demand: most tickets have sent nothing yet.
const SentOrderCards = lazy(async () => ({
  default: (await import('../../features/sent-orders/sent-order-cards.tsx')).SentOrderCards,
}));
const AlertOnly = lazy(async () => ({ default: (await import('./alert-only.tsx')).AlertOnly }));
// Loaded on demand: its data are read by then, and most accounts have no differences.
const PastTandem = lazy(async () => ({ default: (await import('./past-tandem.tsx')).PastTandem }));
// Loaded on demand: its prices arrive after the ticket anyway.
const TicketAtWorst = lazy(async () => ({ default: (await import('./at-worst.tsx')).TicketAtWorst }));

/** Contract paths that have a field on the ticket. Legs are in the builder. */
const SHOWN =
  /^(totalUsd|slippage|condition(\..*)?|expiresAt|priceSource|durationSeconds|intervalSeconds|limitRatio|metric|symbol|start|end|levels|takeProfit\..*|stopLoss\..*|autoRebalance\..*|legs(\..*)?)$/;

export function TicketPanel(props: TicketPanelProps) {
  const { basket, ticket, onChange, checked, refused, plan, onSubmit } = props;
  const account = useAccount();
  const [isTried, setTried] = useState(false);
  const why = useId();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  // After an order the ticket starts over: no field counts as visited.
  const [sent, setSent] = useState(props.sent);
  if (sent !== props.sent) {
    setSent(props.sent);
    setTried(false);
    setLeft(new Set());
  }
  const own = checked.ok ? [] : checked.issues;
  const ownErrors = errorsOf(own);
  const theirErrors = errorsOf(refused);
  // A field shows its errors after it was left, or after an attempt to send; the gateway's messages are shown at
  // once.
  const errors: FieldErrors = (path) =>
    theirErrors(path) ?? (isTried || left.has(path) ? ownErrors(path) : undefined);

  // An order that would fail is not offered as the next step.
  const isAgainst = props.fault !== null || props.caution !== null;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (checked.ok) onSubmit();
    else focusFirst(event.currentTarget, own);
  };
  const leave = ({ target }: FocusEvent<HTMLFormElement>) => {
    const { name } = target as unknown as { readonly name?: string };
    if (name !== undefined && name !== '' && !left.has(name)) setLeft(new Set([...left, name]));
  };
  return (
    <form className={css['ticket']} aria-label="Ticket" onSubmit={submit} onBlur={leave} noValidate>
      <div className={css['fields']}>
        <AccountMark {...markOf(account)} />
        <Segmented
          wide
          label="Kind of order"
          options={ORDER_KINDS}
          value={ticket.kind}
          onChange={(kind) => onChange({ kind })}
        />
        <HeldNotice held={props.held} ticket={ticket} read={plan} />
        <OppositeNotice opposite={props.opposite} ticket={ticket} onChange={onChange} />
        <Suspense fallback={null}>
          <PastTandem basket={basket} />
        </Suspense>
        <SentBefore ticket={ticket} sent={sent} onChange={onChange} />
        <SizeFields
          ticket={ticket}
          onChange={onChange}
          errors={errors}
          largest={props.largest}
          free={props.free}
          isWhole={props.isWhole}
          stop={props.stop}
          worst={
            <Suspense fallback={'\u00a0'}>
              <TicketAtWorst basket={basket} ticket={ticket} plan={props.basis} />
            </Suspense>
          }
        />
        <Suspense>
          <KindFields {...props} errors={errors} />
        </Suspense>
        <Options
          basket={basket}
          ticket={ticket}
          onChange={onChange}
          errors={errors}
          facts={props.facts}
          held={props.held}
        />
      </div>
      <div className={css['bottom']} data-ticket-end>
        <div className={css['sent']}>
          <Suspense fallback={null}>
            <SentOrderCards />
          </Suspense>
        </div>
        <div className={css['outlook']}>
          <OrderFacts read={plan} isLater={ticket.kind !== 'MARKET'} />
          <Problems plan={plan.plan} />
          <Unplaced issues={[...refused, ...(isTried ? own : [])]} />
          {props.error !== null && props.error !== undefined && <ErrorState compact error={props.error} />}
          <Fault id={why} fault={props.fault} basket={basket} />
          {props.caution !== null && (
            <p id={why} className={layout['problem']} role="status">
              {props.caution}
            </p>
          )}
        </div>
        <div className={css['actions']}>
          <Button
            type="submit"
            kind={isAgainst ? 'secondary' : 'primary'}
            wide
            busy={props.isSending}
            disabled={props.fault !== null || !props.isHeldKnown}
            aria-describedby={isAgainst ? why : undefined}
          >
            {props.isReviewed ? 'Review' : 'Place order'}
          </Button>
          {ticket.kind === 'TRIGGER' && (
            <Suspense>
              <AlertOnly
                basket={basket}
                watch={ticket.watch}
                onRefused={(paths) => setLeft(new Set([...left, ...paths]))}
              />
            </Suspense>
          )}
        </div>
      </div>
    </form>
  );
}

/**
 * Reason why the button does nothing. A fault of the basket is shown without an alert: it is there from the start, the
 * builder shows it where it can be fixed, and each typed weight changes it. It still describes the button.
 */
function Fault({
  id,
  fault,
  basket,
}: {
  readonly id: string;
  readonly fault: string | null;
  readonly basket: Basket;
}) {
  if (fault === null) return null;
  const isNews = fault !== basketFault(basket);
  return (
    <p id={id} className={layout[isNews ? 'problem' : 'quiet']} role={isNews ? 'alert' : undefined}>
      {fault}
    </p>
  );
}

/** Focuses the first invalid field, in the order of the page. */
function focusFirst(element: HTMLFormElement, issues: readonly FieldIssue[]): void {
  const wrong = new Set(issues.map(({ path }) => path));
  for (const field of element.querySelectorAll('input')) {
    if (!wrong.has(field.name)) continue;
    field.focus();
    return;
  }
}

/** Size of the previous order. It is not filled in by itself, and not offered while that order's outcome is unknown. */
function SentBefore({ ticket, sent, onChange }: Pick<TicketPanelProps, 'ticket' | 'sent' | 'onChange'>) {
  const [last] = useSentOrders(useAccount().id);
  if (sent === null || ticket.notional !== '') return null;
  if (last?.state === 'SENDING' || last?.state === 'UNKNOWN' || last?.state === 'NOT_FOUND') return null;
  return (
    <p className={css['before']}>
      <span>
        Sent: <Amount value={sent.notional.trim()} />
      </span>
      <Button kind="ghost" onClick={() => onChange(sent)}>
        Use these values again
      </Button>
    </p>
  );
}

/** Messages above the button about issues that no field shows. */
function Unplaced({ issues }: { readonly issues: readonly FieldIssue[] }) {
  const words = unplaced(issues, (path) => SHOWN.test(path)).map(({ message }) => message);
  if (words.length === 0) return null;
  return (
    <p className={layout['problem']} role="alert">
      {words.join(' ')}
    </p>
  );
}
