import type { Basket } from '../../features/basket/basket.ts';
import type { BracketType } from '../../features/brackets-form/bracket-text.ts';
import type { Protection } from '../../features/protection/protection.tsx';
import type { EntryFacts } from '../../features/ratio-chart/levels.ts';
import type { PlannedSlice } from '../../features/slicing-fields/slicing.ts';
import type { HeldPosition, Plan } from './chart-lines.ts';
import type { PlannedRung } from './rungs.ts';
import type { Order, TicketDraft } from './ticket.ts';

/** Props of the review sheet; its parts take some of them. */
export interface ReviewProps {
  readonly order: Order;
  /** Ticket from which the order was made. */
  readonly ticket: TicketDraft;
  /** Basket of the order, with its weights. */
  readonly basket: Basket;
  readonly plan: Plan | null;
  /** Protection of the position after the plan. */
  readonly protection: readonly Protection[];
  /** Reason why the order would fail; null: no obstacle is known. */
  readonly fault: string | null;
  /** False: data for one of the user's own limits are still being read. */
  readonly isKnown: boolean;
  readonly held: HeldPosition | null;
  /** Entry facts from which the order's brackets are measured. */
  readonly facts: (type: BracketType) => EntryFacts;
  readonly rungs: readonly PlannedRung[] | null;
  readonly slices: readonly PlannedSlice[] | null;
  readonly isSending: boolean;
  readonly error: unknown;
  readonly onPlace: () => void;
  readonly onClose: () => void;
}
