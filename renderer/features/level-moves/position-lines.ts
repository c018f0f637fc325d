/** Lines of an open position, on every chart: entry, take-profit and stop-loss, to be moved or cancelled. */
import type { Row } from '../../../gateway/client/client.ts';
import { bracketLine, firesAt } from '../brackets-form/bracket-line.ts';
import type { BracketSide } from '../brackets-form/bracket-text.ts';
import { type ChartLine, type EntryFacts, positionEntry } from '../ratio-chart/levels.ts';
import { type LevelScale, PLAIN_SCALE } from '../ratio-chart/scale.ts';

type HeldPosition = Row<'GET /positions'>;

/** @param ids prefix for the ids of its brackets' lines */
export function positionLines(
  held: HeldPosition,
  facts: EntryFacts,
  ids: string,
  scale: LevelScale = PLAIN_SCALE,
): readonly ChartLine[] {
  const { weights } = facts;
  const own = weights === undefined ? positionEntry(held, facts.subject) : facts.entry;
  const entry = entryOn(scale, own === null ? null : String(own));
  // At other weights a dragged entry becomes a gain, which has no level on a transform, nor at weights too far off.
  const isFixed = weights === 'far' || (weights === 'near' && scale.among !== null);
  const move = isFixed ? undefined : ({ of: 'entry' } as const);
  return [
    ...(entry === null ? [] : [{ id: 'entry', kind: 'entry', value: entry, label: 'Entry', move } as const]),
    ...heldBracket(`${ids}tp`, 'takeProfit', held, facts),
    ...heldBracket(`${ids}sl`, 'stopLoss', held, facts),
  ];
}

/** The ratio at entry on the chart's scale; null: it is not known. */
function entryOn(scale: LevelScale, entry: string | null): string | null {
  if (scale.among === null || entry === null) return entry;
  const level = scale.levelOf(Number(entry));
  return level === null ? null : scale.typed(level);
}

function heldBracket(
  id: string,
  side: BracketSide,
  held: HeldPosition,
  facts: EntryFacts,
): readonly ChartLine[] {
  const bracket = held[side];
  const line = bracket === null ? null : bracketLine(side, bracket, facts);
  if (bracket === null || line === null) return [];
  const { triggerId, trailing, status } = bracket;
  // A bracket that is closing the position is no longer pending; the level of a trailing one is set by the market.
  const waits = status !== 'TRIGGERED';
  const at = firesAt(side, bracket, facts);
  return [
    {
      ...{ ...line, id, isDraft: false },
      move: waits && trailing === null ? { of: 'bracket', side } : undefined,
      cancel: waits ? { what: 'trigger', triggerId, protects: true, called: line.kind, at } : undefined,
    },
  ];
}
