import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const GATEWAY = fileURLToPath(new URL('../../../gateway/', import.meta.url));

/**
 * TypeORM's sqlite driver has one query runner: two of its transactions that overlap interleave, and one of them is
 * lost after its caller was told it was committed. So its writing calls appear nowhere; all writes go through
 * store/writer/writer.ts.
 */
const WRITING = [
  /\.transaction\(/,
  /\.startTransaction\(/,
  /\.createQueryRunner\(/,
  /getRepository\([^)]*\)\s*\.(save|insert|update|upsert|delete|remove|softDelete|clear|increment|decrement)\(/,
  /\b(manager|entityManager|repository|\w+Repository)\.(save|insert|update|upsert|delete|remove|clear)\(/,
  /\.(insert|softDelete)\(\)/,
];

async function sources(): Promise<{ name: string; text: string }[]> {
  const names = (await readdir(GATEWAY, { recursive: true })).filter((name) => name.endsWith('.ts'));
  return Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(GATEWAY, name), 'utf8') })),
  );
}

describe('store: only the writer writes', () => {
  it('no source of the gateway uses a writing call of TypeORM', async () => {
    const found = (await sources()).flatMap(({ name, text }) =>
      WRITING.filter((pattern) => pattern.test(text)).map((pattern) => `${name}: ${pattern.source}`),
    );
    expect(found).to.deep.equal([]);
  });

  it('only the store imports TypeORM', async () => {
    const importing = (await sources())
      .filter(({ text }) => /from 'typeorm'|import\('typeorm'\)/.test(text))
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('store/'));
    expect(importing).to.deep.equal([]);
  });

  it('the patterns find what they are for', () => {
    const calls = [
      'source.transaction(async () => {})',
      'await manager.save(order)',
      'source.getRepository(Order).update(a, b)',
      'query.insert().into(x)',
    ];
    for (const call of calls)
      expect(
        WRITING.some((pattern) => pattern.test(call)),
        call,
      ).to.equal(true);
  });
});
