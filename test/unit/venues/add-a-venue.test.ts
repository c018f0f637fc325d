/** The page for whoever adds a venue: what it names is there, and its code is the code. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PAGE = read('docs/contributing/add-a-venue.md');

/** Files that the page's code comes from. */
const SOURCES = [
  'gateway/engine/ports/venue.ts',
  'gateway/venues/registry.ts',
  'gateway/venues/paper/connector.ts',
  'gateway/venues/paper/paper-settings.ts',
  'gateway/venues/paper/market/connectors.ts',
];

describe('docs/contributing/add-a-venue.md', () => {
  it('names files that are there', () => {
    const named = [...PAGE.matchAll(/`((?:gateway|test)\/[\w./-]*)`/g)].map(([, path = '']) => path);
    expect(named).to.have.length.greaterThan(8);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).to.deep.equal([]);
  });

  it('shows lines of the code', () => {
    const code = new Set(SOURCES.flatMap((path) => read(path).split('\n')).map((line) => line.trim()));
    const shown = [...PAGE.matchAll(/```ts\n(.*?)```/gs)].flatMap(([, block = '']) => block.split('\n'));
    const lines = shown.map((line) => line.replace(/ \/\/ .*/, '').trim()).filter((line) => line !== '');
    expect(lines).to.have.length.greaterThan(30);
    expect(lines.filter((line) => !code.has(line))).to.deep.equal([]);
  });
});
