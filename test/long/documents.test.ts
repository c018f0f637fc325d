/**
 * Every block of code in README and `docs/` is run as it stands there, page by page, by a reader who types one after the
 * other: against a gateway in a process of its own, with what the reader fills in filled in. What cannot be run here is
 * named below with the reason.
 */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { transform } from 'esbuild';
import { consentVisitor } from '../support/consent-visitor.ts';
import { type Block, type Document, ROOT, readDocument, userDocuments } from '../support/documents.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { buildGateway, type GatewayProcess, launchGateway } from '../support/gateway-process.ts';
import { findPython, PYTHON_PACKAGES } from '../support/python.ts';
import { type ShellSession, shellSession } from '../support/shell-session.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const EMAIL = 'you@example.org';
const ADDRESS = 'http://127.0.0.1:7391';
/** Page that defines `call`, which other pages use. */
const CURL_PAGE = 'docs/using.md';

interface Named {
  readonly page: string;
  /** Beginning of the block's text. */
  readonly begins: string;
}

/** Read by bash, which finds its mistakes of spelling, and not run. */
const NOT_RUN: readonly (Named & { readonly why: string })[] = [
  { page: 'README.md', begins: 'npm ci && npm start', why: 'installs all packages anew and runs every test' },
  { page: 'README.md', begins: 'npm link', why: 'changes npm’s folder of the whole system' },
  { page: 'docs/using.md', begins: 'npm link', why: 'changes npm’s folder of the whole system' },
  { page: 'docs/desktop.md', begins: 'npm run desktop', why: 'downloads Electron' },
  { page: 'docs/performance.md', begins: 'npm run bench', why: 'takes minutes on a quiet machine' },
  { page: 'docs/running.md', begins: 'npm ci && npm run release', why: 'installed-archive.test.ts does it' },
  { page: 'docs/running.md', begins: 'tar -xzf', why: 'installed-archive.test.ts does it' },
  {
    page: 'docs/running.md',
    begins: 'mkdir -p -m 700',
    why: 'changes the services of the user; services.test.ts has the unit',
  },
  {
    page: 'docs/running.md',
    begins: 'cp build/service/org.tandem',
    why: 'macOS only; services.test.ts has the agent',
  },
  {
    page: 'docs/command-line.md',
    begins: 'tandem stop',
    why: 'ends the gateway of the page; cli-trading.test.ts does it',
  },
  {
    page: 'docs/webhooks.md',
    begins: '// receiver.mjs',
    why: 'waits for deliveries; webhook-receivers.test.ts makes them',
  },
  {
    page: 'docs/webhooks.md',
    begins: '# receiver.py',
    why: 'waits for deliveries; webhook-receivers.test.ts makes them',
  },
  {
    page: 'docs/webhooks.md',
    begins: '# plain.py',
    why: 'waits for deliveries; webhook-receivers.test.ts makes them',
  },
  {
    page: 'docs/container.md',
    begins: 'cd build/container',
    why: 'needs a container runtime; in-chroot.sh does its steps',
  },
  {
    page: 'docs/container.md',
    begins: 'docker compose stop',
    why: 'needs a container runtime; in-chroot.sh does its steps',
  },
  { page: 'docs/running.md', begins: 'schtasks', why: 'Windows only; services.test.ts has the task' },
];

/** Goes on until it is stopped. The sign that it works. */
const GOES_ON: readonly (Named & { readonly sign: RegExp })[] = [
  { page: 'docs/using.md', begins: 'tandem tail', sign: /position\.created/ },
  { page: 'docs/command-line.md', begins: 'tandem watch', sign: /PAPER {2}equity/ },
  { page: 'docs/webhooks.md', begins: 'tandem listen', sign: /They are signed with/ },
  { page: 'docs/paper-venues.md', begins: 'npm start -- --port 7400', sign: /Tandem is ready at/ },
];

/** Run as they are by tests of their own. */
const BOTS: readonly (Named & { readonly by: string })[] = [
  { page: 'README.md', begins: 'import { createClient', by: 'test/api/readme-bot.test.ts' },
  { page: 'docs/bots.md', begins: '// signal.mjs', by: 'test/api/readme-bot.test.ts' },
  { page: 'docs/bots.md', begins: 'import { randomUUID }', by: 'test/api/cli.test.ts' },
];

/** Pages that make the first user themselves. */
const FIRST_USER = ['README.md', 'docs/using.md'];

/** Programs used by the examples besides `tandem` and npm. */
const PROGRAMS = ['bash', 'curl', 'jq', 'openssl'];

const PAGES = userDocuments();
const is = (block: Block) => (named: Named) =>
  named.page === block.page && block.code.startsWith(named.begins);

/** Two answers of one kind: figures and what depends on them may differ. */
const shapeOf = (printed: string) =>
  printed
    .trim()
    .replaceAll(/you (receive|pay)|pays? nothing/g, 'you pay')
    .replaceAll(/[-+−]?\d[\d,.]*/g, '#')
    .replaceAll(/ +/g, ' ');

function defining({ page, blocks }: Document, what: string): string {
  const found = blocks.find(({ code }) => code.includes(what));
  if (found === undefined) throw new Error(`${page} has no ${what}`);
  return found.code;
}

/** A reader with a page, a gateway and a terminal of its own. */
class Reader {
  readonly #dataDir: string;
  readonly #session: ShellSession;
  #gateway: GatewayProcess;
  #url = '';

  private constructor(dataDir: string, session: ShellSession) {
    this.#dataDir = dataDir;
    this.#session = session;
    this.#gateway = launchGateway({ dataDir });
  }

  /** But on a page that makes them, the reader has a user, a key and `call` already. */
  static async open({ page }: Document): Promise<Reader> {
    const folder = await temporaryFolder();
    const dataDir = join(folder, 'data');
    const settings = { TANDEM_DATA_DIR: dataDir, TANDEM_VAULT: 'file', TANDEM_PASSWORD: PASSWORD };
    const reader = new Reader(dataDir, await shellSession(folder, settings));
    if (!FIRST_USER.includes(page)) {
      await reader.#gatewayIsReady();
      await reader.#session.run(`tandem keys create --email ${EMAIL} --save`);
      const [exports = '', call = ''] = defining(readDocument(CURL_PAGE), 'call() {').split('\n\n');
      await reader.#session.run(await reader.#filledIn(`${exports}\n${call}`));
    }
    return reader;
  }

  async end(): Promise<void> {
    await this.#session.end();
    await this.#gateway.stop('SIGKILL');
  }

  async run(block: Block): Promise<string> {
    const port = await this.#gatewayIsReady();
    const code = await this.#filledIn(block.code);
    const goesOn = GOES_ON.find(is(block));
    if (goesOn !== undefined) {
      const begun = await this.#session.begin(code, goesOn.sign);
      if (code.startsWith('tandem tail')) expect(await begun.interrupt()).to.equal(0);
      return '';
    }
    const printed = await this.#session.run(`export TANDEM_PORT=${port}\n${code}\nunset TANDEM_PORT`);
    if (code.includes('kill -9')) await this.#restart();
    return printed;
  }

  /** A program that the reader has written into a file. */
  runFile(
    command: string,
    { name, code }: { readonly name: string; readonly code: string },
  ): Promise<string> {
    return this.#session.run(
      `cat > ${name} <<'END OF FILE'\n${code}\nEND OF FILE\nTANDEM_URL=${this.#url} ${command}`,
    );
  }

  async #gatewayIsReady(): Promise<number> {
    const { url, port } = await this.#gateway.ready;
    this.#url = url;
    return port;
  }

  async #restart(): Promise<void> {
    expect((await this.#gateway.ended).signal).to.equal('SIGKILL');
    this.#gateway = launchGateway({ dataDir: this.#dataDir });
    await this.#gatewayIsReady();
  }

  /** Replaces placeholders in `code` as a reader would. */
  async #filledIn(code: string): Promise<string> {
    let filled = code.replaceAll(ADDRESS, this.#url).replace('--port 7400', '--port 0');
    if (filled.includes('tdm_…')) filled = filled.replace('tdm_…', await this.#key());
    if (filled.includes('kill -9 4656')) filled = filled.replaceAll('4656', String(this.#gateway.pid));
    if (filled.includes('ebb416914694')) filled = filled.replace('ebb416914694', await this.#openPosition());
    if (filled.startsWith('CODE=…')) filled = filled.replace('…', await this.#codeOfConsent());
    expect(filled.replaceAll(/#.*/g, ''), 'what nobody fills in').not.to.contain('…');
    return filled;
  }

  async #key(): Promise<string> {
    return JSON.parse(await readFile(join(this.#dataDir, 'cli.json'), 'utf8')).apiKey;
  }

  async #openPosition(): Promise<string> {
    const [, id] = /^.* ([0-9a-f]{12})$/m.exec(await this.#session.run('tandem positions')) ?? [];
    if (id === undefined) throw new Error('tandem positions shows no position');
    return id;
  }

  /** Opens the address that was printed, signs in and allows. */
  async #codeOfConsent(): Promise<string> {
    const [address] = this.#session.printed.match(/http:\S+\/authorize\S+/) ?? [];
    if (address === undefined) throw new Error('no address to open was printed');
    const visitor = consentVisitor(
      { port: Number(new URL(this.#url).port) },
      { email: EMAIL, password: PASSWORD },
    );
    return (await visitor.allow(address, ['mcp:read', 'mcp:write'])).searchParams.get('code') ?? '';
  }
}

/** Guides show parts of a file: statements, members of a class or an interface, entries of an object or a list. */
const FRAMES: readonly ((code: string) => string)[] = [
  (code) => code,
  (code) => `({ ${code} });`,
  (code) => `[ ${code} ];`,
  (code) => `interface Part { ${code} }`,
  (code) => `class Part { ${code} }`,
  (code) => `function part() { ${code} }`,
  (code) => `switch (0) { ${code} }`,
];

async function parse({ page, language, code }: Block): Promise<void> {
  if (language === 'json') JSON.parse(code);
  if (language === 'sh')
    expect(spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' }).stderr).to.equal('');
  if (!isScript(language)) return;
  if (!isGuide(page)) await transform(code, { loader: language, logLevel: 'silent' });
  // Parts of several places are apart by an empty line.
  else if (!(await isPart(code, language)))
    for (const part of code.split('\n\n'))
      if (!(await isPart(part, language))) throw new Error(`no code: ${part}`);
}

async function isPart(code: string, loader: Script): Promise<boolean> {
  // It may end with a comment.
  const named = `${code.replaceAll('this.#', 'this.')}\n`;
  const tried = FRAMES.map((frame) => transform(frame(named), { loader, logLevel: 'silent' }));
  return (await Promise.allSettled(tried)).some(({ status }) => status === 'fulfilled');
}

const SCRIPTS = ['ts', 'tsx', 'js'] as const;
type Script = (typeof SCRIPTS)[number];
const isScript = (language: string): language is Script => SCRIPTS.some((one) => one === language);
/** `text`, `yaml` (settings of other programs) and `bat` (commands of Windows) are only shown; `output` is what the block before prints. */
const LANGUAGES = [...SCRIPTS, 'sh', 'output', 'python', 'json', 'yaml', 'text', 'bat'];
/** Its commands are the checks and tests themselves. */
const isGuide = (page: string) => page.startsWith('docs/contributing/');

describe('the examples of README and docs', () => {
  before(buildGateway);

  it('are of a language that is looked at, and what is not run exists', async () => {
    const blocks = PAGES.flatMap((page) => page.blocks);
    for (const block of blocks) {
      const where = `${block.page}:${block.line}`;
      if (isGuide(block.page) && block.language === '') continue;
      expect(LANGUAGES, where).to.include(block.language);
      await parse(block).catch((error) => expect.fail(`${where}: ${error}`));
    }
    for (const named of [...NOT_RUN, ...GOES_ON, ...BOTS])
      expect(
        blocks.filter((block) => is(block)(named)),
        named.begins,
      ).to.have.length(1);
    const bots = blocks.filter(
      (block) => isScript(block.language) && !isGuide(block.page) && !NOT_RUN.some(is(block)),
    );
    expect(
      bots.map((block) => BOTS.find(is(block))?.begins ?? `${block.page}:${block.line}`),
    ).to.have.members(BOTS.map(({ begins }) => begins));
  });

  /** Each page with a reader of its own, all at once: most of it is waiting. */
  const reading = new Map<string, Promise<void>>();
  const pages = PAGES.map((page) => ({
    page: page.page,
    blocks: page.blocks.filter((block) => !NOT_RUN.some(is(block))),
    document: page,
  })).filter(({ page, blocks }) => !isGuide(page) && blocks.some(({ language }) => language === 'sh'));

  async function read(document: Document, blocks: readonly Block[]): Promise<void> {
    const reader = await Reader.open(document);
    try {
      let printed = '';
      for (const block of blocks) {
        const where = `${block.page}:${block.line}`;
        if (block.language === 'output') expect(shapeOf(printed), where).to.equal(shapeOf(block.code));
        if (block.language !== 'sh') continue;
        printed = await reader.run(block).catch((error) => expect.fail(`${where}: ${error.message}`));
        // jq prints null for a missing field.
        expect(printed, where).not.to.match(/^null$/m);
      }
    } finally {
      await reader.end();
    }
  }

  for (const { page } of pages)
    it(`of ${page} work`, async function () {
      const missing = PROGRAMS.filter((name) => spawnSync(name, ['--version']).error !== undefined);
      if (missing.length > 0) {
        console.warn(`    *** THE EXAMPLES OF ${page} HAVE NOT BEEN RUN: no ${missing.join(', ')} here ***`);
        return this.skip();
      }
      if (reading.size === 0)
        for (const one of pages) {
          const done = read(one.document, one.blocks);
          // Told by the test of its page.
          done.catch(() => undefined);
          reading.set(one.page, done);
        }
      await reading.get(page);
    });

  it('in Python work', async function () {
    const bots = PAGES.flatMap(({ blocks }) =>
      blocks.filter((block) => block.language === 'python' && !NOT_RUN.some(is(block))),
    );
    expect(bots).to.have.length(2);
    const python = findPython('requests');
    if (python === null) {
      console.warn(
        `    *** THE BOTS IN PYTHON HAVE NOT BEEN RUN: no python3 with ${PYTHON_PACKAGES} here ***`,
      );
      return this.skip();
    }
    const reader = await Reader.open(readDocument('docs/bots.md'));
    try {
      for (const { code } of bots) {
        const command = `PYTHONPATH=${join(ROOT, 'gateway/client/python')} ${python} bot.py`;
        const said = await reader.runFile(command, { name: 'bot.py', code });
        expect(said).to.match(
          /^COMPLETED\s+gross [\d.]+ unrealised -?[\d.]+\s+(COMPLETED|position\.closed PAPER)\s*$/,
        );
      }
    } finally {
      await reader.end();
    }
  });
});
