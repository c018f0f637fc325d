/** The open dialog of an action on a position. */
import { AdjustDialog } from './adjust-dialog.tsx';
import { BracketsDialog } from './brackets-dialog.tsx';
import { CloseDialog } from './close-dialog.tsx';
import { CompleteDialog } from './complete-dialog.tsx';
import { MarginDialog } from './margin-dialog.tsx';
import { RebalanceDialog } from './rebalance-dialog.tsx';
import { ReverseDialog } from './reverse-dialog.tsx';
import type { PositionDialogProps } from './use-position-data.ts';

export type PositionAction = keyof typeof DIALOGS;

/** Closes half of a position, the second size with a key of its own. */
function HalfDialog(props: PositionDialogProps) {
  return <CloseDialog {...props} share="50" />;
}

const DIALOGS = {
  close: CloseDialog,
  half: HalfDialog,
  adjust: AdjustDialog,
  complete: CompleteDialog,
  reverse: ReverseDialog,
  brackets: BracketsDialog,
  rebalance: RebalanceDialog,
  margin: MarginDialog,
} as const;

export function PositionDialog({
  action,
  ...props
}: PositionDialogProps & { readonly action: PositionAction }) {
  const Open = DIALOGS[action];
  return <Open {...props} />;
}
