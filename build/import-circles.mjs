// Fails when modules import each other in a circle. Each module of a circle may run before the others are ready, and
// none of them can be understood or moved alone. Imports of types alone do not count: they are gone when the code runs.
// dependency-cruiser cannot do this: its parser does not tell imports of types from others, and reads no TSX.
import { readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync } from 'vite';
import { CODE_FOLDERS, sourceFiles } from './source-files.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const MODULE = /(?<!\.d)\.(ts|tsx|mts|cts|js|mjs|cjs)$/;

/**
 * Relative imports of a module, also re-exports and `import()` with a constant.
 * @param path decides by its ending how `text` is parsed
 */
export function valueImports(path, text) {
  const { module } = parseSync(path, text);
  const statements = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({ moduleRequest, entries })),
    ...module.staticExports.map(({ entries }) => ({
      moduleRequest: entries.find(({ moduleRequest }) => moduleRequest !== null)?.moduleRequest,
      entries,
    })),
  ];
  const targets = statements
    // A statement without entries is `import './file.ts'`, which runs the file.
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest?.value ?? '');
  for (const { moduleRequest } of module.dynamicImports)
    targets.push(text.slice(moduleRequest.start + 1, moduleRequest.end - 1));
  return targets.filter((target) => target.startsWith('.'));
}

/**
 * Circles of a graph, each as the list of its modules; the first imports the second, and the last imports the first.
 * @param imports module → modules that it imports
 * @returns one circle for each import that closes one, so that no circle is left when all of them are gone
 */
export function circlesOf(imports) {
  const circles = [];
  const done = new Set();
  const path = [];
  const visit = (module) => {
    const start = path.indexOf(module);
    if (start !== -1) circles.push(path.slice(start));
    if (start !== -1 || done.has(module)) return;
    path.push(module);
    for (const target of imports.get(module) ?? []) visit(target);
    path.pop();
    done.add(module);
  };
  for (const module of imports.keys()) visit(module);
  return circles;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const imports = new Map();
  for (const path of sourceFiles(ROOT, CODE_FOLDERS, MODULE)) {
    const targets = valueImports(path, readFileSync(join(ROOT, path), 'utf8'));
    imports.set(
      path,
      targets.map((target) => posix.join(posix.dirname(path), target)),
    );
  }
  const circles = circlesOf(imports);
  for (const circle of circles) console.error(`circle: ${[...circle, circle[0]].join(' → ')}`);
  console.log(`${imports.size} modules, ${circles.length} circles of imports`);
  if (circles.length > 0) process.exitCode = 1;
}
