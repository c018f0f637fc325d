import { expect } from 'chai';
import { createLogger } from '../../../gateway/system/logger.ts';

function recorder() {
  const lines: string[] = [];
  return { lines, stream: { write: (line: string) => void lines.push(line) } };
}

const KEY = `tdm_${'k'.repeat(43)}`;
const TOKEN = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

describe('logger', () => {
  it('writes one JSON line a record, from its level upwards', () => {
    const { lines, stream } = recorder();
    const logger = createLogger({ level: 'warn', stream });
    logger.info({}, 'quiet');
    logger.warn({ port: 7391 }, 'loud');
    expect(lines).to.have.length(1);
    const record = JSON.parse(lines[0] ?? '');
    expect(record).to.deep.include({ level: 'warn', port: 7391, msg: 'loud' });
    expect(record.time).to.match(/^\d{4}-\d\d-\d\dT/);
  });

  it('lets no credential through, by name or by shape', () => {
    const { lines, stream } = recorder();
    const logger = createLogger({ level: 'debug', stream });
    const secrets = {
      headers: {
        authorization: 'Bearer sesame',
        cookie: 'c=sesame',
        'x-api-key': 'sesame',
        'Set-Cookie': ['sesame'],
      },
      body: {
        password: 'sesame',
        code: 'sesame',
        code_verifier: 'sesame',
        refresh_token: 'sesame',
        accessToken: 'sesame',
      },
      nested: [{ deep: { privateKey: 'sesame', credentials: { apiSecret: 'sesame' } } }],
      text: `key ${KEY} token ${TOKEN}`,
      err: new Error(`request with ${KEY} failed`, { cause: new Error(TOKEN) }),
    };
    logger.error(secrets, `failed for ${KEY} and ${TOKEN}`);
    const all = lines.join('');
    expect(all).not.to.contain('sesame').and.not.to.contain(KEY).and.not.to.contain(TOKEN);
    expect(all).to.contain('[redacted]');
    expect(secrets.body.password).to.equal('sesame');
  });

  it('keeps error codes and causes readable', () => {
    const { lines, stream } = recorder();
    const error = Object.assign(new Error('no'), { code: 'EACCES' });
    createLogger({ level: 'info', stream }).error({ err: error, code: 'SQLITE_FULL' }, 'failed');
    const record = JSON.parse(lines[0] ?? '');
    expect(record.err).to.include({ message: 'no', code: 'EACCES' });
    expect(record.code).to.equal('SQLITE_FULL');
  });

  it('survives fields that refer to themselves', () => {
    const { lines, stream } = recorder();
    const loop: Record<string, unknown> = { name: 'loop' };
    loop['self'] = loop;
    createLogger({ level: 'info', stream }).info({ loop }, 'turning');
    expect(JSON.parse(lines[0] ?? '')).to.have.nested.property('loop.name', 'loop');
  });

  it('writes readable lines for a terminal', () => {
    const { lines, stream } = recorder();
    createLogger({ level: 'info', stream, pretty: true }).info({ port: 7391, why: 'two words' }, 'serving');
    expect(lines[0]).to.match(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}serving {2}port=7391 {2}why="two words"\n$/);
  });
});
