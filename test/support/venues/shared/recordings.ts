/** Recorded answers of a venue, beside which readers and the emulated venue are tested. */
import { expect } from 'chai';
import type { z } from 'zod';
import { read } from '../../../../gateway/venues/live/kit/wire.ts';
import type { Json } from '../../json.ts';
import { mutants } from '../../mutants.ts';

const MOST_MUTANTS = 3_000;

/** The recording is read. With a field missing, null, empty or new it is read or refused, never thrown at. */
export function expectReadOrRefused(schema: z.ZodType, recorded: unknown): void {
  const told = read(schema, JSON.stringify(recorded));
  expect(told.ok, told.ok ? '' : told.error.message).to.equal(true);
  let count = 0;
  for (const mutant of mutants(recorded)) {
    count += 1;
    expect(read(schema, JSON.stringify(mutant)).ok).to.be.a('boolean');
    if (count > MOST_MUTANTS) break;
  }
  expect(count).to.be.greaterThan(4);
}

/**
 * Every field of the recorded answer is in ours, with the same type. Of lists, their first entries count.
 * @param optional fields that ours need not have
 */
export function expectSameShape(
  ours: Json,
  theirs: Json,
  where: string,
  optional: ReadonlySet<string>,
): void {
  if (theirs === null || ours === null) return;
  if (Array.isArray(theirs)) {
    expect(ours, where).to.be.an('array');
    expect(ours.length > 0 || theirs.length === 0, `${where} is empty`).to.equal(true);
    if (theirs.length > 0) expectSameShape(ours[0], theirs[0], `${where}[0]`, optional);
    return;
  }
  expect(typeof ours, where).to.equal(typeof theirs);
  if (typeof theirs !== 'object') return;
  for (const [key, value] of Object.entries(theirs)) {
    if (optional.has(key)) continue;
    expect(ours, where).to.have.property(key);
    expectSameShape(ours[key], value, `${where}.${key}`, optional);
  }
}
