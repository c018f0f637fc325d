/** Lines of the Trade screen's chart: the held position, resting orders, and typed levels. */
import type { Answer, Row } from '../../../gateway/client/client.ts';
import { type Alert, isOnChartOf } from '../../features/alerts/alert.ts';
import type { Basket } from '../../features/basket/basket.ts';
import { transformOf } from '../../features/brackets-form/bracket-draft.ts';
import { bracketLine } from '../../features/brackets-form/bracket-line.ts';
import type { BracketType } from '../../features/brackets-form/bracket-text.ts';
import { positionLines } from '../../features/level-moves/position-lines.ts';
import {
  type ChartLine,
  conditionLine,
  type EntryFacts,
  positionFacts,
  wholeFacts,
} from '../../features/ratio-chart/levels.ts';
import { type LevelScale, PLAIN_SCALE } from '../../features/ratio-chart/scale.ts';
import {
  amongOf,
  type ChartSubject,
  sameSubject,
  subjectValue,
  usualSubject,
} from '../../features/ratio-chart/subject.ts';
import { subjectOf, watchInput } from '../../features/watch-fields/watch.ts';
import { heldFacts, isOfChart } from './held-on-chart.ts';
import type { PlannedRung } from './rungs.ts';
import { hasBrackets, ladderSubject, type TicketDraft } from './ticket.ts';

export type HeldPosition = Row<'GET /positions'>;
export type RestingTrigger = Row<'GET /triggers'>;
export type Plan = Extract<Answer<'POST /trade/open'>, { readonly plan: unknown }>['plan'];

export interface LineSources {
  readonly subject: ChartSubject;
  /** Left out: the levels are values of the subject. */
  readonly scale?: LevelScale | undefined;
  readonly basket: Basket;
  readonly ticket: TicketDraft;
  readonly rungs: readonly PlannedRung[] | null;
  /** The open position in exactly this basket; null: there is none. */
  readonly held: HeldPosition | null;
  /** Resting triggers of this basket, rungs included. */
  readonly resting: readonly RestingTrigger[];
  /** Pending alerts, of any basket. */
  readonly alerts: readonly Alert[];
  /** Prices for the levels of the draft; null: none yet. */
  readonly plan: Plan | null;
}

export function chartLines(sources: LineSources): readonly ChartLine[] {
  const resting = restingLines(sources);
  const standing = new Set(resting.map(({ kind, value }) => `${kind} ${value}`));
  // A typed level that is also resting would be drawn twice, so the draft line is left out.
  const drafts = draftLines(sources).filter(({ kind, value }) => !standing.has(`${kind} ${value}`));
  return [...heldLines(sources), ...resting, ...alertLines(sources), ...drafts];
}

/** Chart subject that the ticket's order watches; null: the order watches none. */
export function ticketSubject({
  basket,
  ticket,
}: Pick<LineSources, 'basket' | 'ticket'>): ChartSubject | null {
  if (ticket.kind === 'TRIGGER') {
    return subjectOf(ticket.watch, basket.legs);
  }
  if (ticket.kind === 'LADDER') {
    const subject = ladderSubject(ticket.ladder, basket);
    return subject.metric === 'PRICE' && subject.symbol === '' ? null : subject;
  }
  const isLimited = ticket.kind === 'TWAP' && !ticket.reduceOnly && ticket.slicing.limitRatio.trim() !== '';
  return isLimited ? { metric: ticket.slicing.limitMeasure } : null;
}

function heldLines({ held, subject, basket, scale }: LineSources): readonly ChartLine[] {
  const facts = heldFacts(held, subject, basket);
  return held === null || facts === null ? [] : positionLines(held, facts, 'held-', scale);
}

function restingLines({ resting, subject, scale = PLAIN_SCALE }: LineSources): readonly ChartLine[] {
  const ordered = [...resting].sort((a, b) => (a.rungIndex ?? 0) - (b.rungIndex ?? 0));
  return ordered.flatMap((trigger) => {
    const { condition, ladderId, rungIndex, id } = trigger;
    const value = condition === null ? null : conditionLine(condition, subject);
    if (value === null) return [];
    const isRung = ladderId !== null;
    const label = isRung ? `Rung ${(rungIndex ?? 0) + 1}` : 'Trigger';
    return [
      {
        id,
        kind: isRung ? ('rung' as const) : ('trigger' as const),
        value,
        label,
        ...(isRung ? { ladder: ladderId } : {}),
        // A rung's level belongs to its ladder.
        move: isRung ? undefined : { of: 'trigger' as const },
        cancel: {
          what: isRung ? ('rung' as const) : ('trigger' as const),
          triggerId: id,
          protects: false,
          called: label.toLowerCase(),
          at: scale.text(Number(value)),
        },
      },
    ];
  });
}

/** Lines of alerts on this basket's ratio, or on the shown price, whichever basket they were set beside. */
function alertLines({ alerts, subject, basket, scale = PLAIN_SCALE }: LineSources): readonly ChartLine[] {
  return alerts.flatMap((alert) => {
    const { id, condition } = alert;
    const value = isOnChartOf(alert, basket) ? conditionLine(condition, subject) : null;
    if (value === null) return [];
    const at = scale.text(Number(value));
    return [
      {
        id,
        kind: 'alert' as const,
        value,
        label: 'Alert',
        move: { of: 'alert' as const },
        cancel: { what: 'alert' as const, triggerId: id, protects: false, called: 'alert', at },
      },
    ];
  });
}

const FIRST_RUNG = { of: 'typed-rung', end: 'start' } as const;
const LAST_RUNG = { of: 'typed-rung', end: 'end' } as const;

function draftLines(sources: LineSources): readonly ChartLine[] {
  const { ticket, basket, subject, rungs } = sources;
  const watched = ticketSubject(sources);
  const isShown = watched !== null && sameSubject(watched, subject) && amongOf(subject) === null;
  const lines: ChartLine[] = [];
  if (ticket.kind === 'TRIGGER') {
    const value = conditionLine(watchInput(ticket.watch, basket.legs).condition, subject);
    if (value !== null)
      lines.push({
        id: 'typed-trigger',
        kind: 'trigger',
        value,
        label: 'Trigger',
        isDraft: true,
        move: { of: 'typed-trigger' },
      });
  }
  if (ticket.kind === 'LADDER' && isShown) {
    for (const { index, level } of rungs ?? []) {
      lines.push({
        id: `typed-rung-${index}`,
        kind: 'rung',
        value: level,
        label: `Rung ${index + 1}`,
        isDraft: true,
        ladder: 'typed-ladder',
        // The first and the last level are typed; the others follow from them.
        move: index === 0 ? FIRST_RUNG : index === (rungs?.length ?? 0) - 1 ? LAST_RUNG : undefined,
      });
    }
  }
  if (ticket.kind === 'TWAP' && isShown) {
    const value = ticket.slicing.limitRatio.trim();
    lines.push({
      id: 'typed-limit',
      kind: 'limit',
      value,
      label: 'Limit',
      isDraft: true,
      move: { of: 'typed-limit' },
    });
  }
  return [...lines, ...draftBrackets(sources)];
}

function draftBrackets(sources: LineSources): readonly ChartLine[] {
  const { ticket, held } = sources;
  if (!hasBrackets(ticket)) return [];
  const facts = openedFacts(sources);
  return (['takeProfit', 'stopLoss'] as const).flatMap((side) => {
    const draft = ticket[side];
    const isKept = held?.[side] != null && ticket.brackets === 'KEEP';
    // If the position keeps its bracket, the typed one will not exist.
    if (!draft.isOn || isKept) return [];
    const { type } = draft;
    const bracket = { type, value: draft.value.trim(), trailing: null, peak: null, ...transformOf(draft) };
    const line = bracketLine(side, bracket, facts);
    if (line === null) return [];
    const isNew = held?.[side] != null;
    const names = isNew ? { label: `New ${line.label}`, name: `New ${line.name}` } : {};
    const move = { of: 'typed-bracket', side } as const;
    return [{ ...line, ...names, id: `typed-${line.kind}`, isDraft: true, move }];
  });
}

/** Facts from which a bracket of this type on the ticket's order is measured, in the unit in which it is drawn. */
export function ticketFacts(
  sources: Pick<LineSources, 'ticket' | 'basket' | 'plan' | 'held'>,
  type: BracketType,
): EntryFacts {
  const subject: ChartSubject =
    type === 'WEIGHTED_RATIO' ? { metric: 'WEIGHTED_RATIO' } : usualSubject(sources.basket);
  return openedFacts({ ...sources, subject });
}

function openedFacts(
  sources: Pick<LineSources, 'ticket' | 'basket' | 'subject' | 'plan' | 'held' | 'scale'>,
): EntryFacts {
  const { subject, basket, ticket, held } = sources;
  const { legs } = basket;
  const entry = expectedEntry(sources);
  const gross = Number(ticket.notional) || null;
  const facts = held === null ? null : positionFacts(held, subject, legs);
  // The position's size is known even if its entry is not comparable with a bracket on the whole position.
  const own = facts !== null && !isOfChart(held, subject, basket) ? { ...facts, entry: null } : facts;
  return wholeFacts(own, { subject, legs, entry, gross });
}

/** Expected entry of the basket: the trigger's level if the chart shows it, else the value at current prices. */
function expectedEntry({
  ticket,
  basket,
  subject,
  plan,
  scale = PLAIN_SCALE,
}: Pick<LineSources, 'ticket' | 'basket' | 'subject' | 'plan' | 'scale'>): number | null {
  if (ticket.kind === 'TRIGGER') {
    const level = conditionLine(watchInput(ticket.watch, basket.legs).condition, subject);
    if (level !== null) return scale.ratioOf(Number(level));
  }
  return planValue(subject, basket, plan);
}

/** Value of the subject at the prices for which the plan was sized. */
export function planValue(subject: ChartSubject, basket: Basket, plan: Plan | null): number | null {
  const prices = new Map(plan?.legs.map(({ symbol, price }) => [symbol, Number(price)]));
  return subjectValue(subject, basket.legs, (id) => prices.get(id) ?? null);
}
