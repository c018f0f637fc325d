// Bundles the gateway into dist/gateway.cjs: one CommonJS file, because V8's code cache works on scripts, and because a
// module that is imported dynamically inside it runs only when it is asked for. Native and asset packages stay outside.
// Beside it the client library, dist/client, the dashboard, dist/renderer, the consent page, dist/consent, and the made
// modules of the Python library.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { fingerprint, lacksSqliteBinary } = createRequire(import.meta.url)('./fresh.cjs');
const DIST = join(ROOT, 'dist');
const BUNDLE = join(DIST, 'gateway.cjs');
/** The client library: modules for Node and for browsers, with only the running code of the contract. */
const CLIENT = join(DIST, 'client');
/** Stamp of the bundle: its time (as modification time), its id and the hash of its sources; written last. */
const STAMP = join(DIST, 'build.json');

/** Native addons, and packages that read files beside their own code. */
const OUTSIDE = ['sqlite3', 'keytar', '@node-rs/argon2', 'swagger-ui-dist'];

/**
 * Packages that TypeORM loads by name for databases that the gateway does not use, and ws for optional speed-ups.
 */
const NEVER = [
  '@google-cloud/spanner',
  '@sap/hana-client',
  '@sap/hana-client/extension/Stream',
  'better-sqlite3',
  'expo-sqlite',
  'hdb-pool',
  'ioredis',
  'mongodb',
  'mssql',
  'mysql',
  'mysql2',
  'oracledb',
  'pg',
  'pg-native',
  'pg-query-stream',
  'react-native-sqlite-storage',
  'redis',
  'sql.js',
  'typeorm-aurora-data-api-driver',
  'bufferutil',
  'utf-8-validate',
];

/** Large packages that few processes ever ask for: each in a file of its own, which is read when it is asked for. */
const LATE = ['typeorm', 'viem/utils', 'iconv-lite', 'mime-types', 'jose', 'unhomoglyph'];
const lateName = (name) => `late-${name.replace('/', '-')}`;
/**
 * Programs of live venues, loaded with the first account that uses them, and of agents, loaded with their first request:
 * the screener's thread, started with the first question for it:
 * what imports the file asks for `late-<name>` instead. They bring their own copies of the packages that the gateway has too, so no class may cross between them.
 */
const LATE_PROGRAMS = {
  hyperliquid: 'gateway/venues/live/hyperliquid/hyperliquid-venue.ts',
  lighter: 'gateway/venues/live/lighter/lighter-venue.ts',
  mcp: 'gateway/mcp/program.ts',
  screener: 'gateway/market/screener/screen-thread.ts',
};
const lateFiles = {
  name: 'late-files',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, kind, resolveDir }) => {
      if (kind === 'entry-point') return undefined;
      if (LATE.includes(path)) return { path: `./${lateName(path)}.cjs`, external: true };
      if (kind !== 'dynamic-import') return undefined;
      const program = Object.entries(LATE_PROGRAMS).find(
        ([, file]) => resolve(resolveDir, path) === join(ROOT, file),
      );
      return program && { path: `./${lateName(program[0])}.cjs`, external: true };
    });
  },
};

/**
 * Packages that are large, or build large tables when they are loaded, for calls that a gateway hardly makes (Koa knows
 * the type of every file name, the body reader every character set, ws is a client too; the gateway needs none of it):
 * stubs of their functions load the package at the first call.
 */
const LAZY = {
  'mime-types': { functions: ['charset', 'contentType', 'extension', 'lookup'] },
  'iconv-lite': { functions: ['decode', 'encode', 'encodingExists', 'getDecoder', 'getEncoder'] },
  https: { functions: ['get', 'request'], importer: /\/node_modules\/ws\// },
  tls: { functions: ['connect'], importer: /\/node_modules\/ws\// },
};
/**
 * Parts of pino that write logs from a thread of their own. The gateway writes its log itself, so these parts would
 * only load modules for threads at every start.
 */
const UNUSED = {
  'thread-stream': '',
  worker_threads: 'exports.isMainThread = true;',
};
const withoutThreads = {
  name: 'without-threads',
  setup(build) {
    build.onResolve({ filter: /^(thread-stream|worker_threads)$/ }, ({ path, importer }) =>
      /\/node_modules\/pino\//.test(importer) ? { path, namespace: 'unused' } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'unused' }, ({ path }) => ({ contents: UNUSED[path] }));
  },
};
const lazyPackages = {
  name: 'lazy-packages',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, importer, namespace, kind, resolveDir }) => {
      const lazy = Object.hasOwn(LAZY, path) ? LAZY[path] : undefined;
      if (lazy === undefined || kind === 'entry-point' || namespace === 'lazy') return undefined;
      if (lazy.importer?.test(importer) === false) return undefined;
      return { path, namespace: 'lazy', pluginData: { resolveDir } };
    });
    build.onLoad({ filter: /./, namespace: 'lazy' }, ({ path, pluginData: { resolveDir } }) => ({
      contents: LAZY[path].functions
        .map((fn) => `exports.${fn} = (...values) => require(${JSON.stringify(path)}).${fn}(...values);`)
        .join('\n'),
      resolveDir,
    }));
  },
};

/** Leaves out zod's messages in sixty languages: the gateway speaks English only. */
const oneLanguage = {
  name: 'one-language',
  setup(build) {
    build.onLoad({ filter: /\/node_modules\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** Resolves with esbuild's metafile. Rejects with readable messages when the sources do not bundle. */
export async function bundle() {
  const { build } = await import('esbuild');
  mkdirSync(DIST, { recursive: true });
  const startedAt = new Date();
  const sources = fingerprint('gateway');
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: {
      gateway: 'gateway/cli.ts',
      // The test settings lie beside the program: package.json and electron-builder.yml leave them out of shipped
      // packages.
      'test-settings': 'gateway/test-settings.ts',
      ...Object.fromEntries(LATE.map((name) => [lateName(name), name])),
      ...Object.fromEntries(Object.entries(LATE_PROGRAMS).map(([name, file]) => [lateName(name), file])),
    },
    plugins: [lazyPackages, lateFiles, oneLanguage, withoutThreads],
    outdir: DIST,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    // The bundle runs as a vm.Script, where `import()` of the packages outside would need a loader: require does.
    supported: { 'dynamic-import': false },
    external: [...OUTSIDE, ...NEVER, ...builtinModules],
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    // Minifying halves the text to read at every start; names stay, for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: 'external',
    metafile: true,
    write: false,
    legalComments: 'none',
    logLevel: 'warning',
  });
  // Each file is replaced whole: another start may read it while this one builds.
  for (const file of result.outputFiles)
    replaceFile(join(DIST, file.path.slice(DIST.length + 1)), file.contents);
  await bundleClient(build);
  await bundlePages();
  writePythonClient();
  writeManual();
  const [code] = result.outputFiles.filter((file) => file.path === BUNDLE);
  const id = createHash('sha256').update(code.contents).digest('hex').slice(0, 16);
  for (const name of readdirSync(DIST)) {
    if (name.endsWith('.cache') && !name.startsWith(`${id}.`)) rmSync(join(DIST, name), { force: true });
  }
  replaceFile(STAMP, `${JSON.stringify({ id, sources })}\n`);
  // Sources saved during the bundling may be missing from the bundle: the stamp gets the starting time.
  utimesSync(STAMP, startedAt, startedAt);
  return result.metafile;
}

/**
 * The manual page that npm installs beside the command, as the command itself prints it. Where the database's driver has
 * not been compiled yet no command runs; whoever packs or links the package has it.
 */
function writeManual() {
  if (lacksSqliteBinary()) return;
  const page = execFileSync(process.execPath, [BUNDLE, 'man'], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  mkdirSync(join(DIST, 'man'), { recursive: true });
  replaceFile(join(DIST, 'man', 'tandem.1'), page);
}

/** Its generator is TypeScript: a process of its own reads that. */
function writePythonClient() {
  execFileSync(process.execPath, ['--import', 'tsx', join('build', 'python-client.ts')], { cwd: ROOT });
}

async function bundlePages() {
  const { build } = await import('vite');
  for (const name of ['vite.config.mjs', 'consent.config.mjs'])
    await build({ configFile: join(ROOT, 'build', name), mode: 'production' });
}

async function bundleClient(build) {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['gateway/client/client.ts', 'gateway/client/contract-check.ts'],
    outdir: CLIENT,
    bundle: true,
    // Shared code is split off, so that both entries throw the same classes.
    splitting: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    format: 'esm',
    // Only a Node without a WebSocket of its own loads `ws`.
    external: ['ws'],
    write: false,
    legalComments: 'none',
    logLevel: 'warning',
  });
  mkdirSync(CLIENT, { recursive: true });
  for (const { path, contents } of outputFiles) replaceFile(path, contents);
  const made = new Set(outputFiles.map(({ path }) => path));
  for (const name of readdirSync(CLIENT)) {
    if (name.endsWith('.js') && !made.has(join(CLIENT, name))) rmSync(join(CLIENT, name), { force: true });
  }
}

function replaceFile(path, content) {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, content);
  renameSync(draft, path);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const started = performance.now();
  const { outputs } = await bundle();
  const bytes = outputs['dist/gateway.cjs']?.bytes ?? 0;
  console.log(
    `dist/gateway.cjs: ${(bytes / 1e6).toFixed(1)} MB in ${Math.round(performance.now() - started)} ms`,
  );
}
