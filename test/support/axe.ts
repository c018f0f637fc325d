/** axe-core on a page: the rules of accessibility that the page breaks. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** The small file: a page compiles it in half the time. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Rules whose findings depend on the theme; all others are the same in both. */
const ABOUT_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Tells if the page has axe, and if it has new style sheets since the last run. */
const SEEN = `(() => {
  const before = globalThis.sheetsSeen ?? 0;
  globalThis.sheetsSeen = document.styleSheets.length;
  return ['axe' in globalThis, before < document.styleSheets.length];
})()`;

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Each broken rule with the places that break it. `colours`: only the rules about them. */
export async function axeFindings(
  page: Page,
  about: 'everything' | 'colours',
): Promise<readonly (readonly [string, readonly string[]])[]> {
  const [hasAxe, hasNewSheets] = await page.evaluate<readonly [boolean, boolean]>(SEEN);
  if (!hasAxe) await page.evaluate(AXE);
  const options = {
    // The rule about style sheets that lock the orientation has them fetched, which takes a fifth of a run. Another
    // screen may bring some of its own.
    preload: hasNewSheets,
    // Nobody reads what passes: without its places a run is shorter by a tenth.
    resultTypes: ['violations'],
    ...(about === 'colours' ? { runOnly: ABOUT_COLOURS } : {}),
  };
  const violations = await page.evaluate<readonly Finding[]>(
    `axe.run(${JSON.stringify(options)}).then((run) => run.violations)`,
  );
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => `${node.html}: ${node.failureSummary}`)]);
}
