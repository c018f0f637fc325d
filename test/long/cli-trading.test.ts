/** Commands of a trader, all run against a real gateway and its paper venue. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { verifyWebhook } from '../../gateway/client/webhooks.ts';
import { buildGateway, type GatewayProcess, launchGateway } from '../support/gateway-process.ts';
import { HookReceiver } from '../support/hook-receiver.ts';
import type { Json } from '../support/json.ts';
import {
  type RunningTandem,
  runTandem,
  startTandem,
  type TandemEnd,
  type TandemOptions,
} from '../support/tandem-process.ts';
import { tandemAtTerminal } from '../support/tandem-pty.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const EMAIL = ['--email', 'ada@example.test'];
const PASSWORD = 'correct horse battery';
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const SHORT = '[0-9a-f]{12}';

/** Words of a command, or a line of them. */
type Line = string | readonly string[];
const words = (line: Line) => (typeof line === 'string' ? line.split(' ') : line);

describe('tandem, all that a trader does', () => {
  let dataDir = '';
  let gateway: GatewayProcess;
  /** Goes on until it is stopped, also where its test has failed. */
  let listening: RunningTandem | null = null;

  const start = async () => {
    gateway = launchGateway({ dataDir });
    await gateway.ready;
  };
  const tandem = (line: Line, options?: TandemOptions): Promise<TandemEnd> =>
    runTandem([...words(line), '--data-dir', dataDir], options);
  const said = async (line: Line): Promise<string> => {
    const end = await tandem(line);
    expect([end.code, line, end.err]).to.deep.equal([0, line, end.err]);
    return end.out;
  };
  const json = async (line: Line): Promise<Json> => JSON.parse(await said([...words(line), '--json']));
  const open = async (): Promise<Json> => (await json(['positions'])).positions[0];
  const short = (id: string) => id.slice(id.lastIndexOf('-') + 1);
  /** With two paper accounts every command would ask which is meant. */
  const removeSecond = async () => {
    const { tradeAccounts } = await json(['accounts']);
    const second = tradeAccounts.find(({ alias }: Json) => alias === 'Second');
    const key = JSON.parse(await readFile(join(dataDir, 'cli.json'), 'utf8')).apiKey;
    const { url } = await gateway.ready;
    const headers = { 'x-api-key': key };
    const gone = await fetch(`${url}/trade-accounts/${second.id}`, { method: 'DELETE', headers });
    expect(gone.status).to.equal(204);
  };

  before(async () => {
    buildGateway();
    dataDir = await temporaryFolder();
    await start();
    const made = await tandem(['keys', 'create', '--save', '--label', 'bot', ...EMAIL], {
      env: { TANDEM_PASSWORD: PASSWORD },
    });
    expect(made.code, made.err).to.equal(0);
  });
  after(async () => {
    await listening?.stop('SIGKILL');
    await gateway.stop('SIGKILL');
  });

  it('lists venues and tickers without a key', async () => {
    const env = { TANDEM_URL: (await gateway.ready).url };
    const elsewhere = await temporaryFolder();
    const nobody = (argv: readonly string[]) => runTandem([...argv, '--data-dir', elsewhere], { env });
    const markets = await nobody(['markets']);
    expect([markets.code, markets.err]).to.deep.equal([0, '']);
    expect(markets.out)
      .to.match(/^TICKER +PRICE +24H/)
      .and.to.match(/^BTC +[\d,.]+ .*tradable +BTC-PERP$/m);
    const searched = await nobody(['markets', 'eth', '--json']);
    expect(JSON.parse(searched.out).markets.map(({ symbol }: Json) => symbol)).to.deep.equal(['ETH']);
    const wrong = await nobody(['markets', '--connector', 'papre']);
    expect([wrong.code, wrong.err]).to.deep.equal([
      2,
      "tandem: no connector 'papre' (did you mean paper?); there are: " +
        JSON.parse((await nobody(['venue', 'list', '--json'])).out)
          .connectors.map(({ id }: Json) => id)
          .join(', '),
    ]);
  });

  it('tells public channels to somebody without a key, a line for each row', async () => {
    const env = { TANDEM_URL: (await gateway.ready).url };
    const elsewhere = await temporaryFolder();
    const one = 'tail --channel prices:paper --count 1';
    const tail = await runTandem([...words(one), '--data-dir', elsewhere], { env });
    expect([tail.code, tail.err]).to.deep.equal([0, '']);
    expect(tail.out).to.match(/^\S+ .*snapshot .*prices:paper {2}\w+ mark [\d,.]+ bid [\d,.]+ ask [\d,.]+$/);
    const two = 'tail --channel prices:paper --symbol btc --symbol ETH-PERP --count 4';
    const chosen = await runTandem([...words(two), '--data-dir', elsewhere], { env });
    const lines = chosen.out.split('\n');
    expect(lines).to.have.length(4);
    for (const line of lines) expect(line).to.match(/prices:paper {2}(BTC|ETH) mark /);
    const own = await runTandem(['tail', '--data-dir', elsewhere], { env });
    expect([own.code, own.err.includes('no API key')]).to.deep.equal([1, true]);
  });

  it('shows the balance of every account, and of one', async () => {
    expect(await said(['balance'])).to.match(/^Paper +paper +PAPER +100,000\.00 +100,000\.00 +0\.00/m);
    await said(['accounts', 'add', '--alias', 'Second']);
    expect((await tandem(['accounts', 'add'])).err).to.contain('say what it is called');
    const { balances } = await json(['balance']);
    expect(balances.map(({ alias, equity }: Json) => [alias, equity])).to.deep.equal([
      ['Paper', '100000'],
      ['Second', '100000'],
    ]);
    const one = await json(['balance', '--account', short(balances[1].tradeAccountId)]);
    expect(one.balances).to.have.length(1);
    expect(await said(['markets', 'btc'])).to.match(/^BTC /m);
    expect(await said(['book', 'btc', '--account', 'Second', '--levels', '1'])).to.match(
      /^BTC {2}spread [\d.]+ bps {2}\S+ \S+ UTC {2}simulated\n *USD SO FAR.*\n *[\d,.]+ +[\d.]+ +[\d,.]+ +[\d,.]+ +[\d.]+ +[\d,.]+$/,
    );
    expect(await said(['funding', '--account', 'Second'])).to.match(
      /^PAPER: Second .*\nNo funding payments\.$/,
    );
    for (const [flags, reason] of [
      [['--from', 'nonsense'], /--from: Expected a day/],
      [['--until', 'nonsense'], /--until: Expected a day/],
      [['--from', '2026-02-01', '--until', '2026-01-01'], /--from: Must not be after --until/],
    ] as const) {
      const refused = await tandem(['funding', '--account', 'Second', ...flags]);
      expect(refused.code, refused.err).to.equal(1);
      expect(refused.err).to.match(reason);
      expect(refused.err).to.not.match(/startDate|endDate/);
    }
    await removeSecond();
  });

  it('opens with a take-profit, and the tail says symbol, side, quantity and price', async () => {
    const tail = startTandem(['tail', '--channel', 'status', '--data-dir', dataDir]);
    await tail.line((line) => line.includes('status  paper'));
    const order = tail.line((line) => line.includes('order.updated'));
    const done = tail.line((line) => line.includes('execution.completed'));
    const position = tail.line((line) => line.includes('position.created'));
    await said(['open', '--long', 'BTC=500', '--short', 'ETH=500', '--take-profit', '50%']);
    expect(await order).to.match(new RegExp(`${UUID} {2}(BTC|ETH)-PERP (buy|sell) [\\d.]+ of [\\d.]+ `));
    expect(await done).to.match(
      /OPEN COMPLETED: BTC-PERP buy [\d.]+ at [\d,.]+, ETH-PERP sell [\d.]+ at [\d,.]+$/,
    );
    expect(await position).to.match(/BTC \/ ETH OPEN, gross [\d,.]+, net [-+\d,.]+ after fees and funding$/);
    expect((await tail.stop('SIGINT')).code).to.equal(0);
    expect((await open()).takeProfit).to.include({ type: 'PERCENTAGE', value: '50' });
  });

  it('watches: plain lines where nobody looks, a table drawn anew at a terminal', async () => {
    const plain = await tandem(['watch', '--count', '1']);
    expect([plain.code, plain.err]).to.deep.equal([0, '']);
    const [account = '', basket = ''] = plain.out.split('\n');
    expect(account).to.match(/^\S+Z {2}PAPER {2}equity [\d,.]+ {2}unrealised [-+]?[\d,.]+$/);
    expect(basket).to.match(
      new RegExp(`BTC / ETH {2}gross [\\d,.]+ {2}unrealised [-+]?[\\d,.]+ {2}${SHORT}$`),
    );
    expect(plain.out).not.to.contain('\u001b');
    const looks = await said(['watch', '--count', '2', '--json']);
    const seen = looks.split('\n').map((line) => JSON.parse(line));
    expect(seen.map(({ mode, positions }) => [mode, positions.length])).to.deep.equal([
      ['PAPER', 1],
      ['PAPER', 1],
    ]);
    const drawn = await tandemAtTerminal(['watch', '--count', '2', '--legs', '--data-dir', dataDir], []);
    expect(drawn.code).to.equal(0);
    expect(drawn.shown)
      .to.contain('\u001b[H')
      .and.to.match(/BTC \/ ETH +BTC +long/)
      .and.to.contain('Ctrl-C ends.');
  });

  it('protects a position, changes one side of it, and takes it away', async () => {
    const { id } = await open();
    const set = ['protect', short(id), '--take-profit', '5%', '--stop-loss', 'usd=40', '--trail', '10'];
    expect(await said(set))
      .to.match(/^take-profit +PERCENTAGE 5 +ACTIVE, fires at \+5\.00% \(/m)
      .and.to.match(/^stop-loss +DOLLAR 40(, now \S+)?, trailing by 10 +ACTIVE, fires at /m);
    await said(['protect', short(id), '--take-profit', 'none']);
    const { takeProfit, stopLoss } = await open();
    expect([takeProfit, stopLoss.type]).to.deep.equal([null, 'DOLLAR']);
    expect(await said(['triggers'])).to.match(/ACTIVE +close +BTC-PERP \/ ETH-PERP +stop-loss PnL USD 40/);
    for (const wrong of [['--take-profit', '5'], ['--trail', '1'], []]) {
      const end = await tandem(['protect', id, ...wrong]);
      expect([end.code, end.out]).to.deep.equal([2, '']);
    }
  });

  it('opens, pauses, resumes and cancels triggers by short ids', async () => {
    const basket = ['--long', 'SOL=200', '--short', 'XRP=200'];
    const asked = await said(['triggers', 'open', ...basket, '--when', 'ratio<0.001', '--stop-loss', '3%']);
    const [, id = ''] = new RegExp(`Trigger (${UUID}) {2}ACTIVE {2}ratio < 0\\.001$`, 'm').exec(asked) ?? [];
    await said(['triggers', 'open', '--long', 'SOL=50', '--when', 'BTC>99000000']);
    await said('triggers open --long SOL=50 --when sol<0.01 --expires 2099-01-01T00:00:00Z');
    const { triggers } = await json(['triggers']);
    expect(triggers.map(({ condition }: Json) => condition?.type ?? null)).to.deep.equal([
      'PRICE',
      'CROSS_ASSET_PRICE',
      'PRICE_RATIO',
      null,
    ]);
    expect(await said(['triggers', 'pause', short(id)])).to.contain(`Paused trigger ${id}.`);
    expect(await said(['triggers'])).to.match(
      /^PAUSED \(USER\) +open +SOL-PERP \/ XRP-PERP +ratio < 0\.001/m,
    );
    await said(['triggers', 'resume', id.slice(-8)]);
    expect(await said(['triggers', 'cancel', short(id)])).to.contain('Cancelled trigger');
    const again = await tandem(['triggers', 'cancel', id]);
    expect([again.code, again.err.includes('NOOP_ERROR')]).to.deep.equal([1, true]);
    const ambiguous = await tandem(['triggers', 'cancel', id.slice(0, 6)]);
    expect(ambiguous.code).to.equal(2);
    expect(ambiguous.err).to.match(
      new RegExp(`^tandem: \\d triggers fit '${id.slice(0, 6)}': ${UUID}, .*; write more`),
    );
    const met = await tandem(['triggers', 'open', '--long', 'SOL=50', '--when', 'BTC>1']);
    expect(met.code).to.equal(1);
    for (const when of ['BTC=5', 'nope>5', 'BTC>'])
      expect((await tandem(['triggers', 'open', '--long', 'SOL=50', '--when', when])).code).to.equal(2);
  });

  it('adds, lists and cancels alerts, which trade nothing', async () => {
    const z = ['--long', 'SOL', '--short', 'XRP', '--when', 'ratio>50', '--transform', 'zscore'];
    const asked = await said(['alerts', 'add', ...z]);
    const [, id = ''] =
      new RegExp(`Alert (${UUID}) {2}ACTIVE {2}z-score of ratio > 50$`, 'm').exec(asked) ?? [];
    await said(['alerts', 'add', '--when', 'ETH>99000000', '--expires', '2099-01-01T00:00:00Z']);
    expect(await said(['alerts']))
      .to.match(/^ACTIVE +SOL-PERP \/ XRP-PERP +z-score of ratio > 50/m)
      .and.to.match(/^ACTIVE +– +ETH-PERP > 99,000,000 .*2099-01-01/m);
    const moved = await said(['alerts', 'change', short(id), '--level', '60', '--now']);
    expect(moved).to.contain(`Alert ${id}  ACTIVE  z-score of ratio > 60`);
    const passed = await tandem(['alerts', 'change', id, '--level', '-60']);
    expect([passed.code, passed.err.includes('met already')], passed.err).to.deep.equal([1, true]);
    const [eth] = (await json(['alerts'])).alerts.filter((one: Json) => one.id !== id);
    const change = (...flags: string[]) => tandem(['alerts', 'change', eth.id, ...flags]);
    expect((await change('--level', '98000000', '--expires', 'never')).code).to.equal(0);
    expect((await json(['alerts'])).alerts.find((one: Json) => one.id === eth.id)).to.deep.include({
      condition: { ...eth.condition, value: '98000000' },
      expiresAt: null,
    });
    expect((await change('--level', '1')).code).to.equal(1);
    expect((await change()).code).to.equal(2);
    expect(await said(['alerts', 'cancel', short(id)])).to.contain(`Cancelled alert ${id}.`);
    expect(await said(['alerts'])).to.not.contain('z-score');
    expect((await json(['alerts', '--all'])).alerts).to.have.length(2);
    expect((await tandem(['alerts', 'add', '--when', 'ETH>1'])).code).to.equal(1);
    expect((await tandem(['alerts', 'add', '--when', 'ETH=1'])).code).to.equal(2);
  });

  it('runs a TWAP, shows its slices, pauses and cancels it', async () => {
    const asked = await said(['twap', 'open', '--long', 'ADA=600', '--duration', '60', '--every', '20']);
    const [, id = ''] = new RegExp(`TWAP (${UUID}) {2}ACTIVE {2}3 slices`).exec(asked) ?? [];
    expect(await said(['twap'])).to.match(/^ACTIVE +open +ADA-PERP \/ – +600\.00 +[\d.]+ +\d\/3/m);
    await said(['twap', 'pause', short(id)]);
    expect(await said(['twap', short(id)]))
      .to.match(/PAUSED \(USER\)/)
      .and.to.match(/^ +3 +20\d\d-/m);
    await said(['twap', 'resume', short(id)]);
    await said(['twap', 'cancel', short(id)]);
    expect(await said(['twap'])).to.contain('No TWAP runs.');
    expect(await said(['twap', '--all'])).to.match(/^CANCELLED/m);
  });

  it('places a ladder and cancels it', async () => {
    const asked = await said('ladders open --long DOGE=900 --of doge --below 0.01,0.005 --levels 3');
    const [, id = ''] = new RegExp(`Ladder (${UUID}) {2}ACTIVE {2}3 rungs`).exec(asked) ?? [];
    expect(await said(['ladders'])).to.match(
      /^ACTIVE +DOGE-PERP \/ – +900\.00 +DOGE-PERP +< 0\.01 … 0\.005 +0\/3/m,
    );
    expect(await said(['ladders', short(id)])).to.match(/^ +3 +0\.005 +300\.00 +ACTIVE +–$/m);
    await said(['ladders', 'cancel', short(id)]);
    expect(await said(['ladders'])).to.contain('No ladder waits.');
    expect((await tandem('ladders open --long DOGE=900 --of doge --levels 3')).code).to.equal(2);
  });

  it('shows what a close and a reversal would cost, and orders nothing', async () => {
    const { id, legs } = await open();
    await said(['protect', id, '--stop-loss', 'usd=40']);
    const half = await tandem(['close', id, '--fraction', '0.5', '--dry-run']);
    expect([half.code, half.err]).to.satisfy(
      ([code, err]: [number, string]) => code === 0 && err.includes('nothing was ordered'),
    );
    expect(half.out)
      .to.match(/^LEG +SIDE +QUANTITY +EXPECTED +WORST ALLOWED +STAYS OPEN/m)
      .and.to.match(/expected slippage +[+-]?[\d.,]+ USD, [+-]?[\d.]+% past the marks/);
    const whole = await tandem(['close', id, '--dry-run']);
    const reversed = await tandem(['reverse', id, '--dry-run']);
    const stop = /^stop-loss +fires at (\S+) USD \([\d.]+% away\), \1 USD$/m;
    expect([half, whole, reversed].map(({ out }) => stop.test(out))).to.deep.equal([true, false, true]);
    const turned = await json(['reverse', id, '--dry-run']);
    expect(turned.close.expectedCost).to.be.a('string');
    expect(turned.open.expectedCost).to.be.a('string');
    const held = (all: Json) => all.map(({ symbol, side, quantity }: Json) => [symbol, side, quantity]);
    expect(held((await open()).legs)).to.deep.equal(held(legs));
  });

  it('reverses a position and shows both halves', async () => {
    const before = await open();
    const out = await said(['reverse', short(before.id)]);
    expect(out.match(/^Execution /gm)).to.have.length(2);
    const after = await open();
    expect(after.legs.map(({ side }: Json) => side)).to.deep.equal(
      before.legs.map(({ side }: Json) => (side === 'BUY' ? 'SELL' : 'BUY')),
    );
  });

  it('lists orders, and has nothing to cancel', async () => {
    expect(await said(['orders'])).to.match(
      new RegExp(`BTC-PERP +(buy|sell) +FILLED .* ${SHORT} +${SHORT}`, 'm'),
    );
    expect(await said(['orders', '--open'])).to.contain('No orders.');
    const none = await tandem(['orders', 'cancel', '--all', '--json']);
    expect(none.code).to.equal(1);
    expect(JSON.parse(none.out).error).to.include({ exitCode: 1, status: 409, errorCode: 'NOOP_ERROR' });
    const one = (await json(['orders'])).orders[0];
    const ended = await tandem(['orders', 'cancel', short(one.id)]);
    expect([ended.code, ended.err.includes('NOOP_ERROR')]).to.deep.equal([1, true]);
  });

  it('pauses and resumes, however often it is asked', async () => {
    for (let round = 0; round < 2; round += 1) expect(await said(['pause'])).to.match(/^Paused since /);
    const refused = await tandem(['open', '--long', 'BTC=100', '--json']);
    expect(refused.code).to.equal(1);
    expect(JSON.parse(refused.out).error).to.include({ errorCode: 'RESOURCE_BUSY', exitCode: 1 });
    for (let round = 0; round < 2; round += 1)
      expect(await said(['resume'])).to.equal('Trading goes on: new orders are taken.');
  });

  it('panics only when somebody says so, and ends flat', async () => {
    const unsaid = await tandem(['panic']);
    expect([unsaid.code, unsaid.out]).to.deep.equal([2, '']);
    const no = await tandemAtTerminal(['panic', '--data-dir', dataDir], [{ at: /CLOSE ALL/, type: 'yes' }]);
    expect([no.code, no.shown.includes('nothing was closed')]).to.deep.equal([1, true]);
    expect((await json(['positions'])).positions).not.to.deep.equal([]);
    const out = await said(['panic', '--yes']);
    expect(out)
      .to.match(/^Cancelled \d+, closing \d+\.$/m)
      .and.to.contain('Panic: FLAT');
    expect((await json(['positions'])).positions).to.deep.equal([]);
    await said(['resume']);
    expect(await said(['safety'])).to.match(/^Trading goes on/);
  });

  it('says every failure as JSON too, with the exit code', async () => {
    const wrong = await tandem(['positions', '--limit', 'x', '--json']);
    expect([wrong.code, JSON.parse(wrong.out).error.exitCode]).to.deep.equal([2, 2]);
    const gone = await tandem(['close', 'ffffffff', '--json']);
    expect([gone.code, JSON.parse(gone.out).error.message]).to.deep.equal([
      1,
      "no open position 'ffffffff'; see tandem positions",
    ]);
    const unknown = await tandem(['opne', '--json']);
    expect([unknown.code, JSON.parse(unknown.out).error.exitCode]).to.deep.equal([2, 2]);
  });

  it('resets a paper account', async () => {
    await said(['accounts', 'add', 'Second']);
    expect((await tandem(['accounts', 'reset', 'Second'])).code).to.equal(2);
    expect(await said(['accounts', 'reset', 'Second', '--yes'])).to.contain('Reset.');
    await removeSecond();
  });

  it('backs up when it is stopped, and restores what was then', async () => {
    const copy = join(await temporaryFolder(), 'copy');
    const running = await tandem(['backup', copy]);
    expect([running.code, running.err.includes('(tandem stop)')]).to.deep.equal([1, true]);
    const replacing = await tandem(['restore', copy, '--yes']);
    expect([replacing.code, replacing.err.includes('(tandem stop)')]).to.deep.equal([1, true]);
    expect((await json(['status'])).pid).to.equal(gateway.pid);
    expect(await said(['status'])).to.match(new RegExp(`^process +${gateway.pid}$`, 'm'));
    const watching = startTandem(['watch', '--every', '1', '--data-dir', dataDir]);
    await watching.line((line) => line.includes('equity'));
    expect(await said(['stop'])).to.match(/^Stopped \(pid \d+\)\.$/);
    await watching.says('the gateway does not answer');
    expect((await watching.stop('SIGINT')).code).to.equal(0);
    expect(await gateway.ended).to.deep.equal({ code: 0, signal: null });
    expect(await said(['stop'])).to.match(/^No gateway runs/);

    expect(await said(['backup', copy])).to.match(/^Backed up \d+ files \(\d+ bytes\) to /);
    expect((await stat(copy)).mode & 0o777).to.equal(0o700);
    expect((await stat(join(copy, 'tandem.db'))).mode & 0o777).to.equal(0o600);
    expect((await tandem(['backup', copy])).err).to.contain('is there already');

    await start();
    await said(['open', '--long', 'BTC=300']);
    expect((await json(['positions'])).positions).to.have.length(1);
    await said(['stop']);
    expect((await tandem(['restore', copy])).code).to.equal(2);
    const restored = await json(['restore', copy, '--yes']);
    expect(await readdir(restored.replaced)).to.include('tandem.db');
    await start();
    expect((await json(['positions'])).positions).to.deep.equal([]);
    expect(await said(['balance'])).to.match(/^Paper +paper +PAPER/m);
  });

  it('puts faults on a paper account, and takes them off again', async () => {
    expect(await said(['paper', 'fault', 'partial', '--symbol', 'btc', '--fraction', '0.5'])).to.match(
      /^PARTIAL_FILL 0.5 +BTC-PERP +1 /m,
    );
    expect((await json(['paper', 'faults'])).paperFaults[0]).to.deep.include({
      symbol: 'BTC-PERP',
      times: 1,
    });
    expect(await said(['paper', 'clear'])).to.match(/^Ended 1\.$/m);
    expect(await said(['paper', 'faults'])).to.contain('No fault is on.');
    for (const [argv, why] of [
      [['paper', 'fault', 'nonsense'], /nonsense/],
      [['paper', 'fault', 'reject', '--fraction', '0.5'], /--fraction belongs to partial/],
      [['paper', 'fault', 'stale', '--times', '2'], /ends by --seconds/],
    ] as const) {
      const end = await tandem(argv);
      expect([end.code, why.test(end.err)], end.err).to.deep.equal([2, true]);
    }
  });

  it('sends events to a webhook and to whoever listens, and messages to a channel', async () => {
    const receiver = await HookReceiver.open();
    const at = (path: string) => receiver.received.filter((one) => one.path === path);
    const add = `webhooks add ${receiver.url} --event execution.completed`;
    const made = await said(`${add} --name n8n --account Paper`);
    const [hook] = (await json(['webhooks'])).webhooks;
    expect(hook.tradeAccountIds).to.have.length(1);
    expect(made).to.match(/^Secret, shown only now: whsec_[\w-]{43}$/m);
    expect(await said(['webhooks'])).to.match(/^n8n +http:.* execution.completed +on +0 +0 +– /m);
    expect(await said(['webhooks', 'test'])).to.match(/ test +DELIVERED +1 +200 /);
    expect(await said(['webhooks', 'rotate', 'n8n'])).to.match(/^New secret, shown only now: whsec_/m);
    const listen = `listen --forward ${receiver.url}/listened --count 1 --event execution.completed`;
    listening = startTandem([...words(listen), '--data-dir', dataDir], {
      env: { TANDEM_WEBHOOK_SECRET: 'whsec_of_mine' },
    });
    await said(`notify add ntfy --topic tandem-x --server ${receiver.url}/ntfy --kind FILLED`);
    expect(await said(['notify'])).to.match(/^ntfy +NTFY +FILLED +on /m);
    expect((await tandem(['notify', 'add', 'telegram', '--chat', '1'])).err).to.contain(
      'TANDEM_NOTIFY_SECRET',
    );
    // Until the socket is subscribed an event would pass by.
    await listening.says('They are signed with');
    await said(['open', '--long', 'BTC=20']);
    const heard = await listening.ended;
    expect([heard.code, heard.out]).to.deep.equal([0, heard.out]);
    expect(heard.out).to.match(/execution\.completed +[\w-]{36} {2}→ 200$/);
    const [listened] = at('/listened');
    const signature = String(listened?.headers['tandem-signature']);
    const event = await verifyWebhook({ body: listened?.text ?? '', signature, secret: 'whsec_of_mine' });
    expect(event.event).to.equal('execution.completed');
    await receiver.came(({ path }) => path === '/ntfy');
    await receiver.came(({ json: { event } }) => event === 'execution.completed', 2);
    expect(at('/ntfy')[0]?.json.message).to.match(/^Filled(, adjusting)?: long BTC \$[\d.]+, paper$/);
    expect(await said(['webhooks', 'log'])).to.match(/ execution\.completed +DELIVERED +1 +200 /);
    expect(await said(['webhooks', 'remove', 'n8n'])).to.match(/^Removed 'n8n'/);
    expect(await said(['notify', 'remove', 'ntfy'])).to.match(/^Removed 'ntfy'/);
    expect((await tandem(['webhooks', 'test'])).code).to.equal(2);
    await receiver.close();
  });

  it('asks which of several paper accounts is meant', async () => {
    await said(['accounts', 'add', 'Second']);
    const end = await tandem(['positions']);
    expect([end.code, end.err]).to.deep.equal([
      2,
      "tandem: there are several paper accounts ('Paper', 'Second'): name one with --account or TANDEM_ACCOUNT",
    ]);
    const named = await tandem(['positions'], { env: { TANDEM_ACCOUNT: 'second' } });
    expect([named.code, named.out]).to.deep.equal([0, 'PAPER: Second (paper)\nNo open positions.']);
    await removeSecond();
  });

  it('restores nothing from a copy that is damaged, and finishes a restore that was cut off', async () => {
    await said(['stop']);
    const copy = join(await temporaryFolder(), 'copy');
    await said(['backup', copy]);
    const before = await readdir(dataDir);
    const file = join(copy, 'cli.json');
    const kept = await readFile(file);
    await writeFile(file, 'other');
    const damaged = await tandem(['restore', copy, '--yes']);
    expect([damaged.code, damaged.err]).to.deep.equal([
      1,
      `tandem: the backup ${copy} is damaged: cli.json is not what was copied`,
    ]);
    expect(await readdir(dataDir)).to.deep.equal(before);
    await writeFile(file, kept);
    expect((await tandem(['restore', dataDir, '--yes'])).err).to.contain('is no backup');

    // As after a death between two moves: the database has moved aside, its successor has not come.
    const incoming = join(dataDir, 'restore-incoming');
    await mkdir(incoming);
    await writeFile(join(incoming, 'cli.json'), await readFile(join(dataDir, 'cli.json')));
    await mkdir(join(dataDir, 'before-restore-1'));
    await writeFile(join(dataDir, 'before-restore-1', 'cli.json'), 'the old one');
    await writeFile(join(dataDir, 'cli.json'), 'not yet there');
    await writeFile(
      join(dataDir, 'restore.json'),
      JSON.stringify({ replaced: 'before-restore-1', out: ['cli.json'], in: ['cli.json'] }),
    );
    await start();
    expect(await readdir(dataDir))
      .not.to.include('restore.json')
      .and.not.to.include('restore-incoming');
    expect(await readFile(join(dataDir, 'before-restore-1', 'cli.json'), 'utf8')).to.equal('the old one');
    expect(await said(['balance'])).to.match(/^Paper /m);
  });
});
