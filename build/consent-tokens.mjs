// Writes gateway/http/consent/tokens.css: the values of renderer/styles/tokens.css that the consent page uses, so that
// it looks like the dashboard without loading anything of it. The consent page follows the system's colour scheme by
// itself, because it has no script before its first paint. Run `npm run tokens` after a change of either file; with
// `--check` it writes nothing and fails when the file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const TOKENS = join(ROOT, 'renderer', 'styles', 'tokens.css');
const CONSENT = join(ROOT, 'gateway', 'http', 'consent');
const MADE = join(CONSENT, 'tokens.css');

/** The declarations of the rule with exactly these selectors: name → value, in order. */
function rule(css, ...selectors) {
  for (const [, head, body] of css.replace(/\/\*.*?\*\//gs, '').matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    const found = head.split(',').map((selector) => selector.trim());
    if (found.length !== selectors.length || !selectors.every((one) => found.includes(one))) continue;
    const lines = body.split(';').map((line) => line.trim());
    return new Map(
      lines
        .filter((line) => line !== '')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
    );
  }
  throw new Error(`tokens.css has no rule for ${selectors.join(', ')}`);
}

/** Throws when the consent page uses a token that the dashboard lacks. */
function consentTokens(tokens, page) {
  const plain = rule(tokens, ':root');
  const dark = rule(tokens, ':root', '[data-theme="dark"]');
  const light = rule(tokens, '[data-theme="light"]');
  const own = new Set([...page.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  const used = [...new Set([...page.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name))]
    .filter((name) => !own.has(name))
    .sort();
  for (const name of used) {
    if (!plain.has(name) && !(dark.has(name) && light.has(name))) throw new Error(`No token ${name}`);
  }
  const written = (declarations, indent) =>
    used
      .filter((name) => declarations.has(name))
      .map((name) => `${indent}${name}: ${declarations.get(name)};\n`)
      .join('');
  return `/* Made from renderer/styles/tokens.css by build/consent-tokens.mjs. Change it there. */
:root {
  color-scheme: light dark;
${written(plain, '  ')}${written(dark, '  ')}}

@media (prefers-color-scheme: light) {
  :root {
${written(light, '    ')}  }
}
`;
}

const wanted = consentTokens(
  readFileSync(TOKENS, 'utf8'),
  readFileSync(join(CONSENT, 'consent.css'), 'utf8'),
);
if (!process.argv.includes('--check')) writeFileSync(MADE, wanted);
else if (readFileSync(MADE, 'utf8') !== wanted) {
  console.error(
    'gateway/http/consent/tokens.css is not what renderer/styles/tokens.css says: npm run tokens',
  );
  process.exitCode = 1;
}
