/** Measures as text for people and as JSON for machines. */
import { cpus, totalmem } from 'node:os';
import type { Goal, Measure } from './verdict.ts';

export function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  return size >= 1_000
    ? Math.round(value).toLocaleString('en')
    : value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

function goalText(goal: Goal | null, unit: string): string {
  return goal === null ? '' : `goal ${goal.bound === 'at least' ? '≥' : '≤'} ${goal.value} ${unit}`;
}

function rangeText({ ratio, baseSpread }: Measure): string {
  const range = ratio === null ? '' : ` [${number(ratio.lowest)} – ${number(ratio.highest)}]`;
  return baseSpread === null ? range : `${range}, base spread ${Math.round(baseSpread * 100)} %`;
}

/** Figures of a side stand under its name; lists of rounds are for the JSON only. */
function figureLines(figures: Measure['figures']): readonly string[] {
  const sides = new Map<string, string[]>();
  for (const [name, value] of Object.entries(figures)) {
    if (typeof value !== 'number' || name === 'base' || name === 'variant') continue;
    const dot = name.indexOf('.');
    const side = dot === -1 ? '' : name.slice(0, dot);
    const entries = sides.get(side) ?? [];
    entries.push(`${name.slice(dot + 1)} ${number(value)}`);
    sides.set(side, entries);
  }
  return [...sides].map(([side, entries]) => `    ${side === '' ? '' : `${side}: `}${entries.join(' · ')}`);
}

export function measureText(measure: Measure): string {
  const { verdict, name, value, unit, goal, about } = measure;
  const head = value === null ? name : `${name}  ${number(value)} ${unit}${rangeText(measure)}`;
  return [
    `${verdict.padEnd(7)} ${head}  ${goalText(goal, unit)}`.trimEnd(),
    `    ${about}`,
    ...figureLines(measure.figures),
  ].join('\n');
}

export interface Report {
  readonly at: string;
  readonly node: string;
  readonly system: string;
  readonly processors: number;
  readonly memoryBytes: number;
  readonly rounds: number;
  readonly roundMs: number;
  readonly measures: readonly Measure[];
}

export function report(measures: readonly Measure[], run: Pick<Report, 'at' | 'rounds' | 'roundMs'>): Report {
  return {
    ...run,
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    processors: cpus().length,
    memoryBytes: totalmem(),
    measures,
  };
}
