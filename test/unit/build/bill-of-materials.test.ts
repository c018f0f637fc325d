/** The bill of materials that goes into the packages, as whoever looks for a vulnerable package reads it. */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { type BillOfMaterials, billOfMaterials } from '../../../build/bill-of-materials.mjs';

const at = (path: string) => new URL(`../../../${path}`, import.meta.url);

describe('the bill of materials', function () {
  this.timeout(60_000);
  let bill: BillOfMaterials;
  before(() => {
    bill = billOfMaterials({ desktop: true });
  });

  it('is CycloneDX of this version of the product', async () => {
    const { name, version } = JSON.parse(await readFile(at('package.json'), 'utf8'));
    expect(bill).to.include({ bomFormat: 'CycloneDX' });
    expect(bill.specVersion).to.match(/^1\.[5-9]$/);
    expect(bill.metadata.component).to.include({ name, version });
  });

  it('names each package once, with its version, its address as a package and its digest', () => {
    expect(bill.components).to.have.length.greaterThan(50);
    for (const { name, version, purl, hashes } of bill.components) {
      expect(version, name).to.match(/^\d+\.\d+\.\d+/);
      expect(purl, name).to.match(/^pkg:npm\/.+@\d/);
      expect(hashes?.[0]?.content, name).to.match(/^[0-9a-f]{40,128}$/);
    }
    const purls = bill.components.map(({ purl }) => purl);
    expect(new Set(purls).size).to.equal(purls.length);
  });

  it('has the shell of the desktop app, and nothing that only builds or tests', () => {
    const names = bill.components.map(({ name }) => name);
    expect(names).to.include.members(['electron', 'koa', 'sqlite3', 'keytar', 'react']);
    expect(names).not.to.include.members([
      'mocha',
      'typescript',
      'vite',
      '@biomejs/biome',
      'electron-builder',
    ]);
  });

  it('refers to what it names only, and holds no path and no address of a registry', () => {
    const refs = new Set(bill.dependencies.map(({ ref }) => ref));
    for (const { dependsOn } of bill.dependencies)
      for (const ref of dependsOn) expect(refs.has(ref), ref).to.equal(true);
    expect(JSON.stringify(bill)).not.to.match(/"\/|file:|localhost|tandem-bill-/);
  });
});
