import type Big from 'big.js';
import type { Basket } from '../../features/basket/basket.ts';
import type { BracketType } from '../../features/brackets-form/bracket-text.ts';
import type { FieldIssue } from '../../features/field-errors/field-errors.ts';
import type { EntryFacts } from '../../features/ratio-chart/levels.ts';
import type { PlannedSlice } from '../../features/slicing-fields/slicing.ts';
import type { HeldPosition, Plan } from './chart-lines.ts';
import type { PlannedRung } from './rungs.ts';
import type { Free } from './sizing.ts';
import type { Checked, TicketDraft } from './ticket.ts';
import type { PlanRead } from './use-plan.ts';

/** Props of the order ticket; its parts take some of them. */
export interface TicketPanelProps {
  readonly basket: Basket;
  readonly ticket: TicketDraft;
  /** The ticket of the last order that was accepted; null: none yet. */
  readonly sent: TicketDraft | null;
  readonly onChange: (patch: Partial<TicketDraft>) => void;
  readonly checked: Checked;
  /** Reason why the order cannot be sent or reviewed; null: no obstacle is known. */
  readonly fault: string | null;
  /** Reason why the review will not allow placing it now; null: none is known, or `fault` has it. */
  readonly caution: string | null;
  /** The gateway's field issues about the current draft. */
  readonly refused: readonly FieldIssue[];
  /** Error of a refusal that names no field. */
  readonly error: unknown;
  readonly plan: PlanRead;
  /** Plan by which sizes are measured, also while no size is typed; null: none yet. */
  readonly basis: Plan | null;
  /** Largest order that the free margin allows, USD; null: not known. */
  readonly largest: Big | null;
  /** Order that needs no margin because it only reduces: the typed one, or a small one. null: neither. */
  readonly free: Free | null;
  /** True: the weights add up to 100 % and the venue has all legs. */
  readonly isWhole: boolean;
  /** Loss at the typed stop, a negative fraction of the notional; null: there is no such stop. */
  readonly stop: number | null;
  /** Entry facts from which the typed brackets are measured. */
  readonly facts: (type: BracketType) => EntryFacts;
  readonly held: HeldPosition | null;
  /** The open position in the opposite of this basket; null: there is none. */
  readonly opposite: HeldPosition | null;
  readonly slices: readonly PlannedSlice[] | null;
  readonly rungs: readonly PlannedRung[] | null;
  readonly isReviewed: boolean;
  /** False: the account's holdings are still being read, so it is unknown if the order adds to a position. */
  readonly isHeldKnown: boolean;
  readonly isSending: boolean;
  /** Called with a complete draft: opens the review, or sends the order. */
  readonly onSubmit: () => void;
}
