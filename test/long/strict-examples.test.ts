/** The examples of README and docs in TypeScript and JavaScript, compiled as a bot's author does who lets nothing pass. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { copyFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT, userDocuments } from '../support/documents.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const EXAMPLES = join(ROOT, 'docs', 'examples');

const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  allowUnreachableCode: false,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  noPropertyAccessFromIndexSignature: true,
};

describe('the TypeScript of README and docs', () => {
  it('compiles under strict settings', async () => {
    const folder = await temporaryFolder();
    const blocks = userDocuments()
      // Guides for contributors show parts of files.
      .filter(({ page }) => !page.startsWith('docs/contributing/'))
      .flatMap((page) => page.blocks)
      .filter(({ language }) => language === 'ts' || language === 'js');
    expect(blocks.map(({ page }) => page)).to.include.members(['README.md', 'docs/bots.md']);
    for (const { page, line, code } of blocks)
      await writeFile(join(folder, `${page.replaceAll(/\W/g, '-')}-${line}.ts`), `${code}\nexport {};\n`);
    const bots = readdirSync(EXAMPLES).filter((name) => name.endsWith('.ts'));
    expect(bots).not.to.deep.equal([]);
    for (const name of bots) await copyFile(join(EXAMPLES, name), join(folder, name));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
    const config = {
      compilerOptions: {
        ...STRICT,
        target: 'ES2023',
        lib: ['ES2023'],
        module: 'NodeNext',
        types: ['node'],
        noEmit: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
        // The declarations that a bot's author gets are made from these files.
        paths: { 'tandem-gateway/client': [join(ROOT, 'gateway/client/client.ts')] },
      },
      include: ['*.ts'],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
    const { status, stdout } = spawnSync(tsc, ['--checkers', '1', '-p', folder], { encoding: 'utf8' });
    expect(stdout).to.equal('');
    expect(status).to.equal(0);
  });
});
