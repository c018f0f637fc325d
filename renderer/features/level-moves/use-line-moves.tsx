/** Moving and cancelling the lines of a position: the properties of a chart, and the confirming dialog. */
import { type ReactNode, Suspense, useState } from 'react';
import type { Row } from '../../../gateway/client/client.ts';
import { useSettings } from '../../api/settings.ts';
import { ahead } from '../../components/ahead.tsx';
import type { ChartMoves } from '../../components/level-line.ts';
import { useBasketText } from '../basket-name/use-basket-text.ts';
import { figureText, typedFigure } from '../ratio-chart/figure.ts';
import type { ChartLine, EntryFacts, LineCancel } from '../ratio-chart/levels.ts';
import { bracketProposal, moveText, type Proposal, sideOfLine } from './proposals.ts';

// Dialogs that open only after a drag or click: preloaded, so that they open at once.
const moveDialog = ahead(async () => (await import('./move-dialog.tsx')).MoveDialog);
const cancelLine = ahead(async () => (await import('../resting-action/resting-buttons.tsx')).CancelQuestion);

export function useLineMoves({
  position,
  facts,
  lines,
  triggers,
}: {
  readonly position: Row<'GET /positions'>;
  /** Entry facts of the position, in the unit of the chart. */
  readonly facts: EntryFacts;
  readonly lines: readonly ChartLine[];
  /** Triggers whose ids are the ids of their lines. */
  readonly triggers: readonly Row<'GET /triggers'>[];
}): { readonly moves: ChartMoves; readonly dialog: ReactNode } {
  const settings = useSettings();
  const [proposal, setProposal] = useState<(Proposal & { readonly line: string }) | null>(null);
  const [cancelled, setCancelled] = useState<LineCancel | null>(null);
  const name = useBasketText(position.legs);
  moveDialog.useFetched();
  cancelLine.useFetched();
  const lineOf = (id: string) => lines.find((line) => line.id === id);
  const proposed = (line: ChartLine, level: number): Proposal | null => {
    const side = sideOfLine(line, level, facts);
    if (side !== null) return bracketProposal(side, position, level, facts);
    const trigger = triggers.find(({ id }) => id === line.id);
    if (trigger === undefined) return null;
    return { what: 'trigger', trigger, value: typedFigure(figureText(level)), level };
  };
  return {
    moves: {
      onMove(id, level) {
        const line = lineOf(id);
        const next = line === undefined ? null : proposed(line, level);
        setProposal(next === null ? null : { ...next, line: id });
      },
      textOf(id, level) {
        const line = lineOf(id);
        return moveText(
          settings,
          line,
          level,
          line === undefined ? null : sideOfLine(line, level, facts),
          facts,
        );
      },
      figureOf: figureText,
      proposed: proposal === null ? null : { id: proposal.line, level: proposal.level },
      onCancel: (id) => setCancelled(lineOf(id)?.cancel ?? null),
    },
    dialog: (
      <Suspense>
        {proposal !== null && <moveDialog.View proposal={proposal} onClose={() => setProposal(null)} />}
        {cancelled !== null && (
          <cancelLine.View
            {...cancelled}
            id={cancelled.triggerId}
            name={name}
            open
            onClose={() => setCancelled(null)}
          />
        )}
      </Suspense>
    ),
  };
}
