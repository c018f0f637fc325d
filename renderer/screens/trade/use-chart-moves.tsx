/** Drags and clicks on the Trade screen's chart: properties for the chart, and the elements shown over it. */
import { type ReactNode, Suspense, useCallback, useState } from 'react';
import { useTicker } from '../../api/market.ts';
import { useSettings } from '../../api/settings.ts';
import type { Settings } from '../../api/settings-values.ts';
import { ahead } from '../../components/ahead.tsx';
import { formatMoney } from '../../components/format.ts';
import type { ChartMoves } from '../../components/level-line.ts';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import { type BracketSide, type BracketType, isPnl } from '../../features/brackets-form/bracket-text.ts';
import {
  bracketProposal,
  gains,
  moveText,
  NAMES,
  type Proposal,
  sideOfLine,
} from '../../features/level-moves/proposals.ts';
import type { ChartLine, LineCancel } from '../../features/ratio-chart/levels.ts';
import { PLAIN_SCALE } from '../../features/ratio-chart/scale.ts';
import type { HeldPosition, LineSources } from './chart-lines.ts';
import { planValue, ticketFacts } from './chart-lines.ts';
import { heldFacts } from './held-on-chart.ts';
import { bracketPatch, draftPatch, triggerPatch } from './moves.ts';
import type { LevelChoice } from './set-level.tsx';
import { hasBrackets, type TicketDraft } from './ticket.ts';

// Needed only after a drag or click, but loaded ahead to appear at once.
const moveDialog = ahead(async () => (await import('../../features/level-moves/move-dialog.tsx')).MoveDialog);
const cancelLine = ahead(
  async () => (await import('../../features/resting-action/resting-buttons.tsx')).CancelQuestion,
);
const setLevel = ahead(async () => (await import('./set-level.tsx')).SetLevel);

/** Distance to the present value, as a share of it, at which a level has no side: the next price may change it. */
const HERE = 0.0002;
/** Step of an arrow key, in z-score or percent: not relative, since levels among the past may be 0. */
const STEP_AMONG = 0.05;

export interface MoveSources extends LineSources {
  readonly lines: readonly ChartLine[];
  /** Changes the ticket, and opens its review if the order can be sent. */
  readonly onDraftMoved: (patch: Partial<TicketDraft>) => void;
  readonly onTicket: (patch: Partial<TicketDraft>) => void;
}

export interface MovesOnChart {
  readonly moves: ChartMoves;
  /** Shown over the chart. */
  readonly over: ReactNode;
  readonly dialog: ReactNode;
  /** True: the choices at a level are open. */
  readonly isSetting: boolean;
  /** Opens the choices at the present level, for use without a pointer. */
  readonly setLevel: (() => void) | null;
}

/** `· $1,000.00 · +$3.21` */
function sizeAndPnl(settings: Settings, { grossNotional, unrealizedPnl }: HeldPosition): string {
  return `· ${formatMoney(settings, grossNotional)} · ${formatMoney(settings, unrealizedPnl, 'always')}`;
}

interface Pressed {
  readonly level: number;
  readonly at: { readonly x: number; readonly y: number };
}

export function useChartMoves(sources: MoveSources): MovesOnChart {
  const { lines, subject, scale = PLAIN_SCALE, basket, ticket, held, plan, resting, alerts } = sources;
  const settings = useSettings();
  const [proposal, setProposal] = useState<(Proposal & { readonly line: string }) | null>(null);
  const [pressed, setPressed] = useState<Pressed | null>(null);
  const [cancelled, setCancelled] = useState<LineCancel | null>(null);
  const name = useBasketText(basket.legs.map(({ id, side }) => ({ symbol: id, side })));
  const tickerOf = useTicker();
  /** Only ratios belong to a basket; the price of an instrument does not. */
  const price = subject.metric === 'PRICE' ? tickerOf(subject.symbol) : null;
  const leave = useCallback(() => setPressed(null), []);
  moveDialog.useFetched();
  cancelLine.useFetched();
  setLevel.useFetched();
  const draftFacts = (type: BracketType) => ticketFacts({ ticket, basket, plan, held }, type);
  const ownDraft = () => draftFacts(subject.metric === 'WEIGHTED_RATIO' ? 'WEIGHTED_RATIO' : 'PRICE_RATIO');
  const onChart = heldFacts(held, subject, basket);
  // If the position's gains differ from those of the ratio, its brackets have no level on the chart.
  const facts = onChart?.weights === 'far' ? null : onChart;
  const lineOf = (id: string) => lines.find((line) => line.id === id);
  const planned = planValue(subject, basket, plan);
  const begin = planned === null ? null : scale.levelOf(planned);

  const textOf = (id: string, level: number): string => {
    const line = lineOf(id);
    const side = line === undefined ? null : sideOfLine(line, level, facts, scale);
    const by = line?.move?.of === 'typed-bracket' ? { ...ownDraft(), subject } : facts;
    return moveText(settings, line, level, side, by, scale);
  };
  const propose = (next: Proposal | null, line: string) =>
    setProposal(next === null ? null : { ...next, line });
  // A gain is measured from the entry of this chart's ratio.
  const typedFacts = (type: BracketType) => (isPnl(type) ? ownDraft() : draftFacts(type));
  const bracketAt = (side: BracketSide, level: number) =>
    bracketPatch(side, ticket, level, typedFacts, { subject, basket, scale });
  const onMove = (id: string, level: number) => {
    const line = lineOf(id);
    if (line?.move === undefined) return;
    const side = sideOfLine(line, level, facts, scale);
    if ((line.move.of === 'entry' || line.move.of === 'bracket') && side !== null) {
      if (held !== null && facts !== null) propose(bracketProposal(side, held, level, facts, scale), id);
      return;
    }
    if (line.move.of === 'trigger') {
      const trigger = resting.find((one) => one.id === id);
      const value = scale.typed(level);
      propose(trigger === undefined ? null : { what: 'trigger', trigger, value, level }, id);
      return;
    }
    if (line.move.of === 'alert') {
      const alert = alerts.find((one) => one.id === id);
      const value = scale.typed(level);
      propose(alert === undefined ? null : { what: 'alert', alert, value, level }, id);
      return;
    }
    const patch = draftPatch(line.move, level, ticket, (of) => bracketAt(of, level), scale);
    if (patch !== null) sources.onDraftMoved(patch);
  };

  /** Choices at a level, by its side of the present value, which may change. @param now value of the subject */
  const choicesAt = (level: number, now: number | null): readonly LevelChoice[] => {
    const ratio = scale.ratioOf(level);
    if (ratio === null) return [];
    const isHere = now !== null && Math.abs(ratio / now - 1) < HERE;
    const gain = isHere ? null : gains(facts ?? draftFacts('PRICE_RATIO'), now, ratio);
    const sides = (['takeProfit', 'stopLoss'] as const).filter(
      (side) => gain === null || gain === (side === 'takeProfit'),
    );
    const brackets = sides.flatMap((side): LevelChoice[] => {
      const next = held === null || facts === null ? null : bracketProposal(side, held, level, facts, scale);
      if (next !== null && held?.[side]?.status !== 'TRIGGERED') {
        const name = `${held?.[side] == null ? 'Set' : 'Move'} the position's ${NAMES[side]}`;
        return [{ name, onChoose: () => propose(next, 'pressed') }];
      }
      const patch = held === null && hasBrackets(ticket) ? bracketAt(side, level) : null;
      if (patch === null) return [];
      return [{ name: `Order with a ${NAMES[side]} here`, onChoose: () => sources.onTicket(patch) }];
    });
    const trigger = {
      name: 'Order or alert that waits for it',
      onChoose: () => sources.onTicket(triggerPatch(ticket, subject, level, now, scale)),
    };
    return [...brackets, trigger];
  };

  return {
    moves: {
      onMove,
      textOf,
      figureOf: scale.text,
      moreOf: (id) => (held !== null && lineOf(id)?.move?.of === 'entry' ? sizeAndPnl(settings, held) : null),
      step: scale.among === null ? undefined : STEP_AMONG,
      proposed: proposal === null ? null : { id: proposal.line, level: proposal.level },
      onCancel: (id) => setCancelled(lineOf(id)?.cancel ?? null),
      onPress: (level, at) => setPressed(scale.isLevel(level) ? { level, at } : null),
    },
    over: pressed !== null && (
      <Suspense>
        <setLevel.View
          {...pressed}
          figure={scale.text(pressed.level)}
          subject={subject}
          legs={basket.legs}
          choicesOf={(live) => choicesAt(pressed.level, live ?? planned)}
          onClose={leave}
        />
      </Suspense>
    ),
    dialog: (
      <Suspense>
        {proposal !== null && <moveDialog.View proposal={proposal} onClose={() => setProposal(null)} />}
        {cancelled !== null && (
          <cancelLine.View
            {...cancelled}
            id={cancelled.triggerId}
            name={cancelled.what === 'alert' && price !== null ? price : name}
            open
            onClose={() => setCancelled(null)}
          />
        )}
      </Suspense>
    ),
    isSetting: pressed !== null,
    setLevel: begin === null ? null : () => setPressed({ level: begin, at: { x: 24, y: 24 } }),
  };
}
