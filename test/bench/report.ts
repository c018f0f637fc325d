/** Measures as text for people and as JSON for machines. */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { removeFolders } from './gateway-home.ts';
import type { Goal, Measure } from './verdict.ts';

function number(value: number): string {
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

function measureText(measure: Measure): string {
  const { verdict, name, value, unit, goal, about } = measure;
  const head = value === null ? name : `${name}  ${number(value)} ${unit}${rangeText(measure)}`;
  return [
    `${verdict.padEnd(7)} ${head}  ${goalText(goal, unit)}`.trimEnd(),
    `    ${about}`,
    ...figureLines(measure.figures),
  ].join('\n');
}

/** Length of what was measured, for the JSON. */
export interface RunLength {
  readonly rounds: number;
  readonly roundMs: number;
}

/**
 * Runs benchmarks one after the other, prints their measures, and writes them into `file` as JSON, those of a run that
 * failed too. The exit code is 1 when a goal was missed.
 * @param close called at the end, whatever happens
 */
export async function runAll(
  benchmarks: readonly (() => Promise<readonly Measure[]>)[],
  length: RunLength,
  file: string,
  close: () => Promise<void>,
): Promise<void> {
  const measures: Measure[] = [];
  const at = new Date().toISOString();
  try {
    for (const benchmark of benchmarks) {
      const found = await benchmark();
      for (const measure of found) console.log(measureText(measure));
      measures.push(...found);
    }
  } finally {
    await close();
    await removeFolders();
    const machine = {
      ...{ node: process.version, system: `${process.platform} ${process.arch}` },
      ...{ processors: cpus().length, memoryBytes: totalmem() },
    };
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify({ at, ...length, ...machine, measures }, null, 2)}\n`);
  }
  const missed = measures.filter(({ verdict }) => verdict === 'FAIL').length;
  console.log(`${measures.length} measures, ${missed} missed; JSON in ${file}`);
  process.exitCode = missed === 0 ? 0 : 1;
}
