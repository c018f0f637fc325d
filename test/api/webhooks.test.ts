/** Webhooks: what is sent, how it is signed, what is tried again, and that nothing else leaves. */
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { verifyWebhook } from '../../gateway/client/webhooks.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import { HookReceiver } from '../support/hook-receiver.ts';
import type { Json } from '../support/json.ts';
import { PAIR, trader, traderForSuite } from '../support/trader.ts';
import { until } from '../support/until.ts';

describe('webhooks', () => {
  const gateway = gatewayForSuite();
  const bot = traderForSuite(gateway);
  let receiver: HookReceiver;

  beforeEach(async () => {
    receiver = await HookReceiver.open();
  });
  afterEach(async () => {
    for (const { id } of (await bot.call('GET', '/webhooks')).json.webhooks)
      await bot.call('DELETE', `/webhooks/${id}`);
    await receiver.close();
  });

  const make = async (over: Json = {}): Promise<Json> => {
    const body = { url: `${receiver.url}/hook`, events: ['execution.completed'], ...over };
    return bot.expect('POST', '/webhooks', body, 201);
  };
  const now = () => gateway.clock.now();
  const log = async (id: string, query = ''): Promise<Json[]> =>
    (await bot.call('GET', `/webhooks/${id}/deliveries${query}`)).json.deliveries;

  it('sends the chosen events, signed over the time and the body, and keeps a log', async () => {
    const { id, secret } = await make();
    expect(secret).to.match(/^whsec_[A-Za-z0-9_-]{43}$/);
    const execution = await bot.open(PAIR);
    const [sent] = await until(
      gateway.clock,
      'it has come',
      async () => receiver.received.length > 0 && receiver.received,
    );
    if (sent === undefined) throw new Error('nothing came');
    expect(sent.path).to.equal('/hook');
    expect(sent.json).to.deep.include({
      event: 'execution.completed',
      tradeAccountId: bot.accountId,
      mode: 'PAPER',
      network: null,
      data: { entityId: execution.id },
    });
    const header = String(sent.headers['tandem-signature']);
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
    expect(v1).to.equal(createHmac('sha256', secret).update(`${t}.${sent.text}`).digest('hex'));
    expect(Math.abs(now() / 1_000 - Number(t))).to.be.lessThan(60);
    expect(await verifyWebhook({ body: sent.text, signature: header, secret, now: now() })).to.deep.equal(
      sent.json,
    );
    const [logged] = await until(gateway.clock, 'the log has it', async () => {
      const rows = await log(id, '?status=DELIVERED');
      return rows.length > 0 && rows;
    });
    expect(logged).to.deep.include({
      status: 'DELIVERED',
      attempts: 1,
      responseStatus: 200,
      response: 'thanks',
    });
    expect(logged?.['event']).to.deep.equal(sent.json);
    expect(sent.headers['tandem-event-id']).to.equal(logged?.['event'].id);
    expect(receiver.received.map(({ json }) => json.event)).to.deep.equal(['execution.completed']);
    // The secret is shown once, and no list has it.
    expect((await bot.call('GET', '/webhooks')).text).to.not.include(secret);
    expect((await bot.call('GET', `/webhooks/${id}`)).text).to.not.include('whsec_');
  });

  it('refuses a signature of another secret, of another body and of yesterday', async () => {
    const { secret } = await make();
    const body = '{"id":"evt_1"}';
    const at = Math.floor(now() / 1_000);
    const sign = (t: number, text = body) =>
      `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${text}`).digest('hex')}`;
    const verdict = (signature: string, given = secret) =>
      verifyWebhook({ body, signature, secret: given, now: now() }).then(
        () => 'taken',
        (error: Error) => error.name,
      );
    expect(await verdict(sign(at))).to.equal('taken');
    expect(await verdict(sign(at), `${secret}x`)).to.equal('WebhookRefused');
    expect(await verdict(sign(at, '{"id":"evt_2"}'))).to.equal('WebhookRefused');
    expect(await verdict(sign(at - 301))).to.equal('WebhookRefused');
    expect(await verdict('nonsense')).to.equal('WebhookRefused');
    const unsigned = createHmac('sha256', '').update(`${at}.${body}`).digest('hex');
    expect(await verdict(`t=${at},v1=${unsigned}`, '')).to.equal('WebhookRefused');
  });

  it('rotates: both secrets sign until the old one ends', async () => {
    const { id, secret } = await make();
    const rotated = await bot.call('POST', `/webhooks/${id}/rotate-secret`, { keepPreviousSeconds: 600 });
    expect(rotated.json.secret)
      .to.match(/^whsec_/)
      .and.not.equal(secret);
    const test = await bot.call('POST', `/webhooks/${id}/test`);
    expect(test.json.status).to.equal('DELIVERED');
    const body = receiver.received[0]?.text ?? '';
    const signature = String(receiver.received[0]?.headers['tandem-signature']);
    for (const given of [secret, rotated.json.secret])
      expect((await verifyWebhook({ body, signature, secret: given, now: now() })).event).to.equal('test');
    await bot.call('POST', `/webhooks/${id}/rotate-secret`, { keepPreviousSeconds: 0 });
    await bot.call('POST', `/webhooks/${id}/test`);
    expect(String(receiver.received[1]?.headers['tandem-signature'])).to.match(/^t=\d+,v1=[0-9a-f]{64}$/);
  });

  it('follows no redirect and keeps no more than 1 KiB of an answer', async () => {
    const { id } = await make();
    receiver.answers = [
      { status: 302, headers: { location: `${receiver.url}/elsewhere` }, body: 'x'.repeat(5_000) },
    ];
    const { status, responseStatus, response, error } = (await bot.call('POST', `/webhooks/${id}/test`)).json;
    expect([status, responseStatus, response.length, error]).to.deep.equal([
      'FAILED',
      302,
      1_024,
      'It answered with status 302',
    ]);
    expect(receiver.received.map(({ path }) => path)).to.deep.equal(['/hook']);
  });

  it('sends nothing in clear text to another machine, and not to what is no address', async () => {
    const refused = async (url: string) => {
      const { status, json } = await bot.call('POST', '/webhooks', { url, events: ['*'] });
      return [status, json.details?.[0]?.path];
    };
    for (const url of [
      'http://example.com/hook',
      'http://10.0.0.1/hook',
      'http://127.0.0.1.example.com/',
      'http://0.0.0.0/',
      'http://169.254.169.254/latest',
      'ftp://127.0.0.1/',
      'file:///etc/passwd',
      'https://user:word@example.com/',
      'nonsense',
    ])
      expect(await refused(url), url).to.deep.equal([400, 'url']);
    for (const url of [
      'http://localhost:1/',
      'http://[::1]:1/',
      'http://127.1:1/',
      'https://example.com/hook',
    ])
      expect((await bot.call('POST', '/webhooks', { url, events: ['*'] })).status, url).to.equal(201);
  });

  it('is the whole user’s: no limited key, no key with a mandate, 20 at most', async () => {
    const asKey = async (body: Json) => {
      const key = await gateway.expect(
        'POST',
        '/api-keys',
        {
          headers: { authorization: `Bearer ${bot.accessToken}` },
          body: { label: 'other', scope: 'read_write', ...body },
        },
        201,
      );
      return gateway.request('GET', '/webhooks', { headers: { 'x-api-key': key.key } });
    };
    expect((await asKey({ tradeAccountIds: [bot.accountId] })).status).to.equal(403);
    expect((await asKey({})).status).to.equal(200);
    for (let made = 0; made < 20; made += 1) await make();
    const more = await bot.call('POST', '/webhooks', { url: receiver.url, events: ['*'] });
    expect([more.status, more.json.errorCode]).to.deep.equal([409, 'RESOURCE_BUSY']);
    const other = await trader(gateway, { email: 'bob@example.test' });
    expect((await other.call('GET', '/webhooks')).json.webhooks).to.deep.equal([]);
    const [{ id }] = (await bot.call('GET', '/webhooks')).json.webhooks;
    for (const [method, path] of [
      ['GET', `/webhooks/${id}`],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/test`],
      ['GET', `/webhooks/${id}/deliveries`],
    ] as const)
      expect((await other.call(method, path)).status, path).to.equal(404);
  });

  it('turned off, it hears nothing of what happens meanwhile', async () => {
    const { id } = await make();
    await bot.call('PATCH', `/webhooks/${id}`, { enabled: false });
    await bot.open(PAIR);
    await bot.call('PATCH', `/webhooks/${id}`, { enabled: true });
    const after = await bot.open(PAIR);
    await until(gateway.clock, 'the later one has come', async () => receiver.received.length > 0);
    expect(receiver.received.map(({ json }) => json.data.entityId)).to.deep.equal([after.id]);
  });

  it('leaves audit entries of what it was made, changed and removed by', async () => {
    const { id } = await make();
    await bot.call('PATCH', `/webhooks/${id}`, { name: 'n8n' });
    await bot.call('DELETE', `/webhooks/${id}`);
    const { json } = await gateway.request('GET', '/audit-log', {
      headers: { authorization: `Bearer ${bot.accessToken}` },
    });
    const own = json.auditEntries.filter((entry: Json) => entry.subjectId === id);
    expect(own.map(({ action, method }: Json) => [action, method])).to.deep.equal([
      ['destination.removed', 'api_key'],
      ['destination.changed', 'api_key'],
      ['destination.created', 'api_key'],
    ]);
  });
});

describe('webhooks whose receiver fails', () => {
  const gateway = gatewayForSuite();
  const bot = traderForSuite(gateway);
  let receiver: HookReceiver;

  before(async () => {
    receiver = await HookReceiver.open();
  });
  after(async () => {
    await receiver.close();
  });

  it('tries again later with the same event id, delivers others meanwhile, and sends again when asked', async () => {
    const hook = { url: receiver.url, events: ['execution.completed'] };
    const { id } = (await bot.call('POST', '/webhooks', hook)).json;
    const rows = async (): Promise<Json[]> =>
      (await bot.call('GET', `/webhooks/${id}/deliveries`)).json.deliveries;
    receiver.answers = [{ status: 500, body: 'not now' }, { status: 200 }];
    const first = await bot.open(PAIR);
    const waiting = await until(gateway.clock, 'it waits', async () =>
      (await rows()).find(({ status }) => status === 'RETRYING'),
    );
    expect(waiting).to.deep.include({ attempts: 1, responseStatus: 500, response: 'not now' });
    const busy = await bot.call('POST', `/webhooks/${id}/deliveries/${waiting['id']}/redeliver`);
    expect([busy.status, busy.json.errorCode]).to.deep.equal([409, 'RESOURCE_BUSY']);
    const second = await bot.open(PAIR);
    await until(gateway.clock, 'the second has come', async () => receiver.received.length === 2);
    const again = await until(gateway.clock, 'the first has come again', async () => receiver.received[2]);
    const entities = receiver.received.map(({ json }) => json.data.entityId);
    expect(entities).to.deep.equal([first.id, second.id, first.id]);
    expect(again?.json.id).to.equal(receiver.received[0]?.json.id);
    expect(again?.headers['tandem-attempt']).to.equal('2');
    await until(gateway.clock, 'all are delivered', async () =>
      (await rows()).every(({ status }) => status === 'DELIVERED'),
    );
    const asked = await bot.call('POST', `/webhooks/${id}/deliveries/${waiting['id']}/redeliver`);
    expect(asked.status, asked.text).to.equal(202);
    // A delivery of its own: that of before stays in the log as it was.
    expect(asked.json.id).to.not.equal(waiting['id']);
    expect((await rows()).find(({ id: one }) => one === waiting['id'])).to.deep.include({
      status: 'DELIVERED',
      attempts: 2,
    });
    await until(gateway.clock, 'it has come once more', async () => receiver.received.length === 4);
    expect(receiver.received[3]?.json.id).to.equal(receiver.received[0]?.json.id);
  });
});
