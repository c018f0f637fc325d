/** The page's own build of the contract says yes and no exactly where the contract does. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { build } from 'vite';
import type { z } from 'zod';
import { leanSchemas } from '../../../build/lean-schemas.mjs';
import { registerRoute } from '../../../gateway/contract/auth.ts';
import { createLadderBody } from '../../../gateway/contract/ladders.ts';
import { closePosition } from '../../../gateway/contract/positions.ts';
import { createSavedBasket } from '../../../gateway/contract/saved-baskets.ts';
import { openTradeBody } from '../../../gateway/contract/trading.ts';
import { openTriggerBody } from '../../../gateway/contract/triggers.ts';

const CONTRACT = fileURLToPath(new URL('../../../gateway/contract', import.meta.url));
const SOURCE = `
export { registerRoute } from '${CONTRACT}/auth.ts';
export { createLadderBody } from '${CONTRACT}/ladders.ts';
export { closePosition } from '${CONTRACT}/positions.ts';
export { createSavedBasket } from '${CONTRACT}/saved-baskets.ts';
export { openTradeBody } from '${CONTRACT}/trading.ts';
export { openTriggerBody } from '${CONTRACT}/triggers.ts';
`;

const legs = [
  { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '0500.00' },
  { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '500' },
];
const condition = { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '20' };
const full = {
  open: { type: 'MARKET', legs, slippage: '0.02', takeProfit: { type: 'PERCENTAGE', value: '5' } },
  trigger: { legs, condition },
  basket: { name: 'Majors', legs: [{ symbol: 'BTC-PERP', side: 'BUY', weight: '1' }] },
  user: { email: 'ada@example.test', password: 'correct horse battery' },
  close: { type: 'MARKET', fraction: '0.5' },
};
const bodies: readonly unknown[] = [
  ...Object.values(full),
  {},
  null,
  'text',
  { ...full.open, legs: [] },
  { ...full.open, legs: [legs[0], legs[0]] },
  { ...full.open, slippage: 0.02 },
  { ...full.open, slippage: '1e-2', unknown: true },
  { ...full.open, totalUsd: '10' },
  { ...full.trigger, condition: { ...condition, type: 'NONE' } },
  { ...full.trigger, expiresAt: 'tomorrow' },
  { ...full.basket, name: '' },
  { ...full.user, email: 'nobody' },
  { ...full.user, password: 'short' },
  { ...full.close, fraction: '2' },
];

describe('the schemas of the page', function () {
  this.timeout(60_000);
  let folder: string;
  let lean: Record<string, z.ZodType & { body: z.ZodType }>;

  const built = (entry: string) =>
    build({
      configFile: false,
      root: CONTRACT,
      logLevel: 'silent',
      plugins: [leanSchemas],
      // The entry's folder has no zod.
      resolve: { alias: { zod: fileURLToPath(import.meta.resolve('zod')) } },
      build: {
        outDir: join(folder, 'out'),
        emptyOutDir: true,
        minify: false,
        lib: { entry: join(folder, entry), formats: ['es'], fileName: () => 'schemas.mjs' },
      },
    });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tandem-schemas-'));
    await writeFile(join(folder, 'entry.ts'), SOURCE);
    await built('entry.ts');
    lean = await import(pathToFileURL(join(folder, 'out', 'schemas.mjs')).href);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const verdict = (schema: z.ZodType | undefined, body: unknown) => {
    const { success, data, error } = schema?.safeParse(body) ?? {};
    return { success, data, issues: error?.issues };
  };

  for (const [name, own] of Object.entries({ createLadderBody, openTradeBody, openTriggerBody })) {
    it(`judge as the gateway does: ${name}`, () => {
      for (const body of bodies)
        expect(verdict(lean[name], body), JSON.stringify(body)).to.deep.equal(verdict(own, body));
    });
  }
  for (const [name, own] of Object.entries({ closePosition, createSavedBasket, registerRoute })) {
    it(`judge as the gateway does: ${name}`, () => {
      for (const body of bodies)
        expect(verdict(lean[name]?.body, body), JSON.stringify(body)).to.deep.equal(verdict(own.body, body));
    });
  }

  it('hold no text that only the documentation needs, and no answer', () => {
    expect(lean['closePosition']).to.have.property('body');
    for (const part of ['summary', 'description', 'success'])
      expect(lean['closePosition']).not.to.have.property(part);
  });

  for (const [place, code] of [
    ['gateway/contract', 'z.string().url()'],
    ['gateway/contract', 'text.url()'],
    ['renderer/api', 'z.string().url()'],
    ['renderer/api', 'z.array(text.url())'],
  ] as const)
    it(`do not build with a method that the page is without: ${code} in ${place}`, async () => {
      await mkdir(join(folder, place), { recursive: true });
      const entry = join(place, 'links.ts');
      await writeFile(
        join(folder, entry),
        `import { z } from 'zod'; const text = z.string(); export const link = [text, ${code}];`,
      );
      const error = await built(entry).catch((thrown: unknown) => thrown);
      expect(String(error)).to.include('.url(): the schemas of pages have no such method');
    });

  it('build with the functions of zod itself that are called so', async () => {
    await mkdir(join(folder, 'renderer/api'), { recursive: true });
    const entry = 'renderer/api/days.ts';
    await writeFile(
      join(folder, entry),
      "import { z } from 'zod'; export const days = [z.url(), z.iso.date()];",
    );
    await built(entry);
  });
});
