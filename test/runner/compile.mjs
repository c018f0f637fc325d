/**
 * Compiles every TypeScript file that tests load to `dist/test/<same path>.js`, one module for each, so that a run reads
 * plain JavaScript: tsx reads it five times as slowly, in every process again. Files that have not changed are kept.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, version as ESBUILD } from 'esbuild';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
const OUT = join(ROOT, 'dist', 'test');
const FOLDERS = ['gateway', 'renderer', 'main', 'build', 'test'];
const SOURCE = /\.tsx?$/;
const IS_RELATIVE = /^\.\.?\//;

/** @returns path of the compiled file of `source`, both relative to the project */
export const compiledPath = (source) => join('dist', 'test', source.replace(SOURCE, '.js'));

function filesIn(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'data') return [];
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(path);
    return SOURCE.test(path) && !path.endsWith('.d.ts') ? [path] : [];
  });
}

/**
 * `import.meta.url` and `.dirname` stay those of the source: data, pages and programs are found beside it. What an import
 * names is compiled too, unless it is JavaScript or JSON, which is read where it stands.
 */
const eachAlone = {
  name: 'each-alone',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind, resolveDir }) => {
      if (kind === 'entry-point') return undefined;
      if (IS_RELATIVE.test(path)) {
        if (SOURCE.test(path)) return { path: path.replace(SOURCE, '.js'), external: true };
        const compiled = join(OUT, relative(ROOT, resolveDir));
        const found = relative(compiled, resolve(resolveDir, path));
        return { path: found.startsWith('.') ? found : `./${found}`, external: true };
      }
      return { path: packageFile(path, resolveDir) ?? path, external: true };
    });
    onLoad({ filter: SOURCE }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const names = Object.entries({
        'import.meta.url': `const sourceUrl = ${JSON.stringify(pathToFileURL(path).href)};`,
        'import.meta.dirname': `const sourceFolder = ${JSON.stringify(dirname(path))};`,
      });
      // On the first line, so that lines keep their numbers.
      const used = names.filter(([name]) => source.includes(name)).map(([, line]) => line);
      return { contents: used.join('') + source, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};

/** File of a package that is installed below `test/` or `main/`, where a compiled module does not look for it. */
function packageFile(name, folder) {
  const inner = /^(test[\\/]\w+|main)(?=[\\/]|$)/.exec(relative(ROOT, folder))?.[1];
  if (inner === undefined || name.startsWith('node:')) return undefined;
  try {
    const found = createRequire(join(ROOT, inner, 'package.json')).resolve(name);
    return found.startsWith(join(ROOT, inner, 'node_modules')) ? pathToFileURL(found).href : undefined;
  } catch {
    return undefined;
  }
}

/** Sources of each compiled file. */
const MADE_OF = join(OUT, 'sources.json');

function keptHashes() {
  try {
    return JSON.parse(readFileSync(MADE_OF, 'utf8'));
  } catch {
    return {};
  }
}

/** Beside its name first: another run of the same checkout reads the whole file, the old or the new one. */
function replaceFile(file, contents) {
  mkdirSync(dirname(file), { recursive: true });
  const made = `${file}.${process.pid}`;
  writeFileSync(made, contents);
  renameSync(made, file);
}

/** Rejects with the messages of esbuild where a source is not TypeScript. */
export async function compileTests() {
  const sources = FOLDERS.flatMap(filesIn);
  const self = readFileSync(fileURLToPath(import.meta.url));
  // A source that changes while it is compiled has another hash than the one that is kept.
  const hashes = Object.fromEntries(
    sources.map((source) => {
      // Compiled modules name the checkout: a copied folder compiles its own.
      const hash = createHash('sha256').update(ESBUILD).update(self).update(ROOT);
      return [source, hash.update(readFileSync(join(ROOT, source))).digest('base64')];
    }),
  );
  const before = keptHashes();
  const changed = sources.filter(
    (source) => before[source] !== hashes[source] || !existsSync(join(ROOT, compiledPath(source))),
  );
  removeOthers(new Set(sources.map((source) => join(ROOT, compiledPath(source)))));
  if (changed.length === 0) return 0;
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: changed,
    outdir: OUT,
    outbase: ROOT,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    jsx: 'automatic',
    sourcemap: 'inline',
    sourcesContent: false,
    define: { 'import.meta.url': 'sourceUrl', 'import.meta.dirname': 'sourceFolder' },
    plugins: [eachAlone],
    logLevel: 'warning',
  });
  for (const { path, contents } of outputFiles) replaceFile(path, contents);
  replaceFile(MADE_OF, JSON.stringify(hashes));
  return changed.length;
}

/** Compiled files whose source is gone. */
function removeOthers(kept) {
  let names = [];
  try {
    names = readdirSync(OUT, { recursive: true });
  } catch {
    return;
  }
  for (const name of names) {
    const file = join(OUT, name);
    if (name.endsWith('.js') && !kept.has(file)) rmSync(file, { force: true });
  }
}
