/** Merging of units of work to which several services contribute. */
import type { UnitOfWork } from '../ports/unit-of-work.ts';

type Rows = { [Part in keyof UnitOfWork]-?: readonly NonNullable<UnitOfWork[Part]>[number][] };

/** The rows of all units as one unit, which commits together or not at all. */
export function oneUnit(...units: readonly UnitOfWork[]): UnitOfWork {
  if (units.length === 1 && units[0] !== undefined) return units[0];
  const all: Partial<Rows> = {};
  for (const unit of units) {
    for (const part of Object.keys(unit) as (keyof UnitOfWork)[]) append(all, part, unit[part]);
  }
  return all;
}

function append<Part extends keyof UnitOfWork>(all: Partial<Rows>, part: Part, rows: UnitOfWork[Part]): void {
  if (rows === undefined || rows.length === 0) return;
  const before: Partial<Rows>[Part] = all[part];
  const together: Record<string, unknown> = all;
  together[part] = before === undefined ? rows : [...before, ...rows];
}
