/** Recorded answers of a venue, beside which the emulated venue is tested. */
import { expect } from 'chai';
import type { Json } from '../../json.ts';

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
