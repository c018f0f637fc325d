// Selects the tests of a changed file by the import graph. Unit tests come first, the nearest before all others, then API
// tests: the one of the same name, and those that use the file's folder end to end.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parse } from './operators.mjs';

const MOST_UNIT_TESTS = 25;
const CODE_FOLDERS = ['gateway', 'renderer', 'main', 'build', 'test'];
const UNIT_TESTS = /^test\/(unit|venue-spec)\/.*\.test\.ts$/;

/** Tests that start the built program would build it for each mutant. */
const BUILDS = /tandem\.cjs|start\.cjs|bundle\.mjs/;

/** API tests by the folder they check, in the order they run. Those that do not exist are left out. */
const API_TESTS = {
  engine: [
    ...[
      'trading',
      'closing',
      'executions',
      'orders',
      'fills',
      'brackets',
      'triggers',
      'schedules',
      'positions',
    ],
    ...['position-actions', 'protection', 'approvals', 'mandates', 'safety', 'auto-rebalance'],
  ],
  domain: [
    ...[
      'trading',
      'closing',
      'positions',
      'fills',
      'brackets',
      'triggers',
      'schedules',
      'portfolio',
      'mandates',
    ],
    ...['safety', 'limits', 'basket-analytics', 'pair-analytics', 'market-data', 'baskets'],
  ],
  store: [
    ...['executions', 'orders', 'fills', 'positions', 'closed-trades', 'portfolio', 'triggers', 'schedules'],
    ...['saved-baskets', 'approvals', 'mandates', 'oauth-grants', 'api-keys', 'audit-log', 'candles'],
  ],
  auth: [
    ...[
      'auth',
      'api-keys',
      'authority',
      'trade-accounts',
      'exchange-connection',
      'exchange-setup',
      'setup-code',
    ],
    ...['mandates', 'oauth-grants', 'wallet-approvals', 'bound-sessions', 'other-users', 'audit-log'],
    ...['account-marks', 'venue-check'],
  ],
  venues: [
    ...['trading', 'orders', 'fills', 'positions', 'paper-faults', 'live-depth', 'market-data', 'fee'],
    ...['hyperliquid', 'hyperliquid-reduce-only', 'hyperliquid-fees', 'lighter', 'lighter-money'],
    ...['venue-order-check', 'venue-history'],
  ],
};

/** Files under `root`, each with the files it imports and whether it builds the program. */
export function readGraph(root) {
  const files = CODE_FOLDERS.flatMap((folder) => sourcesIn(root, folder));
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const imports = importsOf(text, file).filter((other) => known.has(other));
      return [file, { imports, builds: file.startsWith('test/') && BUILDS.test(text) }];
    }),
  );
}

function sourcesIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourcesIn(root, name);
    return /(?<!\.d)\.(ts|tsx|mjs)$/.test(name) ? [name] : [];
  });
}

/** Files named by imports, by `import()` and by `new URL(…, import.meta.url)`. Imports of types alone do not count. */
function importsOf(text, file) {
  const names = [];
  const visit = (value) => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
      return;
    }
    const name = specifierOf(value);
    if (name !== undefined) names.push(name);
    for (const child of Object.values(value)) visit(child);
  };
  visit(parse(text, { tsx: file.endsWith('.tsx') }).body);
  return names.map((name) => posix.join(posix.dirname(file), name));
}

function specifierOf(node) {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return node.typeOnly === true || !node.source?.value.startsWith('.') ? undefined : node.source.value;
    case 'CallExpression':
      return node.callee.type === 'Import' ? node.arguments[0]?.expression.value : undefined;
    case 'NewExpression':
      return node.callee.value === 'URL' && node.arguments?.length === 2
        ? node.arguments[0].expression.value
        : undefined;
    default:
      return undefined;
  }
}

/** Every file that a file reaches, itself included, with the number of imports between them. */
function reachOf(graph, from) {
  const distances = new Map([[from, 0]]);
  for (const [file, distance] of distances)
    for (const next of graph.get(file)?.imports ?? [])
      if (!distances.has(next)) distances.set(next, distance + 1);
  return distances;
}

/** Tells the tests of a file: `{ unit, api }`, each in the order to run them. */
export function relatedTests(graph) {
  const reaches = new Map();
  for (const file of graph.keys()) {
    if (!UNIT_TESTS.test(file) && !/^test\/api\/.*\.test\.ts$/.test(file)) continue;
    const reach = reachOf(graph, file);
    if (![...reach.keys()].some((name) => graph.get(name).builds)) reaches.set(file, reach);
  }
  return (file) => {
    const unit = [...reaches]
      .filter(([test, reach]) => UNIT_TESTS.test(test) && reach.has(file))
      .map(([test, reach]) => ({ test, distance: reach.get(file), size: reach.size }))
      .sort((a, b) => a.distance - b.distance || a.size - b.size || a.test.localeCompare(b.test))
      .slice(0, MOST_UNIT_TESTS)
      .map(({ test }) => test);
    const sameName = posix.basename(file, '.ts');
    const api = [...new Set([sameName, ...(API_TESTS[file.split('/')[1]] ?? [])])]
      .map((name) => `test/api/${name}.test.ts`)
      .filter((test) => reaches.get(test)?.has(file) === true);
    return { unit, api };
  };
}
