/** A stock Prometheus scrapes the gateway, with the configuration of the documentation; a dashboard asks it for series that are there. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT, readDocument } from '../support/documents.ts';
import { buildGateway, type GatewayProcess, launchGateway } from '../support/gateway-process.ts';
import type { Json } from '../support/json.ts';
import { freePort } from '../support/local-port.ts';
import { runTandem } from '../support/tandem-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from './support/until.ts';

const NOBODY = 65_534;

describe('metrics for a stock Prometheus', () => {
  let dataDir = '';
  let key = '';
  let gateway: GatewayProcess;
  let prometheus: ChildProcess | null = null;
  /** Another user than the gateway's, where this process may become one. */
  const asOther = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

  const start = async (port: number, ...flags: string[]) => {
    gateway = launchGateway({ dataDir, port, flags });
    await gateway.ready;
  };

  before(async () => {
    buildGateway();
    dataDir = await temporaryFolder();
    await start(await freePort());
    const create = 'keys create --label prometheus --scope read --email ada@example.test';
    const made = await runTandem([...create.split(' '), '--data-dir', dataDir], {
      env: { TANDEM_PASSWORD: 'correct horse battery' },
    });
    expect(made.code, made.err).to.equal(0);
    key = made.out;
  });
  after(async () => {
    prometheus?.kill('SIGKILL');
    await gateway.stop('SIGKILL');
  });

  it('takes an API key as a bearer token on /metrics and nowhere else', async () => {
    const { url } = await gateway.ready;
    const ask = (path: string, authorization: string) =>
      fetch(`${url}${path}`, { headers: { authorization } });
    const metrics = await ask('/metrics', `Bearer ${key}`);
    expect([metrics.status, metrics.headers.get('content-type')]).to.deep.equal([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect((await ask('/metrics', `Bearer ${key.slice(0, -1)}x`)).status).to.equal(401);
    expect((await ask('/trade-accounts', `Bearer ${key}`)).status).to.equal(401);
    expect((await ask('/metrics', '')).status).to.equal(401);
    if (spawnSync('promtool', ['--version']).status !== 0) return;
    const input = await (await ask('/metrics', `Bearer ${key}`)).text();
    const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
    expect([status, stderr]).to.deep.equal([0, '']);
  });

  it('is scraped as the documentation says, by its own user where that is allowed', async function () {
    if (spawnSync('prometheus', ['--version']).status !== 0) {
      console.error(
        '      *** NO PROMETHEUS HAS SCRAPED THE GATEWAY: it is not installed (apt-get install prometheus) ***',
      );
      this.skip();
    }
    const home = await temporaryFolder();
    const keyFile = join(home, 'tandem-key');
    await writeFile(keyFile, key);
    const { port } = await gateway.ready;
    const config =
      readDocument('docs/running.md').blocks.find(({ code }) => code.startsWith('scrape_configs'))?.code ??
      '';
    expect(config).to.contain('/etc/prometheus/tandem-key').and.to.contain('127.0.0.1:7391');
    await writeFile(
      join(home, 'prometheus.yml'),
      `global: { scrape_interval: 1s }\n${config.replace('/etc/prometheus/tandem-key', keyFile).replace(':7391', `:${port}`)}\n`,
    );
    await chmod(home, 0o755);
    if ('uid' in asOther) await chown(home, NOBODY, NOBODY);
    const own = await freePort();
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${join(home, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(home, 'data')}`,
        `--web.listen-address=127.0.0.1:${own}`,
      ],
      { cwd: home, stdio: 'ignore', ...asOther },
    );
    const query = async (path: string): Promise<Json> => {
      const answer = await fetch(`http://127.0.0.1:${own}/api/v1/${path}`).catch(() => null);
      return answer?.ok === true ? await answer.json() : null;
    };
    const health = async (): Promise<string> =>
      (await query('targets'))?.data.activeTargets[0]?.health ?? 'unknown';
    if ('uid' in asOther) {
      await until('Prometheus is refused', async () => (await health()) === 'down');
      await gateway.stop('SIGTERM');
      await start(port, '--allow-user', 'nobody');
    }
    await until('Prometheus is let in', async () => (await health()) === 'up');

    const dashboard: Json = JSON.parse(await readFile(join(ROOT, 'docs', 'grafana-dashboard.json'), 'utf8'));
    const asked = dashboard.panels.flatMap(({ targets }: Json) => targets.map(({ expr }: Json) => expr));
    for (const expr of asked) {
      const plain = String(expr).replaceAll('$job', 'tandem').replaceAll('$__rate_interval', '1m');
      const result = await query(`query?query=${encodeURIComponent(plain)}`);
      expect(result?.status, plain).to.equal('success');
      for (const [name] of plain.matchAll(/\b(tandem|process)_\w+|\bup\b/g)) {
        const series = await query(`query?query=${encodeURIComponent(`${name}{job="tandem"}`)}`);
        expect(series.data.result, name).not.to.deep.equal([]);
      }
    }
  });
});
