// Who may import whom. A folder may import itself, what its line names, packages that its line names, and Node's own
// modules unless `pure`. gateway/index.ts and compose/ (the composition root) may import everything and nothing imports
// index.ts but the command line's `start`, the desktop shell and tests.
const any = '.*';
const ports = 'gateway/engine/ports/';
const call = 'gateway/call/';

const ARROWS = {
  // The basket key is a hash, and a bundle for the browser has no node:crypto. The tables and the enumerations
  // are constants that browsers read too.
  contract: {
    ours: ['gateway/domain/(candle-intervals|close-slippage|condition-table|enumerations|metrics)\\.ts$'],
    packages: ['zod', '@noble/hashes'],
    pure: true,
  },
  domain: { ours: [], packages: ['decimal.js'], pure: true },
  // Sentences, also for pages.
  words: { ours: ['gateway/domain/'], packages: [], pure: true },
  engine: { ours: ['gateway/domain/'], packages: [], pure: false },
  // Runs in browsers too; `ws` only where the platform has no WebSocket.
  client: { ours: ['gateway/contract/'], packages: ['ws', 'zod'], pure: true },
  venues: {
    ours: [
      'gateway/domain/',
      ports,
      'gateway/system/',
      'gateway/setting-source\\.ts$',
      'gateway/store/file/sqlite-handle\\.ts$',
    ],
    packages: [any],
    pure: false,
  },
  market: { ours: ['gateway/domain/', ports], packages: [any], pure: false },
  store: { ours: ['gateway/domain/', ports], packages: [any], pure: false },
  folder: {
    ours: [
      ports,
      'gateway/config\\.ts$',
      'gateway/system/',
      'gateway/store/file/sqlite-handle\\.ts$',
      'gateway/venues/paper/exchange/inspect-files\\.ts$',
    ],
    packages: [any],
    pure: false,
  },
  outgoing: { ours: ['gateway/domain/', 'gateway/words/', ports], packages: [], pure: false },
  vault: { ours: [ports, 'gateway/system/'], packages: [any], pure: false },
  auth: {
    ours: ['gateway/domain/', ports, 'gateway/contract/', call, 'gateway/system/'],
    packages: [any],
    pure: false,
  },
  oauth: {
    ours: ['gateway/domain/', ports, 'gateway/contract/', call, 'gateway/system/', 'gateway/auth/'],
    packages: [any],
    pure: false,
  },
  call: {
    ours: ['gateway/contract/', 'gateway/domain/', ports, 'gateway/engine/core/idempotency\\.ts$'],
    packages: [],
    pure: false,
  },
  http: {
    ours: [
      call,
      'gateway/contract/',
      'gateway/domain/',
      'gateway/engine/',
      'gateway/auth/',
      'gateway/oauth/',
      'gateway/market/',
      'gateway/outgoing/',
    ],
    packages: [any],
    pure: false,
  },
  mcp: {
    ours: [
      'gateway/contract/',
      'gateway/domain/',
      'gateway/words/',
      'gateway/engine/',
      'gateway/auth/',
      call,
    ],
    packages: [any],
    pure: false,
  },
  realtime: {
    ours: ['gateway/contract/', 'gateway/domain/', ports, call],
    packages: [any],
    pure: false,
  },
  system: { ours: [ports, 'gateway/domain/result\\.ts$'], packages: [any], pure: false },
};

/** Rooms of large folders, from the ground up: none reaches into one above it. Files beside them stand on those named before. */
const WINGS = {
  'gateway/engine': [
    'ports/',
    'core/',
    'notices/',
    'execution/',
    'account/',
    'portfolio/',
    'positions/',
    'resting/',
    'safety/',
    'approvals/',
    'engine\\.ts$',
  ],
  'gateway/venues/paper': [
    'market/',
    'accounts/',
    'disk/',
    'exchange/',
    'paper-settings\\.ts$',
    'venue/',
    'process/',
    'connector\\.ts$',
  ],
};

const OUR_CODE = '^(gateway|test|build|main|renderer)/';
const PACKAGE = '(^|/)node_modules/';

function only(folder, { ours, packages, pure }) {
  const from = { path: `^gateway/${folder}/` };
  const rules = [
    {
      name: `${folder}-arrows`,
      comment: `gateway/${folder} may import only ${['itself', ...ours].join(', ')} of ours`,
      severity: 'error',
      from,
      to: { path: OUR_CODE, pathNot: [`^gateway/${folder}/`, ...ours.map((path) => `^${path}`)] },
    },
  ];
  if (!packages.includes(any)) {
    rules.push({
      name: `${folder}-packages`,
      comment: `gateway/${folder} may use only these packages: ${packages.join(', ') || 'none'}`,
      severity: 'error',
      from,
      to: { path: PACKAGE, pathNot: packages.map((name) => `node_modules/${name.replace('.', '\\.')}/`) },
    });
  }
  if (pure) {
    rules.push({
      name: `${folder}-pure`,
      comment: `gateway/${folder} runs anywhere: none of Node's own modules`,
      severity: 'error',
      from,
      to: { dependencyTypes: ['core'] },
    });
  }
  return rules;
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(ARROWS).flatMap(([folder, arrow]) => only(folder, arrow)),
    ...Object.entries(WINGS).flatMap(([house, wings]) =>
      wings.slice(0, -1).map((wing, floor) => ({
        name: `${house}-${wing}-climbs-not`,
        comment: `${house}/${wing} may import only what lies below it: ${wings.slice(0, floor).join(', ') || 'nothing of this folder'}`,
        severity: 'error',
        from: { path: `^${house}/${wing}` },
        to: { path: `^${house}/(${wings.slice(floor + 1).join('|')})` },
      })),
    ),
    {
      name: 'venues-know-not-each-other',
      comment: 'a venue imports nothing of another one: what they share stands in engine/ports or domain',
      severity: 'error',
      from: { path: '^gateway/venues/([^/]+)/' },
      to: { path: '^gateway/venues/', pathNot: ['^gateway/venues/$1/', '^gateway/venues/venue-plug\\.ts$'] },
    },
    {
      name: 'live-venues-are-separate',
      comment: 'a live venue imports nothing of another live venue: shared code belongs in live/kit',
      severity: 'error',
      from: { path: '^gateway/venues/live/([^/]+)/' },
      to: {
        path: '^gateway/venues/live/[^/]+/',
        pathNot: ['^gateway/venues/live/$1/', '^gateway/venues/live/kit/'],
      },
    },
    {
      name: 'root-is-on-top',
      comment: 'nothing in the gateway imports the composition root, except the start command',
      severity: 'error',
      from: { path: '^gateway/', pathNot: '^gateway/(cli/commands/start|cli|load-gateway)\\.ts$' },
      to: { path: '^gateway/index\\.ts$' },
    },
    {
      name: 'parts-know-not-who-composes-them',
      comment: 'compose/ is the composition root in pieces',
      severity: 'error',
      from: { path: '^gateway/', pathNot: '^gateway/(compose/|index\\.ts$)' },
      to: { path: '^gateway/compose/' },
    },
    {
      name: 'nobody-imports-the-command-line',
      comment: 'the command line is an entry; only the settings share its flag parser',
      severity: 'error',
      from: { path: '^gateway/', pathNot: '^gateway/(cli/|cli\\.ts$|config\\.ts$|setting-source\\.ts$)' },
      to: { path: '^gateway/cli(/|\\.ts$)', pathNot: '^gateway/cli/version\\.ts$' },
    },
    {
      name: 'command-line-speaks-http',
      comment: 'commands call the running gateway; only the doctor looks at its files',
      severity: 'error',
      from: { path: '^gateway/cli/', pathNot: '^gateway/cli/(doctor/|bridge/kept-grant\\.ts$)' },
      to: {
        path: '^gateway/(engine|domain|venues|market|store|auth|oauth|http|mcp|realtime|vault)/',
        pathNot: [`^${ports}`, '^gateway/domain/result\\.ts$'],
      },
    },
    {
      name: 'bridge-keeps-its-own-secret',
      comment: 'of the gateway the bridge has one thing: the place for the secret that it was given itself',
      severity: 'error',
      from: { path: '^gateway/cli/bridge/kept-grant\\.ts$' },
      to: {
        path: '^gateway/(engine|domain|venues|market|store|auth|oauth|http|mcp|realtime)/',
        pathNot: [`^${ports}`],
      },
    },
    {
      name: 'shell-trades-not',
      comment:
        'the desktop app starts the gateway and speaks to it; of its code it shares only what both ends must agree on',
      severity: 'error',
      from: { path: '^main/' },
      to: {
        path: OUR_CODE,
        pathNot: ['^main/', '^gateway/contract/', '^gateway/system/(backoff|atomic-file)\\.ts$'],
      },
    },
    {
      name: 'electron-is-handed-in',
      comment: 'only the entries load it, so that every rule can be tested where its binary is not',
      severity: 'error',
      from: { path: '^main/', pathNot: '^main/(main|ipc/preload)\\.ts$' },
      to: { path: '(^electron$|node_modules/electron/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'product-imports-no-tests',
      severity: 'error',
      from: { path: '^(gateway|main|renderer)/' },
      to: { path: '^(test|build)/' },
    },
    {
      name: 'no-electron',
      severity: 'error',
      from: { path: '^gateway/' },
      to: { path: '(^electron$|node_modules/electron/)' },
    },
    {
      name: 'resolvable',
      comment: 'Electron is installed by those who run or pack the desktop app (main/package.json)',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^electron$' },
    },
    {
      name: 'no-dev-packages-in-the-product',
      severity: 'error',
      from: { path: '^gateway/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: PACKAGE },
    // The desktop app's own packages lie in main/; of them only Electron is imported. Those of test/witness and test/generators are tools.
    exclude: {
      path: ['^dist/', '^main/node_modules/(?!electron/)', '^test/(generators|witness)/node_modules/'],
    },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.cjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'require', 'types', 'default'],
    },
  },
};
