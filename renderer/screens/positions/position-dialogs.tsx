/** The open dialog of an action on a position. */
import { AdjustDialog } from './adjust-dialog.tsx';
import { BracketsDialog } from './brackets-dialog.tsx';
import { CloseDialog } from './close-dialog.tsx';
import { MarginDialog } from './margin-dialog.tsx';
import { RebalanceDialog } from './rebalance-dialog.tsx';
import { ReverseDialog } from './reverse-dialog.tsx';
import type { PositionDialogProps } from './use-position-data.ts';

export type PositionAction = 'close' | 'adjust' | 'reverse' | 'brackets' | 'rebalance' | 'margin';

const DIALOGS = {
  close: CloseDialog,
  adjust: AdjustDialog,
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
