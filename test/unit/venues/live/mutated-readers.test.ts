/** Every schema by which an adapter of a live venue reads a message or answer, each with one place of it changed at random. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import * as hyperliquid from '../../../../gateway/venues/live/hyperliquid/wire.ts';
import { read } from '../../../../gateway/venues/live/kit/wire.ts';
import * as setup from '../../../../gateway/venues/live/lighter/setup/wire.ts';
import * as lighter from '../../../../gateway/venues/live/lighter/wire.ts';
import type { Json } from '../../../support/json.ts';
import { mutated, mutation } from '../../../support/mutations.ts';
import { forAll, propertyRuns } from '../../../support/property-runs.ts';
import { HYPERLIQUID, LIGHTER, LIGHTER_SETUP } from '../../../support/venues/shared/wire-samples.ts';

const ADAPTERS = {
  Hyperliquid: [hyperliquid, HYPERLIQUID],
  Lighter: [lighter, LIGHTER],
  'setup at Lighter': [setup, LIGHTER_SETUP],
} as const;
const FOLDERS = ['hyperliquid', 'lighter'].map(
  (name) => new URL(`../../../../gateway/venues/live/${name}/`, import.meta.url),
);
/** Settings, and texts of our own pages, which a wallet signs. */
const OURS = ['lighter-settings.ts', 'setup/integrator-setting.ts', 'signing/wallet-messages.ts'];
/** Contexts of every market at once, as large as all the others together. */
const LARGE = ['metaAndContexts', 'contexts', 'contextsNews'];
/** Our own record, which is parsed with numbers. */
const OWN_RECORDS = ['approvalMessage'];

/** Fields whose numbers are names, and those that are read further by another schema. */
const NAMES = /\.(chain_id|source_chain_id|nonce|begin_nonce|ctxs|statuses|unread)(\.|$)/;
const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/;

/** Leaves of the value with the names of the fields that lead to them. Places of lists and keys that are numbers are one. */
function* leaves(value: unknown, path = ''): Generator<readonly [path: string, leaf: unknown]> {
  if (typeof value !== 'object' || value === null) {
    if (!NAMES.test(path)) yield [path, value];
    return;
  }
  for (const [key, inner] of Object.entries(value))
    yield* leaves(inner, `${path}.${NUMBER.test(key) ? '*' : key}`);
}

const isNumber = (leaf: unknown) =>
  typeof leaf === 'number' ? Number.isFinite(leaf) : typeof leaf === 'string' && NUMBER.test(leaf);
const isNone = (leaf: unknown) => leaf === null || leaf === undefined || leaf === 'none';

/** Fields that hold nothing but numbers. */
function numbersIn(value: unknown): ReadonlySet<string> {
  const all = [...leaves(value)].filter(([, leaf]) => !isNone(leaf));
  const others = new Set(all.filter(([, leaf]) => !isNumber(leaf)).map(([path]) => path));
  return new Set(all.map(([path]) => path).filter((path) => !others.has(path)));
}

describe('readers of live venues', () => {
  it('stand in the modules `wire.ts`', () => {
    const found = FOLDERS.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .filter((name) =>
          /^import \{.*\bz\b.*\} from 'zod'/m.test(readFileSync(new URL(name, folder), 'utf8')),
        )
        .filter((name) => !name.endsWith('wire.ts') && !OURS.includes(name)),
    );
    expect(found).to.deep.equal([]);
  });

  for (const [adapter, [wire, samples]] of Object.entries(ADAPTERS)) {
    const schemas = Object.entries(wire).filter(
      ([name, one]) => (one as unknown) instanceof z.ZodType && !OWN_RECORDS.includes(name),
    ) as [string, z.ZodType][];

    it(`${adapter}: each has a sample, and each sample a reader`, () => {
      expect(Object.keys(samples).toSorted()).to.deep.equal(schemas.map(([name]) => name).toSorted());
    });

    for (const [name, schema] of schemas)
      it(`${adapter}, ${name}: read or refused, and no number is infinite or none${LARGE.includes(name) ? ' @long' : ''}`, function () {
        this.timeout(600_000);
        const sample = samples[name];
        const whole = take(schema, sample);
        expect(whole, 'the sample').to.not.equal(null);
        const numbers = numbersIn(whole);
        forAll([mutation, fc.boolean()], propertyRuns(10_000, 100), (change, isBare) => {
          const value = take(schema, mutated(sample, change), isBare);
          for (const [path, leaf] of leaves(value))
            if (numbers.has(path) && !isNone(leaf)) expect(leaf, path).to.satisfy(isNumber);
        });
      });
  }
});

/** null: refused. @param isBare numbers that are none stand without quotes, as some programs write them */
function take(schema: z.ZodType, value: Json, isBare = false): unknown {
  const text = JSON.stringify(value) ?? '';
  const told = read(schema, isBare ? text.replaceAll('"NaN"', 'NaN') : text);
  if (told.ok) return told.value ?? 'none';
  expect(told.error.message.length).to.be.lessThan(300);
  return null;
}
