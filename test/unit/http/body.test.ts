import type { IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import { expect } from 'chai';
import { z } from 'zod';
import { bind } from '../../../gateway/call/call.ts';
import { route } from '../../../gateway/contract/route.ts';
import { openForSuite } from '../../support/open-for-tests.ts';
import { rawText, sendRaw } from '../../support/raw-http.ts';
import { untilSettled } from '../../support/until.ts';
import { authenticator, startRig } from './rig.ts';

const received: unknown[] = [];
const anything = bind(
  route({
    method: 'POST',
    path: '/anything',
    auth: 'P',
    tag: 'Sample',
    summary: 'Sample',
    body: z.unknown(),
    success: { 200: z.unknown() },
  }),
  ({ body }) => {
    received.push(body);
    return { body: { body } };
  },
);

const sample = { method: 'POST', tag: 'Sample', summary: 'Sample', success: { 200: z.unknown() } } as const;
const others = [
  bind(
    route({ ...sample, path: '/many-keys', auth: 'P', bodyLimitBytes: 64 * 1024, body: z.unknown() }),
    () => ({ body: {} }),
  ),
  bind(route({ ...sample, path: '/kept', auth: 'K', body: z.unknown() }), () => ({ body: {} })),
  bind(
    route({
      ...sample,
      path: '/known-fields',
      auth: 'P',
      body: z.strictObject({ a: z.string(), b: z.string(), in: z.strictObject({ c: z.string() }) }),
    }),
    () => ({ body: {} }),
  ),
];

/** Knows the key `ending` until it is over. */
const ending = {
  ...authenticator,
  isOver: false,
  calls: 0,
  authenticate(headers: IncomingHttpHeaders) {
    if (headers['x-api-key'] !== 'ending') return authenticator.authenticate(headers);
    this.calls += 1;
    const key = this.isOver ? 'gone' : 'key-rw';
    return authenticator.authenticate({ ...headers, 'x-api-key': key });
  },
};

describe('HTTP body', () => {
  const rig = openForSuite(() => startRig({ routes: [anything, ...others], authenticator: ending }));
  beforeEach(() => {
    received.length = 0;
  });

  const anythingHead = (...headers: readonly string[]) => [
    'POST /anything HTTP/1.1',
    `Host: ${rig.host}`,
    ...headers,
  ];
  const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    rig.request('POST', '/anything', { headers, body });

  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
  ])
    it(`takes ${type}`, async () => {
      const answer = await post('{"a":"é"}', { 'content-type': type });
      expect(answer.status).to.equal(200);
      expect(received).to.deep.equal([{ a: 'é' }]);
    });

  for (const type of [
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/merge-patch+json',
  ])
    it(`refuses ${type} with 415`, async () => {
      const answer = await post('{}', { 'content-type': type });
      expect(answer.status).to.equal(415);
      expect(answer.json).to.deep.equal({
        message: 'Content-Type must be application/json',
        error: 'Unsupported Media Type',
        statusCode: 415,
      });
      expect(received).to.deep.equal([]);
    });

  it('refuses a body without a type and a compressed one', async () => {
    expect((await post('{}', {})).status).to.equal(415);
    const packed = await post('{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    expect(packed.status).to.equal(415);
  });

  for (const [name, text] of [
    ['a cut object', '{"a":'],
    ['a trailing comma', '{"a":1,}'],
    ['two values', '{} {}'],
    ['a byte order mark', '\ufeff{}'],
    ['blanks', '   '],
  ] as const)
    it(`answers ${name} with a validation error on the whole body`, async () => {
      const answer = await post(text);
      expect(answer.status).to.equal(400);
      expect(answer.json).to.deep.include({ message: 'Validation error', errorCode: 'VALIDATION_ERROR' });
      expect(answer.json.details).to.deep.equal([
        { path: '', message: 'Body is not valid JSON', code: 'invalid_json' },
      ]);
      expect(received).to.deep.equal([]);
    });

  it('refuses bytes that are not UTF-8 instead of changing them', async () => {
    const head = rawText(anythingHead('Content-Type: application/json', 'Content-Length: 5'));
    const bytes = Buffer.concat([Buffer.from(head), Buffer.from([0x22, 0xc3, 0x28, 0xff, 0x22])]);
    const { status, text } = await sendRaw(rig.port, bytes);
    expect(status).to.equal(400);
    expect(text).to.contain('Body is not valid UTF-8');
    expect(received).to.deep.equal([]);
  });

  const filled = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));

  const POSTS = [
    { name: 'without a credential', path: '/anything', headers: {}, bytes: 16 * 1024 },
    { name: 'on a route that says so', path: '/many-keys', headers: {}, bytes: 64 * 1024 },
    { name: 'with a credential', path: '/kept', headers: { 'x-api-key': 'key-rw' }, bytes: 1024 * 1024 },
  ];
  for (const { name, path, headers, bytes } of POSTS)
    it(`takes exactly ${bytes} bytes ${name} and refuses one byte more`, async () => {
      const send = (size: number, more: Record<string, string> = {}) =>
        rig.request('POST', path, {
          headers: { 'content-type': 'application/json', ...headers, ...more },
          body: filled(size),
        });
      expect((await send(bytes)).status).to.equal(200);
      for (const more of [{}, { 'transfer-encoding': 'chunked' }]) {
        const answer = await send(bytes + 1, more);
        expect(answer.status).to.equal(413);
        expect(answer.json).to.include({ error: 'Payload Too Large', statusCode: 413 });
        expect(answer.json.message).to.equal(`Request body is larger than ${bytes} bytes`);
      }
    });

  it('does not parse a long body of a caller whose credential does not stand', async () => {
    const broken = `{"a":"${'x'.repeat(20_000)}`;
    for (const more of [{}, { 'transfer-encoding': 'chunked' }]) {
      const send = (headers: Record<string, string>) =>
        rig.request('POST', '/kept', {
          headers: { 'content-type': 'application/json', ...headers, ...more },
          body: broken,
        });
      expect((await send({ 'x-api-key': 'nobody' })).json.message).to.equal('Invalid API key');
      expect((await send({ authorization: 'Bearer nobody' })).status).to.equal(401);
      expect((await send({})).json.message).to.equal('Missing authorization token');
      expect((await send({ 'x-api-key': 'key-rw' })).json.details[0].code).to.equal('invalid_json');
      expect((await send({ authorization: 'Bearer session' })).json.details[0].code).to.equal('invalid_json');
    }
    const short = await rig.request('POST', '/kept', {
      headers: { 'content-type': 'application/json' },
      body: '{"a":',
    });
    expect(short.status).to.equal(400);
  });

  it('names at most 20 unknown fields, and every wrong one that it knows', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 1]));
    const { json } = await rig.request('POST', '/known-fields', {
      body: { ...unknown, a: 1, b: 1, in: unknown },
    });
    const codes: string[] = json.details.map(({ code }: { code: string }) => code);
    expect(codes.filter((code) => code === 'unrecognized_keys')).to.have.length(20);
    expect(json.details.map(({ path }: { path: string }) => path)).to.include.members(['a', 'b', 'in.c']);
  });

  it('lets the sender of 2 MiB finish and read the refusal', async () => {
    const { status, json } = await post(filled(2 * 1024 * 1024));
    expect([status, json]).to.deep.equal([
      413,
      {
        message: `Request body is larger than ${16 * 1024} bytes`,
        error: 'Payload Too Large',
        statusCode: 413,
      },
    ]);
    expect(received, 'nothing of it reached a handler').to.deep.equal([]);
  });

  it('does nothing for a credential that ended while the body was on its way', async () => {
    for (const length of [undefined, 20_000]) {
      const kept = ending.calls;
      const body = JSON.stringify({ text: 'x'.repeat(19_989) });
      const begin = body.slice(0, 10_000);
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = net.connect(rig.port, '127.0.0.1', async () => {
          const framing = length === undefined ? 'transfer-encoding: chunked' : `content-length: ${length}`;
          const piece = (text: string) =>
            length === undefined ? `${text.length.toString(16)}\r\n${text}\r\n` : text;
          socket.write(
            `POST /kept HTTP/1.1\r\nhost: 127.0.0.1:${rig.port}\r\nx-api-key: ending\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`,
          );
          socket.write(piece(begin));
          await untilSettled('its credential was looked at', () => ending.calls > kept);
          ending.isOver = true;
          socket.write(piece(body.slice(10_000)));
          if (length === undefined) socket.write('0\r\n\r\n');
        });
        socket.setEncoding('utf8').once('data', (text) => {
          resolve(String(text));
          socket.destroy();
        });
        socket.once('error', reject);
      });
      ending.isOver = false;
      expect(answer).to.match(/^HTTP\/1.1 401 /);
    }
  });

  it('counts the bytes of a chunked body, which declares none', async () => {
    const chunked = await rig.request('POST', '/anything', {
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      body: filled(2 * 1024 * 1024),
    });
    expect(chunked.status).to.equal(413);
    const small = await rig.request('POST', '/anything', {
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      body: '[1]',
    });
    expect(small.json).to.deep.equal({ body: [1] });
  });

  it('does not wait for a body that declares far too much', async () => {
    const head = anythingHead('Content-Type: application/json', 'Content-Length: 99999999999');
    const { status, headers } = await sendRaw(rig.port, rawText(head, '{'));
    expect(status).to.equal(413);
    expect(headers['connection']).to.match(/close/i);
  });

  it('puts a body together that arrives in pieces', async () => {
    const text = JSON.stringify({ a: 'ü'.repeat(50) });
    const bytes = Buffer.from(text);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = net.connect(rig.port, '127.0.0.1', async () => {
        socket.setNoDelay(true);
        socket.write(
          `POST /anything HTTP/1.1\r\nHost: ${rig.host}\r\nContent-Type: application/json\r\nContent-Length: ${bytes.length}\r\n\r\n`,
        );
        for (const byte of bytes) {
          socket.write(Buffer.from([byte]));
          await new Promise((next) => setImmediate(next));
        }
      });
      socket.on('data', (chunk) => {
        resolve(chunk.toString());
        socket.destroy();
      });
      socket.on('error', reject);
    });
    expect(answer).to.match(/^HTTP\/1\.1 200 /);
    expect(received).to.deep.equal([JSON.parse(text)]);
  });

  it('does nothing with a body whose sender went away, and serves on', async () => {
    await new Promise<void>((resolve, reject) => {
      const socket = net.connect(rig.port, '127.0.0.1', () => {
        const head = `POST /anything HTTP/1.1\r\nHost: ${rig.host}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n`;
        socket.write(`${head}{"complete":true}`, () => {
          socket.destroy();
          resolve();
        });
      });
      socket.on('error', reject);
    });
    expect((await post('{"next":1}')).status).to.equal(200);
    expect(received).to.deep.equal([{ next: 1 }]);
  });

  it('keeps a connection usable after refusing a body', async () => {
    const one = `POST /anything HTTP/1.1\r\nHost: ${rig.host}\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc`;
    const two = `GET /nowhere HTTP/1.1\r\nHost: ${rig.host}\r\nConnection: close\r\n\r\n`;
    const answer = await new Promise<string>((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = net.connect(rig.port, '127.0.0.1', () => socket.write(one + two));
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('error', reject);
      socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    });
    expect(answer.match(/HTTP\/1\.1 \d{3}/g)).to.deep.equal(['HTTP/1.1 415', 'HTTP/1.1 404']);
  });
});
