/** Samples of calls are run, not read: by the shell and by Python where they are there, and by the TypeScript of these tests. */
import { execFile, execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { promisify } from 'node:util';
import { expect } from 'chai';
import {
  codeSample,
  isSessionOnly,
  pythonLiteral,
  type SampledCall,
} from '../../../renderer/screens/developers/code-samples.ts';
import { listenLocally } from '../../support/local-port.ts';

const run = promisify(execFile);
const BODY = {
  label: `it's "quoted" \\ $HOME \`x\` ü`,
  amount: '500',
  nested: [{ reduceOnly: true, stop: null, weight: 0.25 }],
  empty: {},
};
const CALL: SampledCall = {
  method: 'POST',
  path: "/trade/open?dryRun=true&note=it's",
  headers: {
    'content-type': 'application/json',
    'x-trade-account-id': 'account-1',
    'idempotency-key': 'used',
  },
  body: JSON.stringify(BODY),
};

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a call as a program', () => {
  let server: Server;
  let origin = '';
  const seen: {
    method: unknown;
    url: unknown;
    key: unknown;
    account: unknown;
    idempotency: unknown;
    body: string;
  }[] = [];

  before(async () => {
    server = createServer((req, res) => {
      let body = '';
      req.on('data', (chunk) => {
        body += chunk;
      });
      req.on('end', () => {
        const {
          'x-api-key': key,
          'x-trade-account-id': account,
          'idempotency-key': idempotency,
        } = req.headers;
        seen.push({ method: req.method, url: req.url, key, account, idempotency, body });
        res.end('{}');
      });
    });
    origin = `http://127.0.0.1:${await listenLocally(server)}`;
  });
  beforeEach(() => seen.splice(0));
  after(() => {
    server.close();
  });

  const env = { ...process.env, TANDEM_API_KEY: 'tdm_test' };

  function expectTheCall(): void {
    expect(seen).to.have.length(1);
    const [call] = seen;
    expect(call).to.include({ method: 'POST', key: 'tdm_test', account: 'account-1' });
    expect(decodeURIComponent(String(call?.url))).to.equal(CALL.path);
    // Sent again under its old key it would be answered with the old order.
    expect(call?.idempotency).to.not.equal('used');
    expect(JSON.parse(call?.body ?? '')).to.deep.equal(BODY);
  }

  it('of curl', async function () {
    if (!has('curl')) this.skip();
    await run('sh', ['-c', codeSample('curl', origin, CALL)], { env });
    expectTheCall();
  });

  it('of TypeScript', async () => {
    const code = codeSample('TypeScript', origin, CALL);
    await run(process.execPath, ['--input-type=module', '--eval', code], { env });
    expectTheCall();
  });

  it('of Python', async function () {
    if (!has('python3')) this.skip();
    // `requests` may not be installed: a stand-in with its signature sends the same.
    const standIn = [
      'import sys, types, json, urllib.request',
      'def request(method, url, headers=None, json=None, timeout=None):',
      '    import json as j',
      '    data = None if json is None else j.dumps(json).encode()',
      '    r = urllib.request.urlopen(urllib.request.Request(url, data, headers or {}, method=method), timeout=timeout)',
      '    return types.SimpleNamespace(status_code=r.status, text=r.read().decode())',
      "sys.modules['requests'] = types.SimpleNamespace(request=request)",
      '',
    ].join('\n');
    await run('python3', ['-c', standIn + codeSample('Python', origin, CALL)], { env });
    expectTheCall();
  });

  it('says when no key may make it', () => {
    const call = { ...CALL, method: 'POST', path: '/api-keys' };
    for (const language of ['curl', 'TypeScript', 'Python'] as const)
      expect(codeSample(language, origin, call)).to.match(/^(#|\/\/) Only a signed-in session/);
    expect(isSessionOnly({ method: 'GET', path: '/integrations' })).to.equal(false);
    expect(isSessionOnly({ method: 'POST', path: '/integrations' })).to.equal(true);
    expect(isSessionOnly({ method: 'GET', path: '/audit-log?limit=5' })).to.equal(true);
    expect(isSessionOnly({ method: 'POST', path: '/trade/open' })).to.equal(false);
  });

  it('has values as Python writes them', () => {
    expect(pythonLiteral([])).to.equal('[]');
    expect(pythonLiteral({ a: [true, false, null] })).to.equal(
      '{\n    "a": [\n        True,\n        False,\n        None,\n    ],\n}',
    );
  });
});
