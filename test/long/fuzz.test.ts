/**
 * Requests and messages made at random out of the gateway's own schemas, some of them broken on purpose: no answer is a
 * failure of the gateway, and every answer has a shape that its route, or the protocol, names.
 * TANDEM_LONG=1: 30,000 requests and as many messages, else a sample of 1,000 (FUZZ_COUNT); FUZZ_SEED repeats one.
 */
import { once } from 'node:events';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { businessError, frameworkError } from '../../gateway/contract/errors.ts';
import { clientMessages, serverMessage } from '../../gateway/contract/realtime.ts';
import { CONTRACT_ROUTES } from '../support/contract-routes.ts';
import { FuzzCounts } from '../support/fuzz-counts.ts';
import { gatewayForSuite, whileTimePasses } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { settled } from '../support/outstanding.ts';
import { randomOf, SchemaFuzz } from '../support/schema-fuzz.ts';
import { PAIR, type Trader, traderForSuite } from '../support/trader.ts';

const COUNT = Number(process.env['FUZZ_COUNT'] ?? (process.env['TANDEM_LONG'] === '1' ? 30_000 : 1_000));
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const MESSAGES_PER_CONNECTION = 40;
/** Longer than an answer to a message takes. */
const LAST_ANSWER_MS = 50;
/** They end the session or the key with which all the others are asked. */
const SPARED =
  /^(POST \/auth\/(logout|password|session\/refresh)|DELETE \/(api-keys|auth\/sessions|trade-accounts)\/|POST \/oauth2)/;

/** Changes a body that would spoil the rest. Nothing of a test leaves this machine: what would be sent to a service goes to a port where nobody listens. */
function atHome(route: string, body: Json | undefined): Json | undefined {
  const there = 'http://127.0.0.1:9';
  if (typeof body !== 'object' || body === null) return body;
  if (route === 'POST /notification-channels' && typeof body['to'] === 'object' && body['to'] !== null)
    return body['to'].service === 'DISCORD' ? body : { ...body, to: { ...body['to'], server: there } };
  // A venue that is made to lose its answers makes 500s of what asks it: that is what the fault is for.
  if (route.endsWith('/paper/faults') && body['kind'] === 'UNKNOWN_OUTCOME')
    return { ...body, kind: 'REJECT' };
  const isWebhook = /^(POST|PATCH) \/webhooks(\/\{id\})?$/.test(route) && 'url' in body;
  return isWebhook && String(body['url']).startsWith('http') ? { ...body, url: there } : body;
}

describe(`fuzzing by the schemas, seed ${SEED}, ${COUNT} each`, function () {
  this.timeout(300_000 + COUNT * 100);
  const gateway = gatewayForSuite();
  const bot = traderForSuite(gateway);
  before(async () => {
    await bot.open(PAIR);
  });

  it('HTTP', async () => {
    const document: Json = (await gateway.request('GET', '/openapi.json')).json;
    const random = randomOf(SEED);
    const fuzz = new SchemaFuzz(random, document.components.schemas);
    const routes = Object.entries<Json>(document.paths).flatMap(([path, operations]) =>
      Object.entries<Json>(operations).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    );
    const wrong = new Set<string>();
    const statuses = new FuzzCounts();
    for (let asked = 0; asked < COUNT && wrong.size < 20; asked += 1) {
      const { path, method, operation } = routes[Math.floor(random() * routes.length)] ?? {
        path: '',
        method: '',
        operation: {},
      };
      const name = `${method} ${path}`;
      if (SPARED.test(name)) continue;
      const query = new URLSearchParams();
      let target = path;
      for (const parameter of operation.parameters ?? []) {
        const value = fuzz.value(parameter.schema);
        if (parameter.in === 'path') {
          const known = random() < 0.4 && knownIds(bot).length > 0;
          const id = known ? knownIds(bot)[0] : value;
          target = target.replace(`{${parameter.name}}`, encodeURIComponent(String(id)) || '-');
        } else if (parameter.in === 'query' && (parameter.required || random() < 0.5)) {
          for (const one of Array.isArray(value) ? value : [value]) query.append(parameter.name, textOf(one));
        }
      }
      const content = operation.requestBody?.content?.['application/json'];
      const body = atHome(name, content === undefined ? undefined : fuzz.value(content.schema));
      const headers = {
        'x-api-key': bot.key,
        ...(random() < 0.95 ? { 'x-trade-account-id': bot.accountId } : {}),
        ...(operation.security?.some(({ apiKey }: Json) => apiKey !== undefined) === false
          ? { authorization: `Bearer ${bot.accessToken}`, 'x-api-key': '' }
          : {}),
      };
      const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
      const search = query.size === 0 ? '' : `?${query}`;
      const answer = await whileTimePasses(
        gateway.clock,
        gateway.request(method as 'GET', `${target}${search}`, { headers: sent, body }),
      );
      statuses.add(operation.tags[0], String(answer.status));
      const about = `${name} ${target}${search} ${JSON.stringify(body) ?? ''} → ${answer.status} ${answer.text.slice(0, 300)}`;
      if (answer.status >= 500 && answer.status !== 501) wrong.add(about);
      const documented = operation.responses[String(answer.status)];
      if (documented === undefined && answer.status !== 404 && answer.status !== 405)
        wrong.add(`not documented: ${about}`);
      else if (!fits(name, answer)) wrong.add(`not of its schema: ${about}`);
    }
    console.error(statuses.text(`HTTP, seed ${SEED}, ${COUNT} requests`, wrong.size));
    expect([...wrong]).to.deep.equal([]);
  });

  it('WebSocket', async () => {
    const random = randomOf(SEED);
    const schemas = Object.values(clientMessages).map((schema) =>
      z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
    );
    const fuzz = new SchemaFuzz(random, {});
    const wrong = new Set<string>();
    const counts = new FuzzCounts();
    let answers = 0;
    for (let count = 0; count < COUNT && wrong.size < 20; count += MESSAGES_PER_CONNECTION) {
      const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/ws`);
      socket.on('error', () => undefined);
      socket.on('message', (raw) => {
        answers += 1;
        const parsed = serverMessage.safeParse(JSON.parse(String(raw)));
        counts.add('answers', answerKind(parsed.data));
        if (!parsed.success) wrong.add(`not of the protocol: ${String(raw).slice(0, 300)}`);
        else if ('code' in parsed.data && parsed.data.code === 'INTERNAL_ERROR') wrong.add(String(raw));
      });
      await once(socket, 'open').catch(() => null);
      const ended = once(socket, 'close').then(([code]) => code);
      const known = ['prices:paper', 'funding:paper', 'baskets:paper', 'status', `user:${bot.accountId}`];
      if (random() < 0.6) socket.send(JSON.stringify({ op: 'auth', id: 1, apiKey: bot.key }));
      for (let sent = 0; sent < MESSAGES_PER_CONNECTION && socket.readyState === WebSocket.OPEN; sent += 1) {
        const message: Json = fuzz.value(schemas[Math.floor(random() * schemas.length)] ?? {});
        if (Array.isArray(message?.channels) && random() < 0.7)
          message.channels = [known[Math.floor(random() * known.length)]];
        counts.add(
          'messages',
          typeof message?.op === 'string' && message.op in clientMessages ? message.op : 'other',
        );
        socket.send(random() < 0.05 ? String(message) : (JSON.stringify(message) ?? 'null'));
        if (sent % 10 === 0) await settled();
      }
      await gateway.clock.advance(LAST_ANSWER_MS);
      socket.close();
      const code = await whileTimePasses(gateway.clock, ended);
      counts.add('connections ended', String(code));
      if (code === 1011) wrong.add('ended with 1011, an internal error');
    }
    console.error(counts.text(`WebSocket, seed ${SEED}, ${COUNT} messages`, wrong.size));
    expect([...wrong]).to.deep.equal([]);
    expect(answers).to.be.greaterThan(0);
    expect((await gateway.request('GET', '/health')).status).to.equal(200);
  });
});

/** `ack`, `error RESOURCE_NOT_FOUND`, `snapshot`, `event`. */
function answerKind(answer: z.infer<typeof serverMessage> | undefined): string {
  if (answer === undefined) return 'not of the protocol';
  if ('code' in answer) return `error ${answer.code}`;
  if ('op' in answer) return answer.op;
  return 'seq' in answer && answer.event !== 'resync' ? 'event' : answer.event;
}

function knownIds(bot: Trader): string[] {
  return [bot.accountId];
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** True: the answer has a shape of its route. */
function fits(name: string, { status, json }: { readonly status: number; readonly json: unknown }): boolean {
  if (status >= 400)
    return businessError.safeParse(json).success || frameworkError.safeParse(json).success || isOAuth(json);
  const contract = CONTRACT_ROUTES.get(name);
  const schema = contract?.success[status];
  if (schema === undefined) return false;
  return schema === null || contract?.contentType !== undefined || schema.safeParse(json).success;
}

function isOAuth(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'error' in json;
}
